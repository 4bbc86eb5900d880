"""The greedy search of a log-linear model against the paper's loop: a transform, a search and an update of p a step."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boltzcore.bench.rows import SAME, Row, Work
from boltzcore.data import load
from boltzcore.data.examples import Examples
from boltzcore.kernels import greedy_mdl as kernels
from boltzcore.kernels import kernel
from boltzcore.learners import GreedyMDL
from boltzcore.learners.log_linear.steps import MARGIN
from boltzcore.models import LogLinear, LogLinearSetup, spectrum
from boltzcore.models.spectrum import Layout

Append = Callable[[NDArray, NDArray, float], int]


def _paper_search(data: Examples, steps: int, transform: Callable[[NDArray], None], append: Append) -> dict[int, float]:
    """Theta after so many steps of Takabatake and Akaho's Algorithms 1 to 3: each transforms p, looks for the best
    candidate, and updates p.

    append : (duals of the model, of the data, best change so far) -> the term that is best to append, or -1
    """
    n, N = data.n_visible, data.total
    states = np.arange(2**n)
    target = np.bincount(Layout((2,) * n).index(data.v), minlength=2**n) / N
    transform(target)
    p, theta = np.full(2**n, 1.0 / 2**n), dict[int, float]()
    for _ in range(steps):
        dual = p.copy()
        transform(dual)
        best, chosen, aim = 0.0, 0, 0.0
        for y, value in theta.items():
            price = float(_price(y, n, N))
            for to, gain in ((target[y], 0.0), (np.tanh(np.arctanh(dual[y]) - value), price)):
                change = float(_kl_change(dual[y], to, target[y])) - gain
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
    """Eq. 7 for two-valued columns."""
    price: NDArray[np.float64] = (math.log(N) / 2 + math.log(n) * np.bitwise_count(y)) / N
    return price


def _kl_change(dual: NDArray, to: NDArray, target: NDArray) -> NDArray[np.float64]:
    """Eq. 19: KL(data || model) after minus before."""
    change: NDArray[np.float64] = 0.5 * (
        (1 + target) * np.log((1 + dual) / (1 + to)) + (1 - target) * np.log((1 - dual) / (1 - to))
    )
    return change


def _numpy_transform(table: NDArray[np.float64]) -> None:
    """Walsh-Hadamard, in place."""
    width = 1
    while width < table.size:
        pairs = table.reshape(-1, 2, width)
        lower, upper = pairs[:, 0].copy(), pairs[:, 1]
        pairs[:, 0] += upper
        np.subtract(lower, upper, out=upper)
        width *= 2


def _numpy_append(n: int, N: float) -> Append:
    """Eq. 20 where the bound, eq. 21, lets a candidate win over the one of the lowest bound."""
    prices = _price(np.arange(2**n), n, N)

    def append(dual: NDArray, target: NDArray, best: float) -> int:
        bound = np.full(dual.size, np.inf)  # of the constant term, too
        bound[1:] = prices[1:] - (dual[1:] - target[1:]) ** 2 / (1 - dual[1:] ** 2)

        def changes(y: NDArray) -> NDArray[np.float64]:
            aim = np.clip(target[y], MARGIN - 1, 1 - MARGIN)
            return _kl_change(dual[y], aim, aim) + prices[y]

        first = changes(np.array([bound.argmin()]))[0]
        hopeful = np.flatnonzero(bound <= min(best, first))
        each = changes(hopeful)
        return int(hopeful[each.argmin()]) if len(each) and each.min() < best else -1

    return append


def _own_append(n: int, N: float) -> Append:
    """The learner's own search."""
    low = 2**12
    order = np.bitwise_count(np.arange(2**n)).astype(np.int64)
    high = math.log(n) / N * order[::low].astype(np.float64)
    prices = kernels.Prices(_price(np.arange(low), n, N), high, order[:low], order[::low], n, 0.0)
    return lambda dual, target, best: kernels.best_to_append(dual, target, prices, MARGIN, 0, 2**n // low, best)[0]


@kernel
def _transcribed_transform(table: NDArray) -> None:
    width = 1
    while width < table.size:
        for block in range(0, table.size, 2 * width):
            for i in range(block, block + width):
                x, y = table[i], table[i + width]
                table[i], table[i + width] = x + y, x - y
        width *= 2


@kernel
def _transcribed_change(dual: float, to: float, target: float) -> float:
    change = 0.0
    if target > -1.0:
        change += 0.5 * (1.0 + target) * math.log((1.0 + dual) / (1.0 + to))
    if target < 1.0:
        change += 0.5 * (1.0 - target) * math.log((1.0 - dual) / (1.0 - to))
    return change


@kernel
def _transcribed_search(p: NDArray, target: NDArray, price: NDArray, margin: float, steps: int) -> NDArray:
    """Theta of every term after Algorithm 1 as it stands, with the four tables of section 2.2.6; p is changed."""
    theta, dual = np.zeros(p.size), np.empty(p.size)
    for _ in range(steps):
        dual[:] = p
        _transcribed_transform(dual)
        best, chosen, new = 0.0, 0, 0.0
        for y in range(1, p.size):  # Algorithm 2
            aim = min(max(target[y], margin - 1.0), 1.0 - margin)
            if theta[y] == 0.0:
                apart = dual[y] - target[y]
                if price[y] - apart * apart / (1.0 - dual[y] * dual[y]) < best:
                    change = _transcribed_change(dual[y], aim, target[y]) + price[y]
                    if change < best:
                        best, chosen, new = change, y, math.atanh(aim) - math.atanh(dual[y])
                continue
            change = _transcribed_change(dual[y], aim, target[y])
            if change < best:
                best, chosen, new = change, y, theta[y] + math.atanh(aim) - math.atanh(dual[y])
            without = math.tanh(math.atanh(dual[y]) - theta[y])
            change = _transcribed_change(dual[y], without, target[y]) - price[y]
            if change < best:
                best, chosen, new = change, y, 0.0
        plus, total = math.exp(new - theta[chosen]), 0.0  # Algorithm 3
        minus, theta[chosen] = 1.0 / plus, new
        for x in range(p.size):
            parity, bit = x & chosen, 32
            while bit > 0:
                parity ^= parity >> bit
                bit >>= 1
            p[x] *= minus if parity & 1 else plus
            total += p[x]
        for x in range(p.size):
            p[x] /= total
    return theta


def _transcribed(data: Examples, steps: int) -> dict[int, float]:
    """As `_paper_search`, all of it compiled like our own kernels."""
    n, N = data.n_visible, data.total
    target = np.bincount(Layout((2,) * n).index(data.v), minlength=2**n) / N
    _transcribed_transform(target)
    p = np.full(2**n, 1.0 / 2**n)
    theta = _transcribed_search(p, target, _price(np.arange(2**n), n, N), MARGIN, steps)
    return {int(y): float(theta[y]) for y in np.flatnonzero(theta)}


def _in_numpy(data: Examples, steps: int) -> dict[int, float]:
    return _paper_search(data, steps, _numpy_transform, _numpy_append(data.n_visible, data.total))


def _with_ours(data: Examples, steps: int) -> dict[int, float]:
    transform = partial(spectrum.expectations, Layout((2,) * data.n_visible))
    return _paper_search(data, steps, transform, _own_append(data.n_visible, data.total))


def _greedy(baseline: Callable[[Examples, int], dict[int, float]]) -> tuple[Work, Work]:
    steps, data = 100, load("bayes-net", n=100_000).train
    data.distinct()  # distinct rows are found once, and not by the paper's loop
    learner = GreedyMDL()
    model = LogLinearSetup().initial(data, seed=0)

    def ours() -> LogLinear:
        found: LogLinear = learner.advance(learner.start(model, data, seed=0), data, updates=steps).model
        return found

    theta, other = ours().theta, baseline(data, steps)
    if theta.keys() != other.keys() or max(abs(theta[y] - other[y]) for y in theta) > SAME:
        raise ValueError("Both searches must buy the same terms: their times say nothing.")
    return ours, lambda: baseline(data, steps)


_TITLE = "Greedy MDL, 2^20 states, 100,000 rows: 100 steps, against the paper's loop"
ROWS = {
    "greedy_mdl": Row(f"{_TITLE} in float64 numpy", 10.0, 5, partial(_greedy, _in_numpy)),
    "greedy_mdl_compiled": Row(f"{_TITLE} as it stands, compiled as ours is", 10.0, 5, partial(_greedy, _transcribed)),
    "greedy_mdl_transform": Row(f"{_TITLE} with our transform and search", 3.0, 9, partial(_greedy, _with_ours)),
}
