"""Learners of conditional RBMs (Ping and Ihler, section 4).

All ascend the gradient of the log-likelihood log p(v | x), or descend that of a max-margin loss of the same form:
statistics with the visible units at the data, minus statistics that the learner's own inference expects of the model.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference import Inference, propagation
from boltzcore.inference.mean_field import settle
from boltzcore.kernels import dense, rows
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.energy import free_energy
from boltzcore.kernels.messages import Instances
from boltzcore.kernels.rows import RBMArrays
from boltzcore.learners.base import State, gibbs_steps_field
from boltzcore.learners.batches import Minibatches, MinibatchLearner, MinibatchState
from boltzcore.learners.operations import MESSAGE, product, step
from boltzcore.models import CRBM
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.threads import share
from boltzcore.ticks import Tick, portion

Floats = NDArray[np.float32]
FEWEST = 8  # rows per thread: each thread fills tables of its own


@dataclass(frozen=True, eq=False)
class ConditionalState(MinibatchState):
    """A State with the number of instances in the inference of this epoch, and the number that converged."""

    seen: int = 0
    settled: int = 0


class Weights(NamedTuple):
    """Parameters of a CRBM, changed in place: columns in whole tiles, the input's weights indexed by input first."""

    W: Floats
    from_x_to_v: Floats
    from_x_to_h: Floats
    b_v: Floats
    b_h: Floats

    def to_model(self) -> CRBM:
        """Return a model with these parameters."""
        n, m = len(self.b_v), len(self.b_h)
        return CRBM(self.W[:, :m], self.from_x_to_v.T[:n], self.from_x_to_h.T[:m], self.b_v, self.b_h)


class Batch(NamedTuple):
    """A mini-batch as a learner's inference sees it.

    v, x : (N, n_visible) and (N, n_x) rows of 0/1, and inputs
    b, c : (N, n_visible) and (N, n_hidden) biases given x
    mean_h : (N, n_hidden) p(h = 1 | v, x)
    epoch : from 1; update : number of the update; seed : seed of the training
    """

    v: Floats
    x: Floats
    b: Floats
    c: Floats
    mean_h: Floats
    epoch: int
    update: int
    seed: int


class Expected(NamedTuple):
    """Expectations that a learner subtracts from those of the data.

    v, h : (N, n_visible) and (N, n_hidden) of the model; h is None if the learner does not use hidden units
    pairs : (n_visible, n_hidden in whole tiles) sum over the batch of the expected v h', if it is not v'h
    data_h : (N, n_hidden) hidden units for the data, if they are not p(h = 1 | v, x)
    work : Gibbs transitions, or iterations per instance
    settled : number of instances on which the inference converged; None if it does not iterate
    operations : multiplications and additions of the inference
    """

    v: Floats
    h: Floats | None
    pairs: Floats | None = None
    data_h: Floats | None = None
    work: int = 0
    settled: int | None = None
    operations: int = 0


