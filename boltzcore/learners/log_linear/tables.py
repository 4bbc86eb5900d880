"""The duals of all terms of a log-linear model, of the data and of the model, and how they follow its parameters."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from boltzcore.data.examples import Examples
from boltzcore.kernels.elementwise import log_in_double, tanh_in_double
from boltzcore.learners.base import State
from boltzcore.models import spectrum
from boltzcore.models.log_linear import LogLinear
from boltzcore.models.spectrum import Layout, Table
from boltzcore.ticks import Tick, idle, portion

_LOST = 1e-8  # of their precision: they are computed anew before less than this is left
FILLED = 1 << 22  # numbers that are set between two ticks
KL = "kl_to_data"


@dataclass(eq=False)
class Tables:
    """The duals of every term, that is the expectations of Phi_y, in the kernels' layout.

    given : the data; None while `dual` is being changed, and ever after where that was broken off
    data, dual : duals of the data and of the model
    count : the update after which `dual` is that of the model
    log_partition : log Z of the parameters that `dual` was last computed from
    precision : what the steps since have left of that of `dual` at least, 1 being all of it
    """

    given: Any
    data: Table
    dual: Table
    count: int
    log_partition: float = 0.0
    precision: float = 1.0

    @property
    def needs_refresh(self) -> bool:
        """True if steps have lost too much precision of `dual`: the last was not made, and `renew` has to follow."""
        return self.precision < _LOST

    def are_of(self, state: State, data: Any) -> bool:
        """Whether they belong to this State and these data: a call that was broken off leaves them behind, or ahead."""
        return self.given is data and self.count == state.count

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A block that changes `dual`: if it does not end, the tables belong to no State."""
        given, self.given = self.given, None
        yield
        self.given = given

    def renew(self, layout: Layout, theta: Mapping[int, float], tick: Tick) -> None:
        """Compute `dual` from these parameters."""
        with self.changing():
            for first in range(0, layout.size, FILLED):
                tick(0.0)
                self.dual[first : first + FILLED] = 0.0
            self.dual[layout.place(np.array(list(theta), np.int64))] = list(theta.values())
            spectrum.log_weights(layout, self.dual, tick)
            self.log_partition = spectrum.normalise(self.dual, tick)
            spectrum.expectations(layout, self.dual, tick)
        self.precision = 1.0

    def step(self, layout: Layout, y: int, step: float, tick: Tick) -> None:
        """Move one parameter: `dual` follows, unless it needs a refresh by then.

        An error of rounding becomes up to (1 + |t|) / (1 + t of_term) times as large by a step, `spectrum.step`: a
        step away from -1 or 1 loses all, and steps that go back and forth half of the precision each.
        """
        place = int(layout.place(np.array([y]))[0])
        tanh_step, of_term = float(tanh_in_double(np.array([step]))[0]), float(self.dual[place])
        self.precision *= (1.0 + tanh_step * of_term) / (1.0 + abs(tanh_step))
        if not self.needs_refresh:
            with self.changing():
                spectrum.step(layout, self.dual, place, tanh_step, of_term, tick)


def tables_of(
    model: LogLinear, given: Any, rows: Examples, theta: Mapping[int, float], count: int, tick: Tick = idle
) -> Tables:
    """The duals of the data, and those of a model with these parameters, computed from them."""
    layout = model.layout
    data = data_duals(layout, rows, portion(tick, 0.0, 0.5))
    tables = Tables(given, data, np.empty(layout.size), count)
    tables.renew(layout, theta, portion(tick, 0.5, 0.5))
    return tables


def data_duals(layout: Layout, rows: Examples, tick: Tick = idle) -> Table:
    """The expectation of every term under the rows, in the kernels' layout."""
    data = np.zeros(layout.size)
    few = rows.distinct()
    assert few.weight is not None
    data[layout.place(layout.index(few.v))] = few.weight / few.total
    spectrum.expectations(layout, data, tick)
    return data


def kl_to_data(model: LogLinear, rows: Examples, tables: Tables, theta: Mapping[int, float]) -> float:
    """KL(data || model), nats, of the parameters that the tables were computed from.

    It is minus the entropy of the rows, less the mean log-weight, plus log Z.
    """
    few = rows.distinct()
    assert few.weight is not None
    share_of = few.weight[few.weight > 0] / few.total
    place = model.layout.place(np.array(list(theta), np.int64))
    mean = math.fsum(tables.data[place] * np.array(list(theta.values())))
    return math.fsum(share_of * log_in_double(share_of)) - mean + tables.log_partition
