"""The lesson on the fully visible Boltzmann machine."""

from dataclasses import replace
from itertools import pairwise

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.data import Parity, RandomFVBM, Senate
from boltzcore.learners import BSLM, GradientAscent, PseudoLikelihoodLBFGS
from boltzcore.learners.base import Learner
from boltzcore.models import FVBMSetup
from boltzcore.quoting import number
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures import estimating
from pages.figures.estimating import Pair
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import Fit, RaceScene, TrainingScene, highest, medians, values, with_data_seed
from pages.lessons.tables import LadderScene, Rung

PAIRS = -2.0794415  # nats: -3 ln 2, the most that models of pairs reach on parity
BEST = -1.3862944  # nats: -2 ln 2, of the data
_LIKELIHOOD = "train_log_likelihood"
_FALL = 1e-9  # nats: smaller falls are rounding
_FEW, _MANY = 400, 40_000  # rows
_ERROR = "Standard error"
_SLOW = 10.0  # sweeps a second, so that there is something to watch


def _training(data: RandomFVBM | Parity | Senate, start: float, length: int) -> Recipe:
    """Return a training by BSLM that lasts at least `length` sweeps."""
    return Recipe(FVBMSetup(variance=start), data, BSLM(tau=0.0), Schedule(length=length, unit="updates"))


def _race(data: RandomFVBM, start: float, sweeps: int, trials: int, learners: dict[str, Learner]) -> Comparison:
    schedule = Schedule(length=sweeps, unit="updates")
    base = Recipe(FVBMSetup(variance=start), data, BSLM(), schedule, measures=("log_pseudo_likelihood",))
    contenders = {name: replace(base, learner=learner) for name, learner in learners.items()}
    return Comparison(base, contenders, trials=trials, axis="updates")


def _strongest(fit: Fit) -> Pair:
    return estimating.strongest(fit.state.model, fit.dataset)


def _in_words(pair: Pair) -> str:
    j, k = pair.names
    return (
        f"The strongest coupling, {number(pair.coupling, '+.2f')}, is between {j} and {k}, which agree in "
        f"{number(pair.alike, '.0%')} of the rows."
    )


def _sign_tells(pair: Pair) -> bool:
    """True if the units are alike in most rows and their coupling is positive, or neither."""
    return (pair.coupling > 0) == (pair.alike > 0.5)


def _falls(result: Result, name: str) -> bool:
    """True if the curve of a contender falls anywhere."""
    (outcome,) = result.outcomes[name]
    return any(after < before - _FALL for before, after in pairwise(outcome.merits))


def _errors(fit: Fit, seconds: float) -> Rung:
    """Return the coupling of the first two columns with its standard error."""
    found = estimating.estimates_of(fit.state.model, fit.dataset)
    place = fit.dataset.train.n_visible  # the first coupling comes after all biases
    error = float("inf") if isinstance(found, str) else float(found.standard_error[place])
    return {"Rows": fit.dataset.train.total, "Coupling": float(fit.state.model.M[0, 1]), _ERROR: error}


def _shrinks(rungs: tuple[Rung, ...]) -> float:
    """Return the ratio of the standard errors of few and of many rows."""
    return rungs[0][_ERROR] / rungs[1][_ERROR]


