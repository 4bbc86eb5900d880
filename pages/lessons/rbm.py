"""The lesson on the restricted Boltzmann machine."""

from dataclasses import replace
from typing import Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.data import BarsAndStripes, Parity, ShiftingBar
from boltzcore.learners import CD, SDCP
from boltzcore.models import RBMSetup
from boltzcore.reference.trace import UpdateTrace
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures import measurements
from pages.inside.worked_examples import STEPS
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import RaceScene, Records, StepScene, TrainingScene, highest, medians, values

BEST = -1.3863  # nats: -2 ln 2, of the data
_LIKELIHOOD, _ERROR = "train_log_likelihood", "reconstruction_error"
_WHOLE = 0  # all rows make an update
_BEGUN, _ALIKE = -3.0, 0.2  # nats: who is below has hardly begun; what differs by less is alike


def _fallen(records: Records) -> float:
    """By how much the likelihood has fallen from its highest value to the end."""
    return highest(records) - values(records, _LIKELIHOOD)[-1]


def _told(records: Records) -> str:
    """How high the likelihood came, where, and where it ended."""
    last, top = records[-1], max(records, key=lambda record: record.values[_LIKELIHOOD])
    at_top, at_end = (measurements.figure(record.values[_LIKELIHOOD], 2) for record in (top, last))
    return f"Highest log-likelihood: {at_top}, at epoch {top.epoch:,.0f}. At the end: {at_end}."


def _told_with_errors(records: Records) -> str:
    """The same, and the reconstruction error at both moments."""
    top = max(records, key=lambda record: record.values[_LIKELIHOOD])
    then, now = (record.values[_ERROR] for record in (top, records[-1]))
    return f"{_told(records)} Reconstruction error at that epoch: {then:.4f}. At the end: {now:.4f}."


def _error_fell(records: Records) -> bool:
    """Whether the reconstruction error is lower at the end than where the likelihood was highest."""
    likelihoods, errors = values(records, _LIKELIHOOD), values(records, _ERROR)
    return errors[-1] < errors[likelihoods.index(max(likelihoods))]


