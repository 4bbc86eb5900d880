"""Inference as it went, and why: the terms that add up to the log-odds of a unit, in each of its iterations."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.beliefs import through, weights_and_biases
from boltzcore.inference.mean_field import update
from boltzcore.inference.propagation import Messages, Propagation
from boltzcore.inference.spec import KINDS, Inference
from boltzcore.kernels import dense
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.messages import BOUND
from boltzcore.models import CRBM, RBM
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True, eq=False)
class VisibleTerms:
    """The messages to a visible unit, in log-odds, iteration by iteration.

    bias : its own
    own, others : of the input, what its own place says and what all others say; own is None where the input is no
        picture of the visible units, both are where the model takes none
    messages : (iterations, n_hidden) of the hidden units, as they made the belief of that iteration
    log_odds : (iterations,) the sum of all these
    p : (iterations,) float32, the belief shown: sigmoid(log_odds), but for mean field with damping (`History.kept`)

    >>> import numpy as np
    >>> from boltzcore.inference import History, Inference
    >>> from boltzcore.models import CRBM
    >>> crbm = CRBM(np.ones((2, 1)), 4 * np.eye(2), np.zeros((1, 2)), np.full(2, -2.0), np.zeros(1))
    >>> terms = History.from_inference(crbm, Inference(), [1, 0]).visible(0)
    >>> terms.bias, terms.own, bool(terms.messages[-1, 0] > 0)
    (-2.0, 4.0, True)
    """

    bias: float
    own: float | None
    others: float | None
    messages: NDArray[np.float64]
    p: NDArray[np.float32]

    @cached_property
    def log_odds(self) -> NDArray[np.float64]:
        return self.bias + (self.own or 0.0) + (self.others or 0.0) + self.messages.sum(axis=1)


@dataclass(frozen=True, eq=False)
class HiddenTerms:
    """The messages to and from a hidden unit, in log-odds, iteration by iteration, of which the beliefs of visible
    units were made.

    bias : its own; inputs : what the whole input says, None where the model takes none
    heard : (iterations, n_visible) from each visible unit, sent in the iteration before; 0 in the first of BP
    log_odds : (iterations,) the sum of these
    p : (iterations,) float32, the belief that it is on; for mean field with damping more than sigmoid(log_odds)
    said : (iterations, n_visible) to each visible unit. Of belief propagation it is made of the messages of all others,
        log_odds - heard: the cavity
    weights : (n_visible,) float32, its weights

    >>> import numpy as np
    >>> from boltzcore.inference import History, Inference
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.array([[2.0], [-2.0]]), np.zeros(2), np.zeros(1))
    >>> terms = History.from_inference(rbm, Inference()).unit(0)
    >>> (terms.said[-1] > 0).tolist()  # for the first visible unit, against the second
    [True, False]
    """

    bias: float
    inputs: float | None
    heard: NDArray[np.float64]
    log_odds: NDArray[np.float64]
    p: NDArray[np.float32]
    said: NDArray[np.float64]
    weights: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Strongest:
    """The terms that say most, iteration by iteration, and all others by their sign.

    places : (iterations, most) which they are, the strongest first; terms : (iterations, most) what they say
    many, rest : (iterations, 2) how many others speak for and against, and what these say together; a term of 0 says
        nothing

    >>> import numpy as np
    >>> from boltzcore.inference import strongest
    >>> found = strongest(np.array([[0.5, -3.0, 1.0, -0.25]]), 2)
    >>> found.many.tolist(), found.rest.tolist()
    ([[1, 1]], [[0.5, -0.25]])
    """

    places: NDArray[np.int64]
    terms: NDArray[np.float64]
    many: NDArray[np.int64]
    rest: NDArray[np.float64]


def strongest(terms: NDArray[np.float64], most: int) -> Strongest:
    """The `most` strongest of terms (iterations, n) in each iteration.

    >>> import numpy as np
    >>> from boltzcore.inference import strongest
    >>> strongest(np.array([[0.5, -3.0, 1.0, -0.25]]), 2).places.tolist()
    [[1, 2]]
    """
    order = np.argsort(-np.abs(terms), axis=1, kind="stable")
    largest, others = (np.take_along_axis(terms, each, axis=1) for each in (order[:, :most], order[:, most:]))
    many = np.stack([(others > 0).sum(axis=1), (others < 0).sum(axis=1)], axis=1)
    rest = np.stack([np.maximum(others, 0).sum(axis=1), np.minimum(others, 0).sum(axis=1)], axis=1)
    return Strongest(order[:, :most], largest, many, rest)


@dataclass(frozen=True, eq=False)
class History(ABC):
    """Inference in an RBM, or in a CRBM given one input, as it went.

    Beliefs are kept, messages are not: they are made anew, by the same kernels, where they are asked for. So it costs
    4 bytes a unit and iteration, and each question as much time as the inference.

    v : (iterations, n_visible) float32, what was believed of visible units after each iteration
    hidden : (iterations, n_hidden) float32, of hidden units before it: log-odds, for mean field probabilities

    >>> import numpy as np
    >>> from boltzcore.inference import History, Inference
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.array([[2.0], [-2.0]]), np.zeros(2), np.zeros(1))
    >>> history = History.from_inference(rbm, Inference(iterations=5, tolerance=0.0))
    >>> history.iterations, (history.v[-1] > 0.5).tolist()
    (5, [True, False])
    """

    model: RBM | CRBM
    x: NDArray[np.float32] | None
    inference: Inference
    b: NDArray[np.float32] = field(repr=False)
    c: NDArray[np.float32] = field(repr=False)
    v: NDArray[np.float32] = field(repr=False)
    hidden: NDArray[np.float32] = field(repr=False)

    @staticmethod
    def from_inference(
        model: RBM | CRBM, inference: Inference, x: ArrayLike | None = None, *, tick: Tick = idle
    ) -> "History":
        """The history of an inference that is run for it, as `Inference.infer` runs it. Raises what that raises."""
        _, (b, *several), (c, *_), one = weights_and_biases(model, x)
        if several or not one:
            raise ValueError("x must be one input, not rows of them.")
        kept = None if x is None else np.asarray(x, np.float32)
        room = np.empty((0, len(b)), np.float32), np.empty((0, len(c)), np.float32)
        history = _Propagated if inference.kind in KINDS else _Averaged
        return history(model, kept, inference, b, c, *room)._run(tick)

    @property
    def iterations(self) -> int:
        """The number of iterations that were run."""
        return len(self.v)

    @property
    def start(self) -> NDArray[np.float32]:
        """(n_visible,) what was believed of visible units before the first iteration: what their biases say."""
        return sigmoid(self.b)

    @property
    def passes(self) -> bool:
        """Whether messages are passed. Mean field passes none: a hidden unit says its mean times its weights."""
        return self.inference.kind in KINDS

    @property
    def kept(self) -> float:
        """The share of the belief before in the one shown, the rest being sigmoid(log_odds): of mean field its
        damping. Belief propagation damps messages to hidden units alone: 0.
        """
        return 0.0

    def visible(self, i: int) -> VisibleTerms:
        """Why visible unit i was believed to be on."""
        bias, own, others = float(self.b[i]), None, None
        if isinstance(self.model, CRBM) and self.x is not None:
            given, bias = bias, float(self.model.b_v[i])
            if self.model.n_x == self.model.n_visible:
                own = float(self.model.W_vx[i, i]) * float(self.x[i])
            others = given - bias - (own or 0.0)  # as it was summed, to the last digit
        return VisibleTerms(bias, own, others, self._to_visible(i), self.v[:, i])

    def unit(self, j: int) -> HiddenTerms:
        """Return the messages to and from hidden unit j."""
        bias, inputs = float(self.c[j]), None
        if isinstance(self.model, CRBM):
            bias, inputs = float(self.model.b_h[j]), float(self.c[j]) - float(self.model.b_h[j])
        return self._of_unit(j, bias, inputs)

    @abstractmethod
    def said(self, at: int) -> NDArray[np.float64]:
        """(n_visible, n_hidden) what all hidden units said to all visible ones in iteration `at`, from 1 on."""

    @abstractmethod
    def _run(self, tick: Tick) -> "History": ...

    @abstractmethod
    def _to_visible(self, i: int) -> NDArray[np.float64]: ...

    @abstractmethod
    def _of_unit(self, j: int, bias: float, inputs: float | None) -> HiddenTerms: ...


def messages_of(
    messages: Messages, kind: str, weights: NDArray[np.float32], hidden: NDArray[np.float32], sent: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(messages to visible units, messages from them), log-odds: as the kernels make and round them, so that the
    former add up to what was believed.

    kind : of propagation; hidden : log-odds of the hidden units; sent : messages from visible units, as the kernels
    keep them
    """
    if messages.as_odds:
        hidden, sent = np.clip(hidden, -BOUND, BOUND).astype(np.float64), np.log(sent, dtype=np.float64)
    return through(weights, hidden - sent, kind).astype(np.float64), sent.astype(np.float64)