_SIGN = Step(
    "What a coupling means",
    "A **fully visible Boltzmann machine** has no hidden units: every unit is a column of a table, −1 or +1, and "
    "any two columns share a **coupling**. It learns to predict each value of a row from the others.",
    Question(
        "Two columns get a large negative coupling. In how many rows will they have the same value?",
        ("In most of them", "In about half of them", "In fewer than half of them"),
    ),
    2,
    TrainingScene(
        _training(RandomFVBM(d=4, n=2_000), 0.0, 60), ("couplings",), _SLOW, with_data_seed, _in_words, _strongest
    ),
    "Run it. Blue squares are positive couplings, red ones negative. The strongest is named above the curve.",
    Question("What is the strongest coupling?", ("Positive (blue)", "Negative (red)")),
    lambda pair: int(pair.coupling < 0),
    _sign_tells,
    "A positive coupling makes rows more likely in which both columns have the same value, −1 and −1 or +1 and +1; a "
    "negative one makes rows more likely in which they differ. The machine finds this by itself, because it improves "
    "the predictions.",
    more="The curve, the **log-pseudo-likelihood**, measures how well it predicts: thin for the rows that it learns "
    "from (training), thick for others of the same kind (test). The dashed line, the base rate, is a prediction that "
    "ignores the other columns. The data are a table of four columns.",
    further="A coupling describes two columns *while all others stay as they are*, so a weak one need not agree with a "
    "plain count of rows; the strongest one nearly always does.",
)
_BESIDE = Step(
    "One sweep, two methods",
    "A **sweep** changes each bias and coupling once: **gradient ascent** (GA) by a step along the slope, "
    "**BSLM** by going to the top of a parabola that touches the curve and lies below it.",
    Question(
        "BSLM, GA with step 1 and GA with step ½: which is ahead after ten sweeps?",
        ("BSLM alone", "BSLM and GA with step 1, exactly alike", "GA with step ½, because it is careful"),
    ),
    1,
    RaceScene(
        _race(
            RandomFVBM(d=6, n=1_000),
            0.5,
            10,
            5,
            {"BSLM": BSLM(), "GA, step 1": GradientAscent(mu=1.0), "GA, step 1/2": GradientAscent(mu=0.5)},
        )
    ),
    "Run the race and compare the medians next to the names.",
    Question(
        "Which two medians are the same?",
        ("BSLM and GA with step 1", "BSLM and GA with step ½", "The two GA medians", "None"),
    ),
    lambda result: 0 if medians(result)["BSLM"] == medians(result)["GA, step 1"] else 3,
    lambda result: medians(result)["BSLM"] == medians(result)["GA, step 1"] > medians(result)["GA, step 1/2"],
    "They are the same method: the top of BSLM's parabola lies exactly where a step of 1 along the slope ends. So BSLM "
    "is no faster; what it adds is the proof that this step never leads down. Half the step stays below the top of the "
    "parabola and needs more sweeps.",
    more="GA needs a step size; BSLM (block successive lower-bound maximisation) needs none. Both raise the "
    "log-pseudo-likelihood. All get the same number of sweeps (updates in the chart) and run five times, from the same "
    "five starts. The **median** is the middle of these trials.",
)
_STEPS = Step(
    "How long may a step be?",
    "The paper on BSLM proves that the curve never falls with steps of gradient ascent *up to 1*. A step of 2 "
    "lands as far beyond the top of the parabola as it started before it.",
    Question(
        "Take steps of 1, of 2 and of 3 for forty sweeps. Which curves fall at some point?",
        ("None", "Only that of 3", "Those of 2 and 3", "All"),
    ),
    1,
    RaceScene(
        _race(
            RandomFVBM(d=4, variance=0.05, n=1_000),
            0.1,
            40,
            1,
            {f"Step {mu}": GradientAscent(mu=float(mu)) for mu in (1, 2, 3)},
        )
    ),
    "Run it and check whether a curve ever goes down.",
    Question("Which curve went down?", ("None", "That of step 3", "That of step 2", "That of step 1")),
    lambda result: next((number for number, mu in ((1, 3), (2, 2), (3, 1)) if _falls(result, f"Step {mu}")), 0),
    lambda result: [_falls(result, name) for name in result.comparison.names] == [False, False, True],
    "The parabola lies *under* the curve, and at a step of 2 it is back at its starting height: the curve itself "
    "cannot be lower. So what was proved up to 1 is true up to 2. Beyond 2 the parabola ends lower, and the curve "
    "may, too.",
    further="Here couplings are small, parabola and curve are nearly the same, and a step of 3 falls again and again. "
    "On other data it may not.",
)
_PARITY = Step(
    "What pairs cannot learn",
    "The data are the four triples with an even number of ones, 000, 011, 101, 110, and a perfect model of them "
    "has a log-likelihood of −1.39. In any *two* columns 00, 01, 10 and 11 are equally frequent.",
    Question(
        "How high does the log-likelihood of a fully visible machine get?",
        ("To −1.39", "About halfway, −1.7", "To −2.08, no higher"),
    ),
    2,
    TrainingScene(_training(Parity(n=3), 1.0, 60), ("likelihood", "couplings"), _SLOW),
    "Run it. Read the final log-likelihood (the chart below) and the couplings.",
    Question(
        "What was the highest log-likelihood?",
        ("−2.08 or lower", "From −2.07 to −1.39", "Above −1.386"),
    ),
    lambda records: sum(highest(records) > level for level in (PAIRS + 0.005, BEST)),
    lambda records: PAIRS - 1e-3 < values(records, _LIKELIHOOD)[-1] <= highest(records) < PAIRS + 1e-6,
    "−2.08 is ln ⅛ = −3 ln 2: all eight triples are equally likely. No two columns carry information about each "
    "other, so the best couplings are 0, wherever they started. The pattern is in *three* columns together, and "
    "this machine cannot express it.",
    more="A perfect model gives each triple the probability ¼, so its log-likelihood is ln ¼ = −2 ln 2 = −1.39 nats.",
    further="Hidden units can (lesson on RBMs), and so can terms of three columns (lesson on log-linear models).",
)
_CHANCE = Step(
    "Standard errors",
    "Other rows from the same source would give another coupling; its typical variation is its **standard "
    "error**. Here are 400 rows, and 40,000 rows of the same source.",
    Question(
        "With a hundred times as many rows, how large is the standard error of the coupling of x1 and x2?",
        ("As large as before", "A tenth", "A hundredth"),
    ),
    1,
    LadderScene(
        "The coupling of x1 and x2",
        tuple(
            Recipe(
                FVBMSetup(variance=0.0),
                RandomFVBM(d=4, variance=0.1, n=rows),
                PseudoLikelihoodLBFGS(),
                Schedule(length=100, unit="updates", every=100),
            )
            for rows in (_FEW, _MANY)
        ),
        _errors,
        (("Rows", ",.0f"), ("Coupling", "+.3f"), (_ERROR, ".4f")),
    ),
    "Run it and compare the standard errors.",
    Question(
        "Divide the standard error for 400 rows by that for 40,000. What do you get?",
        ("Less than 3", "From 6 to 16", "More than 50", "Something else"),
    ),
    lambda rungs: 0 if _shrinks(rungs) < 3 else 1 if 6 <= _shrinks(rungs) <= 16 else 2 if _shrinks(rungs) > 50 else 3,
    lambda rungs: 6 <= _shrinks(rungs) <= 16,
    "About 10: errors shrink with the *square root* of the number of rows. Halving an error takes four times as many "
    "rows. So look at the standard error before you trust a weak coupling: Train shows one for every parameter.",
    more="A coupling less than two standard errors away from 0 may well be 0 in truth. The columns are x1, x2, x3 and "
    "x4.",
)
_VOTES = Step(
    "Again: voting in the Senate",
    "The data are 147 votes of the Australian Senate in 2016, with a column for each party except the government: "
    "yes or no. The machine starts from random couplings this time.",
    Question(
        "If it starts again from other couplings, will another pair have the strongest coupling?",
        ("Yes, it depends on the start", "No, it is always the same pair"),
    ),
    1,
    TrainingScene(_training(Senate(), 1.0, 100), ("couplings",), 20.0, says=_in_words, reads=_strongest),
    "Run it twice with different random numbers, which set the start.",
    Question("Which pair has the strongest coupling?", ("PHON and Cull", "AG and JLN", "Another pair")),
    lambda pair: {frozenset(("PHON", "Cull")): 0, frozenset(("AG", "JLN")): 1}.get(frozenset(pair.names), 2),
    lambda pair: set(pair.names) == {"PHON", "Cull"} and _sign_tells(pair),
    "The log-pseudo-likelihood has a single maximum, so every start leads to the same couplings. The strongest one is "
    "positive: these two vote alike, even when all others' votes are known. The coupling does not say why.",
    more="AG are the Greens, JLN is the Jacqui Lambie Network, PHON is One Nation, and Cull is Senator Culleton, who "
    "was elected for One Nation.",
)
_TWO = Step(
    "Again: parity of two",
    "Two columns instead of three, again with an even number of ones: 00 and 11. A perfect model gives each the "
    "probability ½, so its log-likelihood is ln ½ = −ln 2 = −0.69.",
    Question("Can a fully visible machine learn it?", ("No, it stays at −1.39", "Yes, it comes close to −0.69")),
    1,
    TrainingScene(_training(Parity(n=2), 1.0, 300), ("likelihood", "couplings"), 60.0),
    "Run it to the end and look at the log-likelihood (the chart below).",
    Question(
        "Where does the log-likelihood end?",
        ("Below −1.3", "From −1.3 to −0.75", "Above −0.75"),
    ),
    lambda records: sum(values(records, _LIKELIHOOD)[-1] > level for level in (-1.3, -0.75)),
    lambda records: -0.75 < values(records, _LIKELIHOOD)[-1] < -0.6931,
    "Here the pattern is in one pair, and one positive coupling expresses it. It keeps growing, because 01 never "
    "occurs and its probability can always get smaller: the best coupling is infinite.",
)

FULLY_VISIBLE = Lesson(
    "The fully visible machine",
    "What a coupling means, how long a step may be, and what pairs can never learn.",
    "15 minutes",
    (_SIGN, _BESIDE, _STEPS, _PARITY, _CHANCE, _VOTES, _TWO),
)
