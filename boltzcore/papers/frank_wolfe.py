"""Experiments of Ping, Liu and Ihler (2016), Learning Infinite RBMs with Frank-Wolfe.

One training by Frank-Wolfe passes through every size. At some sizes CD-10 continues from the model that it has reached
there and, for comparison, from random weights; the start that is best on the validation rows is kept. The paper gives
neither the rise of the gap that ends a training, nor the batch sizes, rates and penalties that it chose from those that
it lists.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.inference.annealing import Annealing, annealed_importance_sampling
from boltzcore.learners import CD, FrankWolfe
from boltzcore.learners.base import State
from boltzcore.measures import MeasureContext, classification_error
from boltzcore.measures.measure import all_rows
from boltzcore.models import RBM, InfiniteRBM, InfiniteRBMSetup, RBMSetup
from boltzcore.models.rbm import base_rate_odds
from boltzcore.papers.study import Cell, Row, Study, group_cells, images, portions, steps
from boltzcore.ticks import Tick, portion
from boltzcore.training.recipe import GAP, Recipe
from boltzcore.training.schedule import Schedule
from boltzcore.training.stopping import new_best

FW, FULL, RANDOM, AFTER = "FW", "FW full", "CD from random", "CD from FW"
GAP_LIMIT = 5.0  # nats that the free-energy gap may rise above its smallest value
LEARNERS = {
    FW: FrankWolfe(correction="none", lambda_=0.1, steps=300, rate=0.05),
    FULL: FrankWolfe(correction="full", ball=100.0, rounds=40),  # here hardly any count rises
}
PENALISED = {f"FW, penalty {penalty:g}": penalty for penalty in (0.01, 0.05, 0.1, 0.5, 1.0)}  # the paper's penalties
LEARNERS |= {name: LEARNERS[FW].changed(lambda_=penalty) for name, penalty in PENALISED.items()}
DATA = {"mnist": "MNIST", "caltech101": "Caltech 101 Silhouettes"}
# AIS, the paper's 14,500 inverse temperatures: up to .5, up to .9, up to 1
TEMPERATURES = np.concatenate(
    [
        np.linspace(0.0, 0.5, 500, endpoint=False),
        np.linspace(0.5, 0.9, 4_000, endpoint=False),
        np.linspace(0.9, 1.0, 10_000),
    ]
).astype(np.float32)
SELECTED = {"mnist": 460, "caltech101": 550}  # hidden units that the paper's method selects


@dataclass(frozen=True)
class Scale:
    """Size of the experiments. Frank-Wolfe is trained up to the last of the sizes.

    images : the data, in words
    rows : training images of MNIST, 0 for all; None for the sample that comes with the project
    every : insertions of Frank-Wolfe between two measurements
    sizes : {data set: hidden units at which CD is trained}
    classified : smallest number of hidden units for which logistic regression is fitted
    epochs, starts, rates : of CD; on the silhouettes it takes twice the epochs
    chains : number of AIS chains
    """

    images: str
    rows: int | None
    sizes: Mapping[str, tuple[int, ...]]
    every: int = 20
    classified: int = 0
    epochs: int = 200
    starts: int = 2
    rates: tuple[float, ...] = (0.05,)
    chains: int = 100


_PAPER = (20, 50, 100, 200, 300, 400, 500, 600, 700)
SCALES = {
    "paper": Scale(
        "all images (MNIST 50,000), up to 700 units",
        rows=0,
        sizes=dict.fromkeys(DATA, _PAPER),
        classified=300,
        starts=5,
        rates=(0.05, 0.02, 0.01, 0.005),
        chains=500,
    ),
    "hours": Scale(
        f"MNIST with all 50,000 images, up to 300 units (the paper's choice of {SELECTED['mnist']} is not reached)",
        rows=0,
        sizes={"mnist": _PAPER[:5]},
        classified=300,
        epochs=60,
        rates=(0.05, 0.02),
    ),
    "quick": Scale(
        "MNIST with 10,000 images up to 60 units, Caltech up to 40",
        rows=10_000,
        sizes={"mnist": (20, 40, 60), "caltech101": (20, 40)},
    ),
    "sample": Scale(
        "the 6,000 images of MNIST that come with the project, up to 20 units",
        rows=None,
        sizes={"mnist": (10, 20)},
        every=5,
        epochs=60,
    ),
}


def growth_recipe(data: Any, learner: FrankWolfe, units: int, every: int) -> Recipe:
    """Return a training by Frank-Wolfe of `units` insertions, measured after every `every` of them."""
    schedule = Schedule(length=units, unit="updates", every=every)
    return Recipe(InfiniteRBMSetup(), data, learner, schedule, measures=(GAP,))


def contrastive(data: Any, units: int, rate: float, seed: int, epochs: int, before: Recipe | None = None) -> Recipe:
    """Return a training by CD-10 from random weights or from the end of `before`; a rise of the gap ends it."""
    schedule = Schedule(seed=seed, length=epochs, gap_limit=GAP_LIMIT)
    return Recipe(RBMSetup(hidden=units), data, CD(rate, 100, K=10), schedule, measures=(GAP,), before=before)


def refinements(name: str, units: int, starts: int, scale: Scale, before: Recipe | None = None) -> list[Recipe]:
    """Return the trainings by CD at each rate from each start."""
    data, epochs = images(name, scale.rows), scale.epochs * (2 if name == "caltech101" else 1)
    return [contrastive(data, units, rate, seed, epochs, before) for rate in scale.rates for seed in range(starts)]


# -- trainings ----------------------------------------------------------------------------------------

Model = RBM | InfiniteRBM


def grow(recipe: Recipe, tick: Tick) -> Iterator[tuple[State, Row]]:
    """Yield the State of a training by Frank-Wolfe at each record, with fields of its row; "risen" is True if the gap
    rule would stop the training there (as in the paper, it continues).
    """
    lowest = math.inf
    for state, record in steps(recipe, tick):
        gap = record.values[GAP]
        lowest = min(lowest, gap)
        fields = {"hidden_units": state.model.n_units, "gap": gap, "risen": gap > lowest + GAP_LIMIT}
        yield state, {"seconds": record.seconds, **fields}


def refine(recipe: Recipe, tick: Tick, before: State | None = None) -> tuple[RBM, Row]:
    """Return the final model of a training by CD, or the last before its gap rose, and fields of its row, with the
    seconds of its own updates; `before` is the final State of the stage before it.
    """
    began = before.progress.seconds if before else 0.0
    best, epoch, gap = None, 0.0, math.nan
    for state, record in steps(recipe, tick, resume=before):
        if best is None or new_best(recipe, state, record.values, None) is not None:
            best, epoch, gap = state.copy(), record.epoch - state.progress.from_epoch, record.values[GAP]
    assert best is not None
    fields = {"gap": gap, "epoch": epoch, "rate": recipe.learner.rate, "seed": recipe.schedule.seed}
    return best.model, {"seconds": record.seconds - began, **fields}


# -- measures -----------------------------------------------------------------------------------------


def likelihood(model: Model, rows: Dataset, scale: Scale, tick: Tick) -> Row:
    """Return AIS estimates of the mean log-likelihood of test rows (with the interval of three standard errors of log
    Z, omitting infinite ends) and of validation rows, and the effective sample size.
    """
    base = base_rate_odds(rows.train.mean())
    found = annealed_importance_sampling(model, chains=scale.chains, temperatures=TEMPERATURES, base=base, tick=tick)
    assert rows.validation is not None
    test, validation = (-each.average(model.free_energy(each.v, tick=tick)) for each in (rows.test, rows.validation))
    ends = {"test": found.value, "test_low": found.high, "test_high": found.low}
    return {
        **{name: test - log_z for name, log_z in ends.items() if math.isfinite(log_z)},
        "validation": validation - found.value,
        "effective_chains": found.effective_sample_size,
    }


def classification(model: Model, rows: Dataset, scale: Scale, tick: Tick) -> Row:
    """Return the test error, in percent, of logistic regression on E[h|v]."""
    found = classification_error(model, rows, MeasureContext(tick=tick))
    return {"error": 100 * found["test_classification_error"]} if found else {}


# -- figures ------------------------------------------------------------------------------------------


def figure(
    methods: Sequence[str],
    sizes: Callable[[Scale], Mapping[str, Sequence[int]]],
    measured: Callable[[Model, Dataset, Scale, Tick], Row],
    **words: Any,
) -> Study:
    """Return the study of a measure of Frank-Wolfe at each size and of CD at some sizes.

    methods : names in `LEARNERS`; CD continues from the last of them
    sizes : function of a scale that returns {data set: hidden units at which CD is trained}
    measured : measured(model, rows, scale, tick) returns fields of a row
    """

    def cells(scale: str) -> list[Cell]:
        chosen, found = SCALES[scale], list[Cell]()
        for data, at in sizes(chosen).items():
            last = chosen.sizes[data][-1]
            measured_at = sorted({*range(chosen.every, last + 1, chosen.every), *at})
            found += [(data, method, units) for method in methods for units in measured_at]
            found += [(data, refined_from, units) for units in at for refined_from in (AFTER, RANDOM)]
        return found

    def parts(scale: str) -> list[Recipe]:
        chosen, found = SCALES[scale], list[Recipe]()
        for name, at in sizes(chosen).items():
            last = chosen.sizes[name][-1]
            data = images(name, chosen.rows)
            found += [growth_recipe(data, LEARNERS[method], last, chosen.every) for method in methods]
            found += [recipe for units in at for recipe in refinements(name, units, chosen.starts, chosen)]
        return found

    def make(scale: str, cells: Sequence[Cell], tick: Tick) -> Iterator[Row]:
        chosen = SCALES[scale]
        for (name, its), part in portions(group_cells(cells), tick):
            data, at = images(name, chosen.rows), sizes(chosen)[name]
            rows, every, last = all_rows(data.load(), 0), math.gcd(chosen.every, *at), chosen.sizes[name][-1]
            contrasted = [cell for cell in its if cell[0] not in methods]
            left = [method for method in methods if any(cell[0] in (method, AFTER) for cell in its)]
            shares = [of for _, of in portions([*left, *contrasted], part)]
            ends = dict[int, State]()  # ends of the latest training by Frank-Wolfe, by size
            for method, of_all in zip(left, shares, strict=False):
                for state, fields in grow(growth_recipe(data, LEARNERS[method], last, every), of_all):
                    if state.count in at:
                        ends[state.count] = state
                    if (method, state.count) in its:
                        yield {**fields, **measured(state.model, rows, chosen, of_all)}
            for (refined_from, units), own in zip(contrasted, shares[len(left) :], strict=True):
                before, end, starts = None, None, chosen.starts
                if refined_from == AFTER:
                    before = growth_recipe(data, LEARNERS[methods[-1]], units, every)
                    end, starts = ends[units], 1
                recipes = refinements(name, units, starts, chosen, before)
                tried = [refine(recipe, each, end) for recipe, each in portions(recipes, own)]
                over = portion(own, 1.0, 0.0)
                if len(tried) > 1:  # the best on the validation rows
                    tried.sort(key=lambda each: -likelihood(each[0], rows, chosen, over)["validation"])
                model, fields = tried[0]
                yield {**fields, **measured(model, rows, chosen, over)}

    computation = Annealing if measured is likelihood else classification_error
    return Study(
        names=("data", "method", "units"),
        cells=cells,
        make=make,
        parts=parts,
        theirs="all images of MNIST and Caltech, 700 units, CD-10 of 200 epochs from 5 starts",
        cost="three to four days on two cores",
        computations=(computation,),
        **words,
    )


# -- as many tries from each start --------------------------------------------------------------------

IMAGES = "mnist"
FROM_FW, BASE_RATE, ZERO = "from FW", "random, biases at the base rate", "random, biases 0"
STARTS = (FROM_FW, BASE_RATE, ZERO)
# {scale: (scale of the figures for MNIST and AIS; hidden units; epochs of CD; tries at each rate)}
SIZES = {"paper": ("quick", 100, 200, 4), "quick": ("sample", 10, 5, 1)}


def start_cells(scale: str) -> list[Cell]:
    """Return (start, rate, seed) of every training by CD."""
    return [(start, rate, seed) for start in STARTS for rate in (0.05, 0.01) for seed in range(SIZES[scale][-1])]


def start_recipe(scale: str, start: str, rate: float, seed: int) -> Recipe:
    """Return one training by CD-10; for a start from Frank-Wolfe, with that training as the stage before it."""
    of, units, epochs, _ = SIZES[scale]
    data = images(IMAGES, SCALES[of].rows)
    before = growth_recipe(data, LEARNERS[FW], units, units) if start == FROM_FW else None
    biases = "zero" if start == ZERO else "base rate"
    made = contrastive(data, units, rate, seed, epochs, before)
    return replace(made, model=RBMSetup(hidden=units, visible_bias=biases))


def start_rows(scale: str, cells: Sequence[Cell], tick: Tick) -> Iterator[Row]:
    """Yield the test and validation log-likelihood of each training by CD, just before its gap rose or at its end."""
    of, units, *_ = SIZES[scale]
    chosen = SCALES[of]
    rows = all_rows(images(IMAGES, chosen.rows).load(), 0)
    for (start, its), part in portions(group_cells(cells), tick):
        end = None
        if before := start_recipe(scale, start, *its[0]).before:  # one Frank-Wolfe training for all rates and seeds
            *_, (end, _) = grow(before, part)
        for cell, own in portions(its, part):
            model, fields = refine(start_recipe(scale, start, *cell), own, end)
            found = {name: fields[name] for name in ("seconds", "gap", "epoch")}
            yield {"units": units, **found, **likelihood(model, rows, chosen, portion(own, 1.0, 0.0))}


_AIS = {name: f"AIS with {scale.chains} chains and 14,500 temperatures" for name, scale in SCALES.items()}
_FIGURES = {
    name: f"{scale.images}, CD-10 of {scale.epochs} epochs"
    f"{f' (Caltech {2 * scale.epochs})' if 'caltech101' in scale.sizes else ''} from {scale.starts} starts at "
    f"{'rate' if len(scale.rates) == 1 else 'rates'} {', '.join(map(str, scale.rates))}, {_AIS[name]}"
    for name, scale in SCALES.items()
}
_GROWING = {name: f"{scale.images}, {_AIS[name]}" for name, scale in SCALES.items()}
STUDIES: Mapping[str, Study] = {
    "fw-figure-1": figure(
        (FW,),
        lambda scale: scale.sizes,
        likelihood,
        title="Test log-likelihood against the number of hidden units: Frank-Wolfe, CD, and CD from Frank-Wolfe",
        source="Ping, Liu and Ihler 2016, section 4, figure 1",
        scales=_FIGURES,
    ),
    "fw-penalties": figure(
        tuple(PENALISED),
        lambda scale: dict.fromkeys(scale.sizes, ()),
        likelihood,
        title="Test log-likelihood and gap against the number of hidden units: Frank-Wolfe with each penalty",
        source="Ping, Liu and Ihler 2016, section 4, figure 1",
        scales=_GROWING,
    ),
    "fw-corrected": figure(
        (FULL,),
        lambda scale: dict.fromkeys(scale.sizes, ()),
        likelihood,
        title="Test log-likelihood against insertions: Frank-Wolfe that corrects all counts and biases",
        source="beyond Ping, Liu and Ihler 2016, with figure 1",
        scales=_GROWING,
    ),
    "fw-figure-2": figure(
        (FW,),
        lambda scale: {data: [n for n in at if n >= scale.classified] for data, at in scale.sizes.items()},
        classification,
        title="Test error of logistic regression on the hidden units of Frank-Wolfe, CD, and CD from Frank-Wolfe",
        source="Ping, Liu and Ihler 2016, section 4, figure 2",
        scales=_FIGURES,
    ),
    "fw-starts": Study(
        title="CD from Frank-Wolfe against CD from random weights with two starts of the biases, equal tries of each",
        source="Ping, Liu and Ihler 2016, section 4, figure 1",
        scales={
            "paper": "MNIST with 10,000 images, 100 units, CD-10 of 200 epochs, two rates, four seeds of each",
            "quick": "the 6,000 images that come with the project, 10 units, CD-10 of 5 epochs, two rates, one seed",
        },
        names=("start", "rate", "seed"),
        cells=start_cells,
        make=start_rows,
        parts=lambda scale: [start_recipe(scale, *cell) for cell in start_cells(scale)],
        computations=(Annealing,),
    ),
}
