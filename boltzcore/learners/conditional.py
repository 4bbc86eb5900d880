"""What learners of a conditional RBM share, and the simplest of them: logistic regression (Ping and Ihler, section 4).

All climb the gradient of the log-likelihood log p(v | x), or descend that of a max-margin loss, whose form is the same:
statistics with the visible units at the data, minus statistics that the learner's own inference expects of the model.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference import Inference
from boltzcore.kernels import dense
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.learners.base import First, State, check_advance
from boltzcore.learners.batches import Minibatches, MinibatchLearner, MinibatchState, check_width
from boltzcore.learners.dissection import Dissection, Phase
from boltzcore.learners.ways import Way
from boltzcore.measures.measure import SHARE
from boltzcore.models import CRBM
from boltzcore.models.base import FEW_ROWS
from boltzcore.parameters import parameter, whole
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle, portion

Floats = NDArray[np.float32]
FIRST_WIDE = 100  # pixels beyond which an image is not small
PARAMETERS = ("W", "W_vx", "W_hx", "b_v", "b_h")


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
    def of(cls, model: CRBM) -> "Weights":
        """Copies of a model's parameters."""
        return cls(
            dense.whole(model.W),
            dense.whole(model.W_vx.T),
            dense.whole(model.W_hx.T),
            model.b_v.copy(),
            model.b_h.copy(),
        )

    def model(self) -> CRBM:
        """A model with these parameters."""
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
    """What a learner sets against the data.

    v, h : (N, n_visible) and (N, n_hidden) of the model
    pairs : (n_visible, n_hidden in whole tiles) sum over the batch of the expected v h', where it is not v'h
    data_h : (N, n_hidden) hidden units that go with the data, where they are not p(h = 1 | v, x)
    work : Gibbs transitions, or iterations of one instance
    settled : on how many instances the inference converged, None where it is none that could
    """

    v: Floats
    h: Floats
    pairs: Floats | None = None
    data_h: Floats | None = None
    work: int = 0
    settled: int | None = None


