"""Standard errors against brute force, and against the spread of estimates from data drawn anew."""

import numpy as np
import pytest
from scipy import stats

from boltzcore.data import Examples, load
from boltzcore.measures.estimates import estimate, estimates
from boltzcore.models import FVBM, pseudo_likelihood
from boltzcore.names import Names
from boltzcore.quoting import Refusal
from tests.models import exact

TRUTH = FVBM(np.array([[0, 0.4, -0.3], [0.4, 0, 0.2], [-0.3, 0.2, 0]]), np.array([0.2, -0.1, 0.3]))


def fitted(x, weight, A=None):
    """The maximiser of the pseudo-likelihood, by Newton's method on the plain design matrix A."""
    A, w = exact.margins(x) if A is None else A, np.repeat(weight, x.shape[1])
    theta = np.zeros(A.shape[1])
    for _ in range(50):
        right = 1 / (1 + np.exp(2 * A @ theta))
        step = np.linalg.solve(A.T @ ((4 * w * right * (1 - right))[:, None] * A), A.T @ (2 * w * right))
        theta += step
        if np.abs(step).max() < 1e-13:
            return FVBM(*pseudo_likelihood.unflatten(theta, x.shape[1]))
    raise AssertionError("no maximum")


def drawn(n, d, seed=0):
    generator = np.random.default_rng(seed)
    return generator.choice([-1, 1], (n, d))


def test_the_covariance_is_the_sandwich_of_all_rows_one_by_one():
    x = drawn(60, 3)
    model = fitted(x, np.ones(60))
    A = exact.margins(x).reshape(60, 3, 6)
    right = 1 / (1 + np.exp(2 * A @ pseudo_likelihood.flatten(model.M, model.b)))
    scores = (2 * right[:, :, None] * A).sum(axis=1)
    H = np.einsum("ij,ija,ijb->ab", 4 * right * (1 - right), A, A)
    found = estimate(model, x)
    np.testing.assert_allclose(found.covariance, np.linalg.inv(H) @ scores.T @ scores @ np.linalg.inv(H), rtol=1e-9)


def test_a_row_that_weighs_three_is_three_rows():
    x, weight = drawn(40, 3), np.random.default_rng(1).integers(1, 4, 40)
    codes = (x > 0).astype(np.uint8)
    model = fitted(x, weight)
    once = estimate(model, Examples(codes, weight=weight))
    often = estimate(model, Examples(np.repeat(codes, weight, axis=0)))
    np.testing.assert_allclose(once.covariance, often.covariance, rtol=1e-10)


def test_wald_tests_and_intervals_agree():
    """p is below 5 % just where the interval of 95 % leaves out 0."""
    x = drawn(200, 5, seed=3)
    found = estimate(fitted(x, np.ones(200)), x)
    low, high = found.interval(0.95)
    np.testing.assert_array_equal(found.p < 0.05, (low > 0) | (high < 0))
    np.testing.assert_allclose(found.p, 2 * stats.norm.sf(np.abs(found.theta / found.standard_error)))


def test_a_table_tells_each_parameter_by_its_columns():
    x = drawn(100, 3, seed=4)
    model = fitted(x, np.ones(100))
    table = estimates(model, x, names=Names(("a", "b", "c")), level=0.5)
    assert list(table["parameter"]) == ["b[a]", "b[b]", "b[c]", "M[a, b]", "M[a, c]", "M[b, c]"]
    assert [table[name][3] for name in ("kind", "first", "second")] == ["coupling", "a", "b"]
    assert table["estimate"][4] == model.M[0, 2]
    np.testing.assert_allclose(table["high"] - table["low"], 2 * 0.6744897501960817 * table["standard_error"])
    assert list(estimates(model, x)["parameter"])[5] == "M[x2, x3]"


def test_the_senate_is_as_the_r_package_found_it():
    """That package stops at a P_n of -436.459, and at a z of M[AG, JLN] of 6.163; both are a little off the maximum."""
    data = load("senate")
    votes = 2.0 * data.train.v - 1
    model = fitted(votes, np.ones(147))
    found = estimate(model, data.train, names=data.names)
    assert found.rows == 147
    assert model.log_pseudo_likelihood(votes).sum() == pytest.approx(-436.4033, abs=1e-4)
    expected = (
        "-1.389 3.095 1.826 -0.494 -0.815 -0.188 0.528 2.386 -0.655 -1.308 -1.979 0.188 3.849 0.566 0.306 -0.971 "
        "-1.983 -0.491 6.158 0.623 -3.569 1.385 -1.086 2.649 5.798 -0.998 2.987 0.338 -1.028 3.873 -1.290 1.575 0.727 "
        "-1.062 2.406 2.257"
    )
    np.testing.assert_allclose(found.z, [float(z) for z in expected.split()], atol=6e-4)


def test_data_without_a_maximiser_have_none():
    x = drawn(50, 3)
    x[:, 1] = 1
    with pytest.raises(ValueError, match="no maximiser: column b has one value only"):
        estimate(TRUTH, x, names=Names(("a", "b", "c")))


def test_a_model_away_from_the_maximum_is_refused():
    """Newton's own step says how far it is: a tenth of a standard error is too far, a hundredth is not."""
    x = drawn(300, 3, seed=5)
    best = fitted(x, np.ones(300))
    error = estimate(best, x).standard_error[0]
    near, far = (FVBM(best.M, best.b + np.array([share * error, 0, 0])) for share in (0.01, 0.1))
    estimate(near, x)
    with pytest.raises(ValueError, match=r"b\[x1\] lies about 0\.\d+ standard errors.*PseudoLikelihoodLBFGS"):
        estimate(far, x)


def test_other_columns_and_levels_are_refused():
    with pytest.raises(ValueError, match="3 columns, not 2"):
        estimate(TRUTH, drawn(10, 2))
    x = drawn(100, 3)
    with pytest.raises(ValueError, match="3 columns, not of 1"):
        estimates(fitted(x, np.ones(100)), x, names=Names(("a",)))
    for level in (0.0, 1.0, 95.0, float("nan")):
        with pytest.raises(Refusal, match="level"):
            estimates(fitted(x, np.ones(100)), x, level=level)
