"""Experiments of Upadhya and Sastry (2017), Learning RBM with a DC Programming Approach.

All learners of a trial start from the same parameters, and each update costs the same number of Gibbs steps.
"""

import dataclasses
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from boltzcore.comparison.trial import Trial
from boltzcore.comparison.trials import TrialStore
from boltzcore.home import folder
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient
from boltzcore.measures import MeasureContext, log_likelihood
from boltzcore.measures.merit import climb
from boltzcore.models import RBMSetup
from boltzcore.papers.study import Cell, Row, Study, group_cells, portions, steps, trials
from boltzcore.ticks import Tick, portion
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

DCP = ("S-DCP", "CS-DCP")


def learners(d: int, K_prime: int, rate: float, batch_size: int) -> dict[str, Any]:
    """Return the five learners that the paper compares, at equal cost: CD, PCD and CG take K = d K' Gibbs steps."""
    K = d * K_prime
    return {
        "CD": CD(rate, batch_size, K=K),
        "PCD": PCD(rate, batch_size, K=K),
        "CG": CenteredGradient(rate, batch_size, K=K),
        "S-DCP": SDCP(rate, batch_size, d=d, K_prime=K_prime),
        "CS-DCP": CSDCP(rate, batch_size, d=d, K_prime=K_prime),
    }


# -- figures 1 and 2: the small sets -----------------------------------------------------------------

# As in Algorithms 3 and 4 the gradient is a mean over the rows of a mini-batch, here all N. Divided once more, the
# rates give the plateau of figure 1; why the paper's effective rates would be smaller is not known.
DIVISORS = {"shifting-bar": (1.0, 4.5, 9.0), "bars-and-stripes": (1.0, 7.0, 14.0)}  # 1, N / 2, N
READING = {"shifting-bar": 9.0, "bars-and-stripes": 14.0}  # the divisor with the plateau of figure 1
RATES = (0.3, 0.5)
STUCK = 30_000  # epochs of one update: CD and PCD need "more than 30000 gradient updates" on Shifting Bar
EVERY = 250  # epochs between two records: the resolution of the epoch at 90 % of the climb
CURVE = 2  # records between two points of the curve that a figure needs
KEY = "test_log_likelihood"
SMALL_LEARNERS = tuple(learners(3, 4, RATES[0], 0))
Sizes = dict[str, tuple[int, tuple[int, ...]]]  # {scale: (trials, epochs of the table)}
_FIRST = (1_000, 5_000, 10_000, 20_000)
SMALL: Sizes = {"paper": (25, (*_FIRST, 30_000, 50_000)), "quick": (3, _FIRST[:3])}
LONGER: Sizes = {"few": (8, (*_FIRST, 30_000, 50_000)), "quick": (2, _FIRST[:2])}


def small_recipes(
    data: str, rate: float, divisor: float, name: str, n_trials: int, epochs: int, longer: int = 1
) -> list[Recipe]:
    """Return the trials of a learner at a rate divided by `divisor`, with 4 hidden units and full batches; the seed is
    the number of the trial.
    """
    learner = learners(3, 4 * longer, rate / divisor, 0)[name]
    schedule = Schedule(length=epochs, every=EVERY)
    return [
        Recipe(RBMSetup(hidden=4), data, learner, schedule.changed(seed=trial), measures=("log_likelihood",))
        for trial in range(n_trials)
    ]


