"""The lesson on infinite RBMs: hidden units inserted one by one."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.data import BarsAndStripes, Digits, Ising
from boltzcore.learners import CD, FrankWolfe
from boltzcore.learners.insertion.frank_wolfe import UNITS
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.reference.trace import UpdateTrace
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import Fit, RaceScene, Records, StepScene, TrainingScene, values

_LEARNT, _NEW = "train_log_likelihood", "test_log_likelihood"
_SIDE = 3  # pixels of a picture of bars or stripes, each way
_INSERTIONS, _FIRST, _ALL = 10, 4, 25
_LIMIT = 1.0  # nats by which the free-energy gap may rise
_FAR, _NEAR = 0.5, 0.1  # nats that are a clear difference, and that are hardly one
_EARLY = 0.2  # share of a race's cost
_SURE = 5  # percent: a visible difference


def _inserting(length: int, correction: str = "full") -> Recipe:
    learner = FrankWolfe(correction=correction, lambda_=0.01, restarts=10)
    return Recipe(InfiniteRBMSetup(), BarsAndStripes(D=_SIDE), learner, Schedule(length=length, unit="updates"))


def _spins(limit: float) -> Recipe:
    return Recipe(
        InfiniteRBMSetup(),
        Ising(rows=4, columns=3, n=40, seed=4),
        FrankWolfe(lambda_=0.001),
        Schedule(length=_ALL, unit="updates", gap_limit=limit),
    )


def _race() -> Comparison:
    """Return a race of CD with twelve hidden units: small random weights against units inserted by Frank-Wolfe."""
    measures = ("log_likelihood",)
    after = Recipe(
        RBMSetup(hidden=12),
        Digits(),
        CD(rate=0.05, K=10, batch_size=50),
        Schedule(length=3_000, unit="updates", every=150),
        measures,
    )
    before = Recipe(
        InfiniteRBMSetup(),
        Digits(),
        FrankWolfe(
            correction="none", lambda_=0.025, steps=200, rate=0.2, samples=200, M=100, K=5, restarts=1, iterations=50
        ),
        Schedule(length=12, unit="updates", every=2),
        measures,
    )
    contenders: dict[str, Any] = {"from random": {}, "from Frank-Wolfe": replace(after, before=before)}
    return Comparison(after, contenders, trials=5)


def _clear(trace: UpdateTrace) -> tuple[int, int]:
    """Return in how many percent of the data, and of the model's states, the found unit is clearly on or off."""
    sure = next(phase.arrays for phase in trace.phases if phase.kind == "found")["sure"]
    return round(100 * float(sure[0])), round(100 * float(sure[1]))


def _is_cross(unit: tuple[bool, ...]) -> bool:
    """True if one row and one column of pixels have one colour, and all other pixels the other."""
    places = [divmod(pixel, _SIDE) for pixel in range(_SIDE**2)]
    crosses = [[row == i or column == j for row, column in places] for i, j in places]
    return any(list(unit) == cross or [not on for on in unit] == cross for cross in crosses)


def _signs(fit: Fit) -> tuple[tuple[bool, ...], ...]:
    """Return for each hidden unit the pixels that switch it on."""
    return tuple(map(tuple, (fit.state.model.units[:, : _SIDE**2] > 0).tolist()))


def _units(records: Records) -> float:
    return values(records, UNITS)[-1]


def _best_size(records: Records) -> float:
    """Return the number of hidden units at the highest likelihood."""
    learnt = values(records, _LEARNT)
    return values(records, UNITS)[learnt.index(max(learnt))]


def _fallen(records: Records) -> float:
    """Return the fall of the likelihood of new rows from its highest value to the end."""
    new = values(records, _NEW)
    return max(new) - new[-1]


def _later_gain(records: Records) -> float:
    """Return the rise of the likelihood of the training rows since that of new rows was highest."""
    learnt, new = values(records, _LEARNT), values(records, _NEW)
    return learnt[-1] - learnt[new.index(max(new))]


