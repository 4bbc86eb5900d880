"""A sweep taken apart: one parameter after the other, each with the parabola that touches P_n from below."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.kernels import sweeps
from boltzcore.kernels.elementwise import log_in_double, softplus_in_double, tanh_in_double
from boltzcore.learners.dissection import Dissection, Phase
from boltzcore.parameters import Refusal

MOST_NUMBERS = 2**23  # parameters times columns, of a sweep that is taken apart: 64 MB
MOST_WORK = 40_000_000  # parameters times distinct rows: some 6 seconds
_EIGHTHS = np.arange(-8, 27)  # of the way to the top of the parabola: points of a curve


class Coordinates:
    """Notes the steps of a sweep as its kernels take them.

    The phase "rows" has the spins `x` (d,) of the row that is told, its `log_odds` (d,) against each of them, and P_n,
    `reached`. A phase "bias" or "coupling" has the column `j` (and `k`), the parameter `before` and `after`, the
    `pulls` (2,) that rows where x_j (or x_j x_k) is +1, and where it is -1, give to the derivative of P_n there, the
    `rows` (2,) that there are of both, the `curvature` of the parabola that the step climbs to the top of where
    mu = 1, and what the row's log-odds and P_n have come to.
    Refusal of so many columns, or rows, that a sweep is not to be told.
    """

    def __init__(self, table: sweeps.Table, row: int) -> None:
        d, n = len(table.x), np.count_nonzero(table.weight)
        steps = d * (d + 1) // 2
        if steps * d > MOST_NUMBERS or steps * n > MOST_WORK:
            why = f"its {steps:,} parameters on {n:,} distinct rows are too many"
            raise Refusal(f"A sweep over {d:,} columns cannot be taken apart: {why}.", "data")
        self._table, self._row = table, row
        self._phases: list[Phase] = []

    @property
    def phases(self) -> tuple[Phase, ...]:
        """In the order in which they happened."""
        return tuple(self._phases)

    def begin(self, of_rows: sweeps.Odds | NDArray[np.float64]) -> None:
        """Before the first step; what was noted of a sweep that is done anew is forgotten.

        of_rows : odds against, which the steps change in place, or their logarithms
        """
        self._of_rows, self._phases = of_rows, []
        self._before = self._log_odds()
        self._sums = np.array([self._sum(j) for j in range(len(self._before))])
        self._note("rows", 0, {"x": self._table.x[:, self._row].copy()})

    def bias(self, j: int, before: float, after: float) -> None:
        """b_j has taken its step."""
        self._step("bias", {"j": j}, self._table.x[j], (j,), before, after, 1.0)

    def coupling(self, j: int, k: int, before: float, after: float) -> None:
        """m_jk has taken its step."""
        self._step("coupling", {"j": j, "k": k}, self._table.x[j] * self._table.x[k], (j, k), before, after, 2.0)

    def _step(
        self,
        kind: str,
        what: dict[str, int],
        sign: NDArray[np.float64],
        columns: tuple[int, ...],
        before: float,
        after: float,
        curved: float,
    ) -> None:
        # d log p(x_j | others) / d eta_j = 2 x_j p(the other value); a coupling moves two fields
        each = self._table.weight * sum(1.0 + tanh_in_double(0.5 * self._before[j]) for j in columns)
        pulls = np.array([(sign * each)[sign == of].sum() for of in (1.0, -1.0)])
        rows = np.array([self._table.weight[sign == of].sum() for of in (1.0, -1.0)])
        moved = {"before": before, "after": after, "curvature": curved * self._table.total}
        told = {**what, **moved, "pulls": pulls, "rows": rows}
        for j in columns:
            self._before[j] = self._log_odds(j)
            self._sums[j] = self._sum(j)
        self._note(kind, 1, {name: np.asarray(value) for name, value in told.items()})

    def _note(self, kind: str, at: int, arrays: dict[str, NDArray[Any]]) -> None:
        told = {"log_odds": self._before[:, self._row].copy(), "reached": np.asarray(-math.fsum(self._sums))}
        self._phases.append(Phase(kind, at, arrays | told))

    def _sum(self, j: int) -> float:
        return float(self._table.weight @ softplus_in_double(self._before[j]))

    def _log_odds(self, columns: Any = slice(None)) -> NDArray[np.float64]:
        if isinstance(self._of_rows, sweeps.Odds):
            return log_in_double(self._of_rows.against[columns].copy())
        return self._of_rows[columns].copy()


def along(taken: Dissection, data: Examples | NDArray, index: int) -> Mapping[str, NDArray[np.float64]]:
    """P_n along the parameter that moves in a phase, all others as they are then, less P_n before it moves, in nats.

    at : (35,) values of the parameter, from as far behind it as the top of the parabola is ahead to 3.25 times as far
    gain, bound : (35,) that of P_n there, and that of the parabola
    gained : () that of P_n where the step leads
    """
    phase = taken.phases[index].arrays
    x, weight = distinct_spins(data)
    moving = [int(phase[name]) for name in ("j", "k") if name in phase]
    sign = x[:, moving].prod(axis=1, dtype=np.float64)
    against = [_against(taken, x, j, index) for j in moving]

    def gain(step: float) -> float:
        # softplus(a + s) - softplus(a), without a difference of what is nearly the same
        change = np.expm1(-2.0 * step * sign)
        return -math.fsum(float(weight @ np.log1p(0.5 * (1.0 + tanh_in_double(0.5 * a)) * change)) for a in against)

    slope, curvature = math.fsum(phase["pulls"]), float(phase["curvature"])
    steps = (slope / curvature or 1.0) / 8.0 * _EIGHTHS
    return {
        "at": phase["before"] + steps,
        "gain": np.array([gain(step) for step in steps]),
        "bound": slope * steps - curvature / 2.0 * steps**2,
        "gained": np.array(gain(float(phase["after"] - phase["before"]))),
    }


def _against(taken: Dissection, x: NDArray[np.int8], j: int, index: int) -> NDArray[np.float64]:
    """(rows,) the log-odds against x_j as the phase of this index begins."""
    model = taken.models[0]
    b, m = float(model.b[j]), model.M[j].copy()
    for phase in taken.phases[1:index]:
        told = phase.arrays
        if "k" not in told:
            b = float(told["after"]) if told["j"] == j else b
        elif j in (told["j"], told["k"]):
            m[int(told["k"] if told["j"] == j else told["j"])] = told["after"]
    return -2.0 * x[:, j] * (b + x @ m)
