"""The price of a term in the description of a log-linear model (Takabatake and Akaho, eq. 7)."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import greedy_mdl as kernels
from boltzcore.kernels.elementwise import log_in_double
from boltzcore.models.log_linear import LogLinear
from boltzcore.models.spectrum import Layout

if TYPE_CHECKING:
    from boltzcore.learners.log_linear.greedy import GreedyMDL

_LOW = 1024  # numbers of a row that is searched at once


@dataclass(frozen=True)
class Prices:
    """The prices of terms on these data (eq. 7): for their value, and for each variable that they depend on.

    kernels : the same as kernels search by
    """

    kernels: kernels.Prices

    @classmethod
    def from_rows(cls, learner: "GreedyMDL", layout: Layout, rows: Examples) -> "Prices":
        total, n = rows.total, len(layout.cardinalities)
        logs = log_in_double(np.array([total, *(max(1, n * (size - 1)) for size in layout.cardinalities)]))
        of_value, *of_variables = (learner.price * logs / total * [0.5, *[1.0] * n]).tolist()
        low, high, before = np.zeros(1), np.zeros(1), 1
        low_order, high_order = np.zeros(1, np.int64), np.zeros(1, np.int64)
        for i in layout.order:
            size = layout.cardinalities[i]
            costs = np.full(size, of_variables[i])
            orders = np.ones(size, np.int64)
            costs[0], orders[0] = 0.0, 0
            if before * size <= _LOW:
                low = (costs[:, None] + low).reshape(-1)
                low_order = (orders[:, None] + low_order).reshape(-1)
                before *= size
            else:
                before = _LOW + 1  # all further variables are of the higher part
                high = (costs[:, None] + high).reshape(-1)
                high_order = (orders[:, None] + high_order).reshape(-1)
        most = learner.order or n
        return cls(kernels.Prices(low + of_value, high, low_order, high_order, most, learner.penalty))

    def at(self, place: NDArray[np.int64]) -> NDArray[np.float64]:
        """The prices of the terms that lie there."""
        high, low = np.divmod(place, self.kernels.low.size)
        each: NDArray[np.float64] = self.kernels.low[low] + self.kernels.high[high]
        return each

    def total(self, model: LogLinear) -> float:
        """The price of all terms, and of the size of their values."""
        each = self.at(model.layout.place(model.terms))
        return math.fsum(each) + self.kernels.slope * math.fsum(np.abs(model.values))


def prices_of(learner: "GreedyMDL", model: LogLinear, data: Examples | NDArray) -> NDArray[np.float64]:
    """(terms,) what each term of a model costs on these rows (eq. 7), nats per row; without the L1 penalty."""
    return Prices.from_rows(learner, model.layout, examples(data)).at(model.layout.place(model.terms))
