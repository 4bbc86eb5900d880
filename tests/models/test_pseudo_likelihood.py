"""Derivatives of the log-pseudo-likelihood, held against differences and against the plain design matrix."""

import numpy as np
import pytest

from boltzcore.models import FVBM, pseudo_likelihood
from tests.models.exact import margins

SHAPES = [(1, 1), (7, 2), (40, 5)]


def slopes(x, weight, theta):
    return pseudo_likelihood.gradient(x, weight, *pseudo_likelihood.unflatten(theta, x.shape[1]))


def differences(of, theta, by=1e-5):
    return np.array([(of(theta + step) - of(theta - step)) / (2 * by) for step in by * np.eye(len(theta))])


@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_derivatives_are_those_of_differences_and_of_the_design_matrix(n, d):
    rng = np.random.default_rng(0)
    x, weight, theta = rng.choice([-1.0, 1.0], (n, d)), rng.integers(1, 5, n) * 1.0, rng.normal(size=d * (d + 1) // 2)
    M, b = pseudo_likelihood.unflatten(theta, d)

    def height(theta):
        return weight @ FVBM(*pseudo_likelihood.unflatten(theta, d)).log_pseudo_likelihood(x)

    np.testing.assert_allclose(slopes(x, weight, theta), differences(height, theta), atol=1e-6)
    found = pseudo_likelihood.hessian(x, weight, M, b)
    np.testing.assert_allclose(found, differences(lambda t: slopes(x, weight, t), theta), atol=1e-6)
    each = np.array([slopes(row[None], np.ones(1), theta) for row in x])
    found = pseudo_likelihood.score_products(x, weight, M, b)
    np.testing.assert_allclose(found, sum(w * np.outer(s, s) for w, s in zip(weight, each, strict=True)), atol=1e-12)
    A, y = margins(x), np.random.default_rng(1).random((n, d))
    np.testing.assert_allclose(pseudo_likelihood.margins(x, M, b).ravel(), A @ theta, atol=1e-12)
    np.testing.assert_allclose(pseudo_likelihood.design_transposed(x, y), A.T @ y.ravel(), atol=1e-12)
    np.testing.assert_allclose(pseudo_likelihood.design_gram(x, y), A.T @ (y.reshape(-1, 1) * A), atol=1e-12)


def test_large_margins_keep_their_digits():
    """Far out a slope is 2 exp(-2 margin), not 1 - 1."""
    x, far = np.ones((1, 1)), np.array([40.0])
    assert slopes(x, np.ones(1), far)[0] == pytest.approx(2 * np.exp(-80.0), rel=1e-12)
    found = pseudo_likelihood.hessian(x, np.ones(1), *pseudo_likelihood.unflatten(far, 1))[0, 0]
    assert found == pytest.approx(-4 * np.exp(-80.0), rel=1e-12)
