"""Stochastic spectral descent in plain numpy (Carlson, Cevher and Carin 2015)."""

import numpy as np

from boltzcore.reference.contrastive import cd_update
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases, ascended

EPSILON = np.finfo(np.float32).eps


def ssd_update(W: Array, b: Array, c: Array, minibatch: Array, draws: Draws, *, rate: float, K: int) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    The gradient G of CD-K, with W moving along the sharp operator of G = U diag(s) V', which is (sum s) U V': a step
    equally large in all singular directions. The biases take the plain gradient.

    Parameters
    ----------
    W, b, c : arrays (n, m), (n,), (m,)
        Parameters before the update.
    minibatch : array (rows, n) of 0 and 1
    draws : Draws
    rate, K
        Learning rate, and Gibbs steps of each chain.

    Yields
    ------
    phase : {"data", "start", "hidden", "visible", "end", "difference", "equalised", "new"}
    arrays : dict of str to array
    """
    G = {}
    for phase, arrays in cd_update(W, b, c, minibatch, minibatch, draws, rate=rate, K=K):
        if phase != "new":
            G = arrays
            yield phase, arrays

    U, s, Vt = np.linalg.svd(G["W"], full_matrices=False)
    Vt[s <= s[0] * EPSILON * max(W.shape)] = 0  # directions that are zero but for rounding
    equal = {"W": s.sum() * U @ Vt, "b": G["b"], "c": G["c"]}
    yield "equalised", {"s": s, **equal}
    yield "new", ascended(W, b, c, equal, rate)