@dataclass(frozen=True)
class Conditional(MinibatchLearner):
    """A step for each mini-batch of pairs (v, x). Raises ValueError where the data have no inputs, or others than the
    model takes.
    """

    models: ClassVar[tuple[str, ...]] = ("crbm",)
    state_type: ClassVar[type[State]] = ConditionalState
    tells: ClassVar[Mapping[str, str]] = {"converged": SHARE}
    predicts: ClassVar[str] = "mean field"  # the inference that goes with the learnt model

    iterations: int = parameter(
        7,
        low=1,
        high=1000,
        scale="log",
        symbol="T",
        help="Iterations of the inference: so many, plus the number of the epoch, at most. As weights grow it needs "
        "more to converge.",
        label="Iterations + epoch",
    )
    tolerance: float = parameter(
        1e-3,
        low=0.0,
        high=0.5,
        symbol="\N{GREEK SMALL LETTER EPSILON}",
        help="The inference stops when no belief changes by as much in an iteration.",
    )

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """What a first training takes: small images, which say little each, larger steps."""
        if columns > FIRST_WIDE:
            return First(cls(), 500, every=50)
        return First(cls(rate=0.2), 1_000 if rows < FEW_ROWS else 2_000, every=20)

    def inference(self, epoch: float) -> Inference:
        """The inference that predicts with the model after so many epochs: the one that the last of them used."""
        return Inference(self.predicts, self.iterations_in(max(1, -int(-epoch // 1))), self.tolerance)

    def iterations_in(self, epoch: int) -> int:
        """Iterations at most in this epoch, counted from 1 (section 6: T = 7 + epoch)."""
        return min(self.iterations + epoch, 1000)

    def start(self, model: CRBM, data: Examples | NDArray, *, seed: int) -> ConditionalState:
        """The State before the first update."""
        batches = self._batches(Minibatches(data, self.batch_size, seed), model)
        return ConditionalState(self.begun(model), 0, 0, seed, batches=batches)

    def begun(self, model: CRBM) -> CRBM:
        """The model that the training starts from."""
        return model

    def advance(
        self, state: ConditionalState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ConditionalState:
        """The State `updates` mini-batches later. Raises ValueError where state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self._batches(self.batches_of(state, data), state.model)
        return self._advance(state, batches, updates, tick, None)

    def _advance(
        self, state: ConditionalState, batches: Minibatches, updates: int, tick: Tick, told: Way | None
    ) -> ConditionalState:
        weights = Weights.of(state.model)
        work, seen, settled, info = state.work, state.seen, state.settled, dict(state.info)
        for update in range(state.count, state.count + updates):
            done = (update - state.count) / updates
            tick(done)
            epoch = update // batches.length
            if update == epoch * batches.length:
                seen = settled = 0
            batch, expected = self._update(weights, batches, update, portion(tick, done, 1 / updates), told)
            work += expected.work
            if expected.settled is not None:
                seen, settled = seen + len(batch.v), settled + expected.settled
                info["converged"] = settled / seen
        made: dict[str, Any] = {
            "model": weights.model(),
            "count": state.count + updates,
            "work": work,
            "seen": seen,
            "settled": settled,
        }
        return dataclasses.replace(state, **made, info=info, batches=batches)

    def _update(
        self, weights: Weights, batches: Minibatches, update: int, tick: Tick, told: Way | None
    ) -> tuple[Batch, Expected]:
        """One mini-batch, the weights changed in place."""
        v, x = batches.pairs(update)
        batch = _batch(weights, v.astype(np.float32), x, update // batches.length + 1, update, batches.seed)
        if told is not None:
            row = told.row = whole("row", told.row, 0, len(v) - 1)
            told.note("given", x=x[row], v=v[row], b=batch.b[row], c=batch.c[row])
            if self.hidden_units:
                told.note("clamped", v=v[row], p=batch.mean_h[row])
        n_hidden, n = len(weights.b_h), np.float32(len(v))
        expected = self.expect(weights.W[:, :n_hidden], batch, tick, told)
        if told is not None:
            data_h = batch.mean_h if expected.data_h is None else expected.data_h
            inputs = {"data_vx": batch.v.T @ x / n, "model_vx": expected.v.T @ x / n}
            if self.hidden_units:
                told.note("free", v=expected.v[row], h=expected.h[row], data_h=data_h[row])
                pairs = expected.v.T @ expected.h if expected.pairs is None else expected.pairs[:, :n_hidden]
                inputs |= {"data_hx": data_h.T @ x / n, "model_hx": expected.h.T @ x / n}
                told.note("difference", data_W=batch.v.T @ data_h / n, model_W=pairs / n, **inputs)
            else:
                told.note("free", v=expected.v[row])
                told.note("error", **inputs)
        self._climb(weights, batch, expected)
        return batch, expected

    def dissect(
        self, state: ConditionalState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
    ) -> Dissection:
        """The next update: row `row` of its mini-batch, and the gradient of all. Raises ValueError where state and
        data do not belong together, or the mini-batch has no such row.
        """
        check_advance(self, state, 1)
        batches = self._batches(self.batches_of(state, data), state.model)
        told = Way(row)
        after = self._advance(state, batches, 1, tick, told)
        moved = {name: getattr(after.model, name) - getattr(state.model, name) for name in PARAMETERS}
        phases = (*told.phases, Phase("new", 1, moved))
        rows = len(batches.pairs(state.count)[0])
        return Dissection("conditional", phases, (state.model, after.model), after, row, rows)

    @abstractmethod
    def expect(self, W: Floats, batch: Batch, tick: Tick, told: Way | None = None) -> Expected:
        """What this learner sets against the data in a mini-batch.

        told : of one row, where somebody asks how it came to that; the parameters are not changed by asking
        """

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

    def _climb(self, weights: Weights, batch: Batch, expected: Expected) -> None:
        step = np.float32(self.rate / len(batch.v))
        v = step * (batch.v - expected.v)
        weights.b_v[:] += v.sum(axis=0)
        _add_product(weights.from_x_to_v, batch.x, v)
        if not self.hidden_units:
            return
        data_h = batch.mean_h if expected.data_h is None else expected.data_h
        h = step * (data_h - expected.h)
        weights.b_h[:] += h.sum(axis=0)
        _add_product(weights.from_x_to_h, batch.x, h)
        if expected.pairs is None:
            _add_product(
                weights.W, np.concatenate([step * batch.v, -step * expected.v]), np.concatenate([data_h, expected.h])
            )
        else:
            _add_product(weights.W, step * batch.v, data_h)
            weights.W[:] -= step * expected.pairs


def _batch(weights: Weights, v: Floats, x: Floats, *at: int) -> Batch:
    b, c = dense.product(x, weights.from_x_to_v, weights.b_v), dense.product(x, weights.from_x_to_h, weights.b_h)
    return Batch(v, x, b, c, sigmoid(dense.product(v, weights.W, c)), *at)


def _add_product(out: Floats, left: Floats, right: Floats) -> None:
    """out += left' right."""
    wide = dense.whole(right)
    share(lambda first, last: dense.add_transposed_product(left, wide, out, first, last), len(out))


@dataclass(frozen=True)
class ConditionalLR(Conditional):
    """Logistic regression of each visible unit on the input: a CRBM of which only W_vx and b_v are not 0 (section
    6).
    """

    title: ClassVar[str] = "Logistic regression (LR)"
    family: ClassVar[str] = "LR"
    source: ClassVar[str] = "Ping and Ihler, section 6"
    hidden_units: ClassVar[bool] = False

    @property
    def cost(self) -> str:
        """What an update costs, in a sentence."""
        return "An update costs one product with the input's weights: there is nothing to infer."

    def begun(self, model: CRBM) -> CRBM:
        return dataclasses.replace(
            model, W=np.zeros_like(model.W), W_hx=np.zeros_like(model.W_hx), b_h=np.zeros_like(model.b_h)
        )

    def expect(self, W: Floats, batch: Batch, tick: Tick, told: Way | None = None) -> Expected:
        return Expected(sigmoid(batch.b), batch.mean_h)
