"""The log-linear model against its definition, written out: every function of every state."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.models.log_linear import LogLinear, LogLinearSetup, cardinalities_of
from boltzcore.models.state_probabilities import marginals_of, select_states


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
    assert np.array_equal(model.layout.digits(model.layout.index(x)), x)


@settings(max_examples=30, deadline=None)
@given(sizes=st.lists(st.integers(1, 5), min_size=2, max_size=5), seed=st.integers(0, 1000), data=st.data())
def test_its_answers_are_those_of_sums_over_all_states(sizes, seed, data):
    model, x = drawn(sizes, 4, seed), states(sizes)
    p = law(model)
    given = st.lists(st.integers(0, len(sizes) - 1), max_size=len(sizes) - 1, unique=True)
    evidence = {i: data.draw(st.integers(0, sizes[i] - 1)) for i in data.draw(given)}
    agrees = np.all([x[:, i] == value for i, value in evidence.items()], axis=0) if evidence else np.ones(len(x), bool)
    of_table = marginals_of(select_states(p, model.layout, evidence), model.conditioned(evidence).layout)
    of_model = model.marginals(evidence)
    assert list(of_model) == [i for i in range(len(sizes)) if i not in evidence]
    for (i, each), same in zip(of_model.items(), of_table, strict=True):
        wanted = np.bincount(x[agrees][:, i], p[agrees], sizes[i])
        assert np.allclose(each, wanted / wanted.sum(), atol=1e-12)
        assert np.allclose(each, same, rtol=1e-9)
    best, probability = model.most_likely(2, evidence)
    inside = np.sort(p[agrees] / p[agrees].sum())[::-1]
    assert np.allclose(probability, inside[:2])
    assert all((best[:, i] == value).all() for i, value in evidence.items())
    assert np.allclose(p[model.layout.index(best)] / p[agrees].sum(), probability)


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
    np.testing.assert_allclose(model.marginals({0: 1, 1: 1})[2], on / on.sum(), rtol=1e-12)
    assert model.log_probability_of({0: 1, 1: 1}) < -1500
    assert model.most_likely(1, {0: 1, 1: 1})[0].tolist() == [[1, 1, 0]]


def test_samples_are_drawn_from_it():
    model = drawn((3, 2, 4), 6, seed=2)
    p, n = law(model), 200_000
    found = np.bincount(model.layout.index(model.sample(n, seed=3)), minlength=24) / n
    assert (np.abs(found - p) < 6 * np.sqrt(p * (1 - p) / n)).all()
    assert np.array_equal(model.sample(9, seed=1), model.sample(9, seed=1))


def test_its_start_takes_the_data_for_what_they_are():
    data = Examples(np.array([[0, 2], [1, 0]]), levels=(2, 3))
    assert cardinalities_of(data) == (2, 3)
    assert np.allclose(LogLinearSetup().initial(data, seed=0).probabilities(), 1 / 6)
    for wrong in (Examples(np.zeros((2, 30))), Examples(np.zeros((2, 3)), levels=256)):
        with pytest.raises(ValueError, match=r"^data must"):
            LogLinearSetup().initial(wrong, seed=0)
