"""The base of learners of a conditional RBM (Ping and Ihler, section 4).

All climb the gradient of the log-likelihood log p(v | x), or descend that of a max-margin loss, whose form is the same:
statistics with the visible units at the data, minus statistics that the learner's own inference expects of the model.
"""

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference import Inference
from boltzcore.kernels import dense
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.learners.base import State, check_advance
from boltzcore.learners.batches import (
    Minibatches,
    MinibatchLearner,
    MinibatchState,
    check_width,
)
from boltzcore.learners.operations import product, step
from boltzcore.models import CRBM
from boltzcore.parameters import parameter
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle, portion

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ConditionalState(MinibatchState):
    """A State with how many instances the inference of this epoch has seen, and on how many of them it converged."""

    seen: int = 0
    settled: int = 0


@dataclass(frozen=True, eq=False)
class Weights:
    """The parameters of a CRBM as products want them, changed in place: columns in whole tiles, the input's weights by
    input.
    """

    W: Floats
    from_x_to_v: Floats
    from_x_to_h: Floats
    b_v: Floats
    b_h: Floats

    @classmethod
    def from_model(cls, model: CRBM) -> "Weights":
        """Copy a model's parameters."""
        return cls(
            dense.whole(model.W),
            dense.whole(model.W_vx.T),
            dense.whole(model.W_hx.T),
            model.b_v.copy(),
            model.b_h.copy(),
        )

    def to_model(self) -> CRBM:
        """Return a model with these parameters."""
        n_visible, n_hidden = len(self.b_v), len(self.b_h)
        return CRBM(
            self.W[:, :n_hidden], self.from_x_to_v.T[:n_visible], self.from_x_to_h.T[:n_hidden], self.b_v, self.b_h
        )


@dataclass(frozen=True, eq=False)
class Batch:
    """A mini-batch as a learner's inference sees it.

    v, x : (N, n_visible) and (N, n_x) rows of 0/1 and inputs
    b, c : (N, n_visible) and (N, n_hidden) biases given x
    mean_h : (N, n_hidden) p(h = 1 | v, x)
    epoch : from 1; update : number of the update; seed : of the training
    """

    v: Floats
    x: Floats
    b: Floats
    c: Floats
    mean_h: Floats
    epoch: int
    update: int
    seed: int


@dataclass(frozen=True, eq=False)
class Expected:
    """The expectations that a learner subtracts from those of the data.

    v, h : (N, n_visible) and (N, n_hidden) of the model; h is None if the model has no use of hidden units
    pairs : (n_visible, n_hidden in whole tiles) sum over the batch of the expected v h', where it is not v'h
    data_h : (N, n_hidden) hidden units that go with the data, where they are not p(h = 1 | v, x)
    work : Gibbs transitions, or iterations of one instance
    settled : on how many instances the inference converged, None where it is none that could
    operations : multiplications and additions of the inference
    """

    v: Floats
    h: Floats | None
    pairs: Floats | None = None
    data_h: Floats | None = None
    work: int = 0
    settled: int | None = None
    operations: int = 0

    def hidden_of(self, batch: Batch) -> Floats:
        """(N, n_hidden) hidden units that go with the data."""
        return batch.mean_h if self.data_h is None else self.data_h