def small_study(divisors: Mapping[str, Sequence[float]], sizes: Sizes, longer: int = 1, **words: Any) -> Study:
    """Return a study of the exact log-likelihood over the trials: mean, median, the curve of the mean, and the epoch at
    90 % of its climb; with `longer` times as many Gibbs steps as in the paper.
    """

    def recipes(scale: str, data: str, rate: float, divisor: float, name: str) -> list[Recipe]:
        n_trials, epochs = sizes[scale]
        return small_recipes(data, rate, divisor, name, n_trials, epochs[-1], longer)

    def cells(scale: str) -> list[Cell]:
        return [
            (data, rate, divisor, name)
            for data, of in divisors.items()
            for divisor in of
            for rate in RATES
            for name in SMALL_LEARNERS
        ]

    def make(scale: str, cells: Sequence[Cell], tick: Tick) -> Iterator[Row]:
        n_trials, epochs = sizes[scale]
        at = [epoch // EVERY for epoch in epochs]
        for cell, part in portions(cells, tick):
            records = [trial.records for trial in trials(recipes(scale, *cell), part)]
            values = [[record.values[KEY] for record in of_epoch] for of_epoch in zip(*records, strict=True)]
            mean, median = list(map(statistics.fmean, values)), list(map(statistics.median, values))
            reached = climb(mean)
            yield {
                "trials": n_trials,
                "epochs": list(epochs),
                "mean": [mean[i] for i in at],
                "median": [median[i] for i in at],
                "best_mean": max(mean),
                "epoch_at_90_percent": None if reached is None else reached * EVERY,
                "curve_epochs": [EVERY * i for i in range(0, len(mean), CURVE)],
                "curve": mean[::CURVE],
            }

    return Study(
        scales={scale: f"{n_trials} trials of {epochs[-1]:,} epochs" for scale, (n_trials, epochs) in sizes.items()},
        names=("data", "rate", "divisor", "learner"),
        cells=cells,
        make=make,
        parts=lambda scale: [recipe for cell in cells(scale) for recipe in recipes(scale, *cell)],
        only_trainings=True,
        **words,
    )


# -- figures 3 to 7: many hidden units ----------------------------------------------------------------

AT = {"long": (1, 5, 10, 20, 50, 100, 200), "quick": (1, 5, 10)}  # epochs
HOURS = 0.7  # hours of a training at the scale "long", on one core
ANNEALING = Annealing(chains=100, temperatures=10_000)
Trainings = Mapping[str, Recipe]
_BASE = learners(6, 4, 0.01, 200)  # K = 24


def _large(learners: Mapping[str, Any], data: str = "mnist", **start: Any) -> Trainings:
    return {
        name: Recipe(RBMSetup(hidden=500, **start), data, learner, measures=()) for name, learner in learners.items()
    }


def _dcp(setting: str, of: Mapping[str, Any] = _BASE) -> dict[str, Any]:
    return {f"{name} {setting}": of[name] for name in DCP}


# The paper names the first of these rates, but neither the rates with batches of 1,000 nor the batch sizes. SSD takes K
# = 25 and a smaller rate, as its steps are larger.
_RATES = {f"{rate:g}": learners(6, 4, rate, 200) for rate in (0.01, 0.05, 0.1)}
_INNER = {f"{d} × {24 // d}": learners(d, 24 // d, 0.01, 200) for d in (2, 4, 6, 12)}
_STARTS = [(sigma, bias) for bias in ("zero", "base rate") for sigma in (0.001, 0.01)]  # the starts of table 1
BATCHES = {f"S-DCP {size:,}": size for size in (100, 200, 500, 1000)}
LARGE: Mapping[str, Trainings] = {
    "dcp-mnist": _large(_BASE),
    "dcp-omniglot": _large(_BASE, "omniglot"),
    "dcp-spectral": _large(learners(6, 4, 0.01, 1000) | {"SSD": SSD(0.003, 1000, K=25)}),
    "dcp-rates": _large({name: each for rate, of in _RATES.items() for name, each in _dcp(rate, of).items()}),
    "dcp-inner-steps": _large({name: each for d, of in _INNER.items() for name, each in _dcp(d, of).items()}),
    "dcp-batches": _large({name: SDCP(0.01, size) for name, size in BATCHES.items()}),
    "dcp-starts": {
        name: recipe
        for sigma, bias in _STARTS
        for name, recipe in _large(_dcp(f"{sigma:g} {bias}"), sigma=sigma, visible_bias=bias).items()
    },
}


def at_scale(trainings: Trainings, scale: str) -> dict[str, Recipe]:
    """Return the trainings with the length of a scale."""
    schedule = Schedule(length=AT[scale][-1])
    return {name: dataclasses.replace(each, schedule=schedule) for name, each in trainings.items()}


def estimates(trainings: Trainings, scale: str, cells: Sequence[Cell], tick: Tick) -> Iterator[Row]:
    """Yield seconds of training per epoch and the log-likelihoods estimated by AIS at these epochs of the trainings;
    each training continues from where an earlier call stopped.
    """
    recipes, store = at_scale(trainings, scale), TrialStore(folder("trials"))
    for (name, epochs), part in portions(group_cells(cells), tick):
        recipe = recipes[name]
        trial = store.get(recipe)
        if trial is None or trial.records[-1].epoch >= epochs[0][0]:  # the row of an earlier epoch is to be made again
            trial = Trial(recipe)
        prepared = PreparedData.from_recipe(recipe, part)
        # all test rows, because the paper's figure is their mean
        rows = dataclasses.replace(prepared.rows, test=prepared.dataset.test.epoch(0, prepared.seed))
        for state, record in steps(recipe, part, trial.state):
            if (record.epoch,) in epochs:
                still = portion(part, record.epoch / AT[scale][-1], 0.0)
                context = MeasureContext(state.seed, state.count, ANNEALING, tick=still)
                seconds = state.progress.seconds / record.epoch
                yield {"seconds_per_epoch": seconds, **log_likelihood(state.model, rows, context)}
            trial = Trial(recipe, records=(*trial.records, record), state=state)
            store.put(trial)


# -- all of them -------------------------------------------------------------------------------------

SOURCE = "Upadhya and Sastry 2017"
SCALES = {
    "long": "one trial of 200 epochs (the paper: ten trials)",
    "quick": "one trial of 10 epochs",
}


_LACKING = dict.fromkeys(("dcp-mnist", "dcp-omniglot"), " and one rate of two")
_LACKING |= {"dcp-spectral": ", 200 epochs of 250, 24 Gibbs steps of 25 and rates of our choice"}


def _large_study(name: str, title: str, figure: str, theirs: str = "ten trials of 200 epochs") -> Study:
    trainings = LARGE[name]
    return Study(
        title=title,
        source=f"{SOURCE}, section {figure}",
        scales=SCALES,
        names=("training", "epoch"),
        cells=lambda scale: [(training, epoch) for training in trainings for epoch in AT[scale]],
        make=partial(estimates, trainings),
        parts=lambda scale: at_scale(trainings, scale).values(),
        same_as=lambda scale, cell: (json.dumps(at_scale(trainings, scale)[cell[0]].to_query()), cell[1]),
        full={"long": "one trial of ten" + _LACKING.get(name, "")},
        theirs=theirs,
        cost=f"one trial takes some {HOURS * len(trainings):.0f} hours on one core",
        computations=(log_likelihood,),
    )


_LARGE_WORDS = {  # (title, figure, description of the paper's scale)
    "dcp-mnist": ("S-DCP and CS-DCP against CD, PCD and CG on MNIST with 500 hidden units", "4.2.2, figure 3"),
    "dcp-omniglot": ("S-DCP and CS-DCP against CD, PCD and CG on OMNIGLOT with 500 hidden units", "4.2.2, figure 4"),
    "dcp-spectral": (
        "SSD against the others with batches of 1,000",
        "4.2.2, figure 5",
        "ten trials of 250 epochs, and 25 Gibbs steps in place of 24 for CD",
    ),
    "dcp-rates": ("S-DCP and CS-DCP at several rates", "5.1, figure 6a"),
    "dcp-inner-steps": ("S-DCP and CS-DCP with several d and K' at equal cost", "5.2, figure 6b"),
    "dcp-batches": ("S-DCP with several batch sizes", "5.3, figure 7a"),
    "dcp-starts": ("S-DCP and CS-DCP from several starts", "5.4, figure 7b and table 1"),
}
STUDIES = {
    "dcp-small": small_study(
        DIVISORS,
        SMALL,
        title="S-DCP and CS-DCP against CD, PCD and CG on the two small sets",
        source=f"{SOURCE}, section 4.2.1, figures 1 and 2",
    ),
    "dcp-longer-chains": small_study(
        {"bars-and-stripes": (READING["bars-and-stripes"],)},
        LONGER,
        longer=10,
        title="S-DCP and CS-DCP against CD, PCD and CG on Bars & Stripes with ten times as many Gibbs steps",
        source=f"{SOURCE}, section 4.2.1, figure 2",
    ),
    **{name: _large_study(name, *words) for name, words in _LARGE_WORDS.items()},
}
