"""Rows whose weighted means are expectations: of the data, or of a model, whose rows are chains or all states."""

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.fractional import metropolis
from boltzcore.kernels import random as streams
from boltzcore.kernels import units as kernels
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.operations import product
from boltzcore.models import InfiniteRBM
from boltzcore.ticks import Tick, idle

Vector = NDArray[np.float64]
_ADVANCED = 1 << 19  # step, within an update, of the streams of `Sampler.advanced`


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Rows of 0/1 with weights that sum to 1.

    v, weight : (n, n_visible) uint8, (n,) float64
    count : number of rows, counting repeated ones
    blocks : the rows in the layout of `kernels.units`
    data : the data that they are from
    """

    v: NDArray[np.uint8]
    weight: Vector
    count: int
    blocks: NDArray[np.uint8]
    data: Any = None

    @classmethod
    def from_rows(cls, v: NDArray, weight: Vector | None = None) -> "WeightedRows":
        """Return rows with these weights, or with equal ones."""
        v = np.ascontiguousarray(v, np.uint8)
        return cls(v, np.full(len(v), 1.0 / len(v)) if weight is None else weight, len(v), kernels.side_by_side(v))

    @classmethod
    def from_examples(cls, rows: Examples, data: Any = None) -> "WeightedRows":
        return dataclasses.replace(cls.from_rows(*rows.shares()), count=round(rows.total), data=data)

    @cached_property
    def mean(self) -> Vector:
        """Mean of each column (n_visible,)."""
        out: Vector = np.einsum("i,ij->j", self.weight, self.v, optimize=False)
        return out

    def softplus(self, units: NDArray[np.float32], tick: Tick = idle) -> Vector:
        """Return log(1 + e**(w'v)), (n, units)."""
        out, own = np.empty((len(units), len(self.v))), np.empty(self.blocks.shape[::2], np.float32)
        for unit, into in zip(units, out, strict=True):
            tick(0.0)
            kernels.responses(self.blocks, unit, own)
            into[:] = own.reshape(-1)[: len(self.v)]
        return out.T

    def mean_softplus(self, units: NDArray[np.float32]) -> Vector:
        """Return the mean of log(1 + e**(w'v)), (units,); the digits of a unit do not depend on the other units."""
        return np.array([(self.weight * self.softplus(unit[None])[:, 0]).sum() for unit in units])


class Sampler:
    """Chains of a model that continue from update to update; without chains, expectations are sums over all states.

    chains : (chains, n_visible) of 0 and 1, empty for sums over all states
    exact : True if expectations are sums over all states, `all_states`
    moved, accepted : Gibbs steps of all chains so far, and the number of accepted ones
    effective : smallest effective share of the chains so far during moves of counts and biases
    operations : multiplications and additions of the update so far
    """

    def __init__(self, chains: NDArray[np.uint8], seed: int, update: int, tick: Tick) -> None:
        self.chains, self.tick, self._seed, self._update = chains.copy(), tick, seed, update
        self.moved, self.accepted, self.effective = 0, 0.0, 1.0
        self._calls = self.operations = 0
        self.exact = not len(chains)
        if self.exact:
            n = chains.shape[1]
            self.all_states = WeightedRows.from_rows(np.arange(1 << n)[:, None] >> np.arange(n) & 1)

    def run(self, model: InfiniteRBM, steps: int, part: slice = slice(None), tick: Tick = idle) -> None:
        """Take Gibbs steps of some chains; without chains do nothing."""
        if self.exact:
            return
        self.chains[part], accepted = self._metropolis(model, self.chains[part], steps, self._calls, tick)
        self._calls += 1
        moved = steps * len(self.chains[part])
        self.moved += moved
        self.accepted += moved * accepted

    def run_batch(self, model: InfiniteRBM, k: int, size: int) -> slice:
        """Take a Gibbs step of the next `size` chains, those of step k, and return their slice."""
        first = k % max(1, -(-len(self.chains) // size)) * size
        part = slice(first, first + size)
        self.run(model, 1, part)
        return part

    def advanced(self, model: InfiniteRBM, steps: int) -> WeightedRows:
        """Return the states that the chains would reach in some more steps, without moving the chains."""
        return WeightedRows.from_rows(self._metropolis(model, self.chains, steps, _ADVANCED, idle)[0])

    def _metropolis(
        self, model: InfiniteRBM, v: NDArray[np.uint8], steps: int, call: int, tick: Tick
    ) -> tuple[NDArray[np.uint8], float]:
        self.operations += 2 * product(steps * len(v), model.n_visible, model.n_units)
        step = (self._update << 20) + call
        return metropolis(model, v, steps, seed=self._seed, step=step, purpose=streams.INSERT, tick=tick)

    def states(self, model: InfiniteRBM, part: slice = slice(None)) -> WeightedRows:
        """Return rows whose weighted means are the model's expectations: all states, or chains."""
        if not self.exact:
            return WeightedRows.from_rows(self.chains[part])
        self.operations += product(len(self.all_states.v), model.n_visible + 1, model.n_units)
        log_weight = model.log_weights(tick=self.tick)
        weight = exp_in_double(log_weight - log_weight.max())
        return dataclasses.replace(self.all_states, weight=weight / math.fsum(weight))


def squares(units: NDArray[np.float32]) -> Vector:
    """Return |w|**2 of each unit (units,)."""
    out: Vector = (units.astype(np.float64) ** 2).sum(axis=1)
    return out
