"""Iterations of an inference, and the terms of a visible unit's log-odds in each of them."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.beliefs import weights_and_biases
from boltzcore.inference.mean_field import update
from boltzcore.inference.propagation import Messages, Propagation
from boltzcore.inference.spec import KINDS, Inference
from boltzcore.kernels import dense
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.messages import BOUND
from boltzcore.models import CRBM, RBM
from boltzcore.quoting import Refusal


class VisibleTerms(NamedTuple):
    """Terms of a visible unit's log-odds.

    bias : its own bias
    own, others : contributions of its own input and of all others; own is None if the input is no image of the visible
        units, both are if the model has no input
    messages : (iterations, n_hidden) from the hidden units, as used for the belief of that iteration
    """

    bias: float
    own: float | None
    others: float | None
    messages: NDArray[np.float64]


class Iteration(NamedTuple):
    """One iteration, and its messages over some edges.

    v : (n_visible,) beliefs of visible units after it
    to_visible : log-odds of its messages to visible units
    change : the largest change of a belief
    """

    v: NDArray[np.float32]
    to_visible: NDArray[np.float64]
    change: float


Edges = tuple[Any, Any]  # index into a matrix (n_visible, n_hidden)


class History:
    """Inference in an RBM, or in a CRBM given one input, iteration by iteration.

    Messages are not stored: each query runs the inference again, with the same kernels. Raises the same exceptions as
    `Inference.infer`, and Refusal for rows of inputs.

    b, c : (n_visible,) and (n_hidden,) float32 biases, given the input
    v : (iterations, n_visible) float32, beliefs of visible units after each of the `iterations` that were run
    start : (n_visible,) float32, beliefs before the first iteration, from the biases alone
    passes : True if messages are passed; in mean field a hidden unit adds its mean times its weights
    kept : the damping of mean field, the share of the previous belief in a belief, the rest being the sigmoid of the
        sum; 0 for belief propagation, which only damps messages to hidden units
    """

    def __init__(self, model: RBM | CRBM, inference: Inference, x: ArrayLike | None = None) -> None:
        _, b, c, is_one = weights_and_biases(model, x)
        if not is_one:
            raise Refusal("x must be one input, not rows of them.", "x")
        self.model, self.inference, self.x, self.b, self.c = model, inference, x, b[0], c[0]
        self.passes = inference.kind in KINDS
        self.kept = 0.0 if self.passes else inference.damping
        self.start = sigmoid(self.b)
        self.v = np.array([each.v for each in self._replay(np.index_exp[:0, :0])])
        self.iterations = len(self.v)

    def visible(self, i: int) -> VisibleTerms:
        """Return the terms of visible unit i."""
        bias, own, others = float(self.b[i]), None, None
        if isinstance(self.model, CRBM):
            total, bias = bias, float(self.model.b_v[i])
            if self.model.n_x == self.model.n_visible:
                own = float(self.model.W_vx[i, i]) * float(np.asarray(self.x)[i])
            others = total - bias - (own or 0.0)  # with the rounding of the sum
        return VisibleTerms(bias, own, others, np.array([each.to_visible for each in self._replay(np.index_exp[i, :])]))

    def messages(self, at: int) -> NDArray[np.float64]:
        """Return the messages to visible units in iteration `at`, from 1 on, (n_visible, n_hidden)."""
        return next(islice(self._replay(np.index_exp[:, :]), at - 1, None)).to_visible

    def _replay(self, edges: Edges) -> Iterator[Iteration]:
        """Run the inference again and yield each iteration.

        Messages are computed and rounded as in the kernels, so that those to a visible unit add up to its belief.
        """
        run = self._propagate if self.passes else self._average
        for each in islice(run(edges), self.inference.iterations):
            yield each
            if each.change < self.inference.tolerance:
                return

    def _propagate(self, edges: Edges) -> Iterator[Iteration]:
        kind, W, n_hidden = KINDS[self.inference.kind], self.model.W[edges], len(self.c)
        messages = Messages.from_weights(self.model.W, kind)
        running = Propagation(messages, self.b, self.c, np.empty_like(self.b), self.inference.damping)
        while True:
            field, received = running.hidden.field[:n_hidden].copy(), running.edges.sent[:, :n_hidden][edges].copy()
            change = running.step()
            if messages.as_odds:
                field, received = np.clip(field, -BOUND, BOUND).astype(np.float64), np.log(received, dtype=np.float64)
            to_visible = message_to_visible(W, field[edges[1]] - received, kind)
            yield Iteration(running.visible.v.copy(), to_visible.astype(np.float64), change)

    def _average(self, edges: Edges) -> Iterator[Iteration]:
        W, right, back = self.model.W[edges], dense.whole(self.model.W), dense.whole(self.model.W.T)
        b, c, v, kept = self.b[None], self.c[None], sigmoid(self.b[None]), np.float32(self.inference.damping)
        h = sigmoid(dense.product(v, right, c))
        while True:
            before_v, before_h = v, h
            v, h = update(right, back, b, c, v, h, kept)
            change = max(np.abs(v - before_v).max(), np.abs(h - before_h).max())
            to_visible = W * before_h[0][edges[1]].astype(np.float64)
            yield Iteration(v[0], to_visible, change)


def message_to_visible(W: NDArray, cavity: NDArray, kind: str) -> NDArray:
    """Return log-odds of messages to visible units over weights W from hidden units whose other messages and bias have
    the log-odds `cavity`: summed over their two values or, for "max", maximised.
    """
    message = np.maximum(W + cavity, 0) - np.maximum(cavity, 0)
    if kind != "max":
        message += np.log1p(np.exp(-np.abs(W + cavity))) - np.log1p(np.exp(-np.abs(cavity)))
    return message
