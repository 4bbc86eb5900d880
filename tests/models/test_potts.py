"""The Potts model against sums over every state, written out in numpy, and against the fully visible machine."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.inference import gibbs
from boltzcore.models import FVBM, Potts, PottsSetup
from boltzcore.quoting import Refusal
from tests.models.test_fvbm import assert_drawn_from


def potts(levels, seed: int, deviation: float = 0.7) -> Potts:
    """A model of normal parameters, in no particular gauge."""
    rng, of = np.random.default_rng(seed), np.repeat(np.arange(len(levels)), levels)
    upper = np.triu(rng.normal(0, deviation, (len(of), len(of))), 1) * (of[:, None] != of)
    return Potts(np.array(levels), rng.normal(0, deviation, len(of)), upper + upper.T)


def states(levels) -> np.ndarray:
    return np.array(list(itertools.product(*map(range, levels))))


def log_weights(model: Potts, x: np.ndarray) -> np.ndarray:
    first = np.cumsum(model.levels) - model.levels
    out = []
    for row in x:
        at = first + row
        out.append(model.h[at].sum() + sum(model.J[a, b] for a, b in itertools.combinations(at, 2)))
    return np.array(out)


def counts(x: np.ndarray, levels) -> np.ndarray:
    return np.bincount(np.ravel_multi_index(tuple(x.T), levels), minlength=np.prod(levels))


SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=5)


@settings(max_examples=40, deadline=None)
@given(levels=SIZES, seed=st.integers(0, 2**32 - 1), deviation=st.sampled_from([0.0, 0.3, 3.0]))
def test_its_law_is_that_of_the_enumeration(levels, seed, deviation):
    model, x = potts(levels, seed, deviation), states(levels)
    expected = log_weights(model, x)
    log_z = np.logaddexp.reduce(expected)
    assert np.allclose(model.log_weight(x), expected, atol=1e-10)
    assert model.log_partition() == pytest.approx(log_z, abs=1e-9)
    assert np.allclose(model.log_likelihood(x), expected - log_z, atol=1e-9)
    assert np.allclose(model.law.log_likelihood(x), expected - log_z, atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(levels=SIZES, seed=st.integers(0, 2**32 - 1))
def test_its_conditional_laws_are_those_of_the_enumeration(levels, seed):
    model, x = potts(levels, seed), states(levels)
    p = np.exp(log_weights(model, x)).reshape(levels)
    found, total = model.log_conditionals(x), np.zeros(len(x))
    for i in range(len(levels)):
        expected = np.log(p / p.sum(axis=i, keepdims=True)).reshape(-1)
        part = found[:, model.of_value == i]
        assert np.allclose(part[np.arange(len(x)), x[:, i]], expected, atol=1e-10)
        assert np.allclose(np.exp(part).sum(axis=1), 1)
        total += expected
    assert np.allclose(model.log_pseudo_likelihood(x), total, atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(levels=SIZES, seed=st.integers(0, 2**32 - 1))
def test_the_zero_sum_gauge_has_the_same_law_and_sums_of_zero(levels, seed):
    model, x = potts(levels, seed), states(levels)
    gauged = model.zero_sum()
    assert np.allclose(gauged.log_likelihood(x), model.log_likelihood(x), atol=1e-9)
    for i in range(len(levels)):
        assert np.allclose(gauged.J[model.of_value == i].sum(axis=0), 0, atol=1e-12)
        assert gauged.h[model.of_value == i].sum() == pytest.approx(0, abs=1e-12)
    again = gauged.zero_sum()
    assert np.allclose(again.J, gauged.J, atol=1e-14)
    assert np.allclose(again.h, gauged.h, atol=1e-14)
    for i, j in itertools.combinations(range(len(levels)), 2):
        block = gauged.J[np.ix_(model.of_value == i, model.of_value == j)]
        assert model.strengths()[i, j] == pytest.approx(np.linalg.norm(block), abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(levels=SIZES, seed=st.integers(0, 2**32 - 1), known=st.integers(0, 31))
def test_given_some_columns_the_others_have_the_conditional_law(levels, seed, known):
    model, x = potts(levels, seed), states(levels)
    evidence = {i: size - 1 for i, size in enumerate(levels) if known >> i & 1}
    agree = x[np.all([x[:, i] == value for i, value in evidence.items()] or [[True] * len(x)], axis=0)]
    rest, left = model.conditioned(evidence), [i for i in range(len(levels)) if i not in evidence]
    p = np.exp(model.log_likelihood(agree))
    rows = agree[:, left] if left else np.zeros((1, 1), int)
    assert np.allclose(np.exp(rest.log_likelihood(rows)), p / p.sum())
    with pytest.raises(Refusal):
        model.conditioned({0: levels[0]})


def test_of_two_values_it_is_the_fully_visible_machine():
    rng, sign = np.random.default_rng(3), np.array([-1.0, 1.0])
    upper = np.triu(rng.normal(0, 0.5, (6, 6)), 1)
    machine = FVBM(upper + upper.T, rng.normal(0, 0.5, 6))
    model = Potts(np.full(6, 2), np.kron(machine.b, sign), np.kron(machine.M, np.outer(sign, sign)))
    x = rng.integers(0, 2, (50, 6))
    assert np.allclose(model.zero_sum().J, model.J, atol=1e-14)
    assert model.log_partition() == pytest.approx(machine.log_partition(), abs=1e-10)
    assert np.allclose(model.log_likelihood(x), machine.log_likelihood(x), atol=1e-10)
    assert np.allclose(model.log_pseudo_likelihood(x), machine.log_pseudo_likelihood(x), atol=1e-10)


def test_too_many_states_are_refused_where_they_are_summed_over_alone():
    model = potts([5] * 20, 0, 0.1)
    assert not model.enumerable
    assert np.isfinite(model.log_pseudo_likelihood(np.zeros((3, 20), int))).all()
    questions = (model.log_partition, lambda: model.log_likelihood([[0] * 20]), lambda: model.sample(1, seed=0))
    for question in (*questions, lambda: model.law):
        with pytest.raises(Refusal):
            question()


def test_a_start_has_the_shares_of_the_values():
    v, weight = np.array([[0, 2], [1, 2], [1, 0], [1, 1]], np.uint8), np.array([1.0, 2, 3, 1])
    start = PottsSetup().initial(Examples(v, levels=(2, 3), weight=weight), seed=0)
    shares = np.exp(start.log_conditionals([[0, 0]])[0])
    assert np.allclose(shares, [2 / 9, 7 / 9, 4 / 10, 2 / 10, 4 / 10])


@pytest.mark.parametrize("levels", [(3, 1, 4, 2), (2, 2, 2, 2), (5,)])
def test_samples_are_of_the_exact_law_and_gibbs_sampling_reaches_and_keeps_it(levels):
    model, x = potts(levels, 5), states(levels)
    p = np.exp(model.log_likelihood(x))
    assert_drawn_from(p, counts(model.sample(50_000, seed=1), levels))
    assert_drawn_from(p, counts(gibbs(model, np.zeros((50_000, len(levels)), int), 30, seed=1), levels))
    start = x[np.random.default_rng(0).choice(len(x), 50_000, p=p)]
    assert_drawn_from(p, counts(gibbs(model, start, 1, seed=2), levels))


def test_a_sweep_draws_each_column_given_all_others():
    levels, n = (3, 2, 2), 20_000
    model, x = potts(levels, 8, 1.2), states(levels)
    log_p, transition = model.log_weight(x), np.eye(len(x))
    for i in range(len(levels)):
        same = (np.delete(x, i, axis=1)[:, None] == np.delete(x, i, axis=1)).all(axis=2)
        p = np.exp(log_p) * same
        transition = transition @ (p / p.sum(axis=1, keepdims=True))
    after = gibbs(model, np.repeat(x, n, axis=0), 1, seed=3)
    for expected, found in zip(transition, np.split(after, len(x)), strict=True):
        assert_drawn_from(expected, counts(found, levels))


def test_gibbs_sampling_of_a_row_depends_on_no_other_row_and_no_cut():
    levels = (4, 3, 300, 2)
    model, start = potts(levels, 6), np.random.default_rng(1).integers(0, levels, (600, 4))
    whole = gibbs(model, start, 9, seed=3)
    assert np.array_equal(gibbs(model, np.asfortranarray(start)[:21], 9, seed=3), whole[:21])
    assert whole[:, 2].max() > 255
    large = potts([4] * 60, 7, 0.2)  # of which a compiled call takes some sweeps
    start = np.zeros((256, 60), np.uint8)
    few = gibbs(large, start[:4], 40, seed=4)
    assert few.dtype == np.uint8
    assert np.array_equal(gibbs(large, start, 40, seed=4)[:4], few)


def test_steep_fields_do_not_overflow():
    model = Potts([3, 2], np.array([1e90, 0, 1e90, 0, 0]), np.zeros((5, 5)))
    assert set(gibbs(model, np.ones((1000, 2), int), 1, seed=1)[:, 0].tolist()) == {0, 2}
