"""Belief propagation in RBMs, and in conditional ones for many inputs at once (Ping and Ihler, section 5, Algorithm
1).
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.beliefs import Beliefs, instances
from boltzcore.kernels import elementwise
from boltzcore.kernels import messages as kernels
from boltzcore.kernels.rows import blank
from boltzcore.models import CRBM, RBM
from boltzcore.parameters import whole
from boltzcore.threads import CORES, share
from boltzcore.ticks import Tick, idle

KINDS = ("sum", "max", "mixed")
MOST = 100_000  # iterations
CALL = 60_000_000  # messages up and down in one compiled call, some 20 to 30 ms in the odds form
LARGE = 1_000_000  # messages of one instance beyond which a second thread gains more than its waking costs
PARTS = 4  # of a batch whose pairwise beliefs are summed: each has a sum of its own, so that threads change no number


@dataclass(frozen=True, eq=False)
class Messages:
    """The weights as belief propagation of one kind wants them: made once, for any number of instances.

    Raises ValueError for a kind that is not sum, max or mixed.
    """

    form: int
    table: NDArray[np.float32]
    length: int
    n_hidden: int

    @classmethod
    def of(cls, W: NDArray[np.float32], kind: str) -> "Messages":
        """Of (n_visible, n_hidden) weights."""
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
        largest = max(float(W.max()), -float(W.min()))
        table = blank(*W.shape)
        table[:, : W.shape[1]] = W
        if kind == "max":
            form = kernels.LOG_MAX
        elif largest > kernels.ODDS_REACH:
            form = kernels.LOG_SUM if kind == "sum" else kernels.LOG_MIXED
        else:
            form = kernels.SUM if kind == "sum" else kernels.MIXED
            table[:] = elementwise.exp(table)
        return cls(form, table, kernels.length_of_products(largest), W.shape[1])

    @property
    def as_odds(self) -> bool:
        """Whether messages are odds ratios, not log-odds."""
        return self.form in (kernels.SUM, kernels.MIXED)


@dataclass(frozen=True, eq=False)
class Batch:
    """Where the instances of a batch stand: biases, beliefs, residuals, iterations run and whether they converged."""

    b: NDArray[np.float32]
    c: NDArray[np.float32]
    v: NDArray[np.float32]
    h: NDArray[np.float32]
    residuals: NDArray[np.float32]
    ran: NDArray[np.int64]
    converged: NDArray[np.bool_]

    @classmethod
    def of(cls, b: NDArray[np.float32], c: NDArray[np.float32], iterations: int) -> "Batch":
        """Of instances with visible biases b (n, n_visible) and hidden biases c (n, n_hidden), before the first
        iteration.
        """
        n = len(b)
        b, c = (np.ascontiguousarray(bias, np.float32) for bias in (b, c))
        return cls(
            b,
            c,
            np.empty_like(b),
            np.empty_like(c),
            np.full((n, iterations), np.nan, np.float32),
            np.zeros(n, np.int64),
            np.zeros(n, np.bool_),
        )

    def only(self, k: int) -> "Batch":
        """Views of one instance."""
        one = slice(k, k + 1)
        return Batch(
            self.b[one], self.c[one], self.v[one], self.h[one], self.residuals[one], self.ran[one], self.converged[one]
        )


def belief_propagation(
    model: RBM | CRBM,
    x: ArrayLike | None = None,
    *,
    iterations: int = 50,
    tolerance: float = 1e-3,
    kind: str = "sum",
    damping: float = 0.0,
    tick: Tick = idle,
) -> Beliefs:
    """Beliefs of an RBM, or of a CRBM given one input x (n_x,) or rows of them (n, n_x).

    iterations : at most so many, each of messages to the visible units and back
    tolerance : an instance has converged, and stops, when no belief changes by as much
    kind : "sum" (marginals), "max" (the most probable v and h together), "mixed" (the most probable v, hidden units
        summed out)
    damping : share, from 0 to below 1, of an old message in the new one to a hidden unit (of their odds; for "max" and
        weights beyond 40 of their log-odds)

    Safe for any finite weights (`boltzcore.kernels.messages` says how overflow is excluded). Memory: 4 bytes a message
    and 4 a weight, both rounded up to 32 hidden units, for each thread; 160 MB for 10,000 x 2,000.
    Raises ValueError naming the argument, its value and what is allowed.
    """
    check(iterations, tolerance, damping)
    W, b, c, one = instances(model, x)
    messages, batch = Messages.of(W, kind), Batch.of(b, c, iterations)
    if one:
        room = _run_one(messages, batch, damping, tolerance, tick)
        rbm = model if isinstance(model, RBM) else RBM(W, b[0], c[0])
        ran = int(batch.ran[0])
        return Beliefs(
            batch.v[0],
            batch.h[0],
            batch.residuals[0, :ran],
            bool(batch.converged[0]),
            ran,
            kind,
            rbm,
            room,
            messages.as_odds,
        )
    run(messages, batch, damping, tolerance, tick=tick)
    return Beliefs(batch.v, batch.h, batch.residuals[:, : batch.ran.max(initial=0)], batch.converged, batch.ran, kind)


def run(messages: Messages, batch: Batch, damping: float, tolerance: float, *, tick: Tick = idle) -> None:
    """Propagate in all instances of a batch, in place, shared among threads."""
    n, iterations = batch.residuals.shape
    dear = messages.table.size * iterations
    if dear > CALL:
        for k in range(n):
            _run_one(messages, batch.only(k), damping, tolerance, partial(_of_many, tick, k, n))
        return
    at_once = max(1, CALL // dear)
    for first in range(0, n, at_once * CORES):
        tick(first / n)
        last = min(n, first + at_once * CORES)
        share(partial(_propagate_from, messages, batch, damping, tolerance, first), last - first, least=1)


def _of_many(tick: Tick, k: int, n: int, fraction: float) -> None:
    tick((k + fraction) / n)


def run_with_pairwise(
    messages: Messages, batch: Batch, damping: float, tolerance: float, *, tick: Tick = idle
) -> NDArray[np.float32]:
    """`run` for sum-product, and the sum over instances of the pairwise beliefs, (n_visible, padded n_hidden).

    The visible beliefs are left as the marginals of the pairwise ones: messages to visible units are made anew for
    both.
    """
    n = len(batch.b)
    bounds = [n * k // PARTS for k in range(PARTS + 1)]
    sums = [blank(messages.table.shape[0], messages.n_hidden) for _ in range(PARTS)]
    at_once = max(1, CALL // (messages.table.size * batch.residuals.shape[1]))

    def work(low: int, high: int) -> None:
        for part in range(low, high):
            for first in range(bounds[part], bounds[part + 1], at_once):
                if low == 0:
                    tick(min(1.0, (first - bounds[0]) / max(1, bounds[high])))
                _propagate(
                    messages, batch, damping, tolerance, first, min(first + at_once, bounds[part + 1]), sums[part]
                )

    share(work, PARTS, least=1)
    total = sums[0]
    for part in sums[1:]:
        total += part
    return total


def _propagate_from(
    messages: Messages, batch: Batch, damping: float, tolerance: float, begin: int, first: int, last: int
) -> None:
    _propagate(messages, batch, damping, tolerance, begin + first, begin + last, None)


def _propagate(
    messages: Messages,
    batch: Batch,
    damping: float,
    tolerance: float,
    first: int,
    last: int,
    sums: NDArray[np.float32] | None,
) -> None:
    kernels.propagate(
        messages.form,
        messages.table,
        blank(messages.table.shape[0], messages.n_hidden),
        messages.length,
        batch.b,
        batch.c,
        np.float32(damping),
        batch.residuals.shape[1],
        np.float32(tolerance),
        first,
        last,
        batch.v,
        batch.h,
        batch.residuals,
        batch.ran,
        batch.converged,
        sums,
    )


def _run_one(messages: Messages, batch: Batch, damping: float, tolerance: float, tick: Tick) -> NDArray[np.float32]:
    """Propagate in the one instance of a batch, its visible units shared among threads; returns the messages to hidden
    units.
    """
    n_visible, width = messages.table.shape
    iterations = batch.residuals.shape[1]
    room = blank(n_visible, messages.n_hidden)
    room[:] = 1 if messages.as_odds else 0
    v, c = batch.v[0], batch.c[0]
    kernels.begin(batch.b[0], n_visible, v, np.empty_like(v))
    field, p, q = (blank(1, messages.n_hidden)[0] for _ in range(3))
    field[: len(c)] = c
    kernels.begin(c, len(c), p, q)
    parts, changes = np.empty((kernels.BLOCKS, width)), np.zeros(kernels.BLOCKS, np.float32)
    bounds = [n_visible * block // kernels.BLOCKS for block in range(kernels.BLOCKS + 1)]
    how = messages.form, messages.table, room

    def work(low: int, high: int) -> None:
        for block in range(low, high):
            rows = bounds[block], bounds[block + 1], messages.length
            changes[block] = kernels.sweep(*how, *rows, batch.b[0], field, p, q, np.float32(damping), v, parts[block])

    for t in range(iterations):
        tick(t / iterations)
        share(work, kernels.BLOCKS, least=1 if messages.table.size > LARGE else kernels.BLOCKS)
        batch.residuals[0, t] = max(float(changes.max()), float(kernels.settle(c, parts, field, p, q)))
        batch.ran[0] = t + 1
        if batch.residuals[0, t] < tolerance:
            batch.converged[0] = True
            break
    batch.h[0] = p[: len(c)]
    return room


def check(iterations: int, tolerance: float, damping: float) -> None:
    """ValueError naming the argument that is out of its bounds."""
    whole("iterations", iterations, 1, MOST)
    _check_number("tolerance", tolerance)
    _check_number("damping", damping)
    if damping == 1:
        raise ValueError("damping must be below 1: nothing would ever change.")


def _check_number(name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, not {value!r}.")
