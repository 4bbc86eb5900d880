"""Duals of all terms of a log-linear model, for the data and for the model, and their updates with its parameters."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boltzcore.data.examples import Examples
from boltzcore.kernels.elementwise import log_in_double, tanh_in_double
from boltzcore.models import spectrum
from boltzcore.models.spectrum import Layout, Table
from boltzcore.ticks import Tick, idle

_LOST = 1e-8  # relative precision of the duals below which they are recomputed
_FILLED = 1 << 22  # numbers set between two ticks
KL = "kl_to_data"


@dataclass(eq=False)
class Tables:
    """Duals of every term, that is the expectations of Phi_y, in the kernels' layout.

    given, rows : the data, and all rows that are learnt from, including completions of those with gaps
    data, dual : duals of the data, and of the model, which `renew` computes
    count : the update after which `dual` is that of the model, as set by the caller; -1 while it is being changed
    log_partition : log Z of the parameters of `dual`
    precision : lower bound of the precision of `dual` that remains after the steps since, 1 being full precision
    """

    layout: Layout
    given: Any
    rows: Examples
    data: Table
    dual: Table
    count: int = -1
    log_partition: float = 0.0
    precision: float = 1.0

    @property
    def needs_refresh(self) -> bool:
        """True if steps have lost too much precision of `dual`: the last was skipped, and `renew` must follow."""
        return self.precision < _LOST

    def renew(self, theta: Mapping[int, float], tick: Tick = idle) -> None:
        """Compute `dual` from these parameters."""
        self.count = -1
        for first in range(0, self.layout.size, _FILLED):
            tick(0.0)
            self.dual[first : first + _FILLED] = 0.0
        self.dual[self.layout.place(np.array(list(theta), np.int64))] = list(theta.values())
        spectrum.log_weights(self.layout, self.dual, tick)
        self.log_partition = spectrum.normalise(self.dual, tick)
        spectrum.expectations(self.layout, self.dual, tick)
        self.precision = 1.0

    def step(self, y: int, step: float, tick: Tick = idle) -> None:
        """Move one parameter and update `dual`, unless it needs a refresh by then.

        A step (`spectrum.step`) multiplies a rounding error by up to (1 + |t|) / (1 + t of_term): a step away from -1
        or 1 loses all precision, and each pair of opposite steps loses about half.
        """
        self.count = -1
        place = int(self.layout.place(np.array([y]))[0])
        tanh_step, of_term = float(tanh_in_double(np.array([step]))[0]), float(self.dual[place])
        factor = (1.0 + tanh_step * of_term) / (1.0 + abs(tanh_step))  # of exp(-|step|) Z, too
        self.precision *= factor
        if not self.needs_refresh:
            self.log_partition += abs(step) + float(log_in_double(np.array([factor]))[0])
            spectrum.step(self.layout, self.dual, place, tanh_step, of_term, tick)

    def kl_to_data(self, theta: Mapping[int, float]) -> float:
        """Return KL(data || model), nats, for the parameters of `dual`.

        It is minus the entropy of the rows, less the mean log-weight, plus log Z.
        """
        share = self.rows.shares()[1]
        share = share[share > 0]
        place = self.layout.place(np.array(list(theta), np.int64))
        mean = math.fsum(self.data[place] * np.array(list(theta.values())))
        return math.fsum(share * log_in_double(share)) - mean + self.log_partition


def data_duals(layout: Layout, rows: Examples, tick: Tick = idle) -> Table:
    """Return the expectation of every term under the rows, in the kernels' layout."""
    data, (v, share) = np.zeros(layout.size), rows.shares()
    data[layout.place(layout.index(v))] = share
    spectrum.expectations(layout, data, tick)
    return data
