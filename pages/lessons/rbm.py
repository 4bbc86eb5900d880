"""The lesson on the restricted Boltzmann machine."""

from dataclasses import replace
from typing import Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.data import BarsAndStripes, Parity, ShiftingBar
from boltzcore.learners import CD, SDCP
from boltzcore.models import RBMSetup
from boltzcore.papers.dc_programming import RATES, READING
from boltzcore.reference.trace import UpdateTrace
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures import measurements
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import RaceScene, Records, StepScene, TrainingScene, highest, medians, values
from pages.lessons.units import ClampScene, DetectorScene

BEST = -1.3863  # nats: -2 ln 2, of the data
_LIKELIHOOD, _ERROR = "train_log_likelihood", "reconstruction_error"
_WHOLE = 0  # all rows make an update
_BEGUN, _HIGH, _CLEAR = -3.0, -3.7, 0.5  # nats: below, learning has hardly begun; of CD-12; a clear difference
_UNIT = 58  # of the digits' model: off if there is ink in the middle


def _fallen(records: Records) -> float:
    """Return the fall of the likelihood from its highest value to the end."""
    return highest(records) - values(records, _LIKELIHOOD)[-1]


def _peak(records: Records) -> str:
    """Return the highest log-likelihood, its epoch and the final one, in words."""
    last, top = records[-1], max(records, key=lambda record: record.values[_LIKELIHOOD])
    at_top, at_end = (measurements.figure(record.values[_LIKELIHOOD], 2) for record in (top, last))
    return f"Highest log-likelihood: {at_top}, at epoch {top.epoch:,.0f}. At the end: {at_end}."


def _describe_errors(records: Records) -> str:
    """Return the same with the reconstruction error at both moments."""
    top = max(records, key=lambda record: record.values[_LIKELIHOOD])
    then, now = (record.values[_ERROR] for record in (top, records[-1]))
    return f"{_peak(records)} Reconstruction error at that epoch: {then:.4f}. At the end: {now:.4f}."


def _error_fell(records: Records) -> bool:
    """True if the reconstruction error is lower at the end than at the highest likelihood."""
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


def _longer_chains() -> Comparison:
    """Return a race of CD-1 and CD-12 on bars and stripes."""
    schedule = Schedule(length=20_000, every=500)
    base = replace(_bars(12), schedule=schedule, measures=("log_likelihood",))
    return Comparison(base, {"CD-1": replace(base, learner=_bars(1).learner), "CD-12": base}, trials=5)


def _figure_1() -> Comparison:
    """Return Figure 1 of Upadhya and Sastry 2017 at the smaller rate, and CD with the rate times the steps of S-DCP."""
    data = ShiftingBar(N=9, B=1)
    rate = RATES[0] / READING[data.name]
    learner = CD(rate, _WHOLE, K=12)
    base = Recipe(RBMSetup(hidden=4), data, learner, Schedule(length=30_000, every=300), ("log_likelihood",))
    learners = {
        "CD-12": learner,
        "CD-12, rate × 3": learner.changed(rate=3 * rate),
        "S-DCP": SDCP(rate, _WHOLE, d=3, K_prime=4),
    }
    return Comparison(base, {name: replace(base, learner=each) for name, each in learners.items()}, trials=5)


def _rate_explains(result: Result) -> bool:
    """Return whether CD-12 is still near the base rate, while S-DCP and CD-12 at three times the rate are far above."""
    slow, *others = medians(result).values()
    return slow < _BEGUN < min(others) - _CLEAR / 2


_PIXEL = 8  # of the step "cd"


def _arrays(trace: UpdateTrace, kind: str) -> Any:
    return next(phase.arrays for phase in trace.phases if phase.kind == kind)


def _chosen_pixel(trace: UpdateTrace) -> tuple[int, int]:
    """Return the chosen pixel of the step "cd": in the example, and in the sample."""
    return int(_arrays(trace, "data")["v"][_PIXEL]), int(_arrays(trace, "end")["v"][_PIXEL])