class _Propagated(History):
    """Belief propagation."""

    @cached_property
    def _messages(self) -> Messages:
        return Messages.from_weights(self.model.W, KINDS[self.inference.kind])

    def _states(self, count: int) -> Iterator[Propagation]:
        """The propagation before each of the first `count` iterations."""
        running = Propagation(self._messages, self.b, self.c, np.empty_like(self.b), self.inference.damping)
        for t in range(count):
            if t:
                running.step()
            yield running

    def _run(self, tick: Tick) -> History:
        limit, v, hidden = self.inference.iterations, [], []
        running = Propagation(self._messages, self.b, self.c, np.empty_like(self.b), self.inference.damping)
        for t in range(limit):
            tick(t / limit)
            hidden.append(running.hidden.field[: len(self.c)].copy())
            change = running.step()
            v.append(running.visible.v.copy())
            if change < self.inference.tolerance:
                break
        return replace(self, v=np.array(v), hidden=np.array(hidden))

    def said(self, at: int) -> NDArray[np.float64]:
        *_, before = self._states(at)
        return self._messages_between(self.model.W, self.hidden[at - 1], before.edges.sent[:, : len(self.c)])[0]

    def _to_visible(self, i: int) -> NDArray[np.float64]:
        sent = np.array([state.edges.sent[i, : len(self.c)].copy() for state in self._states(self.iterations)])
        return self._messages_between(self.model.W[i], self.hidden, sent)[0]

    def _of_unit(self, j: int, bias: float, inputs: float | None) -> HiddenTerms:
        weights = self.model.W[:, j]
        sent = np.array([state.edges.sent[:, j].copy() for state in self._states(self.iterations)])
        said, heard = self._messages_between(weights, self.hidden[:, [j]], sent)
        p = np.ascontiguousarray(sigmoid(self.hidden)[:, j])
        return HiddenTerms(bias, inputs, heard, self.c[j] + heard.sum(axis=1), p, said, weights)

    def _messages_between(
        self, weights: NDArray[np.float32], hidden: NDArray[np.float32], sent: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return messages_of(self._messages, KINDS[self.inference.kind], weights, hidden, sent)


class _Averaged(History):
    """Mean field: no messages, but what a hidden unit's mean times its weights says adds up as well."""

    @property
    def kept(self) -> float:
        return self.inference.damping

    def _run(self, tick: Tick) -> History:
        limit, v, hidden = self.inference.iterations, [], []
        right, back, kept = dense.whole(self.model.W), dense.whole(self.model.W.T), np.float32(self.inference.damping)
        b, c, now = self.b[None], self.c[None], sigmoid(self.b[None])
        h = sigmoid(dense.product(now, right, c))
        for t in range(limit):
            tick(t / limit)
            hidden.append(h[0])
            before = now, h
            now, h = update(right, back, b, c, now, h, kept)
            v.append(now[0])
            if max(np.abs(now - before[0]).max(), np.abs(h - before[1]).max()) < self.inference.tolerance:
                break
        return replace(self, v=np.array(v), hidden=np.array(hidden))

    def said(self, at: int) -> NDArray[np.float64]:
        return self.model.W.astype(np.float64) * self.hidden[at - 1]

    def _to_visible(self, i: int) -> NDArray[np.float64]:
        return self.model.W[i].astype(np.float64) * self.hidden

    def _of_unit(self, j: int, bias: float, inputs: float | None) -> HiddenTerms:
        weights, p = self.model.W[:, j], self.hidden[:, j]
        heard = weights.astype(np.float64) * np.vstack([sigmoid(self.b[None]), self.v[:-1]])
        said = weights.astype(np.float64) * p[:, None]
        return HiddenTerms(bias, inputs, heard, self.c[j] + heard.sum(axis=1), p, said, weights)
