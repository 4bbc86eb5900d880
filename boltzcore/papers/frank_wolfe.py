"""Ping, Liu and Ihler (2016), Learning Infinite RBMs with Frank-Wolfe: its experiments.

One training by Frank-Wolfe passes through every size. At some sizes CD-10 goes on from the machine that it has reached
there, and beside that from random weights, of which the best start by the validation rows is kept. The paper tells
neither how far the gap may rise nor which of the batches, rates and penalties that it names were chosen.
"""

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.inference.annealing import Annealing, annealed_importance_sampling
from boltzcore.learners import CD, FrankWolfe, State
from boltzcore.learners.base import StageProgress
from boltzcore.measures import MeasureContext, all_rows, classification_error
from boltzcore.models import RBM, InfiniteRBM, InfiniteRBMSetup, RBMSetup
from boltzcore.models.rbm import base_rate_odds
from boltzcore.papers.study import Row, Study, one_update
from boltzcore.registry import DATASETS
from boltzcore.ticks import Tick
from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import GAP, Recipe
from boltzcore.training.schedule import Schedule
from boltzcore.training.stopping import new_best, update_early_stopping, why_early

FW, FULL, RANDOM, AFTER = "FW", "FW full", "CD from random", "CD from FW"
GAP_LIMIT = 5.0  # nats that the free-energy gap may rise above its smallest value
BATCH, K = 100, 10
LEARNERS = {
    FW: FrankWolfe(correction="none", lambda_=0.1, steps=300, rate=0.05),
    FULL: FrankWolfe(correction="full", ball=100.0, rounds=40),  # its price, paid for each count, lets hardly any rise
}
DATA = {"mnist": "MNIST", "caltech101": "Caltech 101 Silhouettes"}
# of AIS, the paper's 14,500 inverse temperatures: up to .5, up to .9, up to 1
TEMPERATURES = np.concatenate(
    [
        np.linspace(0.0, 0.5, 500, endpoint=False),
        np.linspace(0.5, 0.9, 4_000, endpoint=False),
        np.linspace(0.9, 1.0, 10_000),
    ]
).astype(np.float32)
SELECTED = {"mnist": 460, "caltech101": 550}  # hidden units, by the paper


@dataclass(frozen=True)
class Scale:
    """How much of the paper is done; what differs between data sets is {data set: ...}.

    rows : training images of MNIST, 0 for all; None for the sample that comes with the project
    last, every : insertions of Frank-Wolfe, and how many lie between two measurements
    sizes : hidden units at which CD is trained
    classified : those of them at which labels are learnt
    epochs, starts, rates : of CD
    chains : of AIS
    """

    rows: int | None
    last: Mapping[str, int]
    every: int
    sizes: Mapping[str, tuple[int, ...]]
    classified: Mapping[str, tuple[int, ...]]
    epochs: Mapping[str, int]
    starts: int
    rates: tuple[float, ...]
    chains: int


_PAPER = (20, 50, 100, 200, 300, 400, 500, 600, 700)
_QUICK = {"mnist": (20, 40, 60), "caltech101": (20, 40)}
SCALES = {
    "paper": Scale(
        rows=0,
        last=dict.fromkeys(DATA, 700),
        every=20,
        sizes=dict.fromkeys(DATA, _PAPER),
        classified=dict.fromkeys(DATA, _PAPER[4:]),
        epochs={"mnist": 200, "caltech101": 400},
        starts=5,
        rates=(0.05, 0.02, 0.01, 0.005),
        chains=500,
    ),
    "hours": Scale(
        rows=0,
        last={"mnist": 300},
        every=20,
        sizes={"mnist": _PAPER[:5]},
        classified={"mnist": _PAPER[4:5]},
        epochs={"mnist": 60},
        starts=2,
        rates=(0.05, 0.02),
        chains=100,
    ),
    "quick": Scale(
        rows=10_000,
        last={"mnist": 60, "caltech101": 40},
        every=20,
        sizes=_QUICK,
        classified=_QUICK,
        epochs={"mnist": 200, "caltech101": 400},
        starts=2,
        rates=(0.05,),
        chains=100,
    ),
    "sample": Scale(
        rows=None,
        last={"mnist": 20},
        every=5,
        sizes={"mnist": (10, 20)},
        classified={"mnist": (10, 20)},
        epochs={"mnist": 60},
        starts=2,
        rates=(0.05,),
        chains=100,
    ),
}