@dataclass(frozen=True)
class Conditional(MinibatchLearner):
    """Base class of learners of conditional RBMs: a step for each mini-batch of pairs (v, x). Raises Refusal if the
    data have no inputs, or inputs that do not fit the model.

    predicts : the inference for predictions with the trained model
    """

    state_type: ClassVar[type[State]] = ConditionalState
    predicts: ClassVar[str] = "mean field"

    iterations: int = parameter(
        7,
        low=1,
        high=1000,
        scale="log",
        symbol="T",
        help="Maximum number of inference iterations: this number plus the epoch. As weights grow, convergence takes "
        "more.",
        label="Iterations + epoch",
    )
    tolerance: float = parameter(
        1e-3,
        low=0.0,
        high=0.5,
        symbol="\N{GREEK SMALL LETTER EPSILON}",
        help="Inference stops when every belief changes by less than this in an iteration.",
    )

    def iterations_in(self, epoch: int) -> int:
        """Return the largest number of iterations in this epoch, counted from 1 (section 6: T = 7 + epoch)."""
        return min(self.iterations + epoch, 1000)

    def start(self, model: CRBM, data: Examples | NDArray, *, seed: int) -> ConditionalState:
        return ConditionalState(model, 0, 0, seed, batches=self.minibatches(model, data, seed))

    def _advance(self, state: ConditionalState, data: Examples | NDArray, updates: int, tick: Tick) -> ConditionalState:
        batches, model = self.checked_batches(state, data), state.model
        W, W_vx, W_hx = (dense.whole(matrix) for matrix in (model.W, model.W_vx.T, model.W_hx.T))
        weights = Weights(W, W_vx, W_hx, model.b_v.copy(), model.b_h.copy())
        work, seen, settled, operations = state.work, state.seen, state.settled, state.operations
        for update in range(state.count, state.count + updates):
            done = (update - state.count) / updates
            tick(done)
            place = update - state.progress.from_count
            if place % batches.length == 0:
                seen = settled = 0
            epoch = int(state.progress.from_epoch + place / batches.length)
            rows_of_batch, x = batches.pairs(update)
            v = rows_of_batch.astype(np.float32)
            b = dense.product(x, weights.from_x_to_v, weights.b_v)
            c = dense.product(x, weights.from_x_to_h, weights.b_h)
            batch = Batch(v, x, b, c, sigmoid(dense.product(v, weights.W, c)), epoch + 1, update, state.seed)
            expected = self.expect(weights.W[:, : model.n_hidden], batch, portion(tick, done, 1 / updates))
            self._step(weights, batch, expected)
            work += expected.work
            operations += expected.operations + _shared_operations(len(v), model, hidden=expected.h is not None)
            if expected.settled is not None:
                seen, settled = seen + len(v), settled + expected.settled
        return dataclasses.replace(
            state,
            model=weights.to_model(),
            count=state.count + updates,
            work=work,
            operations=operations,
            seen=seen,
            settled=settled,
            figures={"converged": settled / seen} if seen else {},
            batches=batches,
        )

    @abstractmethod
    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        """Return the expectations that this learner subtracts from those of the data in a mini-batch."""

    def minibatches(self, model: Any, data: Examples | NDArray, seed: int, kept: Any = None) -> Minibatches:
        """Return the mini-batches of a training; raise Refusal if the pairs do not fit the model."""
        batches = super().minibatches(model, data, seed, kept)
        x = batches.data.v if batches.data.corruption is not None else batches.data.x
        if x is None:
            raise Refusal("x must be given, as in `Examples(v, x)`, or a corruption: the model learns v from x.")
        if x.shape[1] != model.n_x:
            raise Refusal(f"The model takes {model.n_x} inputs, but the rows x of the data have {x.shape[1]}.")
        return batches

    def _step(self, weights: Weights, batch: Batch, expected: Expected) -> None:
        """Take a step of the weights in place."""
        scale = np.float32(self.rate / len(batch.v))
        v = scale * (batch.v - expected.v)
        weights.b_v[:] += v.sum(axis=0)
        _add_product(weights.from_x_to_v, batch.x, v)
        if expected.h is None:
            return
        data_h = batch.mean_h if expected.data_h is None else expected.data_h
        h = scale * (data_h - expected.h)
        weights.b_h[:] += h.sum(axis=0)
        _add_product(weights.from_x_to_h, batch.x, h)
        if expected.pairs is None:
            both = np.concatenate([scale * batch.v, -scale * expected.v])
            _add_product(weights.W, both, np.concatenate([data_h, expected.h]))
        else:
            _add_product(weights.W, scale * batch.v, data_h)
            weights.W[:] -= scale * expected.pairs


