"""The lesson on the restricted Boltzmann machine."""

from dataclasses import replace
from typing import Any

from boltzcore.data import BarsAndStripes, Parity, ShiftingBar
from boltzcore.learners import CD, SDCP
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.models import RBMSetup
from boltzcore.runs.comparison import Comparison
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.worked_examples import STEPS
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import RaceScene, Records, StepScene, TrainingScene, medians, values

PAIRS, BEST = -2.0794, -1.3863  # nats: -3 ln 2, the most that models of pairs reach on parity, and -2 ln 2, of the data
_LIKELIHOOD, _ERROR = "train_log_likelihood", "reconstruction_error"
_WHOLE = 0  # all rows make an update


def _highest(records: Records) -> float:
    return max(values(records, _LIKELIHOOD))


def _fallen(records: Records) -> float:
    """By how much the likelihood has fallen from its highest value to the end."""
    return _highest(records) - values(records, _LIKELIHOOD)[-1]


def _error_fell(records: Records) -> bool:
    """Whether the reconstruction error is lower at the end than where the likelihood was highest."""
    likelihoods, errors = values(records, _LIKELIHOOD), values(records, _ERROR)
    return errors[-1] < errors[likelihoods.index(max(likelihoods))]


def _bars(K: int, seed: int = 0) -> Recipe:
    return Recipe(
        RBMSetup(hidden=16),
        BarsAndStripes(D=3),
        CD(rate=1.0, K=K, batch_size=_WHOLE),
        Schedule(seed=seed, length=20_000, every=500, between=100),
    )


_PARITY = Recipe(
    RBMSetup(hidden=8, sigma=1.0),
    Parity(n=3),
    CD(rate=0.5, batch_size=_WHOLE),
    Schedule(length=4_000, every=100, between=20),
)


def _race(**learners: Any) -> Comparison:
    base = Recipe(
        RBMSetup(hidden=4),
        ShiftingBar(N=9, B=1),
        CD(0.3, _WHOLE, K=12),
        Schedule(length=5_000, every=50),
        measures=("log_likelihood",),
    )
    contenders = {name.replace("_", "-"): replace(base, learner=learner) for name, learner in learners.items()}
    return Comparison(base, contenders, trials=4)


def _arrays(trace: UpdateTrace, kind: str) -> Any:
    return next(phase.arrays for phase in trace.phases if phase.kind == kind)


def _chosen_pixel(trace: UpdateTrace) -> tuple[int, int]:
    """The chosen pixel of the step "cd": in the row, and in the dream."""
    pixel = STEPS["cd"].choose["visible"]
    return int(_arrays(trace, "data")["v"][pixel]), int(_arrays(trace, "end")["v"][pixel])


def _steps_agree(trace: UpdateTrace) -> bool:
    """Whether biases of pixels rise where the row alone has them on, and fall where the dream alone has."""
    row, dream, step = _arrays(trace, "data")["v"], _arrays(trace, "end")["v"], _arrays(trace, "new")["b"]
    return bool(((step > 0) == (row > dream)).all() and ((step < 0) == (row < dream)).all() and (row != dream).any())


def _chain_begins_at_the_row(trace: UpdateTrace) -> bool:
    return bool((_arrays(trace, "start")["v"] == _arrays(trace, "data")["v"]).all())


