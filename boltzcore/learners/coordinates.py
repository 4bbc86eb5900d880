"""A sweep taken apart: one parameter after the other, each with the parabola that touches P_n from below."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import sweeps
from boltzcore.kernels.elementwise import log_in_double, softplus_in_double, tanh_in_double
from boltzcore.learners.dissection import Phase


class Coordinates:
    """Notes the steps of a sweep as its kernels take them.

    The phase "rows" has the spins `x` (d,) of the row that is told, its `log_odds` (d,) against each of them, and P_n,
    `reached`. A phase "bias" or "coupling" has the column `j` (and `k`), the parameter `before` and `after`, the
    `pulls` (2,) that rows where x_j (or x_j x_k) is +1, and where it is -1, give to the derivative of P_n there, the
    `curvature` of the parabola that the step climbs to the top of where mu = 1, and what the row's log-odds and P_n
    have come to.
    """

    def __init__(self, table: sweeps.Table, row: int) -> None:
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
        pulls = np.array([math.fsum((sign * each)[sign == of]) for of in (1.0, -1.0)])
        told = {**what, "before": before, "after": after, "pulls": pulls, "curvature": curved * self._table.total}
        for j in columns:
            self._before[j] = self._log_odds(j)
        self._note(kind, 1, {name: np.asarray(value) for name, value in told.items()})

    def _note(self, kind: str, at: int, arrays: dict[str, NDArray[Any]]) -> None:
        reached = -math.fsum(float(self._table.weight @ softplus_in_double(each)) for each in self._before)
        told = {"log_odds": self._before[:, self._row].copy(), "reached": np.asarray(reached)}
        self._phases.append(Phase(kind, at, arrays | told))

    def _log_odds(self, columns: Any = slice(None)) -> NDArray[np.float64]:
        if isinstance(self._of_rows, sweeps.Odds):
            return log_in_double(self._of_rows.against[columns].copy())
        return self._of_rows[columns].copy()