def data_of(name: str, scale: Scale) -> Any:
    """A data set at a scale, with a validation split; gray images are cut at 127."""
    if name == "mnist" and scale.rows is None:
        return DATASETS["mnist-small"](binarise="threshold")
    if name == "mnist":
        return DATASETS["mnist"](binarise="threshold", split="50000/10000/10000", rows=scale.rows)
    return DATASETS[name]()


def growing(data: Any, learner: FrankWolfe, units: int, every: int) -> Recipe:
    """A training by Frank-Wolfe up to so many insertions, measured each time `every` have come."""
    schedule = Schedule(length=units, unit="updates", every=every)
    return Recipe(InfiniteRBMSetup(), data, learner, schedule, measures=(GAP,))


def contrastive(data: Any, units: int, rate: float, seed: int, epochs: int, before: Recipe | None = None) -> Recipe:
    """A training by CD-10 from random weights, or from what a training before has reached; a risen gap ends it."""
    schedule = Schedule(seed=seed, length=epochs, gap_limit=GAP_LIMIT)
    return Recipe(RBMSetup(hidden=units), data, CD(rate, BATCH, K=K), schedule, measures=(GAP,), before=before)


# -- trainings ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trained:
    """What a method has come to.

    units : hidden units; of Frank-Wolfe insertions
    seconds : of its updates; of CD without those of a training before
    fields : further fields of its row in the results
    """

    method: str
    units: int
    model: RBM | InfiniteRBM
    seconds: float
    fields: Row


class Done:
    """A tick that reports how many of all trainings are over, whatever share the current work reports."""

    def __init__(self, tick: Tick, trainings: int) -> None:
        self._tick, self._trainings, self._over = tick, trainings, 0.0

    def __call__(self, fraction: float = 0.0) -> None:
        self._tick(self._over / self._trainings)

    def within(self, fraction: float) -> None:
        """Note the share of the current training that is done."""
        self._over = math.floor(self._over) + min(fraction, 0.999)

    def another(self) -> None:
        """One more training is over."""
        self._over = math.floor(self._over) + 1.0


def grown(recipe: Recipe, method: str, done: Done) -> Iterator[tuple[State, Trained]]:
    """(State, what it has come to) of a training by Frank-Wolfe at each record, with what the gap rule says by then.

    It goes on where the rule would end it, as the paper's does.
    """
    ruled = dataclasses.replace(recipe, schedule=recipe.schedule.changed(gap_limit=GAP_LIMIT))
    prepared, progress, over = PreparedData.from_recipe(recipe, done), StageProgress(), False
    for piece in recipe.entry.warm:
        piece()  # no second of the first update is to be a compiler's
    for step in train(recipe, prepared=prepared, tick=done):
        state, record = step.state, step.record
        assert record is not None
        ruling = update_early_stopping(ruled, dataclasses.replace(state, progress=progress), record.values)
        progress, over = ruling.progress, over or bool(why_early(ruled.schedule, ruling))
        done.within(state.count / recipe.schedule.length)
        risen = over or progress.gap_exceeded > 0
        fields = {"hidden_units": state.model.n_units, "gap": record.values[GAP], "risen": risen}
        yield state, Trained(method, state.count, state.model, record.seconds, fields)
    done.another()


def refined(recipe: Recipe, method: str, done: Done, before: State | None) -> Trained:
    """What CD has come to by its end, or just before its gap rose; `before` is the end of the stage before it."""
    began = 0.0 if before is None else before.progress.seconds
    best: tuple[State, float, float] | None = None
    seconds = 0.0
    prepared = PreparedData.from_recipe(recipe, done)
    one_update(recipe, prepared)
    for step in train(recipe, prepared=prepared, tick=done, resume=before):
        state, record = step.state, step.record
        assert record is not None
        epoch, seconds = record.epoch - state.progress.from_epoch, record.seconds - began
        done.within(epoch / recipe.schedule.length)
        if best is None or new_best(recipe, state, record.values, None) is not None:
            best = state.copy(), epoch, record.values[GAP]
    assert best is not None
    state, epoch, gap = best
    fields = {"gap": gap, "epoch": epoch, "rate": recipe.learner.rate, "seed": recipe.schedule.seed}
    done.another()
    return Trained(method, recipe.model.hidden, state.model, seconds, fields)


