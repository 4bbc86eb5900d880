"""scikit-learn's RBM learner, to compare ours with."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import State, check_advance
from boltzcore.learners.batches import (
    Minibatches,
    MinibatchLearner,
    MinibatchState,
    check_width,
)
from boltzcore.learners.operations import product, step
from boltzcore.models import RBM
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True, eq=False)
class ReferenceState(MinibatchState):
    """A State with the hidden units that scikit-learn's chains have reached, (batch_size, n_hidden) uint8."""

    hidden: NDArray[np.uint8] = dataclasses.field(kw_only=True)


@dataclass(frozen=True)
class ScikitLearn(MinibatchLearner):
    """scikit-learn's `BernoulliRBM.partial_fit`, mini-batch by mini-batch: PCD-1 with sampled hidden units.

    A reference, and as such exempt from this library's rule on randomness: it draws from numpy's RandomState, made anew
    for each update from the training's seed, and not from counter-based streams. Its chains start at hidden units that
    are all off; a last batch that is smaller is weighed against all chains: both are scikit-learn's ways. Parameters
    are held in float32 between updates. Its updates cannot be taken apart: what is drawn, and from what, stays inside
    scikit-learn. Raises ValueError as the other learners do.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scikit-learn", "scipy")
    same_everywhere: ClassVar[bool] = False
    state_type: ClassVar[type[State]] = ReferenceState

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> ReferenceState:
        """The State before the first update; all hidden units of the chains are off."""
        batches = Minibatches(data, self.batch_size, seed)
        check_width(model, batches.data)
        return ReferenceState(
            model, 0, 0, seed, hidden=np.zeros((batches.size, model.n_hidden), np.uint8), batches=batches
        )

    def advance(
        self, state: ReferenceState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ReferenceState:
        """The State `updates` mini-batches later. Raises ValueError where state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self.batches_of(state, data)
        check_width(state.model, batches.data)
        if len(state.hidden) != batches.size:
            raise ValueError(
                f"This State goes on with {len(state.hidden)} chains; the batch_size given asks for {batches.size}."
            )
        model, hidden = state.model, state.hidden
        with one_for_blas():
            for update in range(state.count, state.count + updates):
                tick((update - state.count) / updates)
                rows, order, sizes = batches.updates(update, 1)
                model, hidden = self._fit(model, hidden, rows[order[0, : sizes[0]]], state.seed, update)
        rows_seen = batches.rows_of(state.count, updates)
        operations = self._operations(rows_seen, updates * batches.size, updates, *model.W.shape)
        return dataclasses.replace(
            state,
            model=model,
            count=state.count + updates,
            work=state.work + updates,
            hidden=hidden,
            batches=batches,
            operations=state.operations + operations,
        )

    def _operations(self, rows: int, chains: int, updates: int, n: int, m: int) -> int:
        return 2 * product(rows, n, m) + 3 * product(chains, n, m) + updates * step(n * m)

    def _fit(
        self, model: RBM, hidden: NDArray[np.uint8], v: NDArray[np.uint8], seed: int, update: int
    ) -> tuple[RBM, NDArray[np.uint8]]:
        from sklearn.neural_network import BernoulliRBM  # takes a second to import: only who trains with it waits

        rbm = BernoulliRBM(model.n_hidden, learning_rate=self.rate, batch_size=len(hidden))
        rbm.components_ = model.W.T.astype(np.float64)
        rbm.intercept_visible_, rbm.intercept_hidden_ = model.b.astype(np.float64), model.c.astype(np.float64)
        rbm.h_samples_, rbm.n_features_in_ = hidden.astype(np.float64), model.n_visible
        rbm.random_state_ = np.random.RandomState(streams.generator(seed, streams.GIBBS, update).integers(2**32))
        rbm.partial_fit(v)
        return RBM(rbm.components_.T, rbm.intercept_visible_, rbm.intercept_hidden_), rbm.h_samples_.astype(np.uint8)
