"""The log-linear model against its definition, written out: every function of every state."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.models import load, log_linear, state_probabilities
from boltzcore.models.log_linear import (
    LogLinear,
    LogLinearSetup,
    cardinalities_of,
)
from boltzcore.models.state_probabilities import marginals_of, probability_of


def local(size: int) -> np.ndarray:
    """(size, size) phi_j(l): rows of a Walsh-Hadamard matrix where size is a power of two (eq. 4), else eq. 5."""
    if size & (size - 1) == 0:
        rows = np.ones((1, 1))
        while len(rows) < size:
            rows = np.block([[rows, rows], [rows, -rows]])
        return rows
    rows = 2 * np.eye(size) - 1
    rows[0] = 1
    return rows


def functions(sizes) -> np.ndarray:
    """(states, states) Phi_y(x), variable 0 varying fastest in both."""
    out = np.ones((1, 1))
    for size in sizes:
        out = np.kron(local(size), out)
    return out


def states(sizes) -> np.ndarray:
    """Every state, in the order of the indices."""
    return np.array([x[::-1] for x in itertools.product(*(range(size) for size in reversed(sizes)))])


def drawn(sizes, terms: int, seed: int) -> LogLinear:
    rng = np.random.default_rng(seed)
    most = int(np.prod(sizes)) - 1
    chosen = 1 + rng.permutation(most)[:terms]
    return LogLinear(sizes, {int(y): float(value) for y, value in zip(chosen, rng.normal(size=terms), strict=False)})


def law(model: LogLinear) -> np.ndarray:
    theta = np.zeros(model.n_states)
    theta[model.terms] = model.values
    weights = np.exp(functions(model.cardinalities.tolist()).T @ theta)
    return weights / weights.sum()


SIZES = [(2, 2, 2), (3,), (2, 3), (3, 2), (4, 3, 2, 5), (5, 1, 2, 4, 3), (2,) * 9, (3,) * 5, (16, 6)]


@pytest.mark.parametrize("sizes", SIZES)
def test_its_law_is_that_of_the_definition(sizes):
    model, x = drawn(sizes, 6, seed=1), states(sizes)
    p = law(model)
    assert np.allclose(model.probabilities(), p, rtol=1e-11, atol=0)
    assert np.allclose(model.log_likelihood(x), np.log(p), atol=1e-11)
    assert np.allclose(model.log_weight(x), functions(sizes).T[:, model.terms] @ model.values, atol=1e-12)
    assert model.entropy() == pytest.approx(-(p * np.log(p)).sum())
    assert np.array_equal(model.layout.digits(model.layout.index(x)), x)


@settings(max_examples=30, deadline=None)
@given(sizes=st.lists(st.integers(1, 5), min_size=2, max_size=5), seed=st.integers(0, 1000), data=st.data())
def test_its_answers_are_those_of_sums_over_all_states(sizes, seed, data):
    model, x = drawn(sizes, 4, seed), states(sizes)
    p = law(model)
    asked = data.draw(st.lists(st.integers(0, len(sizes) - 1), min_size=1, max_size=len(sizes) - 1, unique=True))
    left = [i for i in range(len(sizes)) if i not in asked]
    evidence = {
        i: data.draw(st.integers(0, sizes[i] - 1)) for i in data.draw(st.lists(st.sampled_from(left), unique=True))
    }
    agrees = np.all([x[:, i] == value for i, value in evidence.items()], axis=0) if evidence else np.ones(len(x), bool)
    wanted = np.zeros([sizes[i] for i in asked])
    for state, probability in zip(x[agrees], p[agrees], strict=True):
        wanted[tuple(state[asked])] += probability
    assert np.allclose(model.marginal(asked, evidence), wanted / wanted.sum(), atol=1e-12)
    best, probability = model.most_likely(2, evidence)
    inside = np.sort(p[agrees] / p[agrees].sum())[::-1]
    assert np.allclose(probability, inside[:2])
    assert all((best[:, i] == value).all() for i, value in evidence.items())
    assert np.allclose(p[model.layout.index(best)] / p[agrees].sum(), probability)


def test_the_most_likely_states_are_found_part_by_part(monkeypatch):
    model = drawn((3, 2, 4, 2), 20, seed=5)
    whole = model.most_likely(9), model.most_likely(9, {1: 1})
    monkeypatch.setattr(state_probabilities, "PART", 7)
    monkeypatch.setattr(log_linear, "PART", 7)
    for (states_, p), (again, q) in zip(whole, (model.most_likely(9), model.most_likely(9, {1: 1})), strict=True):
        np.testing.assert_array_equal(states_, again)
        np.testing.assert_array_equal(p, q)
    states_, p = model.most_likely(5, {0: 2, 1: 1, 2: 3, 3: 0})
    assert states_.tolist() == [[2, 1, 3, 0]]
    assert p == [1.0]


def test_every_other_variable_s_law_is_told_at_once():
    model = drawn((3, 2, 4, 2), 20, seed=6)
    p = model.probabilities()
    for evidence in ({}, {2: 1}, {0: 2, 3: 1}):
        found = marginals_of(p, model.layout, evidence)
        assert list(found) == [i for i in range(4) if i not in evidence]
        for i, each in found.items():
            np.testing.assert_allclose(each, model.marginal([i], evidence), rtol=1e-12)
    with pytest.raises(ValueError, match="must be possible"):
        marginals_of(np.zeros(48), model.layout, {0: 1})


@settings(deadline=None, max_examples=40)
@given(sizes=st.lists(st.integers(1, 5), min_size=2, max_size=5), seed=st.integers(0, 1000), data=st.data())
def test_given_some_values_the_rest_is_a_model_of_this_kind(sizes, seed, data):
    model, x = drawn(sizes, 6, seed), states(sizes)
    evidence = data.draw(
        st.dictionaries(st.sampled_from(range(len(sizes))), st.integers(0, 4), max_size=len(sizes)).map(
            lambda given: {i: value % sizes[i] for i, value in given.items()}
        )
    )
    p, rest, left = law(model), model.conditioned(evidence), model.left(evidence)
    agrees = np.all([x[:, i] == value for i, value in evidence.items()], axis=0) if evidence else np.ones(len(x), bool)
    assert rest.layout.cardinalities == (tuple(sizes[i] for i in left) or (1,))
    places = rest.layout.index(x[agrees][:, left]) if left else np.zeros(1, np.int64)
    np.testing.assert_allclose(rest.probabilities()[places], p[agrees] / p[agrees].sum(), rtol=1e-9)
    assert np.isclose(model.log_probability_of(evidence), np.log(p[agrees].sum()), atol=1e-9)


def test_evidence_that_is_hardly_possible_is_answered_exactly():
    """Its probability is far below the smallest number of float64."""
    model = LogLinear((2, 2, 2), {1: 400, 2: 400, 4: 0.5, 5: 0.3})
    on = np.exp([0.5 - 0.3, -0.5 + 0.3])  # x_0 = 1: the term of both turns the sign of the other's
    np.testing.assert_allclose(model.marginal([2], {0: 1, 1: 1}), on / on.sum(), rtol=1e-12)
    assert model.log_probability_of({0: 1, 1: 1}) < -1500
    assert model.most_likely(1, {0: 1, 1: 1})[0].tolist() == [[1, 1, 0]]


def test_columns_that_never_change_are_as_many_as_you_like():
    """numpy has no more than 64 axes."""
    few = drawn((3, 2, 4), 6, seed=8)
    sizes = [1] * 40 + [3] + [1] * 40 + [2, 4]
    many, at = LogLinear(sizes, few.theta), [40, 81, 82]
    assert np.allclose(many.probabilities(), few.probabilities(), rtol=1e-12)
    wanted = few.marginal([2, 0], {1: 1})
    assert np.allclose(many.marginal([82, 0, 40], {81: 1, 7: 0}), wanted[:, None], rtol=1e-12)
    states_, _ = many.most_likely(2, {81: 1})
    assert np.array_equal(states_[:, at], few.most_likely(2, {1: 1})[0])
    assert not np.delete(states_, at, axis=1).any()
    every = marginals_of(many.probabilities(), many.layout, {82: 3, 80: 0})
    assert np.allclose(every[40], few.marginal([0], {2: 3}), rtol=1e-12)
    assert every[0] == [1.0]
    assert list(every) == [i for i in range(83) if i not in (80, 82)]
    evidence = dict.fromkeys(range(81), 0)
    assert probability_of(many.probabilities(), many.layout, evidence) == pytest.approx(few.marginal([0])[0])


def test_samples_are_drawn_from_it():
    model = drawn((3, 2, 4), 6, seed=2)
    p, n = law(model), 200_000
    found = np.bincount(model.layout.index(model.sample(n, seed=3)), minlength=24) / n
    assert (np.abs(found - p) < 6 * np.sqrt(p * (1 - p) / n)).all()
    assert np.array_equal(model.sample(9, seed=1), model.sample(9, seed=1))


def test_what_is_drawn_does_not_depend_on_how_a_table_is_parted(monkeypatch):
    model = drawn((3, 2, 4, 5), 9, seed=2)
    whole = model.sample(2_000, seed=4)
    monkeypatch.setattr(state_probabilities, "PART", 7)
    monkeypatch.setattr(log_linear, "PART", 7)
    assert np.array_equal(model.sample(2_000, seed=4), whole)


def test_its_file_keeps_its_own_types(tmp_path):
    model = drawn((3, 2, 4), 5, seed=4)
    model.save(tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    assert type(again) is LogLinear
    assert again.theta == model.theta
    assert (again.cardinalities.dtype, again.terms.dtype, again.values.dtype) == (np.int64, np.int64, np.float64)


@pytest.mark.parametrize(
    ("sizes", "theta", "sentence"),
    [
        ((2,) * 40, {}, r"at most 2\^26 states, .* these 40 columns have 1\.1e\+12\. The first 26 would fit"),
        ((2,) * 1_100, {}, r"these 1,100 columns have 1e\+331\. The first 26 would fit"),
        (np.full(100_000, 2**62), {}, r"these 100,000 columns have 1e\+1866386\. The first 0 would fit"),
        ((2, 0), {}, "cardinalities must be whole numbers of 1 or more"),
        ((2, 2), {0: 1.0}, "terms must be whole numbers from 1 to 3"),
        ((2, 2), {4: 1.0}, "terms must be whole numbers from 1 to 3"),
        ((2, 2), {1.5: 1.0}, "terms must be whole numbers from 1 to 3"),
        ((2, 2), {2**70: 1.0}, "terms must be whole numbers from 1 to 3"),
        ((2, 2), {1: np.inf}, "values must be finite"),
        ((2, 2), {1: np.nan}, "values must be finite"),
        ((2, 2), {1: -1e101}, "values must be finite numbers from -1e.100 to 1e.100"),
    ],
)
def test_what_is_no_such_model_is_refused(sizes, theta, sentence):
    with pytest.raises(ValueError, match=sentence):
        LogLinear(sizes, theta)


def test_the_largest_parameters_have_a_law():
    p = LogLinear((2, 2, 3), {1: 1e100, 2: 1e100, 7: -1e100}).probabilities()
    assert np.isfinite(p).all()
    assert p.sum() == pytest.approx(1)


def test_its_start_takes_the_data_for_what_they_are():
    data = Examples(np.array([[0, 2], [1, 0]]), levels=(2, 3))
    assert cardinalities_of(data) == (2, 3)
    assert np.allclose(LogLinearSetup().initial(data, seed=0).probabilities(), 1 / 6)
    with pytest.raises(ValueError, match="data must have at most"):
        LogLinearSetup().initial(Examples(np.zeros((2, 30))), seed=0)
    with pytest.raises(ValueError, match=r"these 2,000 columns have 1e\+602"):
        LogLinearSetup().initial(Examples(np.zeros((2, 2_000))), seed=0)
    with pytest.raises(ValueError, match="binarise them by a threshold"):
        LogLinearSetup().initial(Examples(np.zeros((2, 3)), levels=256), seed=0)
