"""The RBM's exact quantities against a listing of all states; its files and its refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.models import RBM, RBMSetup
from tests.models import exact


@settings(max_examples=50, deadline=None)
@given(
    n_visible=st.integers(1, 9),
    n_hidden=st.integers(1, 9),
    scale=st.sampled_from([1e-3, 1.0, 10.0, 200.0]),
    seed=st.integers(0, 999),
)
def test_log_partition(n_visible, n_hidden, scale, seed):
    rbm = exact.random_rbm(n_visible, n_hidden, scale, seed)
    assert rbm.log_partition() == pytest.approx(exact.log_partition(rbm), rel=1e-12, abs=1e-9)
    assert np.exp(rbm.log_likelihood(exact.states(n_visible))).sum() == pytest.approx(1.0, rel=1e-6)


def test_the_larger_layer_may_be_of_any_size():
    rbm, H = exact.random_rbm(300, 11, 0.3), exact.states(11)
    fields = H @ rbm.W.T.astype(np.float64) + rbm.b
    wanted = np.logaddexp.reduce(H @ rbm.c + np.logaddexp(0, fields).sum(axis=1))
    for model in (rbm, RBM(rbm.W.T, rbm.c, rbm.b)):
        assert model.log_partition() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("v", [np.zeros((2, 5)), np.full((2, 4), 2), np.full((2, 4), np.nan), np.full((2, 4), "1")])
def test_other_rows_are_refused(v):
    with pytest.raises(ValueError, match=r"^v must"):
        exact.random_rbm(4, 2).log_likelihood(v)


def test_a_model_does_not_change_with_the_arrays_it_was_made_of():
    W = np.zeros((2, 2), np.float32)
    rbm = RBM(W, np.zeros(2), np.zeros(2))
    W[0, 0] = 5
    assert not rbm.W.any()


def rows(*on):
    """Ten rows, of which so many are on in each column."""
    return Examples(np.arange(10)[:, None] < np.array(on))


def test_it_starts_at_the_base_rates_which_stay_finite():
    rbm = RBMSetup(hidden=2000, sigma=0.01).initial(rows(2, 5, 9, 0, 10), seed=1)
    assert np.allclose(exact.sigmoid(rbm.b[:3]), [0.2, 0.5, 0.9], atol=1e-6)
    assert np.isfinite(rbm.b).all()
    assert not rbm.c.any()
    assert rbm.W.std() == pytest.approx(0.01, rel=0.05)
    other = RBMSetup(hidden=2000, sigma=0.01).initial(rows(2, 5, 9, 0, 10), seed=2)
    assert np.mean(rbm.W == other.W) < 0.01
