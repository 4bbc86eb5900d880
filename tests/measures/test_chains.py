"""Autocorrelation of chains against plain sums and against the enumerated Gibbs kernel."""

import numpy as np
import pytest

from boltzcore.data.examples import Dataset, Examples
from boltzcore.measures.chains import autocorrelation, autocorrelation_time, chain_autocorrelation
from boltzcore.models import RBM
from tests.models import exact


def exact_autocorrelation(rbm, lags):
    p, kernel, V = exact.visible_probabilities(rbm), exact.gibbs_kernel(rbm), exact.states(rbm.n_visible)
    mean = p @ V
    x, covariance = V - mean, []
    for lag in range(lags + 1):
        covariance.append(np.sum((p[:, None] * x) * (np.linalg.matrix_power(kernel, lag) @ x)))
    return np.array(covariance) / covariance[0]


def test_it_is_what_plain_sums_give():
    chains = np.random.default_rng(0).integers(0, 2, (3, 12, 4), np.uint8)
    x = chains - chains.mean(axis=(0, 1))
    covariance = [np.mean([x[m, t] @ x[m, t + k] for m in range(3) for t in range(12 - k)]) for k in range(6)]
    np.testing.assert_allclose(autocorrelation(chains, 5), np.array(covariance) / covariance[0], atol=1e-6)


@pytest.mark.parametrize("ends", [(0, 1), (1, 1)])
def test_chains_that_stand_still_are_wholly_correlated(ends):
    still = np.repeat(np.array(ends, np.uint8)[:, None, None], 20, axis=1)
    np.testing.assert_allclose(autocorrelation(still, 5), 1.0)


@pytest.mark.parametrize("a", [0.0, 0.3, 0.8])
def test_the_time_of_a_geometric_decay(a):
    assert autocorrelation_time(a ** np.arange(200)) == pytest.approx((1 + a) / (1 - a), rel=0.02)
    assert autocorrelation_time(0.99 ** np.arange(26)) is None  # too long for these lags


def test_the_measure_tells_the_time_of_the_enumerated_chain():
    rbm = exact.random_rbm(5, 4, 1.5)
    rows = Examples(np.random.default_rng(0).integers(0, 2, (50, 5), np.uint8))
    wanted = autocorrelation_time(exact_autocorrelation(rbm, 100))
    assert chain_autocorrelation(rbm, Dataset(rows, None, rows))["autocorrelation_time"] == pytest.approx(
        wanted, rel=0.15
    )


def test_the_measure_leaves_out_what_it_cannot_tell():
    stuck = RBM(np.full((3, 1), 60.0), np.full(3, -30.0), np.full(1, -90.0))
    rows = Examples(np.array([[0, 0, 0], [1, 1, 1]], np.uint8))
    assert chain_autocorrelation(stuck, Dataset(rows, None, rows)) == {}
