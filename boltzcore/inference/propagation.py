"""Belief propagation in RBMs, and in conditional RBMs for many inputs at once (Ping and Ihler, Algorithm 1)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.beliefs import Beliefs, weights_and_biases
from boltzcore.kernels import dense, elementwise
from boltzcore.kernels import messages as kernels
from boltzcore.kernels.rows import blank
from boltzcore.models import CRBM, RBM
from boltzcore.parameters import whole
from boltzcore.quoting import Refusal, quoted
from boltzcore.threads import CORES, share
from boltzcore.ticks import Tick, idle, portion

KINDS = ("sum", "max", "mixed")
MOST = 100_000  # largest number of iterations
MESSAGES_A_CALL = 60_000_000  # messages up and down in a compiled call: some 20 to 30 ms in the odds form
LARGE = 1_000_000  # messages of one instance beyond which a second thread gains more than it costs to start
PARTS = 4  # parts of a batch with separate sums of pairwise beliefs, so that results do not depend on threads


@dataclass(frozen=True, eq=False)
class Messages:
    """Weights in the form for belief propagation of one kind: built once, for any number of instances.

    Raises Refusal if the kind is not sum, max or mixed.
    """

    form: int
    table: NDArray[np.float32]
    length: int
    n_hidden: int

    @classmethod
    def from_weights(cls, W: NDArray[np.float32], kind: str) -> "Messages":
        """Return the messages over (n_visible, n_hidden) weights."""
        if not isinstance(kind, str) or kind not in KINDS:
            raise Refusal(f"kind must be one of {', '.join(KINDS)}, not {quoted(kind)}.", "kind")
        largest = max(float(W.max()), -float(W.min()))
        table = dense.whole(W)
        if kind == "max":
            form = kernels.LOG_MAX
        elif largest > kernels.ODDS_REACH:
            form = kernels.LOG_SUM if kind == "sum" else kernels.LOG_MIXED
        else:
            form = kernels.SUM if kind == "sum" else kernels.MIXED
            table[:] = elementwise.exp(table)
        length = int(max(1, min(kernels.LONGEST, kernels.BOUND / max(largest, 1e-6))))  # products stay below e**BOUND
        return cls(form, table, length, W.shape[1])

    @property
    def as_odds(self) -> bool:
        """True if messages are odds ratios, False for log-odds."""
        return self.form in (kernels.SUM, kernels.MIXED)

    def edges(self, damping: float) -> kernels.Edges:
        """Return edges for the kernels, with neutral messages."""
        sent = blank(self.table.shape[0], self.n_hidden)
        sent[:] = 1 if self.as_odds else 0
        return kernels.Edges(self.form, self.table, sent, self.length, np.float32(damping))


def instances_of(b: NDArray[np.float32], c: NDArray[np.float32], iterations: int) -> kernels.Instances:
    """Return instances with biases b (n, n_visible) and c (n, n_hidden), before the first iteration."""
    n = len(b)
    b, c = (np.ascontiguousarray(bias, np.float32) for bias in (b, c))
    residuals = np.full((n, iterations), np.nan, np.float32)
    return kernels.Instances(
        b, c, np.empty_like(b), np.empty_like(c), residuals, np.zeros(n, np.int64), np.zeros(n, np.bool_)
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
    """Infer beliefs by belief propagation in an RBM, or in a CRBM given one input x (n_x,) or rows of them (n, n_x).

    iterations : largest number of iterations, each with messages to the visible units and back
    tolerance : an instance has converged and stops when every belief changes by less than this in an iteration
    kind : "sum" for marginals, "max" for the most probable v and h together, "mixed" for the most probable v with the
        hidden units summed out
    damping : share, from 0 to below 1, of the old message in the new one to a hidden unit, as odds; as log-odds for
        "max" and if a weight is beyond 40

    No finite weight makes it overflow (`boltzcore.kernels.messages` explains why). Each thread takes 4 bytes per
    message and 4 per weight, with the hidden units rounded up to a multiple of 32: 160 MB for 10,000 x 2,000.

    Raises Refusal naming the argument, its value and what is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import belief_propagation
    >>> from boltzcore.models import RBM
    >>> beliefs = belief_propagation(RBM(np.ones((2, 1)), np.zeros(2), np.zeros(1)))  # a tree: exact
    >>> [round(float(p), 3) for p in beliefs.v]
    [0.679, 0.679]
    """
    check(iterations, tolerance, damping)
    W, b, c, is_one = weights_and_biases(model, x)
    messages, instances = Messages.from_weights(W, kind), instances_of(b, c, iterations)
    if is_one:
        _run_one(messages, instances, damping, tolerance, tick)
    else:
        run(messages, instances, damping, tolerance, tick=tick)
    *_, v, h, residuals, ran, converged = instances
    found = Beliefs(v, h, residuals[:, : ran.max(initial=0)], converged, ran)
    return found.single() if is_one else found


def run(
    messages: Messages, instances: kernels.Instances, damping: float, tolerance: float, *, tick: Tick = idle
) -> None:
    """Propagate in all instances, in place, on all threads."""
    n, iterations = instances.residuals.shape
    dear = messages.table.size * iterations
    if dear > MESSAGES_A_CALL:
        for k in range(n):
            one = kernels.Instances._make(array[k : k + 1] for array in instances)
            _run_one(messages, one, damping, tolerance, portion(tick, k / n, 1 / n))
        return
    at_once = max(1, MESSAGES_A_CALL // dear)
    for first in range(0, n, at_once * CORES):
        tick(first / n)

        def work(low: int, high: int, first: int = first) -> None:
            edges = messages.edges(damping)
            kernels.propagate(edges, instances, np.float32(tolerance), first + low, first + high, None)

        share(work, min(n - first, at_once * CORES), least=1)


def run_with_pairwise(
    messages: Messages, instances: kernels.Instances, damping: float, tolerance: float, *, tick: Tick = idle
) -> NDArray[np.float32]:
    """Call `run` for sum-product, and return the sum over instances of the pairwise beliefs, (n_visible, padded
    n_hidden).

    The visible beliefs become the marginals of the pairwise ones: messages to visible units are recomputed for both.
    """
    n, iterations = instances.residuals.shape
    bounds = [n * k // PARTS for k in range(PARTS + 1)]
    sums = [blank(messages.table.shape[0], messages.n_hidden) for _ in range(PARTS)]
    at_once = max(1, MESSAGES_A_CALL // (messages.table.size * iterations))

    def work(low: int, high: int) -> None:
        for k in range(low, high):
            for first in range(bounds[k], bounds[k + 1], at_once):
                if low == 0:
                    tick(min(1.0, first / max(1, bounds[high])))
                last = min(first + at_once, bounds[k + 1])
                edges = messages.edges(damping)
                kernels.propagate(edges, instances, np.float32(tolerance), first, last, sums[k])

    share(work, PARTS, least=1)
    total = sums[0]
    for more in sums[1:]:
        total += more
    return total


def _run_one(messages: Messages, instances: kernels.Instances, damping: float, tolerance: float, tick: Tick) -> None:
    """Propagate in the first instance, with its visible units divided among threads."""
    b, c, v, h, residuals = (array[0] for array in instances[:5])
    running = Propagation(messages, b, c, v, damping)
    for t in range(len(residuals)):
        tick(t / len(residuals))
        residuals[t] = running.step()
        instances.ran[0] = t + 1
        if residuals[t] < tolerance:
            instances.converged[0] = True
            break
    h[:] = running.hidden.p[: len(c)]


class Propagation:
    """Belief propagation in one instance, one iteration at a time, with its visible units divided among threads.

    edges, visible, hidden : state after the last iteration (`boltzcore.kernels.messages`)
    """

    def __init__(
        self,
        messages: Messages,
        b: NDArray[np.float32],
        c: NDArray[np.float32],
        v: NDArray[np.float32],
        damping: float,
    ) -> None:
        """Start from biases b (n_visible,) and c (n_hidden,); v (n_visible,) is a buffer for the visible beliefs."""
        self.edges, self.visible = messages.edges(damping), kernels.Visible(b, v)
        self.hidden = kernels.Hidden(*(blank(1, messages.n_hidden)[0] for _ in range(3)))
        self._c, width = c, messages.table.shape[1]
        self._parts, self._changes = np.empty((kernels.BLOCKS, width)), np.zeros(kernels.BLOCKS, np.float32)
        self._least = 1 if messages.table.size > LARGE else kernels.BLOCKS
        kernels.begin(b, len(b), v, np.empty_like(v))
        self.hidden.field[: len(c)] = c
        kernels.begin(c, len(c), self.hidden.p, self.hidden.q)

    def step(self) -> float:
        """Take one iteration, messages to the visible units and back; return the largest change of a belief."""
        share(self._work, kernels.BLOCKS, least=self._least)
        return max(float(self._changes.max()), float(kernels.settle(self._c, self._parts, self.hidden)))

    def _work(self, low: int, high: int) -> None:
        self._changes[low:high] = kernels.sweep(self.edges, self.visible, self.hidden, low, high, self._parts)


def check(iterations: int, tolerance: float, damping: float) -> None:
    """Raise Refusal if an argument is out of its bounds."""
    whole("iterations", iterations, 1, MOST)
    for name, value in (("tolerance", tolerance), ("damping", damping)):
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
            raise Refusal(f"{name} must be a number from 0 to 1, not {quoted(value)}.", name)
    if damping == 1:
        raise Refusal("damping must be below 1; with 1 nothing would change.", "damping")
