"""scikit-learn's RBM learner, to compare ours with."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import State
from boltzcore.learners.batches import Minibatches, MinibatchLearner, MinibatchState
from boltzcore.learners.operations import product, step
from boltzcore.models import RBM
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick


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
        """Return the State before the first update; all hidden units of the chains are off."""
        batches = self.minibatches(model, data, seed)
        hidden = np.zeros((batches.size, model.n_hidden), np.uint8)
        return ReferenceState(model, 0, 0, seed, hidden=hidden, batches=batches)

    def _advance(self, state: ReferenceState, data: Examples | NDArray, updates: int, tick: Tick) -> ReferenceState:
        batches, model, hidden = self.checked_batches(state, data), state.model, state.hidden
        with one_for_blas():
            for update in range(state.count, state.count + updates):
                tick((update - state.count) / updates)
                model, hidden = self._fit(model, hidden, batches.batch(update), state.seed, update)
        n, m = model.W.shape
        of_rows, of_chains = (product(number, n, m) for number in (batches.rows_of(state.count, updates), batches.size))
        return dataclasses.replace(
            state,
            model=model,
            count=state.count + updates,
            work=state.work + updates,
            hidden=hidden,
            batches=batches,
            operations=state.operations + 2 * of_rows + updates * (3 * of_chains + step(n * m)),
        )

    def carried_shapes(self, model: RBM, batches: Minibatches) -> dict[str, tuple[int, ...]]:
        return {"hidden": (batches.size, model.n_hidden)}

    def _fit(
        self, model: RBM, hidden: NDArray[np.uint8], v: NDArray[np.uint8], seed: int, update: int
    ) -> tuple[RBM, NDArray[np.uint8]]:
        from sklearn.neural_network import BernoulliRBM  # a second to import

        rbm = BernoulliRBM(model.n_hidden, learning_rate=self.rate, batch_size=len(hidden))
        rbm.components_ = model.W.T.astype(np.float64)
        rbm.intercept_visible_, rbm.intercept_hidden_ = model.b.astype(np.float64), model.c.astype(np.float64)
        rbm.h_samples_, rbm.n_features_in_ = hidden.astype(np.float64), model.n_visible
        rbm.random_state_ = np.random.RandomState(streams.generator(seed, streams.GIBBS, update).integers(2**32))
        rbm.partial_fit(v)
        return RBM(rbm.components_.T, rbm.intercept_visible_, rbm.intercept_hidden_), rbm.h_samples_.astype(np.uint8)
