"""Belief propagation and mean field between the two layers of an RBM in plain numpy (Ping and Ihler, section 5)."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from boltzcore.reference.draws import Array


class Beliefs(NamedTuple):
    """Beliefs of an RBM with weights (n, m) after an iteration, and the log-odds behind them.

    v, h : arrays (n,), (m,)
        Beliefs that a unit is on: tau^v and tau^h.
    field_v, field_h : arrays (n,), (m,)
        Their log-odds: bias plus messages.
    to_v, to_h : arrays (n, m)
        Messages to the visible and to the hidden units, as log-odds: log M / (1 - M) with M^vh and M^hv transposed.
    residuals : array (iterations so far,)
        Largest change of a belief in each iteration.
    """

    v: Array
    h: Array
    field_v: Array
    field_h: Array
    to_v: Array
    to_h: Array
    residuals: Array


def belief_propagation(
    W: Array, b: Array, c: Array, *, kind: str, iterations: int, tolerance: float
) -> Iterator[Beliefs]:
    """Yield the beliefs before the first iteration and after each (Algorithm 1, without damping).

    Parameters
    ----------
    W, b, c : arrays (n, m), (n,), (m,)
        Weights and biases of an RBM, or of a CRBM given an input.
    kind : {"sum", "max", "mixed"}
        Sum for marginals, max for the best v and h, mixed for the best v with h summed out.
    iterations, tolerance
        Largest number of iterations; it stops earlier once every belief changes by less than the tolerance.
    """
    zero = np.zeros_like(W)
    now = Beliefs(expit(b), expit(c), b, c, zero, zero, np.empty(0))
    yield now
    for _ in range(iterations):
        to_v = _message(W, now.field_h - now.to_h, kind)  # eq. 8 and 13
        field_v = b + to_v.sum(1)  # eq. 16
        cavity_v = field_v[:, None] - to_v
        # Eq. 10 and 14; for mixed-product eq. 12 and 15, with v~ the more probable value of each unit.
        to_h = W * (field_v > 0)[:, None] if kind == "mixed" else _message(W, cavity_v, kind)
        now = _after(now, field_v, c + to_h.sum(0), to_v, to_h)  # eq. 17
        yield now
        if now.residuals[-1] < tolerance:
            return


def mean_field(W: Array, b: Array, c: Array, *, iterations: int, tolerance: float) -> Iterator[Beliefs]:
    """Yield the beliefs before the first iteration and after each, like `belief_propagation`.

    v = sigma(b + W h) and h = sigma(c + W'v) alternate, starting from v = sigma(b): the message of a unit is its mean
    times the weight.
    """
    v = expit(b)
    to_h = W * v[:, None]
    field_h = c + to_h.sum(0)
    now = Beliefs(v, expit(field_h), b, field_h, np.zeros_like(W), to_h, np.empty(0))
    yield now
    for _ in range(iterations):
        to_v = W * now.h
        field_v = b + to_v.sum(1)
        to_h = W * expit(field_v)[:, None]
        now = _after(now, field_v, c + to_h.sum(0), to_v, to_h)
        yield now
        if now.residuals[-1] < tolerance:
            return


def pairwise_beliefs(W: Array, b: Array, beliefs: Beliefs) -> tuple[Array, Array]:
    """Return tau^v (n,) and Gamma (n, m), the belief that both units of an edge are on (eq. 18), for sum-product.

    The messages to the visible units are updated once more first, so that tau^v is the marginal of Gamma.
    """
    cavity_h = beliefs.field_h - beliefs.to_h
    to_v = _message(W, cavity_h, "sum")
    field_v = b + to_v.sum(1)
    cavity_v = field_v[:, None] - to_v
    both = W + cavity_v + cavity_h
    return expit(field_v), np.exp(both - np.logaddexp.reduce([both, cavity_v, cavity_h, 0 * both]))


def _message(W: Array, cavity: Array, kind: str) -> Array:
    """Return the log-odds of messages over W from units whose other messages and bias have the log-odds `cavity`."""
    if kind == "max":
        return np.maximum(W + cavity, 0.0) - np.maximum(cavity, 0.0)
    return np.logaddexp(0.0, W + cavity) - np.logaddexp(0.0, cavity)


def _after(before: Beliefs, field_v: Array, field_h: Array, to_v: Array, to_h: Array) -> Beliefs:
    v, h = expit(field_v), expit(field_h)
    change = max(np.abs(v - before.v).max(), np.abs(h - before.h).max())
    return Beliefs(v, h, field_v, field_h, to_v, to_h, np.append(before.residuals, change))
