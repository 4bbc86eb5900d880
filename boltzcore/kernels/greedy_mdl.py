"""Kernels of the greedy learner: change of its cost by a step along one parameter, and the best term to append
(Takabatake and Akaho, section 2.2).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.elementwise import log_in_double
from boltzcore.kernels.vector import log64

CHUNK = 256  # terms that are examined together


@kernel(inline="always")
def change_of(dual, target, data):
    """Return the change of KL(data || model), in nats, by a step along one parameter that moves its dual from `dual` to
    `target` (eq. 19).
    """
    change = 0.0
    if data > -1.0:
        change += 0.5 * (1.0 + data) * log64((1.0 + dual) / (1.0 + target))
    if data < 1.0:
        change += 0.5 * (1.0 - data) * log64((1.0 - dual) / (1.0 - target))
    return change


def kl_changes(dual, target, data):
    """Return `change_of` for several terms."""
    up, down = log_in_double((1.0 + dual) / (1.0 + target)), log_in_double((1.0 - dual) / (1.0 - target))
    return 0.5 * np.maximum(1.0 + data, 0.0) * up + 0.5 * np.maximum(1.0 - data, 0.0) * down


class Prices(NamedTuple):
    """Costs of terms, each a sum of two parts: part_low[y % low] + part_high[y // low], low = low.size.

    low, high : price of the index
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]


@kernel
def best_to_append(dual, data, prices, margin, begin, end, best):
    """The best of the rows begin <= q < end of low.size terms to append, if its change of the cost is below `best`:
    (where it lies or -1, change).

    A lower bound decides nearly all (eq. 21); of equal ones the first is taken.
    """
    low = prices.low
    chosen = -1
    for q in range(begin, end):
        high = prices.high[q]
        for first in range(0, low.size, CHUNK):
            at = q * low.size + first
            price = low[first : first + CHUNK]
            m, d = dual[at : at + price.size], data[at : at + price.size]
            hopeful = 0
            for i in range(price.size):
                apart = m[i] - d[i]
                hopeful += 1 if apart * apart > (price[i] + high - best) * (1.0 - m[i] * m[i]) else 0
            if hopeful == 0:
                continue
            for i in range(price.size):
                apart, cost = m[i] - d[i], price[i] + high
                if not apart * apart > (cost - best) * (1.0 - m[i] * m[i]):
                    continue
                near = min(max(m[i], margin - 1.0), 1.0 - margin)
                aim = min(max(d[i], margin - 1.0), 1.0 - margin)
                change = change_of(near, aim, d[i]) + cost
                if change < best:
                    best, chosen = change, at + i
    return chosen, best


@kernel
def best_of_parts(dual, data, prices, margin, part, least, places, changes, begin, end):
    """`best_to_append` of parts begin <= k < end, of `part` rows each, below `least`: places[k] or -1, changes[k]."""
    rows = dual.size // prices.low.size
    for k in range(begin, end):
        last = min((k + 1) * part, rows)
        places[k], changes[k] = best_to_append(dual, data, prices, margin, k * part, last, least)
