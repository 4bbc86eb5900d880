"""Algorithm 1 of Ping and Ihler as it stands there, eq. 13-18, in float64: messages are matrices of probabilities.

Max-product is the same with a maximum in place of each sum. For weights of some 30 at most: beyond, 1 - M rounds to 0.
"""

import numpy as np

from tests.models.exact import sigmoid


def propagate(rbm, kind, iterations):
    """[(v, h, pairwise)] after each iteration."""
    W, b1, b2 = (a.astype(np.float64) for a in (rbm.W, rbm.b, rbm.c))
    plus = np.maximum if kind == "max" else np.add
    M_vh, M_hv = np.full(W.shape, 0.5), np.full(W.T.shape, 0.5)
    tau_v, tau_h = sigmoid(b1), sigmoid(b2)
    found = []
    for _ in range(iterations):
        L1, L2 = (1 - M_hv).T @ np.diag(tau_h), M_hv.T @ np.diag(1 - tau_h)
        M_vh = sigmoid(np.log(plus(np.exp(W) * L1, L2) / plus(L1, L2)))  # (13)
        tau_v = sigmoid(b1 + np.log(M_vh / (1 - M_vh)).sum(axis=1))  # (16)
        if kind == "mixed":
            M_hv = sigmoid(W.T @ np.diag((tau_v > 0.5).astype(float)))  # (15)
        else:
            L1, L2 = (1 - M_vh).T @ np.diag(tau_v), M_vh.T @ np.diag(1 - tau_v)
            M_hv = sigmoid(np.log(plus(np.exp(W.T) * L1, L2) / plus(L1, L2)))  # (14)
        tau_h = sigmoid(b2 + np.log(M_hv / (1 - M_hv)).sum(axis=1))  # (17)
        found.append((tau_v, tau_h, pairwise(W, tau_v, tau_h, M_vh, M_hv)))
    return found


def pairwise(W, v, h, M_vh, M_hv):
    """Gamma of eq. 18."""
    both = np.exp(W) * np.outer(v, h) * (1 - M_vh) * (1 - M_hv).T
    second = np.outer(1 - v, h) * M_vh * (1 - M_hv).T
    first = np.outer(v, 1 - h) * (1 - M_vh) * M_hv.T
    neither = np.outer(1 - v, 1 - h) * M_vh * M_hv.T
    return both / (both + second + first + neither)


def residuals(found, rbm):
    """Largest change of any belief in each iteration."""
    v, h = sigmoid(rbm.b.astype(np.float64)), sigmoid(rbm.c.astype(np.float64))
    told = []
    for new_v, new_h, *_ in found:
        told.append(max(np.abs(new_v - v).max(), np.abs(new_h - h).max()))
        v, h = new_v, new_h
    return np.array(told)