@dataclass(frozen=True)
class MethodsOn:
    """The methods on one data set, at a scale.

    rows : all rows of its splits
    """

    name: str
    scale: Scale
    rows: Dataset

    @classmethod
    def from_name(cls, name: str, scale: Scale) -> "MethodsOn":
        """The methods on the data set of this name."""
        return cls(name, scale, all_rows(data_of(name, scale).load(), 0))

    def trained(self, learners: Mapping[str, FrankWolfe], sizes: tuple[int, ...], done: Done) -> Iterator[Trained]:
        """Frank-Wolfe at all sizes at which it is measured, then CD at `sizes`, from there and from random weights."""
        data, last = data_of(self.name, self.scale), self.scale.last[self.name]
        every, states = math.gcd(self.scale.every, *sizes), dict[int, State]()
        for method, learner in learners.items():
            for state, found in grown(growing(data, learner, last, every), method, done):
                if method == FW and found.units in sizes:
                    states[found.units] = state
                if found.units and (found.units % self.scale.every == 0 or found.units in sizes):
                    yield found
        for units, state in states.items():
            before = growing(data, learners[FW], units, every)
            yield self._best(units, AFTER, 1, done, before, state)
            yield self._best(units, RANDOM, self.scale.starts, done)

    def _best(
        self, units: int, method: str, starts: int, done: Done, before: Recipe | None = None, end: State | None = None
    ) -> Trained:
        """The best by the validation rows of trainings by CD, one with each rate from each start."""
        data, epochs = data_of(self.name, self.scale), self.scale.epochs[self.name]
        cells = [(rate, seed) for rate in self.scale.rates for seed in range(starts)]
        tried = [
            refined(contrastive(data, units, rate, seed, epochs, before), method, done, end) for rate, seed in cells
        ]
        return max(tried, key=lambda each: self.likelihood(each, done)["validation"]) if len(tried) > 1 else tried[0]

    # -- what is measured ------------------------------------------------------------------------------

    def likelihood(self, trained: Trained, tick: Tick) -> Row:
        """Mean log-likelihood of test rows (with the interval of three standard errors of log Z, but for infinite ends)
        and of validation rows, as AIS estimates them, and its effective sample size.
        """
        model, held_out = trained.model, self.rows.validation
        assert held_out is not None
        found = annealed_importance_sampling(
            model,
            chains=self.scale.chains,
            temperatures=TEMPERATURES,
            base=base_rate_odds(self.rows.train.mean()),
            tick=tick,
        )
        test, validation = (-rows.average(model.free_energy(rows.v, tick=tick)) for rows in (self.rows.test, held_out))
        ends = {"test": found.value, "test_low": found.high, "test_high": found.low}
        return {
            **{name: test - log_z for name, log_z in ends.items() if math.isfinite(log_z)},
            "validation": validation - found.value,
            "effective_chains": found.effective_sample_size,
        }

    def classification(self, trained: Trained, tick: Tick) -> Row:
        """Test error in percent of logistic regression on E[h|v]."""
        found = classification_error(trained.model, self.rows, MeasureContext(tick=tick))
        return {"error": 100 * found["test_classification_error"]} if found else {}


# -- rows ---------------------------------------------------------------------------------------------


Sizes = Callable[[Scale], Mapping[str, tuple[int, ...]]]  # {data set: hidden units at which CD is trained}


def _rows(
    method: str, sizes: Sizes, measured: Callable[[MethodsOn, Trained, Tick], Row], scale: str, tick: Tick
) -> Iterator[Row]:
    """Measures of Frank-Wolfe at each size and of CD at some, with seconds and the verdict of the gap rule."""
    chosen, learners = SCALES[scale], {method: LEARNERS[method]}
    trainings = [1 + len(at) * len(chosen.rates) * (1 + chosen.starts) for at in sizes(chosen).values()]
    done = Done(tick, sum(trainings))
    for name, at in sizes(chosen).items():
        of_data = MethodsOn.from_name(name, chosen)
        for trained in of_data.trained(learners, at, done):
            yield {
                "data": name,
                "method": trained.method,
                "units": trained.units,
                "seconds": trained.seconds,
                **trained.fields,
                **measured(of_data, trained, done),
            }


def _no_sizes(scale: Scale) -> Mapping[str, tuple[int, ...]]:
    return dict.fromkeys(scale.sizes, ())