def _steps_agree(trace: UpdateTrace) -> bool:
    """Return whether biases rise for pixels on in the example alone, and fall for those on in the sample alone."""
    row, sample, step = _arrays(trace, "data")["v"], _arrays(trace, "end")["v"], _arrays(trace, "new")["b"]
    return bool(((step > 0) == (row > sample)).all() and ((step < 0) == (row < sample)).all() and (row != sample).any())


def _count_moved(trace: UpdateTrace) -> int:
    """Return the number of pixels in which the chain's first picture differs from the example."""
    return int((_arrays(trace, "start")["v"] != _arrays(trace, "data")["v"]).sum())


_DETECTS = Step(
    "What a hidden unit detects",
    "A **restricted Boltzmann machine** (RBM) has **visible units**, here pixels, and **hidden units**, each joined to "
    "all pixels by **weights**. The first image shows the weights of hidden unit 59: blue pixels that are on push it "
    "on, red ones off.",
    Question("For which digit is this unit most often on?", ("0", "1", "8")),
    0,
    DetectorScene(_UNIT),
    "Run it: it computes how often the unit is on, for 50 handwritten digits of each kind.",
    Question(
        "How often is it on for the digit 1?",
        ("Hardly ever: at most 10 % of the time", "From 11 to 50 % of the time", "More than 50 % of the time"),
    ),
    lambda activity: sum(activity.shares[1] > level for level in (0.105, 0.505)),
    lambda activity: activity.shares[0] == max(activity.shares) > 0.8,
    "The red spot is in the middle: ink there switches the unit off. A 0 has an empty middle, so the unit stays on; a "
    "1 or an 8 has ink exactly there. A hidden unit detects a part of an image, not a digit: this one is also on for "
    "some 2s, 5s and 7s.",
    more="The model has 100 hidden units. It learnt from 60,000 other handwritten digits, without their labels. A "
    "hidden unit sums its bias and the weights from the pixels that are on; the **sigmoid** σ turns the sum into the "
    "probability that it is on. Units of the same layer are not joined: that is the restriction.",
)
_SWITCHED = Step(
    "Switch it on and off",
    "Hidden units act back on pixels: a **Gibbs step** draws the hidden units given the pixels, then the pixels given "
    "the hidden units. Each of these twelve samples is a handwritten 0 after 20 such steps.",
    Question(
        "You hold unit 59 off in every step. What happens to the samples?",
        ("Ink appears in the middle", "They stay as they are", "They dissolve into noise"),
    ),
    0,
    ClampScene(_UNIT),
    "Hold the unit on, then off, and compare the middle of the samples.",
    Question("When is there more ink in the middle?", ("With the unit on", "With the unit off", "The same in both")),
    lambda ink: 0 if ink.on > ink.off else 1 if ink.off > ink.on else 2,
    lambda ink: ink.off > ink.on + 0.1,
    "Weights work both ways. Held on, the unit pushes the pixels in the middle off. Held off, it does not, so other "
    "units draw strokes there, and 0s turn into other digits. One switch changes one part of the image; all hundred "
    "together draw the digit.",
)
_CEILING = Step(
    "A puzzle for pairs",
    "The data are the four triples with an even number of ones: 000, 011, 101, 110. A machine that only couples "
    "*pairs* of places can do no better than guess among all eight, with a log-likelihood of −2.08; knowing the four "
    "gives −1.39.",
    Question(
        "How far does an RBM with 8 hidden units get?",
        ("It stays at −2.08", "Clearly above −2.08, towards −1.39", "Above −1.39"),
    ),
    1,
    TrainingScene(_PARITY, ("landscape", "fields"), pace=500, says=_peak),
    "Run it and watch the log-likelihood and, below it, the map of the eight triples: squares show probabilities, "
    "frames the shares in the data.",
    Question(
        "What was the highest log-likelihood?",
        ("Below −2.0", "From −2.0 to −1.7", "From −1.7 to −1.39", "Above −1.386"),
    ),
    lambda records: sum(highest(records) > level for level in (-2.0, -1.7, BEST)),
    lambda records: -1.75 < highest(records) < BEST,
    "Once a hidden unit is on, it pulls some visible units on (blue weights) and others off (red). No hidden unit "
    "stands for one triple: together the eight raise the four triples and lower the others. Couplings between pairs of "
    "places alone cannot tie three places together.",
    more="In any two of the three places, 00, 01, 10 and 11 each occur once, so pairs carry no information. Guessing "
    "gives ln(1/8) = −2.08 (the dashed line, the base rate), knowing the four gives ln(1/4) = −1.39 (the dotted line, "
    "the upper bound). A **restricted Boltzmann machine** (RBM) has visible units, which hold the data, and **hidden "
    "units**, which do not. They are coupled to visible units only, by **weights**.",
    further="No model gets above −1.39, because the four triples are equally frequent. The curve is noisy because "
    "samples are random.",
)
_ONE_STEP = Step(
    "One step of contrastive divergence",
    "**Contrastive divergence** (CD) takes an example, here nine pixels, and draws a model sample from it: from the "
    "pixels to the hidden units, and back. Then it compares the two: the example pulls up, the sample pushes down.",
    Question(
        "A pixel is on in the example and off in the sample. What happens to its bias?",
        ("It rises", "It falls", "It stays"),
    ),
    0,
    StepScene("cd", pixel=_PIXEL),
    "Play the step. In the strip of images compare the last pixel (lower right) of the example and of the sample, and "
    "read at the end how far its bias moves.",
    Question(
        "The last pixel (lower right) was:",
        ("Off in the example, on in the sample", "On in the example, off in the sample", "The same in both"),
    ),
    lambda trace: {(0, 1): 0, (1, 0): 1}.get(_chosen_pixel(trace), 2),
    _steps_agree,
    "The bias of a pixel moves by *rate × (example − sample)*: it rises if the pixel is on only in the example, falls "
    "if it is on only in the sample, and stays if both agree. A weight does the same with its pixel and its hidden "
    "unit together.",
    more="First the hidden units are **sampled**: each sums its bias and the weights from the pixels that are on; an "
    "S-shaped curve, the **sigmoid** σ, turns the sum into a probability, 0 into one half, a large sum into nearly 1; "
    "with this probability the unit is set on. The pixels are sampled from the hidden units in the same way: that is "
    "the model sample.",
    further="The **rate**, here 0.2, is the step size. The rule is that of the first lesson, with a sample after one "
    "step in place of the exact sum. Train has options under More, most of them from Geoffrey Hinton's guide to "
    "training RBMs (2010): **momentum** adds a share of each step to the next one, **weight decay** pulls weights to "
    "0, a **schedule** lowers the rate over time, and a **clip** shortens steps that are too long.",
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
    TrainingScene(_bars(1), ("reconstruction",), pace=2_500, says=_describe_errors),
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
    more="It has so few units that Z can be summed exactly. (With hundreds of pixels and of hidden units this is "
    "impossible; the page Train then estimates Z by sampling.) The data are the 14 images of 3 × 3 pixels in which "
    "each column is all on or all off, or each row is. The learner is CD with one Gibbs step (CD-1), at a high rate, "
    "and it trains for a long time.",
)
_PERSISTENT = Step(
    "A persistent chain",
    "CD starts its chain at the example, anew in each update. **Persistent CD** (PCD) keeps its chain through all "
    "updates: each update continues where the last one stopped.",
    Question(
        "Compare the example with the image at which the chain starts in this update. Do they differ?",
        ("No, in no pixel", "Yes, in some pixels"),
    ),
    1,
    StepScene("pcd", pixel=1),
    "Play the step and compare the first two images of the strip: the example and the start.",
    Question("In how many pixels do they differ?", ("None", "1 to 3", "4 or more")),
    lambda trace: 0 if not (moved := _count_moved(trace)) else 1 if moved < 4 else 2,
    lambda trace: _count_moved(trace) > 0,
    "The chain does not depend on the example. It continues through all updates and gets far from the data. So it "
    "finds likely images that are unlike the data and pushes them down: just those that CD-1 misses. The price: if "
    "weights change fast, the chain cannot keep up.",
    more="There were 230 updates before this one.",
    further="A rate that falls to a hundredth along a cosine lets the chain keep up: on digits of 8 × 8 pixels it "
    "raised the log-likelihood of PCD-1 by 1.26 nats (95 % interval 0.94 to 1.59) at equal cost, while momentum of 0.9 "
    "alone lowered it by 1.12.",
)
_AGAIN_CD = Step(
    "Again: longer chains at the same cost",
    "The data of the fourth step once more: CD-1 against CD with 12 Gibbs steps per update (CD-12). Both get the *same "
    "number of multiplications and additions*, so CD-1 makes 5.3 times as many updates.",
    Question(
        "Which ends with the higher log-likelihood?",
        ("CD-1, with more updates", "CD-12, with longer chains", "Both alike"),
    ),
    1,
    RaceScene(_longer_chains()),
    "Run the race. Thin lines are trials, the thick line is their median (the middle one).",
    Question(
        "Which medians are above −3.7 at the end? (They are next to the names.)",
        ("None", "Only that of CD-1", "Only that of CD-12", "Both"),
    ),
    lambda result: sum(k for k, name in ((1, "CD-1"), (2, "CD-12")) if medians(result)[name] > _HIGH),
    lambda result: medians(result)["CD-12"] > max(_HIGH, medians(result)["CD-1"] + _CLEAR),
    "A chain of 12 steps gets farther from the data, finds more images that should not be likely, and pushes them "
    "down. Each of its updates costs 5.3 times as many operations, and here that pays in most trials: CD-1 only falls "
    "further. With other data and rates the result may differ: try them in Compare.",
)
_AGAIN_PARITY = Step(
    "Again: one hidden unit",
    "The puzzle once more, with a single hidden unit.",
    Question(
        "Can one hidden unit bring the model to −1.39?",
        ("Yes", "No, it stays far below"),
    ),
    1,
    TrainingScene(replace(_PARITY, model=RBMSetup(hidden=1, sigma=1.0)), ("landscape", "fields"), pace=500, says=_peak),
    "Run it.",
    Question(
        "What was the highest log-likelihood?",
        ("Below −2.0", "From −2.0 to −1.7", "Above −1.7"),
    ),
    lambda records: sum(highest(records) > level for level in (-2.0, -1.7)),
    lambda records: highest(records) < -1.7,
    "Once the unit is known to be on, or off, the three places are independent. So each of the two cases can pick out "
    "one triple at most, but there are four.",
)

