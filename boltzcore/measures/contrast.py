"""Pull of an update of contrastive learning on a weight, apart from what the biases learn.

The gradient of the log-likelihood by W_ij is <v_i p_j>_data - <v_i p_j>_model, p_j = p(h_j = 1 | v). Each of the two
is a covariance plus the product of two means. The covariances tell what is learnt of patterns; the products of means,
which the biases soon make alike, differ by the chance of a mini-batch, and would hide it.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from boltzcore.models import RBM


def covariances(model: RBM, v: ArrayLike, unit: int) -> NDArray[np.float64]:
    """(n_visible,) over rows v of 0/1: the mean of (v_i - <v_i>)(p_j - <p_j>), j the hidden unit.

    IndexError if there is no such unit.
    """
    rows = np.asarray(v, np.float64)
    p = expit(rows @ model.W[:, unit].astype(np.float64) + float(model.c[unit]))
    found: NDArray[np.float64] = (rows - rows.mean(axis=0)).T @ (p - p.mean()) / len(rows)
    return found
