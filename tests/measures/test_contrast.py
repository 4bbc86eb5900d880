"""What the data pull up and the model pulls down, against plain numpy."""

import numpy as np
import pytest

from boltzcore.measures.contrast import beyond_chance, covariances
from tests.models import exact


def rows(n, n_visible, seed, rate=0.4):
    return (np.random.default_rng(seed).random((n, n_visible)) < rate).astype(np.uint8)


def test_covariances_are_those_of_pixels_and_the_probability_of_the_hidden_unit():
    rbm, v = exact.random_rbm(12, 5), rows(70, 12, 1)
    p = exact.sigmoid(v @ rbm.W.astype(np.float64) + rbm.c)
    for unit in range(5):
        wanted = np.cov(v.T, p[:, unit], bias=True)[-1, :-1]
        np.testing.assert_allclose(covariances(rbm, v, unit), wanted, atol=1e-12)


def test_chance_is_the_variance_of_the_difference_over_all_weights():
    rbm, v, w = exact.random_rbm(7, 4), rows(40, 7, 3), rows(40, 7, 4, 0.6)
    (a, p), (b, q) = ((x - x.mean(axis=0), h - h.mean(axis=0)) for x, h in ((r, hidden(rbm, r)) for r in (v, w)))
    up, down = np.einsum("ni,nj->nij", a, p), np.einsum("ni,nj->nij", b, q)
    difference = np.square(up.mean(axis=0) - down.mean(axis=0)).sum()
    apart = (up.var(axis=0) + down.var(axis=0)).sum() / 40
    assert beyond_chance(rbm, v, w, paired=False) == pytest.approx(difference / apart, rel=1e-4)
    together = (up - down).var(axis=0).sum() / 40
    assert beyond_chance(rbm, v, w, paired=True) == pytest.approx(difference / together, rel=1e-4)


def hidden(rbm, v):
    return exact.sigmoid(v @ rbm.W.astype(np.float64) + rbm.c)
