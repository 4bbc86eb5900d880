"""The duals of all terms of a log-linear model, of the data and of the model, and how they follow its parameters."""

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

_LOST = 1e-8  # of their precision: they are computed anew before less than this is left
_FILLED = 1 << 22  # numbers that are set between two ticks
KL = "kl_to_data"


@dataclass(eq=False)
class Tables:
    """The duals of every term, that is the expectations of Phi_y, in the kernels' layout.

    given, rows : the data, and all rows that are learnt from, completions of those with gaps among them
    data, dual : duals of the data and of the model
    count : the update after which `dual` is that of the model, as the caller sets it; -1 once it is being changed
    log_partition : log Z of the parameters that `dual` was last computed from
    precision : what the steps since have left of that of `dual` at least, 1 being all of it
    """

    layout: Layout
    given: Any
    rows: Examples
    data: Table
    dual: Table
    count: int = -1
    log_partition: float = 0.0
    precision: float = 1.0

    @classmethod
    def from_data(cls, layout: Layout, given: Any, rows: Examples, tick: Tick = idle) -> "Tables":
        """Return the duals of the data; `renew` computes those of a model."""
        return cls(layout, given, rows, data_duals(layout, rows, tick), np.empty(layout.size))

    @property
    def needs_refresh(self) -> bool:
        """True if steps have lost too much precision of `dual`: the last was not made, and `renew` has to follow."""
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
        """Move one parameter: `dual` follows, unless it needs a refresh by then.

        An error of rounding becomes up to (1 + |t|) / (1 + t of_term) times as large by a step, `spectrum.step`: a
        step away from -1 or 1 loses all, and steps that go back and forth half of the precision each.
        """
        self.count = -1
        place = int(self.layout.place(np.array([y]))[0])
        tanh_step, of_term = float(tanh_in_double(np.array([step]))[0]), float(self.dual[place])
        self.precision *= (1.0 + tanh_step * of_term) / (1.0 + abs(tanh_step))
        if not self.needs_refresh:
            spectrum.step(self.layout, self.dual, place, tanh_step, of_term, tick)

    def kl_to_data(self, theta: Mapping[int, float]) -> float:
        """Return KL(data || model), nats, of the parameters that `dual` was last computed from.

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
