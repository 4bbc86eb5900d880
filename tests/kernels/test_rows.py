"""Table-driven products and block Gibbs steps against plain numpy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.kernels import rows


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
