"""What an update of contrastive learning pulls up and down: how visible units go together with hidden ones in the data,
and how they do in what the model makes itself.

The gradient of the log-likelihood by W_ij is <v_i p_j>_data - <v_i p_j>_model, p_j = p(h_j = 1 | v). Each of the two
is a covariance plus the product of two means. The covariances tell what is learnt of patterns; the products of means,
which the biases soon make alike, differ by the chance of a mini-batch, and would hide it.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.measures.activity import activities
from boltzcore.models import RBM
from boltzcore.threads import one_for_blas


def covariances(model: RBM, v: ArrayLike, unit: int) -> NDArray[np.float64]:
    """(n_visible,) over rows v of 0/1: the mean of (v_i - <v_i>)(p_j - <p_j>), j the hidden unit.

    IndexError where there is no such unit.
    """
    rows = np.asarray(v, np.float64)
    odds = rows @ model.W[:, unit].astype(np.float64) + float(model.c[unit])
    p = 0.5 * (1 + np.tanh(odds / 2))
    found: NDArray[np.float64] = (rows - rows.mean(axis=0)).T @ (p - p.mean()) / len(rows)
    return found


def beyond_chance(model: RBM, v: ArrayLike, chains: ArrayLike, *, paired: bool) -> float:
    """The squared difference between the covariances of rows v and those of the ends of chains, summed over all
    weights, as a multiple of what chance alone makes of it: about 1 where both are drawn from one law. Inf where chance
    makes nothing of it and they differ.

    paired : whether chain n started at row n, so that much of their chance is the same
    """
    (a, p), (b, q) = (_centred(model, rows) for rows in (v, chains))
    with one_for_blas():
        up, down = a.T @ p / len(a), b.T @ q / len(b)
    difference, of_a, of_b = (float(np.vdot(each, each)) for each in (up - down, up, down))
    if paired:
        spread = _mean(a, a, p, p) + _mean(b, b, q, q) - 2 * _mean(a, b, p, q) - difference
        chance = spread / len(a)
    else:
        chance = (_mean(a, a, p, p) - of_a) / len(a) + (_mean(b, b, q, q) - of_b) / len(b)
    if chance <= 0:
        return np.inf if difference > 0 else 0.0
    return difference / chance


def _centred(model: RBM, v: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Rows and the probabilities of their hidden units, each less its mean."""
    rows, p = np.asarray(v, np.float32), activities(model, v)
    return rows - rows.mean(axis=0), p - p.mean(axis=0)


def _mean(a: NDArray, b: NDArray, p: NDArray, q: NDArray) -> float:
    """The mean over rows n of sum_ij a_ni p_nj b_ni q_nj."""
    return float(np.mean(np.einsum("ni,ni->n", a, b) * np.einsum("nj,nj->n", p, q)))
