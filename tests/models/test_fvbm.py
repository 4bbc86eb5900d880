"""The fully visible machine against sums over every state, written out in numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.inference import gibbs
from boltzcore.models import FVBM, RBM, FVBMSetup
from boltzcore.models.fvbm import spins
from boltzcore.quoting import Refusal


def machine(d: int, seed: int, deviation: float = 0.5) -> FVBM:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.normal(0, deviation, (d, d)), 1)
    return FVBM(upper + upper.T, rng.normal(0, deviation, d))


def states(d: int) -> np.ndarray:
    """Every state; bit i of its index tells unit i."""
    return 2.0 * (np.arange(2**d)[:, None] >> np.arange(d) & 1) - 1


def counts(x: np.ndarray) -> np.ndarray:
    d = x.shape[1]
    return np.bincount((x > 0) @ (1 << np.arange(d)), minlength=2**d)


def assert_drawn_from(p: np.ndarray, found: np.ndarray) -> None:
    """Counts of states that the law explains: a chi-squared within six of its standard deviations."""
    expected = p * found.sum()
    chi_squared = ((found - expected) ** 2 / expected).sum()
    free = len(p) - 1
    assert chi_squared < free + 6 * np.sqrt(2 * free)


@settings(max_examples=30, deadline=None)
@given(d=st.integers(1, 12), seed=st.integers(0, 2**32 - 1), deviation=st.sampled_from([0.0, 0.3, 3.0]))
def test_its_law_is_that_of_the_enumeration(d, seed, deviation):
    model, x = machine(d, seed, deviation), states(d)
    w = np.exp(0.5 * np.einsum("ij,jk,ik->i", x, model.M, x) + x @ model.b)
    p = w / w.sum()
    assert model.log_partition() == pytest.approx(np.log(w.sum()), rel=1e-12, abs=1e-12)
    assert np.allclose(model.probabilities(), p, rtol=1e-9, atol=1e-15)
    assert np.allclose(model.log_likelihood(x), np.log(p), atol=1e-9)
    mean, second = model.marginals()
    assert np.allclose(mean, p @ x, atol=1e-12)
    assert np.allclose(second, x.T @ (p[:, None] * x), atol=1e-12)


@settings(max_examples=20, deadline=None)
@given(d=st.integers(1, 8), seed=st.integers(0, 2**32 - 1))
def test_its_pseudo_likelihood_is_the_product_of_the_conditionals(d, seed):
    model = machine(d, seed, 1.0)
    p = np.log(model.probabilities())
    other = np.arange(2**d)[:, None] ^ (1 << np.arange(d))  # each state with one unit turned over
    conditionals = p[:, None] - np.logaddexp(p[:, None], p[other])
    assert np.allclose(model.log_pseudo_likelihood(states(d)), conditionals.sum(axis=1), atol=1e-9)


def test_large_fields_do_not_overflow():
    model = FVBM(np.array([[0.0, 900.0], [900.0, 0.0]]), np.array([500.0, -500.0]))
    assert np.allclose(model.log_likelihood([[1, 1], [-1, -1]]), np.log(0.5))
    assert np.allclose(model.log_pseudo_likelihood([[1, 1], [1, -1]]), [0.0, 2 * (-400.0 - 400.0)])


def test_codes_stand_for_spins():
    model, x = machine(4, 1), states(4)
    codes = (x > 0).astype(np.uint8)
    for method in (model.log_likelihood, model.log_pseudo_likelihood):
        assert np.array_equal(method(codes), method(x))
    assert np.array_equal(spins([[1, 1]]), [[1, 1]])
    assert np.array_equal(spins([[True, False]]), [[1, -1]])
    for wrong in ([[0, -1]], [[2, 1]], [[0.5, 1.0]], [1, -1], [["a"]], [[1, 1, -1]]):
        with pytest.raises(ValueError, match=r"^x must"):
            model.log_likelihood(wrong)


@pytest.mark.parametrize("d", [3, 11])
def test_samples_are_drawn_from_the_exact_law(d):
    model = machine(d, 2, 0.3)
    x = model.sample(200_000, seed=5)
    assert_drawn_from(model.probabilities(), counts(x))
    assert model.sample(0, seed=1).shape == (0, d)


def test_gibbs_sampling_reaches_the_exact_law_and_keeps_it():
    model = machine(4, 3)
    p = model.probabilities()
    assert_drawn_from(p, counts(gibbs(model, np.ones((100_000, 4)), 40, seed=1)))
    assert_drawn_from(p, counts(gibbs(model, model.sample(100_000, seed=4), 1, seed=2)))


def test_gibbs_sampling_of_a_row_depends_on_no_other_row_and_no_cut():
    model, start = machine(7, 4), machine(7, 4).sample(600, seed=1)
    whole = gibbs(model, start, 9, seed=3)
    assert np.array_equal(gibbs(model, start[:21], 9, seed=3), whole[:21])
    assert np.array_equal(gibbs(model, (start > 0).astype(np.uint8), 9, seed=3), whole)
    with pytest.raises(Refusal, match=r"^model must"):
        gibbs("model", start, 1, seed=0)


def test_what_is_out_of_reach_is_refused():
    model = machine(26, 0)
    for ask in (model.log_partition, model.probabilities, model.marginals, lambda: model.sample(1, seed=0)):
        with pytest.raises(ValueError, match="at most 25 units"):
            ask()
    assert not model.enumerable
    assert np.isfinite(model.log_pseudo_likelihood(np.ones((2, 26)))).all()


def test_its_start_is_normal_around_nought():
    data = Examples(np.tile([[0, 1]], (2, 100)))
    model = FVBMSetup(variance=0.5).initial(data, seed=1)
    values = np.concatenate([model.b, model.M[np.triu_indices(200, 1)]])
    assert values.mean() == pytest.approx(0, abs=6 * np.sqrt(0.5 / len(values)))
    assert values.var() == pytest.approx(0.5, abs=6 * 0.5 * np.sqrt(2 / len(values)))
    assert FVBMSetup().initial(data, seed=1, before=model) is model


@pytest.mark.parametrize(
    ("data", "before"),
    [
        (Examples(np.zeros((2, 3)), levels=256), None),
        (Examples(np.zeros((2, 3)), levels=(2, 5, 3)), None),
        (Examples(np.zeros((2, 20_000))), None),
        (Examples(np.zeros((2, 3))), RBM(np.zeros((3, 2)), np.zeros(3), np.zeros(2))),
    ],
)
def test_what_cannot_be_its_data_is_refused(data, before):
    with pytest.raises(ValueError, match=r"^(data|before) must"):
        FVBMSetup().initial(data, seed=0, before=before)
