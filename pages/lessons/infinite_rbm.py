"""The lesson on infinite RBMs: hidden units that come one by one."""

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
from pages.lessons.scenes import RaceScene, Records, Signs, StepScene, TrainingScene, signs_of, values
from pages.lessons.tables import FitScene

_LEARNT, _NEW = "train_log_likelihood", "test_log_likelihood"
_SIDE = 3  # pixels of a picture of bars or stripes, each way
_INSERTIONS, _FIRST, _ALL = 10, 4, 25
_LIMIT = 1.0  # nats by which the free-energy gap may rise
_FAR, _NEAR = 0.5, 0.1  # nats that are a clear difference, and that are hardly one
_EARLY = 0.2  # share of a race's cost
_SURE = 5  # a difference of so many in a hundred is seen


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
    """CD with twelve hidden units of small random weights, and with the twelve that Frank-Wolfe has inserted."""
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


def _always_rises(records: Records) -> bool:
    return all(after > before for before, after in pairwise(values(records, _LEARNT)))


def _clear(trace: UpdateTrace) -> tuple[int, int]:
    """For how many in a hundred of the data, and of what stands for the model, the found unit is clearly on or off."""
    sure = next(phase.arrays for phase in trace.phases if phase.kind == "found")["sure"]
    data, model = (round(100 * float(share)) for share in sure)
    return data, model


def _is_cross(unit: tuple[bool, ...]) -> bool:
    """Whether a row and a column that cross have one colour, and all other pixels the other."""
    places = [divmod(pixel, _SIDE) for pixel in range(_SIDE**2)]
    crosses = [[row == i or column == j for row, column in places] for i, j in places]
    return any(list(unit) == cross or [not on for on in unit] == cross for cross in crosses)


def _differ(units: Signs) -> bool:
    return len(set(units)) == len(units)


def _units(records: Records) -> float:
    return values(records, UNITS)[-1]


def _best_size(records: Records) -> float:
    """With how many hidden units the likelihood was highest."""
    learnt = values(records, _LEARNT)
    return values(records, UNITS)[learnt.index(max(learnt))]


def _fallen(records: Records) -> float:
    """By how much the likelihood of new rows has fallen from its highest value to the end."""
    new = values(records, _NEW)
    return max(new) - new[-1]


def _learnt_since(records: Records) -> float:
    """By how much the likelihood of what is learnt has risen since that of new rows was highest."""
    learnt, new = values(records, _LEARNT), values(records, _NEW)
    return learnt[-1] - learnt[new.index(max(new))]


