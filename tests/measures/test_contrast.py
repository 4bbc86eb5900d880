"""What the data pull up and the model pulls down, against plain numpy."""

import numpy as np

from boltzcore.measures.activity import covariances
from tests.models import exact


def rows(n, n_visible, seed, rate=0.4):
    return (np.random.default_rng(seed).random((n, n_visible)) < rate).astype(np.uint8)


def test_covariances_are_those_of_pixels_and_the_probability_of_the_hidden_unit():
    rbm, v = exact.random_rbm(12, 5), rows(70, 12, 1)
    p = exact.sigmoid(v @ rbm.W.astype(np.float64) + rbm.c)
    for unit in range(5):
        wanted = np.cov(v.T, p[:, unit], bias=True)[-1, :-1]
        np.testing.assert_allclose(covariances(rbm, v, unit), wanted, atol=1e-12)
