"""Cases of the golden numbers: arrays of every learner, small and large, of every inference, and of what is drawn,
whose sizes fill no tile, so that edges count too; and the record of a training by each learner and with each measure.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore import Recipe, train
from boltzcore.data import Corruption, Examples, load
from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.ising import Ising
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.inference import (
    Annealing,
    Inference,
    annealed_importance_sampling,
    belief_propagation,
    complete,
    gibbs,
    mean_field,
    reverse_annealed_importance_sampling,
)
from boltzcore.kernels import random as streams
from boltzcore.learners.base import Learner, flat_fields
from boltzcore.learners.log_linear.greedy import RENEWED, GreedyMDL
from boltzcore.learners.potts import PottsPCD
from boltzcore.measures import MEASURES, measures_of
from boltzcore.models import CRBM, FVBM, RBM, LogLinear, LogLinearSetup, Potts, PottsSetup
from boltzcore.models.base import Setup
from boltzcore.models.rbm import base_rate_odds
from boltzcore.parameters import Parameters
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.training.numerics import Computation, versions_of
from boltzcore.training.schedule import Schedule

Arrays = Mapping[str, NDArray]


def pixels(n: int, n_visible: int, share: float = 0.3) -> NDArray[np.uint8]:
    """(n, n_visible) of 0/1, drawn with whole numbers alone."""
    return (streams.generator(5, streams.SAMPLE).integers(0, 1000, (n, n_visible)) < 1000 * share).astype(np.uint8)


def rbm(n_visible: int, n_hidden: int, deviation: float) -> RBM:
    shapes = (n_visible, n_hidden), (n_visible,), (n_hidden,)
    return RBM(*(streams.normal(shape, deviation, k, streams.SAMPLE) for k, shape in enumerate(shapes)))


def crbm(n_visible: int, n_hidden: int, n_x: int, deviation: float) -> CRBM:
    shapes = (n_visible, n_hidden), (n_visible, n_x), (n_hidden, n_x), (n_visible,), (n_hidden,)
    return CRBM(*(streams.normal(shape, deviation, k, streams.SAMPLE) for k, shape in enumerate(shapes)))


def fvbm(d: int, deviation: float) -> FVBM:
    upper = np.triu(streams.normal_in_double((d, d), deviation, 0, streams.SAMPLE), 1)
    return FVBM(upper + upper.T, streams.normal_in_double(d, deviation, 1, streams.SAMPLE))


def keep_fields(kind: type[Parameters], **fields: float) -> Any:
    """With those of these fields that it has."""
    there = {p.name for p in kind.parameters()}
    return kind(**{name: value for name, value in fields.items() if name in there})


def advance(setup: Setup, learner: Learner, data: Examples, updates: int, seed: int = 0) -> Any:
    """The State after some updates."""
    return learner.advance(learner.start(setup.initial(data, seed=seed), data, seed=seed), data, updates=updates)


def trained(
    name: str, rows: NDArray[np.uint8], shape: tuple[int, int], hidden: int, batch: int, updates: int, **options: Any
) -> Arrays:
    """The arrays of a State and its model after some updates; those that are empty for this learner tell nothing."""
    info = LEARNERS[name]
    data, model = Examples(rows), MODELS[info.models[0]]
    if "corruption" in model.parts:
        data = data.corrupted(Corruption(rate=0.1), shape)
    setup = keep_fields(model.setup, hidden=hidden)
    learner = keep_fields(info.learner, rate=0.2, batch_size=batch, price=0.0, **options)
    found = flat_fields(advance(setup, learner, data, updates, seed=3))
    own = {name if name.startswith("model.") else name.rpartition(".")[2]: value for name, value in found.items()}
    return {
        name: value
        for name, value in own.items()
        if name.startswith("model.") or (isinstance(value, np.ndarray) and value.size)
    }


def small(name: str, **options: Any) -> Arrays:
    return trained(name, load("bars-and-stripes").train.v, (3, 3), 6, 5, 30, **options)


def large(name: str, **options: Any) -> Arrays:
    shape = (3, 5) if "log-linear" in LEARNERS[name].models else (9, 10)  # whose tables are over all states
    return trained(name, pixels(90, shape[0] * shape[1]), shape, 37, 25, 3, **options)


def coded() -> Examples:
    """Rows of columns of two, three, four and five values."""
    sizes = (3, 2, 5, 4, 3)
    rows = streams.generator(7, streams.SAMPLE).integers(0, 60, (200, 5)) ** 2 // 60 % np.array(sizes)
    return Examples(rows.astype(np.uint8), levels=sizes)


def mixed() -> Arrays:
    """Greedy steps, and what is asked of the model."""
    state = advance(LogLinearSetup(), GreedyMDL(price=0.1), coded(), RENEWED + 9)
    model = state.model
    return {
        "terms": model.terms,
        "values": model.values,
        "gains": state.gains,
        "told": np.array([state.kl, state.cost]),
        "probabilities": model.probabilities(),
        "sample": model.sample(50, seed=3),
        "most likely": model.most_likely(5, {1: 1})[0],
    }


def categories() -> Arrays:
    """Updates by chains of a Potts model."""
    state = advance(PottsSetup(), PottsPCD(chains=30), coded(), 20)
    return {"h": state.model.h, "J": state.model.J, "chains": state.chains}


def wide() -> Arrays:
    """Greedy steps on so many states that they are taken block by block, with runs of every length."""
    sizes = (2,) * 6 + (3,) + (2,) * 7 + (3,)
    rows = pixels(300, len(sizes), 0.4)
    rows[:, 1::3] ^= rows[:, ::3]
    rows[:, 14] += rows[:, 13]
    state = advance(LogLinearSetup(), GreedyMDL(price=0.2), Examples(rows, levels=sizes), 20)
    return {
        "terms": state.model.terms,
        "values": state.model.values,
        "told": np.array([state.kl, state.cost]),
        "probabilities": state.model.probabilities(),
    }


def loaded() -> Arrays:
    """Rows of the sources that draw them from a law of their own."""
    made = (Ising(n=40, seed=3), Ising(rows=3, columns=7, coupling=-0.3, n=40), BayesNet(n=40), RandomFVBM(d=7, n=40))
    wider = BayesNet(nodes=9, parents=3, levels=3, n=40, seed=2)
    return {f"{k}, {source.name}": source.load().train.v for k, source in enumerate((*made, wider))}


def believed(kind: str, deviation: float) -> Arrays:
    """Beliefs of one instance and of rows; weights beyond 40 go another way."""
    one = belief_propagation(rbm(53, 37, deviation), iterations=9, tolerance=0, kind=kind)
    rows = belief_propagation(
        crbm(21, 35, 10, deviation), pixels(7, 10), iterations=9, tolerance=1e-3, kind=kind, damping=0.2
    )
    return {
        "v": one.v,
        "h": one.h,
        "residuals": one.residuals,
        "rows.v": rows.v,
        "rows.h": rows.h,
        "rows.residuals": rows.residuals,
    }


def averaged() -> Arrays:
    one = mean_field(rbm(53, 37, 0.3), iterations=9)
    rows = mean_field(crbm(21, 35, 10, 0.5), pixels(70, 10), iterations=9)
    return {"v": one.v, "h": one.h, "rows.v": rows.v, "rows.h": rows.h}


def annealed() -> Arrays:
    model, v = rbm(53, 37, 0.3), pixels(6, 53)
    there = annealed_importance_sampling(model, chains=5, temperatures=20, base=base_rate_odds(v.mean(axis=0)), seed=1)
    back = reverse_annealed_importance_sampling(model, v, temperatures=20, seed=1)
    return {
        name: np.array([found.value, found.low, found.high, *found.log_weights])
        for name, found in (("there", there), ("back", back))
    }


def enumerated() -> Arrays:
    wide, tall, v = rbm(53, 11, 0.5), rbm(12, 37, 0.5), pixels(6, 53)
    fractions = v / np.float32(3)
    return {
        "wide": np.array([wide.log_partition()]),
        "tall": np.array([tall.log_partition()]),
        "steep": np.array([rbm(12, 37, 200.0).log_partition()]),
        "log_likelihood": wide.log_likelihood(v),
        "free_energy": wide.free_energy(fractions),
    }


def walked() -> Arrays:
    model, v = rbm(53, 37, 0.5), pixels(6, 53)
    return {
        "gibbs": gibbs(model, v, 5, seed=2),
        "completed": complete(model, v[0], v[1] > 0, chains=3, burn_in=2, steps=3).mean,
    }


def visible() -> Arrays:
    """A fully visible machine whose states fill one row of their table, and one whose states fill some."""
    few, many, v = fvbm(5, 0.7), fvbm(13, 0.5), pixels(6, 13)
    mean, second = many.marginals()
    return {
        "few": few.probabilities(),
        "many": np.array([many.log_partition()]),
        "mean": mean,
        "second": second,
        "sample": many.sample(50, seed=3),
        "gibbs": gibbs(many, v, 4, seed=2),
        "log_likelihood": many.log_likelihood(v),
        "log_pseudo_likelihood": many.log_pseudo_likelihood(v),
    }


def drawn() -> Arrays:
    v = pixels(6, 56)
    corruptions = {
        kind: Corruption(kind=kind, rate=0.2, size=3).apply(v, (7, 8), seed=4, epoch=2)
        for kind in ("flip", "salt", "patch", "lower half")
    }
    gray = Examples(v * np.uint8(100), levels=256).epoch(3, 4).v
    return corruptions | {
        "gray": gray,
        "spread": Examples(v).spread(3).v,
        "normal": streams.normal((5, 7), 1.5, 2, streams.INITIAL),
    }


class Case(NamedTuple):
    """Arrays of which a digest is kept, and what computes them."""

    arrays: Callable[[], Arrays]
    computations: tuple[Computation, ...]


OPTIONS = {"momentum": 0.7, "weight_decay": 0.02, "l1_decay": 0.01, "clip": 0.4, "rate_schedule": "cosine"}
CASES = {
    **{
        f"{name}, {size.__name__}": Case(
            partial(size, name), (LEARNERS[name].learner, MODELS[LEARNERS[name].models[0]].kind, Corruption)
        )
        for size in (small, large)
        for name in LEARNERS
        if LEARNERS[name].learner.same_everywhere
    },
    **{
        f"{kind}-product, deviation {deviation:g}": Case(partial(believed, kind, deviation), (Inference,))
        for kind in ("sum", "max", "mixed")
        for deviation in (0.5, 20.0)
    },
    **{
        f"{name}, {size.__name__}, with options": Case(partial(size, name, **OPTIONS), (LEARNERS[name].learner,))
        for size, name in ((small, "CSDCP"), (large, "PCD"), (large, "TemperedPCD"))
    },
    "mean field": Case(averaged, (Inference,)),
    "annealed importance sampling": Case(annealed, (Annealing,)),
    "enumeration": Case(enumerated, (RBM,)),
    "Gibbs sampling": Case(walked, (RBM,)),
    "all units visible": Case(visible, (FVBM,)),
    "greedy search": Case(mixed, (GreedyMDL, LogLinear)),
    "chains of categories": Case(categories, (PottsPCD, Potts)),
    "greedy search of many states": Case(wide, (GreedyMDL, LogLinear)),
    "what sources draw": Case(loaded, (Ising, BayesNet, RandomFVBM)),
    "what is drawn": Case(drawn, (Corruption, RBM)),
}

SCHEDULE = Schedule(length=4, unit="updates")
OTHERWISE = {"GreedyMDL": GreedyMDL(price=0.0)}  # which finds no term in so few rows else
SETTLED = {"PseudoLikelihoodLBFGS": RandomFVBM(d=5, n=2_000)}  # refuses Bars & Stripes, whose columns settle each other


def of_learner(name: str) -> Recipe:
    """A training by the defaults of a learner, with the measures of its model."""
    setup = MODELS[LEARNERS[name].models[0]].setup
    learner, source = OTHERWISE.get(name, name), SETTLED.get(name, "bars-and-stripes")
    return Recipe(keep_fields(setup, hidden=6), source, learner, SCHEDULE)


def of_measures(learner: str, source: Any, measures: Sequence[str], **setup: float) -> Recipe:
    """A training with these measures."""
    model = MODELS[LEARNERS[learner].models[0]].setup(**setup)
    few = Annealing(chains=10, temperatures=50)
    return Recipe(model, source, learner, SCHEDULE, tuple(measures), annealing=few)


def is_rough(recipe: Recipe) -> bool:
    """True if its numbers come of BLAS, LAPACK or another library, and so differ between kinds of processors."""
    return not recipe.learner.same_everywhere or any(MEASURES[name].libraries for name in recipe.measures or ())


NODES = BayesNet(nodes=9, parents=3, n=40)
LABELS = "classification_error"  # by scikit-learn
RECIPES = {
    **{name: of_learner(name) for name in LEARNERS},
    "measures of an RBM": of_measures(
        "PCD", "digits", [m for m in measures_of(RBM) if m != LABELS], hidden=30, sigma=0.3
    ),
    LABELS: of_measures("PCD", "digits", (LABELS,), hidden=30),
    "measures of a CRBM": of_measures("BeliefPropagationMLE", "digits", measures_of(CRBM), hidden=6),
    "measures of an FVBM": of_measures("BSLM", NODES, measures_of(FVBM)),
    "measures of a log-linear model": of_measures("GreedyMDL", NODES, measures_of(LogLinear)),
    "two stages": replace(
        of_learner("PCD").changed(2, rate=0.2), schedule=SCHEDULE.changed(seed=1), before=of_learner("CD")
    ),
}


def digest(arrays: Arrays) -> str:
    """Of the names, types, shapes and bytes of arrays."""
    hashed = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        hashed.update(f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return hashed.hexdigest()[:16]


def figures(recipe: Recipe) -> dict[str, float]:
    """The last record of a training; its measures may differ in their last digits between processors, and how often
    L-BFGS asks for a gradient by more.
    """
    *_, last = (step.record for step in train(recipe) if step.record is not None)
    counted = {"work": last.work, "operations": last.operations} if recipe.learner.same_everywhere else {}
    return counted | dict(last.values)


def numerics(name: str) -> dict[str, int]:
    """{computation: its numerics} of what the numbers of a case or a recipe follow from."""
    recipes, others = ([RECIPES[name]], ()) if name in RECIPES else ([], CASES[name].computations)
    return {each: value for each, value in versions_of(recipes, others).items() if isinstance(value, int)}
