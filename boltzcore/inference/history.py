"""Iterations of an inference, and the terms that add up to the log-odds of a unit in each of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
from boltzcore.parameters import Refusal


class VisibleTerms(NamedTuple):
    """The terms of a visible unit's log-odds.

    bias : its own
    own, others : weights from its own input and from all others; own is None if the input is no picture of the visible
        units, both are if the model takes none
    messages : (iterations, n_hidden) from the hidden units, as they made the belief of that iteration
    """

    bias: float
    own: float | None
    others: float | None
    messages: NDArray[np.float64]


class HiddenTerms(NamedTuple):
    """The terms of a hidden unit's log-odds in one iteration, and its messages.

    bias : its own; inputs : weights from the input, None if the model takes none
    p : the belief that it is on; for mean field with damping not the sigmoid of the sum
    heard : (n_visible,) messages from visible units of the iteration before; 0 in the first of belief propagation
    said : (n_visible,) messages to visible units; of belief propagation each is made of the messages of all others
    """

    bias: float
    inputs: float | None
    p: float
    heard: NDArray[np.float64]
    said: NDArray[np.float64]


class Iteration(NamedTuple):
    """One iteration.

    v : (n_visible,) beliefs of visible units after it
    hidden : (n_hidden,) log-odds of hidden units before it; for mean field probabilities
    sent : (n_visible, n_hidden) messages to hidden units before it, log-odds or, if `as_odds`, odds ratios
    change : the largest of a belief
    """

    v: NDArray[np.float32]
    hidden: NDArray[np.float32]
    sent: NDArray
    as_odds: bool
    change: float


@dataclass(frozen=True, eq=False)
class History:
    """Inference in an RBM, or in a CRBM given one input, iteration by iteration.

    Messages are not stored: each question runs the inference again, by the same kernels.

    v : (iterations, n_visible) float32, beliefs of visible units after each iteration

    >>> import numpy as np
    >>> from boltzcore.inference import History, Inference
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.array([[2.0], [-2.0]]), np.zeros(2), np.zeros(1))
    >>> history = History.from_inference(rbm, Inference(iterations=5, tolerance=0.0))
    >>> history.iterations, (history.v[-1] > 0.5).tolist()
    (5, [True, False])
    """

    model: RBM | CRBM
    x: ArrayLike | None
    inference: Inference
    b: NDArray[np.float32]
    c: NDArray[np.float32]
    v: NDArray[np.float32]

    @staticmethod
    def from_inference(model: RBM | CRBM, inference: Inference, x: ArrayLike | None = None) -> "History":
        """Run an inference as `Inference.infer` does. Raises what that raises, and Refusal for rows of inputs."""
        _, b, c, is_one = weights_and_biases(model, x)
        if not is_one:
            raise Refusal("x must be one input, not rows of them.", "x")
        history = History(model, x, inference, b[0], c[0], np.empty((0, b.shape[1]), np.float32))
        return replace(history, v=np.array([each.v for each in history.replay()]))

    @property
    def iterations(self) -> int:
        """The number of iterations that were run."""
        return len(self.v)

    @property
    def start(self) -> NDArray[np.float32]:
        """(n_visible,) beliefs of visible units before the first iteration, from their biases alone."""
        return sigmoid(self.b)

    @property
    def passes(self) -> bool:
        """True if messages are passed. In mean field a hidden unit adds its mean times its weights."""
        return self.inference.kind in KINDS

    @property
    def kept(self) -> float:
        """The share of the belief before in the one shown, the rest being the sigmoid of the sum: the damping of mean
        field. Belief propagation damps messages to hidden units alone: 0.
        """
        return 0.0 if self.passes else self.inference.damping

    def visible(self, i: int) -> VisibleTerms:
        """Return the terms of visible unit i."""
        bias, own, others = float(self.b[i]), None, None
        if isinstance(self.model, CRBM):
            total, bias = bias, float(self.model.b_v[i])
            if self.model.n_x == self.model.n_visible:
                own = float(self.model.W_vx[i, i]) * float(np.asarray(self.x)[i])
            others = total - bias - (own or 0.0)  # as it was summed, to the last digit
        at = np.index_exp[i, :]
        return VisibleTerms(bias, own, others, np.array([self._messages(each, at)[0] for each in self.replay()]))

    def unit(self, j: int, at: int) -> HiddenTerms:
        """Return the terms and messages of hidden unit j in iteration `at`, from 1 on."""
        bias, inputs = float(self.c[j]), None
        if isinstance(self.model, CRBM):
            bias, inputs = float(self.model.b_h[j]), float(self.c[j]) - float(self.model.b_h[j])
        iteration = self._iteration(at)
        said, heard = self._messages(iteration, np.index_exp[:, j])
        p = sigmoid(iteration.hidden[j : j + 1]) if self.passes else iteration.hidden[j : j + 1]
        return HiddenTerms(bias, inputs, float(p[0]), heard, said)

    def said(self, at: int) -> NDArray[np.float64]:
        """(n_visible, n_hidden) messages to visible units in iteration `at`, from 1 on."""
        return self._messages(self._iteration(at), np.index_exp[:, :])[0]

    def replay(self) -> Iterator[Iteration]:
        """Run the inference again and yield each iteration."""
        for each in islice(self._propagate() if self.passes else self._average(), self.inference.iterations):
            yield each
            if each.change < self.inference.tolerance:
                return

    def _iteration(self, at: int) -> Iteration:
        return next(islice(self.replay(), at - 1, None))

    def _messages(self, iteration: Iteration, at: tuple[Any, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return messages to visible units and from them, over the edges `at`, as log-odds.

        They are made and rounded as in the kernels, so that those to a visible unit add up to its belief.
        """
        W, sent, hidden = self.model.W[at], iteration.sent[at], iteration.hidden[at[1]]
        if not self.passes:
            return W * hidden.astype(np.float64), sent
        if iteration.as_odds:
            hidden, sent = np.clip(hidden, -BOUND, BOUND).astype(np.float64), np.log(sent, dtype=np.float64)
        said = message_to_visible(W, hidden - sent, KINDS[self.inference.kind])
        return said.astype(np.float64), sent.astype(np.float64)

    def _propagate(self) -> Iterator[Iteration]:
        n_hidden = len(self.c)
        messages = Messages.from_weights(self.model.W, KINDS[self.inference.kind])
        running = Propagation(messages, self.b, self.c, np.empty_like(self.b), self.inference.damping)
        while True:
            hidden, sent = running.hidden.field[:n_hidden].copy(), running.edges.sent[:, :n_hidden].copy()
            change = running.step()
            yield Iteration(running.visible.v.copy(), hidden, sent, messages.as_odds, change)

    def _average(self) -> Iterator[Iteration]:
        right, back, kept = dense.whole(self.model.W), dense.whole(self.model.W.T), np.float32(self.inference.damping)
        b, c, v = self.b[None], self.c[None], sigmoid(self.b[None])
        h = sigmoid(dense.product(v, right, c))
        while True:
            before_v, before_h = v, h
            v, h = update(right, back, b, c, v, h, kept)
            change = max(np.abs(v - before_v).max(), np.abs(h - before_h).max())
            yield Iteration(v[0], before_h[0], self.model.W * before_v.T.astype(np.float64), False, change)


def message_to_visible(W: NDArray, cavity: NDArray, kind: str) -> NDArray:
    """Return log-odds of messages to visible units over weights W from hidden units whose other messages and bias have
    the log-odds `cavity`: summed over their two values or, for "max", of the better one.
    """
    message = np.maximum(W + cavity, 0) - np.maximum(cavity, 0)
    if kind != "max":
        message += np.log1p(np.exp(-np.abs(W + cavity))) - np.log1p(np.exp(-np.abs(cavity)))
    return message