_CEILING = Step(
    "What hidden units are for",
    "A **restricted Boltzmann machine** (RBM) has visible units, which are the data, and **hidden units**, which are "
    "not. Hidden units are coupled to visible ones only; these couplings are called **weights**. The data are the four "
    "triples with an even number of ones: 000, 011, 101, 110. Of these, any two units are on together just as often as "
    "if they were independent, so a machine that only couples *pairs* of visible ones learns nothing: its "
    "log-likelihood stays at −2.08 nats (the dashed line, the base rate), as if all eight triples were equally likely. "
    "A perfect machine has −1.39.",
    Question(
        "How far will an RBM with 8 hidden units get?",
        ("It stays at −2.08, too", "Clearly above −2.08, towards −1.39", "Above −1.39"),
    ),
    1,
    TrainingScene(_PARITY, ("fields",), pace=500),
    "Run it and watch the log-likelihood.",
    Question(
        "What was the highest log-likelihood on the way?",
        ("Below −2.0", "From −2.0 to −1.7", "From −1.7 to −1.39", "Above −1.386"),
    ),
    lambda records: sum(_highest(records) > level for level in (-2.0, -1.7, BEST)),
    lambda records: -1.75 < _highest(records) < BEST,
    "A hidden unit looks at all three visible ones at once. Where they fit its weights (a column of the picture: blue "
    "means it likes that unit on, red off) it is likely to be on, and just those triples become likelier. Couplings of "
    "pairs cannot tie three together like that. No machine gets above −1.39, which is −2 ln 2: four triples, each as "
    "likely as the others.",
)
_ONE_STEP = Step(
    "One step of contrastive divergence",
    "**Contrastive divergence** (CD) learns from a row of the data and a dream that starts there: it draws the hidden "
    "units given the row, then the visible ones given these. To **draw** a unit, its bias and the weights to the units "
    "that are on are added up. The **sigmoid**, a curve like an S that is written σ, makes of the sum the probability "
    "that the unit is on: 0 becomes one half, a large sum nearly 1, one far below 0 nearly 0. A coin that falls with "
    "this probability is tossed. Then CD compares: what is seen pulls up, what is dreamt pushes down.",
    Question(
        "A pixel is on in the row and off in the dream. What happens to its bias?",
        ("It rises", "It falls", "It stays"),
    ),
    0,
    StepScene("cd"),
    "Play the step, and look at the last pixel (lower right) in the row and in the dream. Below the line of pictures "
    "stands in words what happens, then the same in symbols: v are the visible units, h the hidden ones, b and c "
    "their biases, W the weights.",
    Question(
        "How was the last pixel (lower right)?",
        ("Off in the row, on in the dream", "On in the row, off in the dream", "The same in both"),
    ),
    lambda trace: {(0, 1): 0, (1, 0): 1}.get(_chosen_pixel(trace), 2),
    _steps_agree,
    "The bias of a pixel moves by *rate × (row − dream)*, where the **rate** says how far a step goes: it rises where "
    "the pixel was on in the row alone, falls where it was on in the dream alone, and stays where both agree. Weights "
    "do the same with pixel and hidden unit together. It is the first lesson again, with a dream of one step in place "
    "of the exact sum.",
)
_RECONSTRUCTION = Step(
    "A good sign that is none",
    "Many programs watch the **reconstruction error** while an RBM learns: how far the dream of one step is from the "
    "row. Here the machine is small, so that the log-likelihood is exact and can be seen beside it. The learner is CD "
    "with one step (CD-1: K, the number of its dream steps, is 1), at a high rate, and it goes on for long.",
    Question(
        "The reconstruction error keeps falling. And the log-likelihood?",
        ("It keeps rising", "It rises first, and falls later", "It rises, and stays where it is"),
    ),
    1,
    TrainingScene(_bars(1), ("reconstruction",), pace=2_500),
    "Run it to its end. The curve is the log-likelihood; below is the reconstruction error.",
    Question(
        "At the end, compared with the moment at which the log-likelihood was highest, the reconstruction error is ...",
        ("higher", "lower"),
    ),
    lambda records: int(_error_fell(records)),
    lambda records: _fallen(records) > 0.2 and _error_fell(records),
    "CD-1 looks only at dreams one step away from the data. It makes walls around the rows, so that a step hardly "
    "leaves them: the error falls. But far away, where no dream of one step comes, pictures nobody has seen become "
    "likely, and the likelihood falls. A small reconstruction error shows that the chain hardly moves, and not that "
    "the model is good.",
)
_PERSISTENT = Step(
    "A dream that goes on",
    "**Persistent CD** (PCD) keeps its chain: it does not begin at the row again, but goes on from where the last "
    "update left it.",
    Question(
        "Where does the dream of this PCD step begin?",
        ("At the row of the data", "At a picture that is not the row"),
    ),
    1,
    StepScene("pcd"),
    "Play the step and compare the row with the picture at which the chain starts.",
    Question("Are the row and the picture at which the chain starts alike?", ("Yes, in each pixel", "No")),
    lambda trace: int(not _chain_begins_at_the_row(trace)),
    lambda trace: not _chain_begins_at_the_row(trace),
    "The chain carries on through all updates and gets far from the data. So it finds those likely pictures that "
    "nobody has seen, and pushes them down: just what CD-1 misses. The price: where weights move fast, the chain "
    "cannot follow.",
)
_RACE = Step(
    "At the same cost",
    "**S-DCP** works out the pull of the data once, and takes several small steps with it, each with a dream of its "
    "own that goes on. Here both learners may do the *same number of multiplications and additions*: CD with 12 dream "
    "steps an update (CD-12) and S-DCP with 3 inner steps of 4. Each is tried four times, from the same four starts.",
    Question("Which ends with the higher log-likelihood?", ("CD-12", "S-DCP", "Both the same")),
    1,
    RaceScene(_race(CD_12=CD(0.3, _WHOLE, K=12), S_DCP=SDCP(0.3, _WHOLE, d=3, K_prime=4))),
    "Run the race. Thin lines are trials, the thick line is their median, the middle one.",
    Question("Whose median is higher at the end? (It stands beside its name.)", ("CD-12", "S-DCP")),
    lambda result: int(medians(result)["S-DCP"] > medians(result)["CD-12"]),
    lambda result: medians(result)["S-DCP"] > medians(result)["CD-12"],
    "The log-likelihood is a difference of two functions, both curved like a bowl (convex). S-DCP replaces one by its "
    "tangent, which is the data's pull, and climbs the rest in a few steps, so each look at the data is used several "
    "times. On these data, at the same cost, that is worth almost half a nat. On others it may be worth nothing: "
    "Compare lets you find out.",
)
_AGAIN_CD = Step(
    "Again: longer dreams",
    "The third step once more, but with 12 dream steps in place of one (CD-12), all else alike.",
    Question(
        "CD-1 came to about −3.2 nats at its best. How high will CD-12 come?",
        ("Not as high", "To about −3.2 again", "Clearly higher, above −3.0"),
    ),
    2,
    TrainingScene(_bars(12), ("reconstruction",), pace=2_500),
    "Run it to its end.",
    Question("What was the highest log-likelihood on the way?", ("Below −3.2", "From −3.2 to −3.0", "Above −3.0")),
    lambda records: sum(_highest(records) > level for level in (-3.2, -3.0)),
    lambda records: _highest(records) > -3.0,
    "A dream of 12 steps comes farther from the data, finds more of what should not be likely, and pushes it down. It "
    "costs about twelve times as much an update.",
    again=True,
)
_AGAIN_PARITY = Step(
    "Again: one hidden unit",
    "The first step once more, with a single hidden unit.",
    Question(
        "Can one hidden unit bring the machine to −1.39?",
        ("Yes", "No, it stays far below"),
    ),
    1,
    TrainingScene(
        Recipe(
            RBMSetup(hidden=1, sigma=1.0), Parity(n=3), CD(0.5, _WHOLE), Schedule(length=4_000, every=100, between=20)
        ),
        ("fields",),
        pace=500,
    ),
    "Run it.",
    Question(
        "What was the highest log-likelihood on the way?",
        ("Below −2.0", "From −2.0 to −1.7", "Above −1.7"),
    ),
    lambda records: sum(_highest(records) > level for level in (-2.0, -1.7)),
    lambda records: _highest(records) < -1.7,
    "One hidden unit makes a mixture of two pictures with independent pixels, one for each of its states. Four triples "
    "need more.",
    again=True,
)

RBM = Lesson(
    "The restricted Boltzmann machine",
    "What hidden units can do, one step taken apart, and why longer dreams are worth their price.",
    "15 minutes",
    (_CEILING, _ONE_STEP, _RECONSTRUCTION, _PERSISTENT, _RACE, _AGAIN_CD, _AGAIN_PARITY),
)
