"""Table-driven products and block Gibbs steps against plain numpy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.kernels import random as streams
from boltzcore.kernels import rows
from boltzcore.kernels.random import uniforms
from boltzcore.kernels.rows import RBMArrays


def padded(matrix):
    out = np.zeros((len(matrix), rows.padded(matrix.shape[1])), np.float32)
    out[:, : matrix.shape[1]] = matrix
    return out


def model(n_visible, n_hidden, scale=0.5, seed=0):
    rng = np.random.default_rng(seed)
    return tuple(
        rng.normal(0, scale, shape).astype(np.float32) for shape in ((n_visible, n_hidden), n_visible, n_hidden)
    )


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(1, 70),
    n_visible=st.integers(1, 300),
    n_hidden=st.integers(1, 90),
    density=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    seed=st.integers(0, 99),
)
def test_hidden_fields(n, n_visible, n_hidden, density, seed):
    W, _, c = model(n_visible, n_hidden, seed=seed)
    v = (np.random.default_rng(seed).random((n, n_visible)) < density).astype(np.uint8)
    out = np.full((n, rows.padded(n_hidden)), np.nan, np.float32)
    rows.hidden_fields(padded(W), c, v, out)
    assert np.allclose(out[:, :n_hidden], v @ W.astype(np.float64) + c, atol=1e-4)
    assert not out[:, n_hidden:].any()


def numpy_gibbs(W, b, c, v, seed, purpose, step, steps):
    n_hidden, n_visible = len(c), len(b)
    v = v.copy()
    for row in range(len(v)):
        u = uniforms(seed, purpose, step, row, steps * (n_hidden + n_visible))
        for k in range(steps):
            mine = u[k * (n_hidden + n_visible) :]
            h = mine[:n_hidden] < 1 / (1 + np.exp(-(v[row] @ W + c)))
            v[row] = mine[n_hidden : n_hidden + n_visible] < 1 / (1 + np.exp(-(h @ W.T + b)))
    return v


def walk(W, b, c, v, pieces):
    v, machine = v.copy(), RBMArrays(padded(W), padded(W.T.copy()), b, c)
    fields = np.empty((len(v), machine.W.shape[1]), np.float32)
    rows.hidden_fields(machine.W, c, v, fields)
    first = 0
    for steps in pieces:
        rows.gibbs(machine, v, fields, streams.Stream(np.uint64(7), streams.GIBBS, 3, 0), first, steps, None)
        first += steps
    return v, fields


def test_gibbs_steps_are_those_of_plain_numpy():
    W, b, c = model(37, 21)
    v = (np.random.default_rng(1).random((25, 37)) < 0.3).astype(np.uint8)
    for pieces in ([4], [1, 3]):
        got, fields = walk(W, b, c, v, pieces)
        assert np.array_equal(got, numpy_gibbs(W, b, c, v, 7, streams.GIBBS, 3, 4))
        assert np.allclose(fields[:, :21], got @ W.astype(np.float64) + c, atol=1e-4)