def _find_lead(result: Result, share: float) -> float:
    """Return the nats by which the start from Frank-Wolfe is ahead at a share of the cost, by medians of the trials."""
    cost, middle = share * result.comparison.cost, {}
    for name, trials in result.outcomes.items():
        pairs = (zip(trial.costs, trial.merits, strict=True) for trial in trials)
        reached = sorted([merit for at, merit in each if at <= cost][-1] for each in pairs)
        middle[name] = reached[len(reached) // 2]
    return middle["from Frank-Wolfe"] - middle["from random"]


_NOTHING = Step(
    "Start with no hidden units",
    "An **infinite RBM** starts with *no* hidden units, and each update **inserts one**: the one along which the "
    "log-likelihood rises fastest. The data are the 14 images of 3 × 3 pixels in which whole rows, or whole "
    "columns, are on.",
    Question(
        "Ten units are inserted, one by one. How does the log-likelihood change?",
        (
            "It stays low until there are enough units",
            "It rises with each unit",
            "It jumps to its best with the first unit and stays there",
        ),
    ),
    1,
    TrainingScene(_inserting(_INSERTIONS), ("unit", "size"), pace=2),
    "Run it and watch the log-likelihood and the newest unit.",
    Question(
        "It started at −6.2, without hidden units. Where is it after ten insertions?",
        ("Below −5", "From −5 to −4", "Above −4"),
    ),
    lambda records: sum(values(records, _LEARNT)[-1] > level for level in (-5.0, -4.0)),
    lambda records: (
        all(after > before for before, after in pairwise(values(records, _LEARNT)))
        and -5.0 < values(records, _LEARNT)[-1] < -4.0
    ),
    "Without hidden units there are only biases: each pixel is on as often as in the data, independently. Nine "
    "fair coins make −9 ln 2 = −6.2. Each unit ties pixels together, and because it is always the one that helps "
    "most, even the first pays off.",
    more="A **hidden unit** is coupled to all visible units by **weights** and can tie them together. How many does a "
    "model need? Here training decides. (The method is called **Frank-Wolfe**.) After each insertion it recomputes how "
    "much each unit counts.",
    further="A perfect model would have −2.6, which is −ln 14.",
)
_INSERTED = Step(
    "Look at one insertion",
    "On real digits the search for a third unit starts from noise. The digits pull each weight up, **model "
    "samples** push it down.",
    Question(
        "For which images will the new unit more often be clearly on or off?",
        ("The digits", "The samples", "Both equally"),
    ),
    0,
    StepScene("fw-digits"),
    "Play the step. Watch an image emerge from the noise, and read the sentence when the unit is found.",
    Question(
        "For which images is the new unit more often clearly on or off?",
        ("The digits", "The samples", "Both equally, within 5 in 100"),
    ),
    lambda trace: 2 if abs(_clear(trace)[0] - _clear(trace)[1]) <= _SURE else int(_clear(trace)[0] < _clear(trace)[1]),
    lambda trace: _clear(trace)[0] > _clear(trace)[1] + _SURE,
    "That is what the search looks for: a pattern that splits the digits but not yet the samples. Pixels that go "
    "together in real digits, such as those of a stroke, make such a pattern. Once the unit is inserted, it splits the "
    "samples, too, and the next search has to find something else.",
    more="There are two units already. The search compares the digits with the samples of this model. Large weights "
    "have a penalty.",
)
_NEXT = Step(
    "Guess the next unit",
    "Back to whole rows and columns: each unit is drawn as an image of its weights, and blue pixels switch it on, "
    "red ones off. The first unit is a *cross*: a row and a column in one colour, all else in the other.",
    Question(
        "What will the next three units look like?",
        ("The same cross, to make it stronger", "Other crosses", "Noise, because the pattern is taken"),
    ),
    1,
    TrainingScene(_inserting(_FIRST), ("unit", "gallery"), pace=0.5, reads=_signs),
    "Run it. Guess each unit before it appears, then compare the four in the gallery.",
    Question(
        "Are two of the four units the same cross in the same colours?",
        ("Yes", "No, all four differ"),
    ),
    lambda units: int(len(set(units)) == len(units)),
    lambda units: len(units) == len(set(units)) == _FIRST and all(_is_cross(unit) for unit in units),
    "A second unit of the same pattern would gain nothing: the model already has it. So the search goes where data and "
    "model still differ, to another row and column. This is why units inserted one by one divide the work among them.",
)
_STOP = Step(
    "Stop by the gap",
    "The model learns from 40 rows, and the **free-energy gap** measures how much better it fits them than ten "
    "held-out rows. Training stops once the gap stays more than 1 nat above its lowest value.",
    Question(
        "Will it make all 25 insertions?",
        ("Yes: each unit makes the rows more likely", "No, it stops with a few units", "No, it stops at once"),
    ),
    1,
    TrainingScene(_spins(_LIMIT), ("gap", "size"), pace=2),
    "Run it and watch the gap and its dashed line.",
    Question(
        "How many hidden units are there at the end?",
        ("At most 2", "From 3 to 10", "More than 10"),
    ),
    lambda records: sum(_units(records) > most for most in (2, 10)),
    lambda records: 3 <= _units(records) <= 10 and records[-1].count < _ALL and _fallen(records) < 1.0,
    "The number of units is a *result* here, not a setting. As the gap rises, the model starts to memorise its rows "
    "instead of learning what they have in common: it **overfits**. The rule needs no partition function, because Z "
    "is the same for both kinds of rows and cancels.",
    more="A row has twelve **spins**, units that tend to agree with their neighbours. The training makes up to 25 "
    "insertions.",
)
_STARTS = Step(
    "Frank-Wolfe or random start?",
    "**Contrastive divergence** (CD) starts either with the twelve units that Frank-Wolfe has found, or with "
    "twelve units of small random weights. Both get the *same number of multiplications and additions*, "
    "insertions included.",
    Question(
        "Which is ahead?",
        (
            "From Frank-Wolfe, throughout",
            "From Frank-Wolfe at first, but the lead is gone in the end",
            "From random, throughout",
        ),
    ),
    1,
    RaceScene(_race()),
    "Run the race. Look at it after a fifth of the cost, and at the end.",
    Question(
        "Is the start from Frank-Wolfe ahead by more than half a nat at the end? (Medians are next to the names.)",
        ("Yes", "No"),
    ),
    lambda result: int(_find_lead(result, 1.0) <= _FAR),
    lambda result: _find_lead(result, _EARLY) > 2 * _FAR and _find_lead(result, 1.0) < _FAR,
    "Starting from patterns of the data saves the time that random weights need to find their first patterns: hence "
    "the lead. But CD finds patterns of its own and catches up; in the end its random start is level, or even a little "
    "ahead. On these digits the better start pays off only if you stop early.",
    more="CD changes all weights a little with each update, as the lesson on the RBM shows. Each runs five times on "
    "real digits.",
)
_PAST = Step(
    "Again: past the stop",
    "The same 40 rows of spins, but now nothing stops the training: it makes all 25 insertions.",
    Question(
        "What happens to the log-likelihood of the ten held-out rows?",
        (
            "It keeps rising, like that of the training rows",
            "It rises first, then falls, while that of the training rows keeps rising",
            "Both fall",
        ),
    ),
    1,
    TrainingScene(_spins(0.0), ("gap", "size"), pace=4),
    "Run it. The thick curve (test) is that of the held-out rows.",
    Question(
        "Where does the thick curve end?",
        ("At its best, or less than 0.1 nats below", "More than 0.1 nats below its best"),
    ),
    lambda records: int(_fallen(records) > _NEAR),
    lambda records: _fallen(records) > _NEAR and _later_gain(records) > _FAR,
    "Each further unit still makes the 40 rows more likely, and takes that probability from other rows, including "
    "those ten, which come from the same source. This is what the stop by the gap prevents.",
)
_WHOLE = Step(
    "Again: whole units",
    "Rows and columns once more, but each unit comes in *whole*: it counts once, and the counts of the others stay "
    "fixed, as in the paper. There are up to 30 insertions.",
    Question(
        "The log-likelihood starts at −6.2. How does it change?",
        (
            "It rises with each unit, as before",
            "It rises for a few units, then falls",
            "It never gets above −6.2",
        ),
    ),
    1,
    TrainingScene(_inserting(30, "none"), ("unit", "size"), pace=2),
    "Run it to the end. The dotted line marks the highest log-likelihood.",
    Question("How many units were there when it was highest?", ("At most 3", "From 4 to 8", "More than 8")),
    lambda records: sum(_best_size(records) > most for most in (3, 8)),
    lambda records: (
        4 <= _best_size(records) <= 8
        and max(values(records, _LEARNT)) > values(records, _LEARNT)[0] + _FAR
        and max(values(records, _LEARNT)) > values(records, _LEARNT)[-1] + _FAR
    ),
    "The search finds the best *direction*, in which a little of the unit helps most. A whole unit may be too much. A "
    "few still help; then they spoil the model. So either recompute the counts, as in the first step, or stop in time.",
)

INFINITE_RBM = Lesson(
    "The infinite RBM",
    "A model that starts with no hidden units: which are inserted, when there are enough, and whether they are a good "
    "start for CD.",
    "10 minutes",
    (_NOTHING, _INSERTED, _NEXT, _STOP, _STARTS, _PAST, _WHOLE),
)
