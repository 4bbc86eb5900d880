"""Mean field: a stationary point of its bound, which lies under the exact log Z and never falls."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import entr as entropy

from boltzcore import threads
from boltzcore.inference import mean_field
from boltzcore.models import RBM
from tests.models import exact

ROUNDING = 1e-5  # of float32 marginals, and of bounds made of a few tens of them


@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_it_settles_where_every_marginal_follows_from_the_others(damping):
    rbm = exact.random_rbm(7, 5, 0.8, seed=2)
    beliefs = mean_field(rbm, iterations=500, tolerance=1e-6, damping=damping)
    assert beliefs.converged
    W = rbm.W.astype(np.float64)
    # a damped step of less than 1e-6 is a gap of twice that
    assert np.allclose(beliefs.v, exact.sigmoid(W @ beliefs.h + rbm.b), atol=ROUNDING)
    assert np.allclose(beliefs.h, exact.sigmoid(beliefs.v @ W + rbm.c), atol=ROUNDING)


def test_the_first_iteration_starts_at_what_the_input_alone_says_of_v():
    rbm = exact.random_rbm(7, 5, 0.8, seed=2)
    v0 = exact.sigmoid(rbm.b.astype(np.float64))
    h0 = exact.sigmoid(v0 @ rbm.W + rbm.c)
    v = 0.75 * exact.sigmoid(rbm.W @ h0 + rbm.b) + 0.25 * v0
    h = 0.75 * exact.sigmoid(v @ rbm.W + rbm.c) + 0.25 * h0
    beliefs = mean_field(rbm, iterations=1, tolerance=0, damping=0.25)
    assert np.allclose(beliefs.v, v, atol=ROUNDING)
    assert np.allclose(beliefs.h, h, atol=ROUNDING)
    assert beliefs.residuals == pytest.approx([max(np.abs(v - v0).max(), np.abs(h - h0).max())], abs=ROUNDING)


def bound(rbm, iterations):
    """<log p~> + entropy under the marginals, at most log Z."""
    beliefs = mean_field(rbm, iterations=iterations, tolerance=0)
    v, h = (each.astype(np.float64) for each in (beliefs.v, beliefs.h))
    return v @ rbm.W @ h + v @ rbm.b + h @ rbm.c + entropy([*v, *h]).sum() + entropy(1 - np.array([*v, *h])).sum()


@settings(max_examples=30)
@given(
    shape=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    scale=st.sampled_from([0.1, 1.0, 5.0, 40.0]),
    seed=st.integers(0, 999),
)
def test_the_bound_rises_under_the_exact_log_partition(shape, scale, seed):
    rbm = exact.random_rbm(*shape, scale, seed)
    bounds = [bound(rbm, iterations=n) for n in range(1, 8)]
    rounding = ROUNDING * (1 + np.abs(rbm.W).sum())  # marginals are float32, the energies of a state that large
    assert np.diff(bounds).min() > -rounding
    assert bounds[-1] < exact.log_partition(rbm) + rounding
    free = RBM(0 * rbm.W, rbm.b, rbm.c)  # without weights the bound is exact
    assert bound(free, iterations=50) == pytest.approx(exact.log_partition(free), abs=float(rounding))


def test_rows_of_inputs_are_single_ones():
    model = exact.random_crbm(9, 6, 4, 0.7)
    x = np.random.default_rng(1).normal(size=(150, 4))
    beliefs = mean_field(model, x, iterations=4, tolerance=1e-3)
    assert 0 < beliefs.converged.sum() < 150
    with threads.use(2):
        shared = mean_field(model, x, iterations=4, tolerance=1e-3)
    for name in ("v", "h", "residuals", "iterations", "converged"):
        assert np.array_equal(getattr(beliefs, name), getattr(shared, name), equal_nan=name == "residuals"), name
    for k in (0, 1, 63, 64, 149):
        one = mean_field(model, x[k], iterations=4, tolerance=1e-3)
        ran = beliefs.iterations[k]
        assert (one.iterations, one.converged) == (ran, beliefs.converged[k])
        assert np.allclose(one.v, beliefs.v[k], atol=1e-6)  # products add in another order
        assert np.allclose(one.h, beliefs.h[k], atol=1e-6)
        assert np.allclose(one.residuals, beliefs.residuals[k, :ran], atol=1e-6)
        assert np.isnan(beliefs.residuals[k, ran:]).all()
        assert beliefs.converged[k] == (one.residuals[-1] < 1e-3)
