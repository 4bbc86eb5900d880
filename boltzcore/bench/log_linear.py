"""The greedy search of a log-linear model against the paper's loop: a transform, a search and an update of p a step."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boltzcore.bench.rows import SAME, Row, Work
from boltzcore.data import load
from boltzcore.data.examples import Examples
from boltzcore.learners import GreedyMDL
from boltzcore.learners.log_linear.greedy import MARGIN
from boltzcore.models import LogLinear, LogLinearSetup
from boltzcore.models.spectrum import Layout
from boltzcore.reference.greedy_mdl import kl_change


def _paper_search(data: Examples, steps: int) -> dict[int, float]:
    """Return theta after `steps` steps of Takabatake and Akaho's Algorithms 1 to 3: each transforms p, searches the
    best candidate, and updates p.
    """
    n, N = data.n_visible, data.total
    states = np.arange(2**n)
    target = np.bincount(Layout((2,) * n).index(data.v), minlength=2**n) / N
    _transform(target)
    append = _appending(n, N)
    p, theta = np.full(2**n, 1.0 / 2**n), dict[int, float]()
    for _ in range(steps):
        dual = p.copy()
        _transform(dual)
        best, chosen, aim = 0.0, 0, 0.0
        for y, value in theta.items():
            price = float(_price(y, n, N))
            for to, gain in ((target[y], 0.0), (np.tanh(np.arctanh(dual[y]) - value), price)):
                change = float(kl_change(dual[y], to, target[y])) - gain
                if change < best:
                    best, chosen, aim = change, y, float(to)
        if (place := append(dual, target, best)) >= 0:
            chosen, aim = place, min(max(float(target[place]), MARGIN - 1), 1 - MARGIN)
        step = np.arctanh(aim) - np.arctanh(dual[chosen])
        theta[chosen] = theta.get(chosen, 0.0) + float(step)
        p *= np.where(np.bitwise_count(states & chosen) & 1, np.exp(-step), np.exp(step))
        p /= p.sum()
    return theta


def _price(y: NDArray | int, n: int, N: float) -> NDArray[np.float64]:
    """Return the prices of terms for binary columns (eq. 7)."""
    price: NDArray[np.float64] = (math.log(N) / 2 + math.log(n) * np.bitwise_count(y)) / N
    return price


def _transform(table: NDArray[np.float64]) -> None:
    """Apply the Walsh-Hadamard transform, in place."""
    width = 1
    while width < table.size:
        pairs = table.reshape(-1, 2, width)
        lower, upper = pairs[:, 0].copy(), pairs[:, 1]
        pairs[:, 0] += upper
        np.subtract(lower, upper, out=upper)
        width *= 2


def _appending(n: int, N: float) -> Callable[[NDArray, NDArray, float], int]:
    """Return a function (duals of the model, of the data, best change so far) -> the best term to append, or -1: eq. 20
    for candidates whose bound, eq. 21, can beat the one of the lowest bound.
    """
    prices = _price(np.arange(2**n), n, N)

    def append_term(dual: NDArray, target: NDArray, best: float) -> int:
        bound = np.full(dual.size, np.inf)  # also excludes the constant term
        bound[1:] = prices[1:] - (dual[1:] - target[1:]) ** 2 / (1 - dual[1:] ** 2)

        def changes(y: NDArray) -> NDArray[np.float64]:
            aim = np.clip(target[y], MARGIN - 1, 1 - MARGIN)
            return kl_change(dual[y], aim, aim) + prices[y]

        first = changes(np.array([bound.argmin()]))[0]
        hopeful = np.flatnonzero(bound <= min(best, first))
        each = changes(hopeful)
        return int(hopeful[each.argmin()]) if len(each) and each.min() < best else -1

    return append_term


def _greedy() -> tuple[Work, Work]:
    steps, data = 100, load("bayes-net", n=100_000).train
    data.distinct()  # distinct rows are cached, which is not part of the paper's loop
    learner = GreedyMDL()
    model = LogLinearSetup().initial(data, seed=0)

    def ours() -> LogLinear:
        found: LogLinear = learner.advance(learner.start(model, data, seed=0), data, updates=steps).model
        return found

    theta, other = ours().theta, _paper_search(data, steps)
    if theta.keys() != other.keys() or max(abs(theta[y] - other[y]) for y in theta) > SAME:
        raise ValueError("Both searches must buy the same terms: their times say nothing.")
    return ours, lambda: _paper_search(data, steps)


ROWS = {
    "greedy_mdl": Row(
        "Greedy MDL, 2^20 states, 100,000 rows: 100 steps, against the paper's loop in float64 numpy", 10.0, 5, _greedy
    ),
}
