"""The search for the best greedy step: over the terms of the model, and over all that are not in it (Takabatake and
Akaho, Algorithms 2 and 3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import greedy_mdl as kernels
from boltzcore.kernels.elementwise import atanh_in_double, tanh_in_double
from boltzcore.learners.log_linear.tables import Tables
from boltzcore.models.log_linear import MOST_TERMS
from boltzcore.threads import share
from boltzcore.ticks import Tick

MARGIN = 1e-9  # duals are kept so far from -1 and 1: what never occurs gets a probability of some 1e-9 of its like
_PART = 16_384  # numbers that a thread searches at a time: each part by itself, on any number of threads
_PARTS = 256  # of them between two ticks


@dataclass(frozen=True)
class Step:
    """A greedy step: append, adjust or remove a term.

    term : its index; step : by how much its parameter moves
    kl, change : what the step adds to the KL divergence, and to the whole description, nats per row
    """

    term: int
    step: float
    kl: float
    change: float
    removed: bool = False


def best_step(tables: Tables, theta: Mapping[int, float], prices: kernels.Prices, tick: Tick) -> Step | None:
    """Return the step that shortens the description most, of all terms; None if none shortens it."""
    best = _best_of_present(tables, theta, prices) if theta else None
    if len(theta) == MOST_TERMS:
        return best
    least = best.change if best else 0.0
    rows = tables.dual.size // prices.low.size
    part = max(1, _PART // prices.low.size)
    parts = -(-rows // part)
    places, changes = np.empty(parts, np.int64), np.empty(parts)
    search = partial(kernels.best_of_parts, tables.dual, tables.data, prices, MARGIN, part, least, places, changes)
    for first in range(0, parts, _PARTS):
        tick(0.5 * first / parts)
        share(lambda a, b, first=first: search(first + a, first + b), min(_PARTS, parts - first), 4)  # type: ignore[misc]
    k = int(changes.argmin())
    place = places[[k]]
    if place[0] < 0:
        return best
    data, kl = tables.data[place], np.empty(1)
    near, aim = _inside(tables.dual[place]), _inside(data)
    kernels.kl_changes(near, aim, data, kl)
    step = float((atanh_in_double(aim) - atanh_in_double(near))[0])
    return Step(int(tables.layout.at(place)[0]), step, float(kl[0]), float(changes[k]))


def _best_of_present(tables: Tables, theta: Mapping[int, float], prices: kernels.Prices) -> Step | None:
    """Return the best term of the model to adjust or to remove, None if neither shortens the description."""
    terms, values = np.array(list(theta), np.int64), np.array(list(theta.values()))
    place = tables.layout.place(terms)
    dual, data = _inside(tables.dual[place]), tables.data[place]
    at_0 = atanh_in_double(dual) - values  # eq. 16: the dual is tanh(theta + at_0)
    adjusted = atanh_in_double(_inside(data)) - at_0  # its dual is that of the data
    found = None
    for new, saved in ((adjusted, 0.0), (np.zeros(len(terms)), price_at(prices, place))):
        kl = np.empty(len(terms))
        kernels.kl_changes(dual, _inside(tanh_in_double(new + at_0)), data, kl)
        change = kl - saved
        k = int(change.argmin())
        if change[k] < (found.change if found else 0.0):
            is_removed = new is not adjusted
            found = Step(int(terms[k]), float(new[k] - values[k]), float(kl[k]), float(change[k]), is_removed)
    return found


def price_at(prices: kernels.Prices, place: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the prices of the terms at these places of the kernels' layout."""
    high, low = np.divmod(place, prices.low.size)
    each: NDArray[np.float64] = prices.low[low] + prices.high[high]
    return each


def _inside(dual: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the duals within the margin of -1 and 1."""
    return np.clip(dual, MARGIN - 1, 1 - MARGIN)
