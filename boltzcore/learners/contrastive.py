"""Contrastive divergence, its persistent form, and what the whole family shares, for RBMs."""

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import lanes, rows
from boltzcore.kernels import random as streams
from boltzcore.kernels.ascent import ascend, slide
from boltzcore.kernels.simd import LANES
from boltzcore.learners.base import State, check_advance
from boltzcore.learners.batches import Minibatches, MinibatchLearner, MinibatchState, check_width
from boltzcore.models import RBM
from boltzcore.parameters import parameter
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle

SMALL = 2_048  # weights up to which rows of the batch as lanes are quicker than rows of the weight matrix
CALL = 30_000_000  # multiplications in one compiled call, some milliseconds
BLOCK = 256  # rows at a time in a large model

Offsets = tuple[NDArray[np.float32], NDArray[np.float32]]
NONE = np.empty(0, np.float32)


@dataclass(frozen=True, eq=False)
class ContrastiveState(MinibatchState):
    """A State with the ends of the Gibbs chains, (chains, n_visible) uint8: PCD goes on from them."""

    chains: NDArray[np.uint8] = dataclasses.field(kw_only=True)


@dataclass(frozen=True)
class Contrastive(MinibatchLearner):
    """A data term at the mini-batch, minus a model term at the end of Gibbs chains: what the family shares.

    An update takes `inner_steps` steps, each after `gibbs_steps` Gibbs steps on which the chains go on; the data
    term stays that of the parameters before the first. Both terms use p(h | v). Raises ValueError for a field out
    of its bounds, and on `start` where the batch is larger than the data.
    """

    state_type: ClassVar[type[State]] = ContrastiveState
    persistent: ClassVar[bool] = False
    spectral: ClassVar[bool] = False

    @property
    def inner_steps(self) -> int:
        """Steps of the parameters in an update."""
        return 1

    @property
    @abstractmethod
    def gibbs_steps(self) -> int:
        """Gibbs steps of each chain before a step of the parameters."""

    @property
    def transitions(self) -> int:
        """Gibbs steps of each chain in an update."""
        return self.inner_steps * self.gibbs_steps

    @property
    def slides(self) -> tuple[float, float]:
        """Sliding factors of the offsets mu and lambda, where the gradient is centred."""
        return 0.0, 0.0

    @property
    def cost(self) -> str:
        """What an update costs, in a sentence (Upadhya and Sastry 2017, section 3.1)."""
        K = self.transitions
        return f"An update takes {K} Gibbs step{'s' * (K > 1)} of each chain and 2 terms of the gradient."

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> ContrastiveState:
        """The State before the first update; chains start at the first rows of the data."""
        batches = Minibatches(data, self.batch_size, seed)
        check_width(model, batches.data)
        chains = np.array(batches.data.head(batches.size).epoch(0, seed).v, np.uint8)
        return self._first(model, batches.data, seed=seed, chains=chains, batches=batches)

    def advance(
        self, state: ContrastiveState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ContrastiveState:
        """The State `updates` mini-batches later. Raises ValueError where state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self.batches_of(state, data)
        fitting = (batches.size, batches.data.n_visible)
        if state.chains.shape != fitting or state.model.n_visible != fitting[1]:
            raise ValueError(
                f"This State goes on with {len(state.chains)} chains of {state.model.n_visible} visible units; "
                f"the data and batch_size given ask for {fitting[0]} of {fitting[1]}."
            )
        model, chains, offsets = state.model, state.chains.copy(), self._offsets(state)
        small = model.W.size <= SMALL and _work(batches.size, model) * self.transitions <= 10 * CALL
        run = self._small if small else self._large
        model = run(model, chains, offsets, batches, state.seed, state.count, updates, tick)
        made: dict[str, Any] = {
            "model": model,
            "count": state.count + updates,
            "work": state.work + updates * self.transitions,
            "chains": chains,
            "batches": batches,
        }
        return dataclasses.replace(state, **made, **self._carry(offsets))

    # -- what a centred learner adds --------------------------------------------------------------------

    def _first(self, model: RBM, data: Examples, *, seed: int, **carried: Any) -> ContrastiveState:
        return ContrastiveState(model, 0, 0, seed, **carried)

    def _offsets(self, state: ContrastiveState) -> Offsets:
        """Copies of the offsets (mu, lambda) that a State carries; empty arrays where nothing is centred."""
        return NONE, NONE

    def _carry(self, offsets: Offsets) -> dict[str, Any]:
        """The fields of a State that hold offsets."""
        return {}

    # -- the two ways of computing ----------------------------------------------------------------------

    def _small(
        self,
        model: RBM,
        chains: NDArray[np.uint8],
        offsets: Offsets,
        batches: Minibatches,
        seed: int,
        count: int,
        updates: int,
        tick: Tick,
    ) -> RBM:
        W, b, c = model.W.copy(), model.b.copy(), model.c.copy()
        d, K, slides = self.inner_steps, self.gibbs_steps, np.array(self.slides, np.float32)
        at_once = max(1, CALL // (_work(batches.size, model) * (d * (K + 1) + 1)))
        done = 0
        while done < updates:
            tick(done / updates)
            data, order, sizes = batches.of(count + done, min(at_once, updates - done))
            how = self.persistent, self.spectral or None, d, K, np.float32(self.rate)
            lanes.contrastive(W, b, c, data, order, sizes, chains, offsets, slides, *how, np.uint64(seed), count + done)
            done += len(order)
        return RBM(W, b, c)

    def _large(
        self,
        model: RBM,
        chains: NDArray[np.uint8],
        offsets: Offsets,
        batches: Minibatches,
        seed: int,
        count: int,
        updates: int,
        tick: Tick,
    ) -> RBM:
        n_visible, n_hidden = model.W.shape
        W, WT = rows.blank(n_visible, n_hidden), rows.blank(n_hidden, n_visible)
        W[:, :n_hidden] = model.W
        b, c = model.b.copy(), model.c.copy()
        of_data, of_model = ((rows.blank(n_visible, n_hidden), np.empty_like(b), np.empty_like(c)) for _ in range(2))
        d, K = self.inner_steps, self.gibbs_steps
        fields = rows.blank(min(BLOCK, len(chains)), n_hidden)
        p = rows.blank(*fields.shape)
        for update in range(count, count + updates):
            data, order, sizes = batches.of(update, 1)
            v = data[order[0, : sizes[0]]]
            n_chains = len(chains) if self.persistent else len(v)
            if not self.persistent:
                chains[: len(v)] = v
            _zero(of_data)
            for inner in range(d):
                _zero(of_model)
                rows.transpose(W, n_hidden, WT)
                for first in range(0, n_chains, BLOCK):
                    part, chain = v[first : first + BLOCK], chains[first : min(first + BLOCK, n_chains)]
                    if inner == 0 and len(part):
                        _hidden_fields(W, c, part, fields)
                        _add_statistics(part, fields, p, n_hidden, 1 / len(v), of_data)
                    known = inner == 0 and not self.persistent
                    piece = max(1, 2 * CALL // (len(chain) * (model.W.size // 20 + 16 * sum(model.W.shape) + 1000)))
                    for k in range(inner * K, inner * K + K, piece):
                        tick((update - count + k / (d * K)) / updates)
                        _walk(
                            W, WT, b, c, chain, fields, known, (seed, update, first), k, min(piece, inner * K + K - k)
                        )
                        known = True
                    _add_statistics(chain, fields, p, n_hidden, 1 / n_chains, of_model)
                for offset, mean, nu in zip(offsets, of_data[1:], self.slides, strict=True):
                    slide(offset, mean, np.float32(nu))
                tick((update - count + (inner + 1) / d) / updates)
                if inner == 0:
                    first_offsets = offsets[0].copy(), offsets[1].copy()
                ascend(W, b, c, of_data, of_model, first_offsets, offsets, self.spectral or None, np.float32(self.rate))
        return RBM(W[:, :n_hidden], b, c)


@dataclass(frozen=True)
class CD(Contrastive):
    """Contrastive divergence: K Gibbs steps from the mini-batch (Upadhya and Sastry 2017, Algorithm 1)."""

    title: ClassVar[str] = "Contrastive divergence (CD-K)"
    family: ClassVar[str] = "CD"
    source: ClassVar[str] = "Hinton 2002; Upadhya and Sastry 2017, Algorithm 1"

    K: int = parameter(
        1,
        low=1,
        high=1000,
        scale="log",
        symbol="K",
        help="Gibbs steps from the start of a chain to the sample that an update uses.",
        live=True,
        label="Gibbs steps",
    )

    @property
    def gibbs_steps(self) -> int:
        return self.K

    def advice(self) -> tuple[str, ...]:
        return (*super().advice(), f"more Gibbs steps than K = {self.K}")

    @classmethod
    def of_cost(cls, transitions: int) -> dict[str, int]:
        return {"K": transitions} if transitions <= (cls.named("K").high or transitions) else {}


@dataclass(frozen=True)
class PCD(CD):
    """Persistent contrastive divergence: chains go on from one mini-batch to the next (Tieleman 2008)."""

    title: ClassVar[str] = "Persistent contrastive divergence (PCD-K)"
    source: ClassVar[str] = "Tieleman 2008; Upadhya and Sastry 2017, section 3"
    persistent: ClassVar[bool] = True


def _work(n_rows: int, model: RBM) -> int:
    """How dear a Gibbs step of so many rows is, in multiplications: whole lanes of rows, and units that have to be
    drawn.
    """
    return -(-n_rows // LANES) * LANES * (model.W.size + 16 * sum(model.W.shape))


def _zero(statistics: tuple[NDArray, NDArray, NDArray]) -> None:
    for array in statistics:
        array[:] = 0


def _hidden_fields(W: NDArray, c: NDArray, v: NDArray[np.uint8], out: NDArray) -> None:
    share(lambda first, last: rows.hidden_fields(W, c, v[first:last], out[first:last]), len(v))


def _walk(
    W: NDArray,
    WT: NDArray,
    b: NDArray,
    c: NDArray,
    v: NDArray[np.uint8],
    fields: NDArray,
    known: bool,
    stream: tuple[int, int, int],
    first: int,
    steps: int,
) -> None:
    """`steps` Gibbs steps of a block of chains in place; stream = (seed, update, number of the block's first row).

    known : whether `fields` are already the hidden fields given v
    """
    seed, update, row = stream

    def work(low: int, high: int) -> None:
        if not known:
            rows.hidden_fields(W, c, v[low:high], fields[low:high])
        rows.gibbs(
            W, WT, b, c, v[low:high], fields[low:high], np.uint64(seed), streams.GIBBS, update, row + low, first, steps
        )

    share(work, len(v))


def _add_statistics(
    v: NDArray[np.uint8],
    fields: NDArray,
    p: NDArray,
    n_hidden: int,
    scale: float,
    out: tuple[NDArray, NDArray, NDArray],
) -> None:
    """Add scale * (v'p, sum of v, sum of p) of a block of rows to `out`, p the probabilities that belong to its hidden
    fields.
    """
    fields, p, factor = fields[: len(v)], p[: len(v)], np.float32(scale)
    rows.probabilities(fields, n_hidden, factor, p, out[2])
    # each thread has visible units of its own, so that no sum depends on how many threads there are
    share(lambda first, last: rows.add_statistics(v, first, last, p, factor, out[0], out[1]), v.shape[1])
