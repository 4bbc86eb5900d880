"""The trace of a sweep: one parameter after the other, each with the parabola that touches P_n from below."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.kernels import sweeps
from boltzcore.kernels.elementwise import log_in_double, softplus_in_double, tanh_in_double
from boltzcore.learners.walkthrough.trace import Phase, UpdateTrace
from boltzcore.parameters import Refusal

MOST_NUMBERS = 2**23  # parameters times columns, of a sweep that is recorded: 64 MB
MOST_WORK = 40_000_000  # parameters times distinct rows: some 6 seconds
_EIGHTHS = np.arange(-8, 27)  # of the step to the top of the parabola: points of a curve

Arrays = dict[str, Any]


def check_size(table: sweeps.Table) -> None:
    """Refusal of so many columns, or rows, that a sweep cannot be recorded."""
    d, n = len(table.x), np.count_nonzero(table.weight)
    steps = d * (d + 1) // 2
    if steps * d > MOST_NUMBERS or steps * n > MOST_WORK:
        why = f"its {steps:,} parameters on {n:,} distinct rows are too many"
        raise Refusal(f"A sweep over {d:,} columns cannot be taken apart: {why}.", "data")


def numbered(phases: list[Phase]) -> tuple[Phase, ...]:
    """The phases of a sweep, "rows" under the parameters before it, all others under those that they move to."""
    return tuple(dataclasses.replace(phase, at=int(phase.kind != "rows")) for phase in phases)


class Steps:
    """The arrays of the phases of a sweep, as its kernels take one step after the other.

    The phase "rows" has the spins `x` (d,) of the recorded row, its `log_odds` (d,) against each of them, and P_n,
    `reached`. A phase "bias" or "coupling" has the column `j` (and `k`), the parameter `before` and `after`, the
    `pulls` (2,) that rows where x_j (or x_j x_k) is +1, and where it is -1, give to the derivative of P_n there, the
    `rows` (2,) that there are of both, the `curvature` of the parabola that the step climbs to the top of where
    mu = 1, and what the row's log-odds and P_n have come to.
    """

    def __init__(self, table: sweeps.Table, row: int) -> None:
        self._table, self._row = table, row

    def begin(self, of_rows: sweeps.Odds | NDArray[np.float64]) -> Arrays:
        """Before the first step.

        of_rows : odds against, which the steps change in place, or their logarithms
        """
        self._of_rows = of_rows
        self._before = self._log_odds()
        self._sums = np.array([self._sum(j) for j in range(len(self._before))])
        return {"x": self._table.x[:, self._row], **self._reached()}

    def bias(self, j: int, before: float, after: float) -> Arrays:
        """b_j has taken its step."""
        return {"j": j, **self._step(self._table.x[j], (j,), before, after, 1.0)}

    def coupling(self, j: int, k: int, before: float, after: float) -> Arrays:
        """m_jk has taken its step."""
        return {"j": j, "k": k, **self._step(self._table.x[j] * self._table.x[k], (j, k), before, after, 2.0)}

    def _step(
        self, sign: NDArray[np.float64], columns: tuple[int, ...], before: float, after: float, curved: float
    ) -> Arrays:
        # d log p(x_j | others) / d eta_j = 2 x_j p(the other value); a coupling moves two fields
        each = self._table.weight * sum(1.0 + tanh_in_double(0.5 * self._before[j]) for j in columns)
        pulls = [(sign * each)[sign == of].sum() for of in (1.0, -1.0)]
        rows = [self._table.weight[sign == of].sum() for of in (1.0, -1.0)]
        moved = {"before": before, "after": after, "curvature": curved * self._table.total}
        for j in columns:
            self._before[j] = self._log_odds(j)
            self._sums[j] = self._sum(j)
        return {**moved, "pulls": pulls, "rows": rows, **self._reached()}

    def _reached(self) -> Arrays:
        return {"log_odds": self._before[:, self._row], "reached": -math.fsum(self._sums)}

    def _sum(self, j: int) -> float:
        return float(self._table.weight @ softplus_in_double(self._before[j]))

    def _log_odds(self, columns: Any = slice(None)) -> NDArray[np.float64]:
        if isinstance(self._of_rows, sweeps.Odds):
            return log_in_double(self._of_rows.against[columns].copy())
        return self._of_rows[columns].copy()


def climb(trace: UpdateTrace, data: Examples | NDArray, index: int) -> Mapping[str, NDArray[np.float64]]:
    """P_n along the parameter that moves in a phase, all others as they are then, less P_n before it moves, in nats.

    at : (35,) values of the parameter, from as far behind it as the top of the parabola is ahead to 3.25 times as far
    climb : (2, 35) that of P_n there, and that of the parabola
    gained : () that of P_n where the step leads
    """
    phase = trace.phases[index].arrays
    x, weight = distinct_spins(data)
    moving = [int(phase[name]) for name in ("j", "k") if name in phase]
    sign = x[:, moving].prod(axis=1, dtype=np.float64)
    against = [_against(trace, x, j, index) for j in moving]

    def gain(step: float) -> float:
        # softplus(a + s) - softplus(a), without a difference of what is nearly the same
        change = np.expm1(-2.0 * step * sign)
        return -math.fsum(float(weight @ np.log1p(0.5 * (1.0 + tanh_in_double(0.5 * a)) * change)) for a in against)

    slope, curvature = math.fsum(phase["pulls"]), float(phase["curvature"])
    steps = (slope / curvature or 1.0) / 8.0 * _EIGHTHS
    return {
        "at": phase["before"] + steps,
        "climb": np.array([[gain(step) for step in steps], slope * steps - curvature / 2.0 * steps**2]),
        "gained": np.array(gain(float(phase["after"] - phase["before"]))),
    }


def parameters_after(trace: UpdateTrace, index: int) -> NDArray[np.float64]:
    """(d + d (d - 1) / 2,) biases, then couplings, after the phase of this index."""
    b, M = _moved(trace, index + 1)
    return np.concatenate([b, M[np.triu_indices(len(b), 1)]])


def _against(trace: UpdateTrace, x: NDArray[np.int8], j: int, index: int) -> NDArray[np.float64]:
    """(rows,) the log-odds against x_j as the phase of this index begins."""
    b, M = _moved(trace, index)
    return -2.0 * x[:, j] * (b[j] + x @ M[j])


def _moved(trace: UpdateTrace, index: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Biases and couplings as the phase of this index begins."""
    b, M = trace.models[0].b.copy(), trace.models[0].M.copy()
    for phase in trace.phases[1:index]:
        step = phase.arrays
        j = int(step["j"])
        if "k" in step:
            M[j, int(step["k"])] = M[int(step["k"]), j] = step["after"]
        else:
            b[j] = step["after"]
    return b, M
