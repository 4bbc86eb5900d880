"""Weighted rows of the data or the model, and their means of log(1 + e**(w'v)) for hidden units w."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import units as kernels
from boltzcore.ticks import Tick, idle

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Rows of 0/1 with weights that sum to 1.

    Parameters
    ----------
    v : array (n, n_visible) uint8
    weight : array (n,) float64
    blocks : array
        The rows in the layout of `kernels.units`.
    count : int
        Number of rows, equal ones each.
    """

    v: NDArray[np.uint8]
    weight: Vector
    blocks: NDArray[np.uint8]
    count: int

    @classmethod
    def from_rows(cls, v: NDArray, weight: Vector, count: int | None = None) -> "WeightedRows":
        v = np.ascontiguousarray(v, np.uint8)
        return cls(v, weight, kernels.side_by_side(v), len(v) if count is None else count)

    @classmethod
    def from_examples(cls, data: Examples) -> "WeightedRows":
        few = data.distinct()
        assert few.weight is not None
        return cls.from_rows(few.v, few.weight / few.total, round(few.total))

    def weighted(self, weight: Vector) -> "WeightedRows":
        """Return the same rows with other weights."""
        return WeightedRows(self.v, weight, self.blocks, self.count)

    @cached_property
    def mean(self) -> Vector:
        """Mean of each column (n_visible,)."""
        out: Vector = np.einsum("i,ij->j", self.weight, self.v, optimize=False)
        return out

    def softplus(self, units: NDArray[np.float32], tick: Tick = idle) -> NDArray[np.float64]:
        """Return log(1 + e**(w'v)), (n, units)."""
        out = np.empty((len(units), *self.blocks.shape[::2]), np.float32)
        for unit, into in zip(units, out, strict=True):
            tick(0.0)
            kernels.responses(self.blocks, unit, into)
        return out.reshape(len(units), self.blocks.shape[0] * self.blocks.shape[2])[:, : len(self.v)].T.astype(
            np.float64
        )

    def mean_softplus(self, units: NDArray[np.float32]) -> Vector:
        """Return the mean of log(1 + e**(w'v)), (units,); a new unit changes no other's digits."""
        out, softplus = np.empty(len(units)), np.empty(self.blocks.shape[::2], np.float32)
        for i, unit in enumerate(units):
            kernels.responses(self.blocks, unit, softplus)
            out[i] = float((self.weight * softplus.reshape(-1)[: len(self.v)]).sum())
        return out

    def expected_softplus(self, units: NDArray[np.float32], q: Vector) -> Vector:
        """Return E_q log(1 + e**(w'v)) of each row (n,), for a distribution q over the units."""
        out, softplus = np.zeros(len(self.v)), np.empty(self.blocks.shape[::2], np.float32)
        for unit, part in zip(units, q, strict=True):
            kernels.responses(self.blocks, unit, softplus)
            out += part * softplus.reshape(-1)[: len(self.v)]
        return out

    def scale(self) -> NDArray[np.float32]:
        """Return the weights in the layout of `kernels.units`, (blocks, SIDE)."""
        out = np.zeros(self.blocks.shape[::2], np.float32)
        out.reshape(-1)[: len(self.v)] = self.weight
        return out


def squares(units: NDArray[np.float32]) -> Vector:
    """Return |w|**2 of each unit (units,)."""
    out: Vector = (units.astype(np.float64) ** 2).sum(axis=1)
    return out
