"""The lesson on the full-span log-linear model."""

from itertools import pairwise

from boltzcore.data import Parity
from boltzcore.data.bayes_net import BayesNet
from boltzcore.learners import GreedyMDL
from boltzcore.models import LogLinear, LogLinearSetup
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import ModelScene, Records, TrainingScene, values

_TERMS, _COST = "terms", "cost"
_NODES = 10


def _greedy(data: object, *shows: str, pace: float | None = 5, every: int = 1) -> TrainingScene:
    schedule = Schedule(length=300, unit="updates", every=every)
    return TrainingScene(Recipe(LogLinearSetup(), data, GreedyMDL(), schedule), shows, pace)


def _terms(records: Records) -> float:
    return values(records, _TERMS)[-1]


def _last_is_on(model: LogLinear) -> float:
    """The probability that the last variable is on where all others are."""
    last = model.n_visible - 1
    return float(model.marginal([last], dict.fromkeys(range(last), 1))[1])


def _gains(records: Records) -> list[float]:
    """What each step has brought, nats."""
    costs = values(records, _COST)
    return [before - after for before, after in pairwise(costs)]


_ONE = Step(
    "One term is enough",
    "A **full-span log-linear** model may have a term for any set of variables: for one, a pair, three of them, "
    "all. It "
    "begins with none and buys the term that pays best, again and again. The data are the 16 rows of five columns "
    "with an even number of ones: no pair of columns tells anything.",
    Question("How many terms will it buy?", ("None: no pair helps", "One, of all five columns", "All ten pairs")),
    1,
    _greedy(Parity(n=5), "terms"),
    "Run it and look at the terms.",
    Question("How many terms has it bought?", ("None", "One", "More than one")),
    lambda records: min(2, round(_terms(records))),
    lambda records: _terms(records) == 1,
    "A term of five is +1 for an even and −1 for an odd number of ones: it is all that these data have to say. A "
    "machine of pairs would learn nothing from them, and one with hidden units needs many.",
)
_PRICE = Step(
    "Gain against price",
    "A term is bought where it shortens the **description** of the data by more than it costs to write down "
    "itself. The "
    "data are again those with an even number of ones, but of three columns: four rows in all.",
    Question(
        "Will it buy the term of all three columns?",
        ("Yes, it explains these data, too", "No, four rows do not pay for it"),
    ),
    1,
    _greedy(Parity(n=3), "terms"),
    "Run it and look at the terms.",
    Question("How many terms has it bought?", ("None", "One", "More than one")),
    lambda records: min(2, round(_terms(records))),
    lambda records: _terms(records) == 0,
    "The gain is ln 2 = 0.69 nats a row in both cases. The price is shared by the rows: with 16 of them it is "
    "below the "
    "gain, with four above. So the model takes no pattern for real that so few rows could show by chance.",
)
_MORE = Step(
    "More data, more terms",
    "Rows are drawn from a network of ten variables, in which each depends on two others. With 100 rows the model buys "
    "a handful of terms, ten or so.",
    Question(
        "How many will it buy with 20,000 rows of the same network?",
        ("About as many: the network is the same", "Clearly more", "Fewer"),
    ),
    1,
    _greedy(BayesNet(nodes=_NODES, n=20_000), "terms", "graph", pace=20),
    "Run it and watch the number of terms.",
    Question("How many terms has it bought?", ("At most 12", "13 to 20", "More than 20")),
    lambda records: 0 if (n := _terms(records)) <= 12 else 1 if n <= 20 else 2,
    lambda records: _terms(records) > 20,
    "With more rows each term costs less a row, and weaker effects can be told from chance. That is how the model "
    "comes closer and closer to the truth, and never before the data allow it.",
)
_ASK = Step(
    "Ask it a question",
    "The model has a probability for every state, so any question about its variables has an exact answer. It has "
    "learnt the rows of five columns with an even number of ones.",
    Question(
        "x1, x2, x3 and x4 are on. What does the model say of x5?",
        ("Surely on", "On in half of the cases", "Surely off"),
    ),
    2,
    ModelScene(_greedy(Parity(n=5), "question", "states"), _last_is_on),
    "Run it, then set x1 to x4 to 1 in the panel of questions, and read what is said of x5.",
    Question("How probable is it that x5 is on?", ("Below 0.1", "0.1 to 0.9", "Above 0.9")),
    lambda p: 0 if p < 0.1 else 1 if p <= 0.9 else 2,
    lambda p: p < 0.1,
    "Four ones are even already, so a fifth would make them odd. Where fewer than four are known, x5 stays at one "
    "half: "
    "a single term of five says nothing of any four.",
)
_HURTS = Step(
    "Until it hurts",
    "All this is exact because the model keeps a number for every state. With 8 variables that are 2 x 2 x ... x 2 "
    "= 256 "
    "states. Now there are 20 variables.",
    Question(
        "How many states are there with 20 variables?",
        ("2.5 times as many", "A hundred times as many", "4,096 times as many: about a million"),
    ),
    2,
    ModelScene(_greedy(BayesNet(nodes=20, n=1_000), "orders", pace=None, every=20), lambda model: model.n_states),
    "Run it, and see how long a step takes: updates a second.",
    Question("How many numbers does the model keep now?", ("Below 10,000", "10,000 to 500,000", "About a million")),
    lambda states: 0 if states < 10_000 else 1 if states < 500_000 else 2,
    lambda states: states == 2**20,
    "Each variable more doubles the states, and with them memory and time. A million still goes; with 30 variables "
    "there would be a billion. Beyond, models have to give something up: all terms but pairs, or exact sums.",
)
_AGAIN_FEW = Step(
    "Again: few rows",
    "The network of ten variables once more, with 100 rows in place of 20,000.",
    Question("How many terms will it buy?", ("More than 20, as before", "At most 12")),
    1,
    _greedy(BayesNet(nodes=_NODES, n=100), "terms", "graph"),
    "Run it.",
    Question("How many terms has it bought?", ("At most 12", "13 to 20", "More than 20")),
    lambda records: 0 if (n := _terms(records)) <= 12 else 1 if n <= 20 else 2,
    lambda records: _terms(records) <= 12,
    "A hundred rows pay only for what stands out clearly.",
    again=True,
)
_AGAIN_GAIN = Step(
    "Again: which term comes first",
    "The network once more, with 1,000 rows. The curve is the description length: it falls with every term.",
    Question(
        "Which step shortens the description more?",
        ("The first", "The last", "All steps about the same"),
    ),
    0,
    _greedy(BayesNet(nodes=_NODES, n=1_000), "terms"),
    "Run it and watch the curve.",
    Question("Where does the curve fall more steeply?", ("At its beginning", "At its end")),
    lambda records: int(_gains(records)[-1] > _gains(records)[0]),
    lambda records: _gains(records)[0] > 10 * _gains(records)[-1] and min(_gains(records)) > -1e-9,
    "It always takes what pays best, so that gains fade until the best of them is no longer worth its price; then it "
    "stops by itself.",
    again=True,
)

LOG_LINEAR = Lesson(
    "The full-span log-linear model",
    "Terms of any order, bought where they pay; exact answers to any question; and what that costs.",
    "10 minutes",
    (_ONE, _PRICE, _MORE, _ASK, _HURTS, _AGAIN_FEW, _AGAIN_GAIN),
)
