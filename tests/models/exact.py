"""Everything about a small RBM by listing its states, and the design matrix of a machine: judges of what is quicker."""

import itertools

import numpy as np

from boltzcore.models import CRBM, RBM


def states(n):
    return np.array(list(itertools.product((0, 1), repeat=n)), np.float64)


def random_rbm(n_visible, n_hidden, scale=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return RBM(
        rng.normal(0, scale, (n_visible, n_hidden)), rng.normal(0, scale, n_visible), rng.normal(0, scale, n_hidden)
    )


def random_crbm(n_visible=4, n_hidden=3, n_x=5, scale=1.0, seed=0):
    rng = np.random.default_rng(seed)
    shapes = (n_visible, n_hidden), (n_visible, n_x), (n_hidden, n_x), n_visible, n_hidden
    return CRBM(*(rng.normal(0, scale, shape) for shape in shapes))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def log_joint(rbm):
    """(2**n_visible, 2**n_hidden) unnormalised log p(v, h)."""
    V, H = states(rbm.n_visible), states(rbm.n_hidden)
    W, b, c = (a.astype(np.float64) for a in (rbm.W, rbm.b, rbm.c))
    return V @ W @ H.T + (V @ b)[:, None] + (H @ c)[None, :]


def log_partition(rbm):
    return np.logaddexp.reduce(log_joint(rbm).ravel())


def visible_probabilities(rbm):
    return np.exp(np.logaddexp.reduce(log_joint(rbm), axis=1) - log_partition(rbm))


def drawn(p, n, rng):
    """(n, units) states drawn by their probabilities."""
    return states(len(p).bit_length() - 1)[rng.choice(len(p), n, p=p)].astype(np.uint8)


def gibbs_kernel(rbm):
    """(2**n_visible, 2**n_visible) probability of v' after one step of block Gibbs sampling from v."""
    joint = log_joint(rbm)
    h_given_v = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])
    v_given_h = np.exp(joint - np.logaddexp.reduce(joint, axis=0)[None, :])
    return h_given_v @ v_given_h.T


def statistics(rbm, weights):
    """Expected (v p(h|v)', v, p(h|v)) when v is distributed as `weights` over all states."""
    V = states(rbm.n_visible)
    p = sigmoid(V @ rbm.W.astype(np.float64) + rbm.c)
    return V.T @ (weights[:, None] * p), weights @ V, weights @ p


def margins(x):
    """(n * d, d(d+1)/2) whole numbers A: A theta are the margins of rows x of spins; biases first, then couplings."""
    d = x.shape[1]
    pairs = list(itertools.combinations(range(d), 2))
    out = []
    for row in x.astype(int).tolist():
        for j in range(d):
            biases = [row[j] * (k == j) for k in range(d)]
            out.append(biases + [row[j] * row[k + m - j] if j in (k, m) else 0 for k, m in pairs])
    return np.array(out)
