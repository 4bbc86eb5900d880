"""Inference in one instance round by round, with the terms that add up to the log-odds of each unit."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.history import messages_of
from boltzcore.inference.mean_field import update
from boltzcore.inference.propagation import Messages, Propagation
from boltzcore.inference.spec import KINDS
from boltzcore.kernels import dense
from boltzcore.kernels.elementwise import sigmoid

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Round:
    """The beliefs after a round.

    v, h : (n_visible,) and (n_hidden,) beliefs
    to_v, to_h : (n_visible, n_hidden) log-odds, the messages from hidden to visible units and then back.
        Of mean field a mean times the weight. None where none has been sent, or nobody asks
    """

    v: Floats
    h: Floats
    to_v: NDArray[np.float64] | None = None
    to_h: NDArray[np.float64] | None = None


def rounds(W: Floats, b: Floats, c: Floats, kind: str, count: int, *, messages: bool = True) -> Iterator[Round]:
    """The beliefs before the first of `count` rounds and after each, without damping: those of `Inference.infer`.

    W (n_visible, n_hidden), b (n_visible,), c (n_hidden,) : weights and biases of the instance
    kind : of inference, as `Inference` names it
    messages : whether to give them, too: they take 16 bytes a weight
    """
    return (_propagated if kind in KINDS else _averaged)(W, b, c, kind, count, messages)


def _propagated(W: Floats, b: Floats, c: Floats, kind: str, count: int, messages: bool) -> Iterator[Round]:
    n_hidden, kept = len(c), Messages.from_weights(W, KINDS[kind])
    running = Propagation(kept, b, c, np.empty_like(b), 0.0)

    def exchanged() -> tuple[NDArray[np.float64], NDArray[np.float64]] | tuple[None, None]:
        """(to visible units in the round to come, to hidden units in the one that is over)."""
        if not messages:
            return None, None
        return messages_of(kept, KINDS[kind], W, running.hidden.field[:n_hidden], running.edges.sent[:, :n_hidden])

    yield Round(running.visible.v.copy(), running.hidden.p[:n_hidden].copy())
    coming, _ = exchanged()
    for _ in range(count):
        running.step()
        to_v, (coming, to_h) = coming, exchanged()
        yield Round(running.visible.v.copy(), running.hidden.p[:n_hidden].copy(), to_v, to_h)


def _averaged(W: Floats, b: Floats, c: Floats, kind: str, count: int, messages: bool) -> Iterator[Round]:
    right, back, wide = dense.whole(W), dense.whole(W.T), W.astype(np.float64)
    v = sigmoid(b[None])
    h = sigmoid(dense.product(v, right, c[None]))
    to_h = wide * v.T if messages else None
    yield Round(v[0], h[0], None, to_h)
    for _ in range(count):
        to_v = wide * h if messages else None
        v, h = update(right, back, b[None], c[None], v, h, np.float32(0))
        yield Round(v[0], h[0], to_v, wide * v.T if messages else None)
