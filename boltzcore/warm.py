"""Tiny work through the public functions, which compiles the kernels of each model's trainings."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from boltzcore.data import load
from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference import Annealing
from boltzcore.learners import (
    BSLM,
    CD,
    PCD,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    FrankWolfe,
    GreedyMDL,
    Learner,
    PairwisePCD,
    PottsPCD,
    PottsPseudoLikelihood,
    TemperedPCD,
    TrajectoryTempering,
)
from boltzcore.learners.contrastive import SMALL
from boltzcore.measures import (
    MeasureContext,
    free_energy_gap,
    hidden_activity,
    log_likelihood,
    log_pseudo_likelihood,
    reconstruction_error,
)
from boltzcore.models import CRBM, RBM, CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, PottsSetup, RBMSetup
from boltzcore.models.base import Setup
from boltzcore.observations import observe_rbm


@dataclass(frozen=True)
class Piece:
    """Work that compiles kernels that are not compiled yet.

    title : title of the work, shown while a viewer waits
    kernels : approximate number that it compiles after the earlier pieces, for showing progress
    enough : returns True if a training of (model's setup, learner, row width) needs none of its model's later pieces
    """

    title: str
    kernels: int
    work: Callable[[], None]
    enough: Callable[[Setup, Learner, int], bool]


def compiles(
    title: str, kernels: int, enough: Callable[[Setup, Learner, int], bool] = lambda setup, learner, n_visible: True
) -> Callable[[Callable[[], None]], Piece]:
    """Return a decorator that makes a function a piece that compiles about `kernels` kernels."""
    return lambda work: Piece(title, kernels, work, enough)


def _is_large(setup: Setup, learner: Learner, n_visible: int) -> bool:
    """Return True if a training takes only the kernels of large RBMs: many weights, and an estimated likelihood."""
    if not isinstance(setup, RBMSetup) or type(learner) not in (CD, PCD):
        return False
    return setup.hidden * n_visible > SMALL and setup.needs("annealing", n_visible, setup.hidden)


def _wide() -> tuple[Examples, RBM]:
    """Return rows as wide as MNIST's and an RBM with too many weights for the kernels of small models."""
    data = Examples(np.tile([[0, 1]], (8, 392)))
    return data, RBMSetup(hidden=64).initial(data, seed=0)


@compiles("Large RBMs: learning", 22, lambda setup, learner, n_visible: False)
def large_learning() -> None:
    """Run updates of a large RBM, and draw random pixels."""
    data, model = _wide()
    learner = PCD(batch_size=4)
    learner.advance(learner.start(model, data, seed=0), data)
    Examples(np.zeros((2, 4), np.uint8), levels=256).epoch(0, 0)


@compiles("Large RBMs: likelihood and samples", 17, _is_large)
def large_measures() -> None:
    """Measure a large RBM and draw from it."""
    data, model = _wide()
    rows, context = Dataset(data, None, data), MeasureContext(annealing=Annealing(chains=2, temperatures=3))
    for measure in (log_likelihood, free_energy_gap, reconstruction_error, hidden_activity):
        measure(model, rows, context)
    observe_rbm(PCD(batch_size=4).start(model, data, seed=0), None, rows, context)


@compiles("Small RBMs", 12)
def small() -> None:
    """Run the kernels of small RBMs alone: a batch in lanes, a likelihood by enumeration."""
    data = load("digits")
    model = RBMSetup(hidden=20).initial(data.train, seed=0)
    for learner in (PCD(), CD()):
        state = learner.advance(learner.start(model, data.train, seed=0), data.train)
    few = Dataset(data.train.head(20), None, data.train.head(20))
    for measure in (log_likelihood, free_energy_gap, reconstruction_error, hidden_activity):
        measure(state.model, few, MeasureContext())
    observe_rbm(state, None, few, MeasureContext())


@compiles("RBMs: exchanges of chains", 16)
def exchanges() -> None:
    """Exchange chains with other temperatures, and with earlier models of a training."""
    data = load("digits").train
    model = RBMSetup(hidden=20).initial(data, seed=0)
    rungs, trajectory = TemperedPCD(temperatures=2, chains=10), TrajectoryTempering(chains=10, reservoir=1)
    rungs.log_partition(rungs.advance(rungs.start(model, data, seed=0), data))
    state = trajectory.start(model, data, seed=0)
    while not state.position.since:  # that was made with a frozen model
        state = trajectory.advance(state, data)


@compiles("Conditional RBMs", 11)
def conditional() -> None:
    """Run the kernels of conditional learners alone: pairwise beliefs, and chains with biases of their own."""
    v = np.zeros((4, 4), np.uint8)
    data, model = Examples(v, x=v), blank_crbm()
    for learner in (BeliefPropagationMLE(batch_size=0), ConditionalCD(batch_size=0), CDPercLoss(batch_size=0)):
        learner.advance(learner.start(model, data, seed=0), data)


@compiles("Fully visible machines", 12)
def fully_visible() -> None:
    """Run sweeps, both likelihoods and samples of a fully visible machine."""
    data = Examples(np.array([[0, 1], [1, 0], [1, 1]], np.uint8))
    state = BSLM().advance(BSLM().start(FVBMSetup().initial(data, seed=0), data, seed=0), data)
    for measure in (log_likelihood, log_pseudo_likelihood):
        measure(state.model, Dataset(data, None, data), MeasureContext())
    state.model.marginals()
    state.model.sample(2, seed=0)


@compiles("Log-linear models", 17)
def log_linear() -> None:
    """Run greedy steps of a log-linear model, on axes of both kinds, its measures, and its chains."""
    data = Examples(np.array([[0, 0, 0], [1, 1, 2], [1, 0, 1], [1, 1, 2]], np.uint8), levels=(2, 2, 3))
    learner = GreedyMDL(price=0.0)
    state = learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)
    state = learner.advance(state, data, updates=4)
    log_likelihood(state.model, Dataset(data, None, data), MeasureContext())
    few, chains = Examples(data.v[:, :2]), PairwisePCD(chains=2)
    chains.advance(chains.start(LogLinearSetup().initial(few, seed=0), few, seed=0), few)


@compiles("Potts models", 4)
def potts() -> None:
    """Run learners of a Potts model, its chains and both likelihoods."""
    data = Examples(np.array([[0, 2], [1, 0], [1, 1]], np.uint8), levels=(2, 3))
    for learner in (PottsPseudoLikelihood(), PottsPCD(chains=2)):
        state = learner.advance(learner.start(PottsSetup().initial(data, seed=0), data, seed=0), data)
    for measure in (log_likelihood, log_pseudo_likelihood):
        measure(state.model, Dataset(data, None, data), MeasureContext())


@compiles("Infinite RBMs", 3)
def infinite() -> None:
    """Insert units by Frank-Wolfe with exact sums and with samples, and compute their likelihoods."""
    small = np.eye(4, dtype=np.uint8)
    for v in (small, np.tile(small, 7)):
        data, learner = Examples(v), FrankWolfe(samples=10, K=1, steps=1, restarts=1)
        model = InfiniteRBMSetup().initial(data, seed=0)
        state = learner.advance(learner.start(model, data, seed=0), data, updates=2)
        rows, context = Dataset(data, None, data), MeasureContext(annealing=Annealing(chains=2, temperatures=2))
        for measure in (log_likelihood, free_energy_gap):
            measure(state.model, rows, context)
        observe_rbm(state, None, rows, MeasureContext())


def blank_crbm() -> CRBM:
    """Return an untrained conditional RBM of four pixels."""
    return CRBMSetup(hidden=2).initial(Examples(np.tile([[0, 1]], (2, 2))), seed=0)