def _ahead(result: Result, share: float) -> float:
    """By how many nats the start from Frank-Wolfe is ahead at a share of the cost, by the middles of the trials."""
    middle = {}
    for name, trials in result.outcomes.items():
        reached = []
        for trial in trials:
            known = [m for c, m in zip(trial.costs, trial.merits, strict=True) if c <= share * result.comparison.cost]
            reached.append(known[-1])
        middle[name] = sorted(reached)[len(reached) // 2]
    return middle["from Frank-Wolfe"] - middle["from random"]


_NOTHING = Step(
    "From nothing",
    "A **hidden unit** is coupled to all that is seen, by **weights**, and can tie it together. How many of them does "
    "a machine need? An **infinite RBM** need not be told. It begins with *none*, and each update **inserts one**: the "
    "one along which the log-likelihood rises fastest. (The method is called **Frank-Wolfe**.) Then it works out anew "
    "how much each unit counts. The data are the 14 pictures of 3 x 3 pixels in which whole rows, or whole columns, "
    "are on.",
    Question(
        "Ten units come, one by one. How will the log-likelihood go?",
        (
            "It stays low until enough units are there",
            "It rises with each unit",
            "It jumps to its best with the first unit, and stays",
        ),
    ),
    1,
    TrainingScene(_inserting(_INSERTIONS), ("newest", "size"), pace=2),
    "Run it and watch the log-likelihood and the newest unit.",
    Question(
        "It began at −6.2, without a hidden unit. Where is it after ten insertions?",
        ("Below −5", "From −5 to −4", "Above −4"),
    ),
    lambda records: sum(values(records, _LEARNT)[-1] > level for level in (-5.0, -4.0)),
    lambda records: _always_rises(records) and -5.0 < values(records, _LEARNT)[-1] < -4.0,
    "Without hidden units there are only biases: each pixel is on as often as in the data, by a toss of its own. Nine "
    "fair coins make −9 ln 2 = −6.2. Each unit ties pixels together, and as it is always the one that helps most, the "
    "first is already worth something. A perfect machine would have −2.6, which is −ln 14.",
)
_INSERTED = Step(
    "Insert one, and look at it",
    "Here is one insertion on real digits, taken apart. Two units are there. The search for the third begins at noise. "
    "It compares the digits with what the machine **dreams**: what the digits ask for pulls, what the dreams have "
    "already pushes. Large weights have a price.",
    Question(
        "For which pictures will the unit that was found be clearly on or off, not in doubt?",
        ("More often for the digits", "More often for the dreams", "Equally often for both"),
    ),
    0,
    StepScene("fw-digits"),
    "Play the step. Watch a picture come out of the noise, and read what is said when the unit is found.",
    Question(
        "For how many of the digits is the unit clearly on or off, and for how many of the dreams?",
        ("For more of the digits", "For more of the dreams", "For as many of both, within 5 in 100"),
    ),
    lambda trace: 2 if abs(_clear(trace)[0] - _clear(trace)[1]) <= _SURE else int(_clear(trace)[0] < _clear(trace)[1]),
    lambda trace: _clear(trace)[0] > _clear(trace)[1] + _SURE,
    "That is what the search looks for: a pattern that the digits take sides on, and the dreams do not yet. Pixels "
    "that go together in real digits, as those of a stroke do, make such a pattern. Once the unit is in, the dreams "
    "take sides on it, too, and the next search has to find something else.",
)
_NEXT = Step(
    "Guess the next",
    "Back to whole rows and columns. Each unit is drawn as a picture of its weights: blue pixels switch it on, red "
    "ones off. The first unit that comes is a *cross*: a row and a column in one colour, all else in the other.",
    Question(
        "What will the next three units look like?",
        ("The same cross, to make it stronger", "Other crosses", "Noise, for the pattern is taken"),
    ),
    1,
    FitScene(TrainingScene(_inserting(_FIRST), ("newest", "gallery"), pace=0.5), lambda fit: signs_of(fit.state.model)),
    "Run it. Guess each unit before it comes, and then compare the four in the gallery.",
    Question(
        "Are two of the four units the same cross in the same colours?",
        ("Yes", "No, each is another one"),
    ),
    lambda units: int(_differ(units)),
    lambda units: len(units) == _FIRST and _differ(units) and all(_is_cross(unit) for unit in units),
    "A second unit of the same pattern would find nothing to do: the dreams have that pattern by now. So the search "
    "goes where data and dreams still differ, to another row and column. This is why units that come one by one "
    "share the work.",
)
_STOP = Step(
    "Stop by the gap",
    "When are there enough? Now the machine has only 40 rows to learn from, and ten more it does not see. A row has "
    "twelve **spins**, units that like to be as their neighbours are. "
    "The **free-energy gap** tells how much better it knows the rows that it learns than those others. For up to 25 "
    "insertions, the training stops itself when the gap has risen by more than 1 nat.",
    Question(
        "Will it make all 25 insertions?",
        ("Yes: the rows are more likely with each unit", "No, it stops with a few units", "No, it stops at once"),
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
    "The number of units is a *result* here, not a setting. As the gap rises, the machine begins to learn its rows by "
    "heart instead of what they have in common: it **overfits**. The rule needs no partition function, for Z is "
    "the same for both kinds of rows and cancels.",
)
_STARTS = Step(
    "From here, or from random?",
    "Once Frank-Wolfe has found twelve units, **contrastive divergence** (CD) can train them on: it moves all weights "
    "a little with each update, as the lesson on the RBM shows. Or CD begins with twelve units of small random "
    "weights, as usual. Both may do the *same number of multiplications and additions*; those of the insertions count. "
    "Each is tried five times on real digits.",
    Question(
        "Who is ahead?",
        (
            "From Frank-Wolfe, all the time",
            "From Frank-Wolfe at first, but its lead is gone in the end",
            "From random, all the time",
        ),
    ),
    1,
    RaceScene(_race()),
    "Run the race. Look at it after a fifth of the cost, and at its end.",
    Question(
        "Is the start from Frank-Wolfe ahead by more than half a nat at the end? (Medians stand beside the names.)",
        ("Yes", "No"),
    ),
    lambda result: int(_ahead(result, 1.0) <= _FAR),
    lambda result: _ahead(result, _EARLY) > 2 * _FAR and _ahead(result, 1.0) < _FAR,
    "A start from patterns of the data saves the time in which random weights have to become any pattern at all: that "
    "is the lead. But CD finds patterns of its own and catches up; in the end its random start is level, or even a "
    "little ahead. On these digits the better start is worth something to those who stop early.",
)
_PAST = Step(
    "Again: past the stop",
    "The same 40 rows of spins once more, but now nothing stops the training: it makes all 25 insertions.",
    Question(
        "What happens to the log-likelihood of the ten rows that it does not see?",
        (
            "It keeps rising, like that of the rows that it learns",
            "It rises first, then falls, though that of the rows that it learns keeps rising",
            "Both fall",
        ),
    ),
    1,
    TrainingScene(_spins(0.0), ("gap", "size"), pace=4),
    "Run it. The thick curve, called test, is that of the rows it does not see.",
    Question(
        "At the end, where does the thick curve lie?",
        ("At its best, or less than 0.1 nats below", "More than 0.1 nats below its best"),
    ),
    lambda records: int(_fallen(records) > _NEAR),
    lambda records: _fallen(records) > _NEAR and _learnt_since(records) > _FAR,
    "Each further unit still makes the 40 rows more likely, and that probability is taken from other rows, also from "
    "those ten, which come from the same source. This is what the stop by the gap is for.",
    again=True,
)
_WHOLE = Step(
    "Again: whole units",
    "Rows and columns once more, but each unit comes in *whole*: it counts once, and how much the others count "
    "stays as it is. (So does the method of the paper.) There are up to 30 insertions.",
    Question(
        "The log-likelihood begins at −6.2. How does it go on?",
        (
            "It rises with each unit, as before",
            "It rises for a few units, and then falls",
            "It never gets above −6.2",
        ),
    ),
    1,
    TrainingScene(_inserting(30, "none"), ("newest", "size"), pace=2),
    "Run it. Once the log-likelihood has fallen far below its best, the training stops itself, and says so.",
    Question("How many units were there when it was highest?", ("At most 3", "From 4 to 8", "More than 8")),
    lambda records: sum(_best_size(records) > most for most in (3, 8)),
    lambda records: (
        4 <= _best_size(records) <= 8
        and max(values(records, _LEARNT)) > values(records, _LEARNT)[0] + _FAR
        and max(values(records, _LEARNT)) > values(records, _LEARNT)[-1] + _FAR
    ),
    "The search finds the best *direction*: where a little of the unit helps most. A whole unit may be too much. A "
    "few still help; then they spoil what was there. So either the counts are worked out anew, as in the "
    "first step, or one stops in time.",
    again=True,
)

INFINITE_RBM = Lesson(
    "The infinite RBM",
    "A machine that begins with no hidden unit: which come, when there are enough, and whether it is a good start.",
    "10 minutes",
    (_NOTHING, _INSERTED, _NEXT, _STOP, _STARTS, _PAST, _WHOLE),
)
