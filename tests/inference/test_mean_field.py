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
    told = mean_field(rbm, iterations=500, tolerance=1e-6, damping=damping)
    assert told.converged
    W = rbm.W.astype(np.float64)
    # a damped step of less than 1e-6 is a gap of twice that
    assert np.allclose(told.v, exact.sigmoid(W @ told.h + rbm.b), atol=ROUNDING)
    assert np.allclose(told.h, exact.sigmoid(told.v @ W + rbm.c), atol=ROUNDING)


def test_the_first_iteration_starts_at_what_the_input_alone_says_of_v():
    rbm = exact.random_rbm(7, 5, 0.8, seed=2)
    v0 = exact.sigmoid(rbm.b.astype(np.float64))
    h0 = exact.sigmoid(v0 @ rbm.W + rbm.c)
    v = 0.75 * exact.sigmoid(rbm.W @ h0 + rbm.b) + 0.25 * v0
    h = 0.75 * exact.sigmoid(v @ rbm.W + rbm.c) + 0.25 * h0
    told = mean_field(rbm, iterations=1, tolerance=0, damping=0.25)
    assert np.allclose(told.v, v, atol=ROUNDING)
    assert np.allclose(told.h, h, atol=ROUNDING)
    assert told.residuals == pytest.approx([max(np.abs(v - v0).max(), np.abs(h - h0).max())], abs=ROUNDING)


def bound(rbm, iterations):
    """<log p~> + entropy under the marginals, at most log Z."""
    told = mean_field(rbm, iterations=iterations, tolerance=0)
    v, h = (each.astype(np.float64) for each in (told.v, told.h))
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
    told = mean_field(model, x, iterations=4, tolerance=1e-3)
    assert 0 < told.converged.sum() < 150
    with threads.use(2):
        shared = mean_field(model, x, iterations=4, tolerance=1e-3)
    for name in ("v", "h", "residuals", "iterations", "converged"):
        assert np.array_equal(getattr(told, name), getattr(shared, name), equal_nan=name == "residuals"), name
    for k in (0, 1, 63, 64, 149):
        one = mean_field(model, x[k], iterations=4, tolerance=1e-3)
        ran = told.iterations[k]
        assert (one.iterations, one.converged) == (ran, told.converged[k])
        assert np.allclose(one.v, told.v[k], atol=1e-6)  # a product of many rows adds in another order than that of one
        assert np.allclose(one.h, told.h[k], atol=1e-6)
        assert np.allclose(one.residuals, told.residuals[k, :ran], atol=1e-6)
        assert np.isnan(told.residuals[k, ran:]).all()
        assert told.converged[k] == (one.residuals[-1] < 1e-3)