def _bars(K: int) -> Recipe:
    return Recipe(
        RBMSetup(hidden=16),
        BarsAndStripes(D=3),
        CD(rate=1.0, K=K, batch_size=_WHOLE),
        Schedule(length=20_000, every=500, between=100),
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
    return Comparison(base, contenders, trials=5)


def _more_steps_pay(result: Result) -> bool:
    """Whether S-DCP and CD-4 end alike, and clearly above CD-12."""
    found = medians(result)
    return abs(found["S-DCP"] - found["CD-4"]) < _ALIKE and found["CD-12"] < _BEGUN < min(found["S-DCP"], found["CD-4"])


def _arrays(trace: UpdateTrace, kind: str) -> Any:
    return next(phase.arrays for phase in trace.phases if phase.kind == kind)


def _chosen_pixel(trace: UpdateTrace) -> tuple[int, int]:
    """The chosen pixel of the step "cd": in the example, and in the sample."""
    pixel = STEPS["cd"].choose["visible"]
    return int(_arrays(trace, "data")["v"][pixel]), int(_arrays(trace, "end")["v"][pixel])


def _steps_agree(trace: UpdateTrace) -> bool:
    """Whether biases of pixels rise where the example alone has them on, and fall where the sample alone has."""
    row, sample, step = _arrays(trace, "data")["v"], _arrays(trace, "end")["v"], _arrays(trace, "new")["b"]
    return bool(((step > 0) == (row > sample)).all() and ((step < 0) == (row < sample)).all() and (row != sample).any())


def _moved(trace: UpdateTrace) -> int:
    """In how many pixels the picture at which the chain starts differs from the example."""
    return int((_arrays(trace, "start")["v"] != _arrays(trace, "data")["v"]).sum())


def _at_pixel(example: str) -> StepScene:
    """A worked step with the pixel that it is about marked, and not a weight."""
    return StepScene(example, {"pick": "v", "index": STEPS[example].choose["visible"]})


_CEILING = Step(
    "What hidden units are for",
    "The data are the four triples with an even number of ones: 000, 011, 101, 110. A machine that couples only "
    "*pairs* of units can do no better than guess among all eight, with a log-likelihood of −2.08; knowing the "
    "four has −1.39.",
    Question(
        "How far does an RBM with 8 hidden units get?",
        ("It stays at −2.08", "Clearly above −2.08, towards −1.39", "Above −1.39"),
    ),
    1,
    TrainingScene(_PARITY, ("landscape", "fields"), pace=500, says=_told),
    "Run it and watch the log-likelihood and, below it, the map of the eight triples: squares show probabilities, "
    "frames the shares in the data.",
    Question(
        "What was the highest log-likelihood?",
        ("Below −2.0", "From −2.0 to −1.7", "From −1.7 to −1.39", "Above −1.386"),
    ),
    lambda records: sum(highest(records) > level for level in (-2.0, -1.7, BEST)),
    lambda records: -1.75 < highest(records) < BEST,
    "Once a hidden unit is on, it pulls some visible units on (blue weights) and others off (red). No hidden unit "
    "stands for one triple: together the eight raise the four triples and lower the others. Couplings of pairs "
    "cannot tie three places together like that.",
    more="In any two of the three places, 00, 01, 10 and 11 each occur once, so pairs carry no information. Guessing "
    "has ln(1/8) = −2.08 (the dashed line, the base rate), knowing the four has ln(1/4) = −1.39 (the dotted line, the "
    "upper bound). A **restricted Boltzmann machine** (RBM) has visible units, which hold the data, and **hidden "
    "units**, which do not. They are coupled to visible units only, by **weights**.",
    further="No machine gets above −1.39: four triples, each equally likely. The curve is noisy because samples are "
    "random.",
)
_ONE_STEP = Step(
    "One step of contrastive divergence",
    "**Contrastive divergence** (CD) learns from an example, here nine pixels, and from a model sample that "
    "starts there: from pixels to hidden units, and back. Then it compares them: the example pulls up, the sample "
    "pushes down.",
    Question(
        "A pixel is on in the example and off in the sample. What happens to its bias?",
        ("It rises", "It falls", "It stays"),
    ),
    0,
    _at_pixel("cd"),
    "Play the step. The last pixel (lower right) is marked in green: compare it in the example and in the sample, and "
    "read at the end how far its bias moves.",
    Question(
        "The last pixel (lower right) was:",
        ("Off in the example, on in the sample", "On in the example, off in the sample", "The same in both"),
    ),
    lambda trace: {(0, 1): 0, (1, 0): 1}.get(_chosen_pixel(trace), 2),
    _steps_agree,
    "The bias of a pixel moves by *rate × (example − sample)*: it rises if the pixel is on in the example alone, "
    "falls if it is on in the sample alone, and stays if both agree. Weights do the same with pixel and hidden "
    "unit together.",
    more="First the hidden units are **sampled**: each adds its bias and its weights to the pixels that are on; an "
    "S-shaped curve, the **sigmoid** σ, turns the sum into a probability, 0 into one half, a large sum into nearly 1; "
    "then a coin with these odds is tossed. The pixels are sampled from the hidden units in the same way: that is the "
    "model sample.",
    further="The **rate**, here 0.2, is the step size. It is the first lesson again, with a sample after one step in "
    "place of the exact sum.",
)
_RECONSTRUCTION = Step(
    "A misleading measure",
    "Many programs watch the **reconstruction error** while an RBM learns: how far a one-step sample is from its "
    "example. This model is small enough to show the exact log-likelihood, too.",
    Question(
        "The reconstruction error keeps falling. What does the log-likelihood do?",
        ("It keeps rising", "It rises first and falls later", "It rises and stays there"),
    ),
    1,
    TrainingScene(_bars(1), ("reconstruction",), pace=2_500, says=_told_with_errors),
    "Run it to the end. The curve is the log-likelihood; below it is the reconstruction error.",
    Question(
        "Compare the end with the highest log-likelihood (the ring). At the end, the reconstruction error is ...",
        ("higher", "lower"),
    ),
    lambda records: int(_error_fell(records)),
    lambda records: _fallen(records) > 0.2 and _error_fell(records),
    "CD-1 looks only at samples one step away from the data, and makes that step small: the error falls. But far "
    "away, beyond the reach of one step, images unlike the data become likely, and the likelihood falls. A small "
    "reconstruction error shows that the chain hardly moves, not that the model is good.",
    more="It has few units, so all states can be added up. (With 784 pixels this is impossible; the page Train then "
    "estimates Z by sampling.) The data are the 14 images of 3 × 3 pixels in which each column is all on or all off, "
    "or each row is. The learner is CD with one Gibbs step (CD-1), at a high rate, and it trains for a long time.",
)
_PERSISTENT = Step(
    "A persistent chain",
    "CD starts its chain at the example, anew in each update. **Persistent CD** (PCD) keeps one chain of images "
    "through all updates: each update continues where the last one stopped.",
    Question(
        "Compare the example with the image at which the chain starts in this update. Do they differ?",
        ("No, in no pixel", "Yes, in some pixels"),
    ),
    1,
    _at_pixel("pcd"),
    "Play the step and compare the first two images of the strip: the example and the start.",
    Question("In how many pixels do they differ?", ("None", "1 to 3", "4 or more")),
    lambda trace: 0 if not (moved := _moved(trace)) else 1 if moved < 4 else 2,
    lambda trace: _moved(trace) > 0,
    "The chain does not depend on the example. It continues through all updates and gets far from the data. So it "
    "finds likely images that are unlike the data and pushes them down: just what CD-1 misses. The price: if weights "
    "change fast, the chain cannot follow.",
    more="There were 230 updates before this one.",
)
_RACE = Step(
    "At the same cost",
    "CD-12 takes 12 Gibbs steps per update and CD-4 takes 4; **S-DCP** computes the pull of the data once and "
    "takes three small steps with it. All get the *same number of multiplications and additions*.",
    Question(
        "Which ends with the higher log-likelihood?",
        (
            "CD-12, with the longest chains",
            "S-DCP alone, which uses the data's pull three times",
            "S-DCP and CD-4 alike",
        ),
    ),
    2,
    RaceScene(
        _race(CD_12=CD(0.3, _WHOLE, K=12), CD_4=CD(0.3, _WHOLE, K=4), S_DCP=SDCP(0.3, _WHOLE, d=3, K_prime=4)),
    ),
    "Run the race. Thin lines are trials, the thick line is their median (the middle one).",
    Question(
        "Which medians are above −3 at the end? (They are next to the names.)",
        ("None", "One", "S-DCP and CD-4", "All three"),
    ),
    lambda result: sum(each > _BEGUN for each in medians(result).values()),
    _more_steps_pay,
    "More steps with shorter chains: for the same operations CD-4 takes 2.4 times as many steps as CD-12, and "
    "S-DCP 2.6 times as many. Both are almost half a nat ahead, and CD-12 has hardly begun: it is still near "
    "−3.14.",
    more="Each small step of S-DCP has 4 Gibbs steps. The data are nine cells in a ring, of which one is on: nine "
    "images. Guessing each cell separately has a log-likelihood of −3.14, knowing the nine has ln(1/9) = −2.20. Each "
    "learner runs five times, from the same five starts.",
    further="Computing the data's pull once saves S-DCP only 6 in 100 operations a step here, and 12 trials show no "
    "difference from CD-4. On other data longer chains may pay off: try it in Compare. (S-DCP stands for stochastic "
    "difference of convex functions programming. The log-likelihood is a difference of two bowl- shaped, or convex, "
    "functions; S-DCP replaces one by its tangent, and that is the data's pull.)",
)
_AGAIN_CD = Step(
    "Again: longer chains",
    "The third step once more, but with 12 Gibbs steps in place of one (CD-12).",
    Question(
        "CD-1 peaks between −3.3 and −3.0. How high does CD-12 get?",
        ("Not as high", "As high", "Clearly higher, above −3.0"),
    ),
    2,
    TrainingScene(_bars(12), ("reconstruction",), pace=2_500, says=_told),
    "Run it to the end.",
    Question("What was the highest log-likelihood?", ("Below −3.2", "From −3.2 to −3.0", "Above −3.0")),
    lambda records: sum(highest(records) > level for level in (-3.2, -3.0)),
    lambda records: highest(records) > -3.0,
    "A chain of 12 steps gets farther from the data, finds more that should not be likely, and pushes it down. It "
    "costs 5.3 times as many operations per update (computing the data's pull and the step costs the same in both), "
    "and three times the processor time, measured on one computer.",
    again=True,
)
_AGAIN_PARITY = Step(
    "Again: one hidden unit",
    "The first step once more, with a single hidden unit.",
    Question(
        "Can one hidden unit bring the model to −1.39?",
        ("Yes", "No, it stays far below"),
    ),
    1,
    TrainingScene(
        Recipe(
            RBMSetup(hidden=1, sigma=1.0), Parity(n=3), CD(0.5, _WHOLE), Schedule(length=4_000, every=100, between=20)
        ),
        ("landscape", "fields"),
        pace=500,
        says=_told,
    ),
    "Run it.",
    Question(
        "What was the highest log-likelihood?",
        ("Below −2.0", "From −2.0 to −1.7", "Above −1.7"),
    ),
    lambda records: sum(highest(records) > level for level in (-2.0, -1.7)),
    lambda records: highest(records) < -1.7,
    "One switch has two positions, so it can tell only two kinds of triples apart. Here there are four.",
    again=True,
)

RBM = Lesson(
    "The restricted Boltzmann machine",
    "What hidden units can do, one step in detail, and what longer chains cost and gain.",
    "25 minutes",
    (_CEILING, _ONE_STEP, _RECONSTRUCTION, _PERSISTENT, _RACE, _AGAIN_CD, _AGAIN_PARITY),
)
