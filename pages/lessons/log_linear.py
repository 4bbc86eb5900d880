"""The lesson on log-linear models."""

from dataclasses import dataclass, replace
from itertools import pairwise

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.data import BayesNet, Parity
from boltzcore.learners import GreedyMDL
from boltzcore.models import LogLinearSetup
from boltzcore.quoting import number
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures import terms
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import Fit, RaceScene, TrainingScene, medians, values, with_data_seed, with_seed
from pages.lessons.tables import LadderScene, QuestionScene, Rung

BEST = -1.3862944  # nats: -2 ln 2, of the triples themselves
_LIKELIHOOD, _TRUTH = "train_log_likelihood", "kl_to_truth"
_COPIES = 20  # of each row of parity, times one more than the seed
_CLOSE = 0.15  # how far a good answer may be from the truth
_ENOUGH = 200  # steps, after which most searches are over
_ROWS, _TERMS, _STATES, _MEMORY, _SECONDS = "Rows", "Terms", "States", "Megabytes", "Seconds"
_TO_TRUTH, _COLUMNS = "KL to the truth", "Columns"
_SIZES = (14, 16, 18, 20)  # columns
_FOURFOLD = 4  # from the second of these to the last there are sixteen times as many states: clearly more seconds


def _search(data: BayesNet | Parity, length: int = _ENOUGH, every: int = 1) -> Recipe:
    return Recipe(LogLinearSetup(), data, GreedyMDL(), Schedule(length=length, unit="updates", every=every))


def _other_copies(recipe: Recipe, seed: int) -> Recipe:
    """Return parity with other copies: it has no chance, so that the seed sets the number of rows."""
    return replace(with_seed(recipe, seed), data=recipe.data.changed(copies=_COPIES * (seed + 1)))


@dataclass(frozen=True)
class GreedyResult:
    """Terms bought by a search.

    orders : number of variables of each term
    margins : gain of each term above its price, nats per example
    likelihood : of the training rows, nats per example
    """

    orders: tuple[int, ...]
    margins: tuple[float, ...]
    likelihood: float


def _greedy(fit: Fit) -> GreedyResult:
    found = terms.get_purchases(fit.state, fit.recipe.learner, fit.dataset)
    margins = () if found is None else tuple((found.gains - found.prices).tolist())
    orders = tuple((fit.state.model.digits() > 0).sum(axis=1).tolist())
    return GreedyResult(orders, margins, values(fit.records, _LIKELIHOOD)[-1])


def _count(bought: GreedyResult) -> str:
    """Return the number of terms of each order, in words."""
    if not bought.orders:
        return "No terms bought."
    of = ", ".join(f"{bought.orders.count(order)} of order {order}" for order in sorted(set(bought.orders)))
    return f"{len(bought.orders)} term{'s' * (len(bought.orders) > 1)} bought: {of}."


def _likelihood(bought: GreedyResult) -> str:
    return f"{_count(bought)} Log-likelihood: {number(bought.likelihood, '.2f')} nats."


def _least(bought: GreedyResult) -> str:
    return f"{_count(bought)} The smallest margin of gain over price is {min(bought.margins):.4f} nats."


def _make_rung(fit: Fit, seconds: float) -> Rung:
    model = fit.state.model
    return {_ROWS: fit.dataset.train.total, _TERMS: model.n_terms, _TO_TRUTH: values(fit.records, _TRUTH)[-1]}


def _grows(rungs: tuple[Rung, ...]) -> bool:
    """True if each size has more terms than the one before, and is closer to the truth."""
    return all(many[_TERMS] > few[_TERMS] and many[_TO_TRUTH] < few[_TO_TRUTH] for few, many in pairwise(rungs))


def _cost(fit: Fit, seconds: float) -> Rung:
    model = fit.state.model
    memory = fit.recipe.model.memory(fit.dataset.train)
    return {_COLUMNS: model.n_visible, _STATES: model.n_states, _MEMORY: memory / 2**20, _SECONDS: seconds}


def _slower(rungs: tuple[Rung, ...]) -> float:
    """Return the factor by which four more columns prolong the search."""
    return rungs[3][_SECONDS] / rungs[1][_SECONDS]


def _closer(result: Result) -> str:
    """Return the contender whose median is closer to the truth."""
    found = medians(result)  # an error counts as negative there
    return max(found, key=found.__getitem__)