def inference_of(learner: Conditional, epoch: float) -> Inference:
    """Return the inference for predictions with the model at this epoch: the one that the last epoch used."""
    return Inference(learner.predicts, learner.iterations_in(max(1, -int(-epoch // 1))), learner.tolerance)


def _shared_operations(n_rows: int, model: CRBM, *, hidden: bool) -> int:
    """Count the operations outside the inference: biases given the input, p(h | v), the gradient and the step."""
    n_x, n, m = model.n_x, model.n_visible, model.n_hidden
    of_hidden = 2 * product(n_rows, n_x, m) + 3 * product(n_rows, n, m) + step(n_x * m + n * m)
    return 2 * product(n_rows, n_x, n) + step(n_x * n) + hidden * of_hidden


def _add_product(out: Floats, left: Floats, right: Floats) -> None:
    """out += left' right."""
    wide = dense.whole(right)
    share(lambda first, last: dense.add_transposed_product(left, wide, out, first, last), len(out))


@dataclass(frozen=True)
class ConditionalLR(Conditional):
    """Logistic regression of each visible unit on the input: a CRBM with only W_vx and b_v (section 6)."""

    def start(self, model: CRBM, data: Examples | NDArray, *, seed: int) -> ConditionalState:
        """Return the State before the first update, with the parameters of the hidden units set to 0."""
        none = {name: np.zeros_like(getattr(model, name)) for name in ("W", "W_hx", "b_h")}
        return super().start(dataclasses.replace(model, **none), data, seed=seed)

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        return Expected(sigmoid(batch.b), None)


@dataclass(frozen=True)
class MeanFieldMLE(Conditional):
    """Maximum likelihood with mean-field marginals in place of the model's (section 4.1)."""

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        v, h, residuals, ran = settle(W, batch.b, batch.c, self.iterations_in(batch.epoch), self.tolerance, 0.0, tick)
        settled = residuals[np.arange(len(v)), ran - 1] < self.tolerance
        return _expectation(v, h, ran, settled, 2 * product(int(ran.sum()), *W.shape))


@dataclass(frozen=True)
class BeliefPropagationMLE(Conditional):
    """Maximum likelihood with sum-product beliefs in place of the model's marginals (section 4.1, eq. 5)."""

    predicts: ClassVar[str] = "sum-product"

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        messages = propagation.Messages.from_weights(W, "sum")
        beliefs = propagation.instances_of(batch.b, batch.c, self.iterations_in(batch.epoch))
        pairs = propagation.run_with_pairwise(messages, beliefs, 0.0, self.tolerance, tick=tick)
        operations = _of_messages(W, beliefs) + MESSAGE * len(batch.v) * W.size
        return _expectation(beliefs.v, beliefs.h, beliefs.ran, beliefs.converged, operations, pairs=pairs)


@dataclass(frozen=True)
class MaxMargin(Conditional):
    """Structured support vector machine: the best loss-augmented v against the data (section 4.2).

    The loss is the Hamming distance: each wrong pixel adds 1, so 1 - 2v is added to the visible biases.
    """

    def infer_augmented(self, W: Floats, batch: Batch, tick: Tick) -> Instances:
        """Return the beliefs of the loss-augmented model."""
        messages = propagation.Messages.from_weights(W, self.predicts.removesuffix("-product"))
        beliefs = propagation.instances_of(batch.b + 1 - 2 * batch.v, batch.c, self.iterations_in(batch.epoch))
        propagation.run(messages, beliefs, 0.0, self.tolerance, tick=tick)
        return beliefs


@dataclass(frozen=True)
class LSSVM(MaxMargin):
    """Latent structured SVM: the best v and h together, by max-product propagation (Yu and Joachims 2009; Yang et al.
    2014).
    """

    predicts: ClassVar[str] = "max-product"

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        beliefs = self.infer_augmented(W, batch, tick)
        v, h, data_h = ((belief > 0.5).astype(np.float32) for belief in (beliefs.v, beliefs.h, batch.mean_h))
        return _expectation(v, h, beliefs.ran, beliefs.converged, _of_messages(W, beliefs), data_h=data_h)


@dataclass(frozen=True)
class MSSVM(MaxMargin):
    """Marginal structured SVM: the best v, hidden units summed out, by mixed-product propagation (eq. 7)."""

    predicts: ClassVar[str] = "mixed-product"

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        beliefs = self.infer_augmented(W, batch, tick)
        v = (beliefs.v > 0.5).astype(np.float32)
        h = sigmoid(dense.product(v, dense.whole(W), batch.c))
        operations = _of_messages(W, beliefs) + product(len(v), *W.shape)
        return _expectation(v, h, beliefs.ran, beliefs.converged, operations)


def _expectation(v: Floats, h: Floats, ran: NDArray, converged: NDArray, operations: int, **others: Floats) -> Expected:
    work = int(np.ceil(ran.mean()))
    return Expected(v, h, work=work, settled=int(converged.sum()), operations=operations, **others)


def _of_messages(W: Floats, beliefs: Instances) -> int:
    """Return the operations of the messages: one each way along every edge, per iteration and instance."""
    return 2 * MESSAGE * int(beliefs.ran.sum()) * W.size


def gibbs_chains(W: Floats, batch: Batch, v: NDArray[np.uint8], steps: int) -> Iterator[Floats]:
    """Run block Gibbs steps of each row v in place, given its own biases; yield the hidden fields (N, n_hidden) given v
    before the first step and after each step.
    """
    n_visible, n_hidden = W.shape
    wide, tall, fields = dense.whole(W), rows.blank(n_hidden, n_visible), rows.blank(len(v), n_hidden)
    rows.transpose(wide, n_hidden, tall)

    def work(low: int, high: int, k: int) -> None:
        machine = RBMArrays(wide, tall, batch.b[low:high], batch.c[low:high])
        stream = streams.Stream(np.uint64(batch.seed), streams.GIBBS, batch.update, low)
        if k == 0:
            rows.hidden_fields(wide, machine.c, v[low:high], fields[low:high])
        else:
            rows.gibbs(machine, v[low:high], fields[low:high], stream, k - 1, 1, None)

    for k in range(steps + 1):
        share(partial(work, k=k), len(v), FEWEST)
        yield fields[:, :n_hidden]


@dataclass(frozen=True)
class ConditionalCD(Conditional):
    """Contrastive divergence: K Gibbs steps from the clean image of each pair, given its input (section 4.1)."""

    K: int = gibbs_steps_field(1, "Gibbs steps from the data to the sample that an update uses.")

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        v = batch.v.astype(np.uint8)
        for k, fields in enumerate(gibbs_chains(W, batch, v, self.K)):
            tick(k / (self.K + 1))
            end = fields
        operations = 2 * self.K * product(len(v), *W.shape)  # the first p(h | v) is shared with the data
        return Expected(v.astype(np.float32), sigmoid(end), work=self.K, operations=operations)


@dataclass(frozen=True)
class CDPercLoss(Conditional):
    """CD-PercLoss: perceptron loss on the most probable sample of a Gibbs chain that starts from the logistic part
    (Mnih et al. 2011).

    The chain starts at a draw from the logistic part alone, v ~ sigmoid(W_vx x + b_v). Of its K samples, the one with
    the lowest free energy is compared with the data if its free energy is below that of the data; otherwise the pair
    makes no step. Samples of many pixels are noisy: soon none may be more probable than the data, and learning stops
    even if the most probable image is far from the data (assets/results/paper-5-conditional.md).
    """

    K: int = gibbs_steps_field(10, "Gibbs steps of the search for a sample more probable than the data.")

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        drawn = streams.generator(batch.seed, streams.SAMPLE, batch.update).random(batch.b.shape, dtype=np.float32)
        v = (drawn < sigmoid(batch.b)).astype(np.uint8)
        lowest = free_energy(batch.v, batch.b, dense.product(batch.v, dense.whole(W), batch.c))
        best_v, best_h = batch.v.copy(), batch.mean_h.copy()
        for k, fields in enumerate(gibbs_chains(W, batch, v, self.K)):
            tick(k / (self.K + 1))
            if k == 0:
                continue  # the start of the chain is not one of its samples
            energy = free_energy(v.astype(np.float32), batch.b, fields)
            lower = energy < lowest
            lowest[lower], best_v[lower], best_h[lower] = energy[lower], v[lower], sigmoid(fields[lower])
        operations = (2 * self.K + 1) * product(len(v), *W.shape) + (self.K + 1) * product(len(v), W.shape[0], 1)
        return Expected(best_v, best_h, work=self.K, operations=operations)
