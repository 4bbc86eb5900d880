"""Every state of a small model, against sums in plain numpy."""

import itertools

import numpy as np
import pytest

from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM, LogLinear
from boltzcore.models.landscape import MOST


def rbm(n, rng):
    return RBM(rng.normal(0, 2, (n, 5)), rng.normal(size=n), rng.normal(size=5))


def infinite(n, rng):
    return InfiniteRBM(rng.normal(0, 2, (4, n + 1)), [0.0, 0.5, 1.0, 2.25], rng.normal(size=n))


def fvbm(n, rng):
    M = np.triu(rng.normal(size=(n, n)), 1)
    return FVBM(M + M.T, rng.normal(size=n))


def log_linear(n, rng):
    terms = rng.choice(np.arange(1, 2**n), min(2**n - 1, 20), replace=False)
    return LogLinear([2] * n, dict(zip(terms.tolist(), rng.normal(size=len(terms)).tolist(), strict=True)))


def energy(model, v):
    """-log of the weight of a state, by the definition of each model, a number at a time."""
    if isinstance(model, RBM):
        W, b, c = (np.asarray(each, np.float64) for each in (model.W, model.b, model.c))
        return -np.logaddexp.reduce([v @ W @ h + b @ v + c @ h for h in itertools.product((0, 1), repeat=len(c))])
    if isinstance(model, InfiniteRBM):
        fields = model.units.astype(np.float64) @ [*v, 1]
        return -float(model.counts @ np.logaddexp(0, fields) + model.b.astype(np.float64) @ v)
    if isinstance(model, FVBM):
        x = 2.0 * v - 1
        return -(x @ model.M @ x / 2 + model.b @ x)
    return -sum(theta * (-1) ** int(sum(v & (y >> np.arange(len(v)) & 1))) for y, theta in model.theta.items())


@pytest.mark.parametrize("n", [1, 3, 11])
@pytest.mark.parametrize("make", [rbm, infinite, fvbm, log_linear])
def test_every_state_has_the_energy_of_the_definition(make, n):
    model = make(n, np.random.default_rng(n))
    found = model.landscape()
    assert found.free_energies.shape == found.probabilities.shape == (2**n,)
    asked = np.random.default_rng(0).choice(2**n, min(2**n, 40), replace=False)
    for state in asked.tolist():
        v = np.array([state >> i & 1 for i in range(n)])  # unit 0 is the lowest bit
        assert found.free_energies[state] == pytest.approx(energy(model, v), abs=1e-5)
    assert found.probabilities.sum() == pytest.approx(1)
    rows = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(np.uint8)
    np.testing.assert_allclose(np.log(found.probabilities), model.log_likelihood(rows), atol=1e-5)
    assert found.log_partition == pytest.approx(model.log_partition(), abs=1e-9)


@pytest.mark.parametrize("make", [rbm, infinite, fvbm, log_linear])
def test_of_more_units_than_can_be_shown_there_is_none(make):
    assert make(MOST, np.random.default_rng(0)).landscape() is not None
    assert make(MOST + 1, np.random.default_rng(0)).landscape() is None


def test_of_more_values_or_of_an_input_there_is_none():
    conditional = CRBM(np.ones((2, 3)), np.eye(2), np.zeros((3, 2)), np.zeros(2), np.zeros(3))
    assert LogLinear([2, 3], {1: 1.0}).landscape() is conditional.landscape() is None
    assert conditional.given(np.ones(2)).landscape() is not None