figure_1 = partial(_rows, FW, lambda scale: scale.sizes, MethodsOn.likelihood)
figure_2 = partial(_rows, FW, lambda scale: scale.classified, MethodsOn.classification)
corrected = partial(_rows, FULL, _no_sizes, MethodsOn.likelihood)  # beyond the paper


def parts(learner: str, sizes: Sizes, scale: str) -> list[Recipe]:
    """A training by Frank-Wolfe on each data set, and those by CD after it and beside it."""
    chosen, found = SCALES[scale], list[Recipe]()
    for name, at in sizes(chosen).items():
        data = data_of(name, chosen)
        found.append(growing(data, LEARNERS[learner], chosen.last[name], chosen.every))
        found += [
            contrastive(data, units, rate, seed, chosen.epochs[name])
            for units in at
            for rate in chosen.rates
            for seed in range(chosen.starts)
        ]
    return found


_SOURCE = "Ping, Liu and Ihler 2016, section 4, figure"
_SCALES = {
    "paper": "all images (MNIST 50,000), up to 700 units, CD-10 of 200 epochs (Caltech 400) with four rates from five "
    "starts, AIS with 500 chains and 14,500 temperatures: many days",
    "hours": "MNIST with all 50,000 images, up to 300 units, CD-10 of 60 epochs with two rates from two starts, AIS "
    "with 100 chains and 14,500 temperatures: an hour and a half",
    "quick": "MNIST with 10,000 images up to 60 units, Caltech up to 40, CD-10 of 200 (400) epochs at rate 0.05 from "
    "two starts, AIS with 100 chains and 14,500 temperatures",
    "sample": "the 6,000 images of MNIST that come with the project, up to 20 units, CD-10 of 60 epochs "
    "at rate 0.05 from two starts, AIS with 100 chains and 14,500 temperatures",
}
_OF_CORRECTED = {
    "paper": "all images (MNIST 50,000), up to 700 insertions, AIS with 500 chains and 14,500 temperatures: hours",
    "hours": "MNIST with all 50,000 images, up to 300 insertions, AIS with 100 chains and 14,500 temperatures: half an "
    "hour",
    "quick": "MNIST with 10,000 images up to 60 insertions, Caltech up to 40, AIS with 100 chains and 14,500 "
    "temperatures",
    "sample": "the 6,000 images of MNIST that come with the project, up to 20 insertions, AIS with 100 "
    "chains and 14,500 temperatures",
}
STUDIES: Mapping[str, Study] = {
    "fw-figure-1": Study(
        title="Test log-likelihood against the number of hidden units: Frank-Wolfe, CD, and CD from Frank-Wolfe",
        source=f"{_SOURCE} 1",
        reported="By the gap Frank-Wolfe selects 460 units on MNIST and 550 on Caltech 101 Silhouettes, about where "
        "the test log-likelihood is highest; CD from FW is above the best of five CD from random weights at each size. "
        "FW takes at most twice the time of CD. The axes run from -160 to -80 and from -220 to -120 nats.",
        scales=_SCALES,
        rows=figure_1,
        parts=partial(parts, FW, lambda scale: scale.sizes),
        computations=(Annealing,),
        begins_anew=True,
    ),
    "fw-corrected": Study(
        title="Test log-likelihood against insertions: Frank-Wolfe that makes all counts and biases anew",
        source="beyond Ping, Liu and Ihler 2016; beside figure 1",
        reported="Nothing: its Frank-Wolfe, whose units all count once, is that of fw-figure-1.",
        scales=_OF_CORRECTED,
        rows=corrected,
        parts=partial(parts, FULL, _no_sizes),
        computations=(Annealing,),
        begins_anew=True,
    ),
    "fw-figure-2": Study(
        title="Test error of logistic regression on the hidden units of Frank-Wolfe, CD, and CD from Frank-Wolfe",
        source=f"{_SOURCE} 2",
        reported="From 300 to 700 units: FW alone is worse than CD with few units and better from about 450 on; CD "
        "from FW is best. The axes run from 2 to 3.5 % on MNIST and from 34 to 42 % on Caltech.",
        scales=_SCALES,
        rows=figure_2,
        parts=partial(parts, FW, lambda scale: scale.classified),
        computations=(classification_error,),
        begins_anew=True,
    ),
}
