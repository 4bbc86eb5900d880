"""Message passing of Ping and Ihler, eq. 8-12, in float64: messages are log-odds, right for weights of any size."""

import numpy as np


def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))  # of any size without a warning


def propagate(rbm, kind, iterations):
    """[(v, h, pairwise, messages to visible units, messages to hidden ones)] after each iteration."""
    W, b, c = (each.astype(np.float64) for each in (rbm.W, rbm.b, rbm.c))
    plus = np.maximum if kind == "max" else np.logaddexp
    to_h, found = np.zeros(W.shape), []
    for _ in range(iterations):
        cavity_h = c + to_h.sum(axis=0) - to_h  # (9), without the message from the unit that is written to
        to_v = plus(0, W + cavity_h) - plus(0, cavity_h)  # (8)
        odds_v = b + to_v.sum(axis=1)  # (11)
        cavity_v = odds_v[:, None] - to_v
        sums = plus(0, W + cavity_v) - plus(0, cavity_v)  # (10)
        to_h = W * (odds_v > 0)[:, None] if kind == "mixed" else sums  # (12)
        odds_h = c + to_h.sum(axis=0)
        found.append((sigmoid(odds_v), sigmoid(odds_h), pairwise(W, cavity_v, odds_h - to_h), to_v, to_h))
    return found


def pairwise(W, cavity_v, cavity_h):
    """P(both units of an edge are on)."""
    both = W + cavity_v + cavity_h
    return np.exp(both - np.logaddexp.reduce([both, cavity_v, cavity_h, 0 * both]))


def residuals(found, rbm):
    """Largest change of any belief in each iteration."""
    beliefs = [np.concatenate([sigmoid(rbm.b.astype(np.float64)), sigmoid(rbm.c.astype(np.float64))])]
    beliefs += [np.concatenate([v, h]) for v, h, *_ in found]
    return np.abs(np.diff(beliefs, axis=0)).max(axis=1)