_RACE = Step(
    "Why CD-12 stood still",
    "In a figure of the paper on **S-DCP**, CD-12 stands still while S-DCP learns, at the same rate and cost. S-DCP "
    "takes three small steps per update; here CD-12 also runs at three times the rate.",
    Question(
        "Which of the three learn?",
        ("S-DCP alone", "S-DCP, and CD-12 at three times the rate", "All three"),
    ),
    1,
    RaceScene(_figure_1()),
    "Run the race, in which CD-12 makes 30,000 updates.",
    Question(
        "How many medians are above −3 at the end? (They are next to the names.)",
        ("None", "One", "Two", "Three"),
    ),
    lambda result: sum(each > _BEGUN for each in medians(result).values()),
    _rate_explains,
    "CD-12's steps are too short. Near the start the curve is almost flat, and 30,000 steps at this rate do not lead "
    "away from there. S-DCP goes about three times as far per update; so does CD-12 at three times the rate, and it "
    "learns, too. Before you compare learners, give each a rate that suits it.",
    more="The data are the nine images of a ring of nine cells with one cell on. Guessing each cell separately gives a "
    "log-likelihood of −3.14, knowing the nine images gives ln(1/9) = −2.20. The rate is that of figure 1 of the paper "
    "divided by nine, the number of rows, which comes nearest to its curves. Each learner takes 12 Gibbs steps per "
    "update and runs five times, from the same five starts.",
    further="S-DCP stands for stochastic difference of convex functions programming. Minus the log-likelihood is a "
    "difference of two bowl-shaped, or convex, functions; S-DCP replaces the second by its tangent, the pull of the "
    "data, and takes several steps with it.",
)

RBM = Lesson(
    "The restricted Boltzmann machine",
    "What a hidden unit of a digit model does, one step of learning, and what longer chains gain and cost.",
    "30 minutes",
    (
        _DETECTS,
        _SWITCHED,
        _ONE_STEP,
        _RECONSTRUCTION,
        _CEILING,
        _PERSISTENT,
        _AGAIN_CD,
        _AGAIN_PARITY,
        _RACE,
    ),
)