@dataclass(frozen=True)
class Conditional(MinibatchLearner):
    """A step for each mini-batch of pairs (v, x). Raises ValueError where the data have no inputs, or others than the
    model takes.
    """

    state_type: ClassVar[type[State]] = ConditionalState
    predicts: ClassVar[str] = "mean field"  # the inference that goes with the learnt model

    iterations: int = parameter(
        7,
        low=1,
        high=1000,
        scale="log",
        symbol="T",
        help="Iterations of the inference: at most this many plus the number of the epoch. As weights grow it needs "
        "more to converge.",
        label="Iterations + epoch",
    )
    tolerance: float = parameter(
        1e-3,
        low=0.0,
        high=0.5,
        symbol="\N{GREEK SMALL LETTER EPSILON}",
        help="The inference stops when every belief changes by less than this in an iteration.",
    )

    def iterations_in(self, epoch: int) -> int:
        """Iterations at most in this epoch, counted from 1 (section 6: T = 7 + epoch)."""
        return min(self.iterations + epoch, 1000)

    def start(self, model: CRBM, data: Examples | NDArray, *, seed: int) -> ConditionalState:
        """Return the State before the first update."""
        batches = self._batches(Minibatches(data, self.batch_size, seed), model)
        return ConditionalState(self.initial_model(model), 0, 0, seed, batches=batches)

    def initial_model(self, model: CRBM) -> CRBM:
        """Return the model that the training starts from."""
        return model

    def advance(
        self, state: ConditionalState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ConditionalState:
        """Return the State `updates` mini-batches later. Raises ValueError if state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self.checked_batches(state, data)
        weights = Weights.from_model(state.model)
        work, seen, settled = state.work, state.seen, state.settled
        operations, sizes = 0, (state.model.n_x, state.model.n_visible, state.model.n_hidden)
        for update in range(state.count, state.count + updates):
            done = (update - state.count) / updates
            tick(done)
            epoch = update // batches.length
            if update == epoch * batches.length:
                seen = settled = 0
            v, x = batches.pairs(update)
            batch = _batch(weights, v.astype(np.float32), x, epoch + 1, update, batches.seed)
            expected = self.expect(weights.W[:, : len(weights.b_h)], batch, portion(tick, done, 1 / updates))
            self._step(weights, batch, expected)
            work += expected.work
            operations += expected.operations + _shared_operations(len(v), *sizes, hidden=expected.h is not None)
            if expected.settled is not None:
                seen, settled = seen + len(v), settled + expected.settled
        return dataclasses.replace(
            state,
            model=weights.to_model(),
            count=state.count + updates,
            work=work,
            operations=state.operations + operations,
            seen=seen,
            settled=settled,
            figures={"converged": settled / seen} if seen else {},
            batches=batches,
        )

    @abstractmethod
    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        """Return the expectations that this learner subtracts from those of the data in a mini-batch."""

    def checked_batches(self, state: ConditionalState, data: Examples | NDArray) -> Minibatches:
        """Return the mini-batches of a training. Raises ValueError if State and data do not belong together."""
        return self._batches(self.batches_of(state, data), state.model)

    def _batches(self, batches: Minibatches, model: CRBM) -> Minibatches:
        check_width(model, batches.data)
        n_x = (
            batches.data.n_visible
            if batches.data.corruption is not None
            else None
            if batches.data.x is None
            else batches.data.x.shape[1]
        )
        if n_x is None:
            raise ValueError(
                "x must be given: a conditional model learns v from inputs x (`Examples(v, x)`, or rows with a "
                "corruption)."
            )
        if n_x != model.n_x:
            raise ValueError(f"The model takes {model.n_x} inputs, but the rows x of the data have {n_x}.")
        return batches

    def _step(self, weights: Weights, batch: Batch, expected: Expected) -> None:
        """Change the weights in place."""
        scale = np.float32(self.rate / len(batch.v))
        v = scale * (batch.v - expected.v)
        weights.b_v[:] += v.sum(axis=0)
        _add_product(weights.from_x_to_v, batch.x, v)
        if expected.h is None:
            return
        data_h = expected.hidden_of(batch)
        h = scale * (data_h - expected.h)
        weights.b_h[:] += h.sum(axis=0)
        _add_product(weights.from_x_to_h, batch.x, h)
        if expected.pairs is None:
            _add_product(
                weights.W,
                np.concatenate([scale * batch.v, -scale * expected.v]),
                np.concatenate([data_h, expected.h]),
            )
        else:
            _add_product(weights.W, scale * batch.v, data_h)
            weights.W[:] -= scale * expected.pairs


def inference_of(learner: Conditional, epoch: float) -> Inference:
    """Return the inference that predicts with the model after so many epochs: the one that the last of them used."""
    return Inference(learner.predicts, learner.iterations_in(max(1, -int(-epoch // 1))), learner.tolerance)


def _shared_operations(rows: int, n_x: int, n: int, m: int, *, hidden: bool) -> int:
    """Count the operations outside the inference: biases given the input, p(h | v), the gradient and the step."""
    of_input = 2 * product(rows, n_x, n) + step(n_x * n)
    if not hidden:
        return of_input
    return of_input + 2 * product(rows, n_x, m) + 3 * product(rows, n, m) + step(n_x * m + n * m)


def _batch(weights: Weights, v: Floats, x: Floats, *at: int) -> Batch:
    b, c = dense.product(x, weights.from_x_to_v, weights.b_v), dense.product(x, weights.from_x_to_h, weights.b_h)
    return Batch(v, x, b, c, sigmoid(dense.product(v, weights.W, c)), *at)


def _add_product(out: Floats, left: Floats, right: Floats) -> None:
    """out += left' right."""
    wide = dense.whole(right)
    share(lambda first, last: dense.add_transposed_product(left, wide, out, first, last), len(out))