_PARITY = Step(
    "One term of three",
    "A **log-linear model** is made of **terms**: a term depends on some columns and makes some combinations of their "
    "values more likely than the others. The data are the triples with an even number of ones: 000, 011, 101 and 110.",
    Question(
        "How many terms does the search add?",
        ("None: there is nothing to find", "One, of all three columns", "Three, one for each pair"),
    ),
    1,
    TrainingScene(_search(Parity(copies=_COPIES)), ("terms",), 2.0, _other_copies, _likelihood, _greedy),
    "Run it and read the list of terms. The thin curve, KL data, is 0 once the model gives all rows the probabilities "
    "that they have in the data. New random numbers change the number of rows.",
    Question(
        "Where did the log-likelihood end?",
        ("At −2.08", "Between −2.0 and −1.5", "At −1.39"),
    ),
    lambda bought: sum(bought.likelihood > level for level in (-2.05, -1.42)),
    lambda bought: bought.orders == (3,) and abs(bought.likelihood - BEST) < 1e-3,
    "“An even number of ones” is one statement about three columns, and one term of three expresses it. −1.39 is "
    "−2 ln 2: four triples with probability ¼ each, and no model does better.",
    more="A term may depend on two columns, three or any number. Each triple comes many times. No column carries "
    "information about another, so a model of pairs finds nothing and stays at −2.08 nats. The search adds, or "
    "**buys**, one term at a time, as long as a term is worth its price (see the next step).",
    further="The model is called *full-span*, because it can have terms of every set of columns; the search decides "
    "which are used.",
)
_PRICE = Step(
    "Gain and price",
    "Any term makes the model fit a little better, if only by chance, so each has a **price**, the cost of "
    "writing it down. Its **gain** is how much it shortens the description of the rows.",
    Question(
        "When does the search stop buying?",
        (
            "When it has all 255 possible terms",
            "When no term gains more than its price",
            "When the rows are described perfectly",
        ),
    ),
    1,
    TrainingScene(_search(BayesNet(nodes=8, n=300)), ("terms",), 6.0, with_data_seed, _least, _greedy),
    "Run it. Compare gain and price in the list of terms; on a phone, scroll it sideways.",
    Question(
        "How many terms in the list gain less than their price?",
        ("None", "About half of them", "Nearly all"),
    ),
    lambda bought: 0 if min(bought.margins) >= 0 else 1 + (sorted(bought.margins)[len(bought.margins) // 2] < 0),
    lambda bought: len(bought.orders) < 30 and min(bought.margins) > 0,
    "The shortest description decides: a term that saves less than it costs makes the whole description longer. This "
    "is the principle of **minimum description length** (MDL). The search takes the best step each time and stops if "
    "no step helps; it may also adjust or remove terms.",
    more="The price is higher for more columns, and lower if more rows share it. The more probable a row, the shorter "
    "its description. Price and gain are in nats per row. The thin curve, KL data, is the length of the rows' "
    "description by the model, less their entropy, which no model can save. The thick curve, cost, adds the prices of "
    "the terms; the next step explains the dotted one. The data are 300 rows of eight columns.",
)
_MORE = Step(
    "More data, more terms",
    "The same eight columns, drawn from the same source: 100 rows, 1,000 rows and 10,000 rows. The source is known "
    "here: **KL to the truth** measures how far a model is from it, and is 0 if they agree.",
    Question(
        "How does the number of terms change with more rows?",
        (
            "It falls: clearer data need fewer terms",
            "It stays: the source is the same",
            "It grows",
        ),
    ),
    2,
    LadderScene(
        "Terms by rows",
        tuple(_search(BayesNet(nodes=8, n=rows), every=_ENOUGH) for rows in (100, 1_000, 10_000)),
        _make_rung,
        ((_ROWS, ",.0f"), (_TERMS, ".0f"), (_TO_TRUTH, ".3f")),
    ),
    "Run it and read the table from top to bottom.",
    Question(
        "From 100 rows to 10,000, what happened to the terms and to KL?",
        ("More terms, smaller KL", "More terms, larger KL", "Fewer terms, smaller KL", "Something else"),
    ),
    lambda rungs: {(True, True): 0, (True, False): 1, (False, True): 2}.get(
        (rungs[-1][_TERMS] > rungs[0][_TERMS], rungs[-1][_TO_TRUTH] < rungs[0][_TO_TRUTH]), 3
    ),
    _grows,
    "The price of a term is shared by all rows: with a hundred times as many, weaker rules pay, too. Few rows pay "
    "only for the strongest rules, and the rest is left open rather than guessed. You need not choose the size of the "
    "model in advance.",
)
_ASK = Step(
    "Ask the model",
    "A model of ten columns answers any question about them: given the values of some, how probable are those of the "
    "others? The last question gives seven of them values that occur together in *no row*.",
    Question(
        "No row agrees with the last question. Can the model answer it?",
        (
            "No, it cannot know what it has not seen",
            "Yes, but no better than guessing",
            "Yes, and close to the truth",
        ),
    ),
    2,
    QuestionScene(_search(BayesNet(nodes=10, n=1_000), every=_ENOUGH), 7),
    "Run it and ask all three questions. Coloured bars are the model's answers, grey bars the shares of the rows that "
    "agree; marks are the truth.",
    Question(
        "For the last question, how far are model and truth apart, on average?",
        ("At most 0.15", "From 0.15 to 0.3", "More than 0.3"),
    ),
    lambda asked: 2 if asked.off is None else sum(asked.off > level for level in (_CLOSE, 0.3)),
    lambda asked: asked.agreeing == 0 and asked.off is not None and asked.off < _CLOSE,
    "Each term was learnt from *all* rows, including those that agree with the question only in part. Together the "
    "terms answer for a case that never occurred. The answer is exact for the model: a sum over every possible row. "
    "Whether the model is right is another matter: it is as good as its terms.",
    more="You could also count the rows that agree with the given values. There are 1,000 rows here.",
)
_COST = Step(
    "The cost of exact sums",
    "All of this sums over every possible row, or **state**, and *n* columns of two values have 2ⁿ of them. Here "
    "the search takes a few steps with 14, 16, 18 and 20 columns.",
    Question(
        "From 16 to 20 columns, how does the memory for all these states grow?",
        ("By a quarter", "By a factor of four", "By a factor of sixteen"),
    ),
    2,
    LadderScene(
        "Cost by columns",
        tuple(_search(BayesNet(nodes=columns), length=2, every=2) for columns in _SIZES),
        _cost,
        ((_COLUMNS, ".0f"), (_STATES, ",.0f"), (_MEMORY, ",.1f"), (_SECONDS, ".3f")),
        times=3,
    ),
    "Run it and compare the lines for 16 and 20 columns. The seconds are measured on this server, the fewest of three "
    "runs.",
    Question(
        "How much longer did 20 columns take than 16?",
        ("At most twice as long", "From two to four times", "More than four times"),
    ),
    lambda rungs: sum(_slower(rungs) > level for level in (2.0, float(_FOURFOLD))),
    lambda rungs: _slower(rungs) > _FOURFOLD and rungs[3][_MEMORY] == 16 * rungs[1][_MEMORY],
    "Every column doubles the number of states, and with it the memory and, once there are many states, the time: with "
    "four more columns the search took 9 to 16 times as long when we measured.",
    more="Three columns have 8 states. Each size has 1,000 rows.",
    further="30 columns have more than a billion states, and 64 more than fit into any computer. This project stops at "
    "2²⁶. Beyond that you need methods without exact sums: sampling, contrastive divergence and belief propagation.",
)
_FEW_ROWS = replace(_search(BayesNet(nodes=10, n=100), length=100, every=5), measures=(_TRUTH,))
_FREE = Step(
    "Again: free terms",
    "On 100 rows of ten columns, one search pays for its terms; for the other, terms are free. They are compared "
    "by the **KL to the truth**: the lower, the closer to the source of the rows.",
    Question(
        "Which model comes closer to the truth?",
        ("The one with free terms: it fits more closely", "The one that pays", "Both the same"),
    ),
    1,
    RaceScene(
        Comparison(
            _FEW_ROWS,
            {"Pays": {}, "Free": {"GreedyMDL.price": 0.0}},
            trials=5,
            axis="updates",
            figure=_TRUTH,
        )
    ),
    "Run the race. Lower is better here. Each trial has its own source.",
    Question("Which median is lower at the end? (Medians are next to the names.)", ("Pays", "Free")),
    lambda result: int(_closer(result) != "Pays"),
    lambda result: _closer(result) == "Pays",
    "Free terms describe these 100 rows ever more closely, chance included, and lead away from the source. On the way "
    "the free search may come closer to it than the other, which is careful and stops early; but nothing makes it stop "
    "there. The price keeps out patterns that are only chance.",
)
_FOUR = Step(
    "Again: parity of four",
    "The first step with four columns: all rows with an even number of ones. Now any *three* columns are independent "
    "of each other.",
    Question(
        "What does the search buy?",
        ("Nothing", "Four terms of three columns", "One term of four columns"),
    ),
    2,
    TrainingScene(_search(Parity(n=4, copies=_COPIES)), ("terms",), 2.0, _other_copies, _likelihood, _greedy),
    "Run it and read the list of terms.",
    Question(
        "How many columns does the term depend on?",
        ("Two", "Three", "Four", "There is no term"),
    ),
    lambda bought: {2: 0, 3: 1, 4: 2}.get(max(bought.orders, default=0), 3),
    lambda bought: bought.orders == (4,),
    "One term again, of four columns: it gains ln 2 a row, as before, and twice as many rows share its price. With "
    "enough rows that pays. With only one row of each kind nothing is bought.",
)

LOG_LINEAR = Lesson(
    "The log-linear model",
    "Terms of any number of columns, their gain and price, questions to the model, and the cost of exact sums.",
    "15 minutes",
    (_PARITY, _PRICE, _MORE, _ASK, _COST, _FREE, _FOUR),
)
