"""Rows of a grid of spins against the enumeration of its states."""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.ising import Grid, Ising
from boltzcore.models import LogLinear
from boltzcore.parameters import Refusal


def neighbours(rows: int, columns: int) -> list[tuple[int, int]]:
    at = np.arange(rows * columns).reshape(rows, columns)
    pairs = [*zip(at[1:].flat, at[:-1].flat, strict=True), *zip(at[:, 1:].flat, at[:, :-1].flat, strict=True)]
    return [(int(i), int(j)) for i, j in pairs]


@pytest.mark.parametrize(("rows", "columns", "coupling"), [(3, 4, 0.5), (4, 3, -0.7), (1, 5, 1.2), (1, 1, 1)])
def test_its_law_is_that_of_the_log_linear_model_with_a_term_for_each_pair_of_neighbours(rows, columns, coupling):
    d = rows * columns
    terms = {(1 << i) | (1 << j): coupling for i, j in neighbours(rows, columns)}
    p = LogLinear([2] * d, terms).probabilities()
    states = np.arange(2**d)[:, None] >> np.arange(d) & 1
    truth = Grid(rows, columns, coupling)
    np.testing.assert_allclose(truth.log_probability(states), np.log(p), atol=1e-12)
    drawn = truth.sample(100_000, seed=1)
    share = np.bincount(drawn @ (1 << np.arange(d)), minlength=2**d) / 100_000
    assert (np.abs(share - p) < 7 * np.sqrt(p * (1 - p) / 100_000) + 1e-4).all()


def test_a_wide_grid_needs_no_table():
    data = load("ising", rows=12, columns=50, n=2_000, coupling=0.4)
    assert (len(data.test), data.train.levels, data.shape) == (500, 2, (12, 50))
    assert data.names.columns[49:51] == ("x1.50", "x2.1")
    assert data.names.categories == (("-1", "+1"),) * 600
    v = data.train.v.reshape(-1, 12, 50)
    along, across = (v[:, :, 1:] == v[:, :, :-1]).mean(), (v[:, 1:] == v[:, :-1]).mean()
    assert along == pytest.approx(across, abs=0.01)  # both directions alike
    assert np.isfinite(data.truth.log_probability(data.test.v)).all()
    assert np.isfinite(Ising(rows=12, columns=12, coupling=5).truth().log_partition)


@pytest.mark.parametrize("options", [{"rows": 13, "columns": 20}, {"n": 1_000_000, "rows": 50, "columns": 12}])
def test_what_would_take_too_long_or_too_much_is_refused(options):
    with pytest.raises(Refusal, match=f"^{next(iter(options))} must be at most"):
        Ising(**options)
