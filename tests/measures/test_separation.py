"""Existence of a maximiser of a pseudo-likelihood, held against the dual linear programme."""

import numpy as np
import pytest
from scipy.optimize import linprog

from boltzcore.data import Examples
from boltzcore.measures import separation as module
from boltzcore.measures.separation import separation
from tests.models import exact


def tables(count, seed):
    """Small random tables of distinct rows of spins."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        d = int(generator.integers(1, 5))
        yield np.unique(generator.choice([-1, 1], (generator.integers(1, 2**d + 4), d)), axis=0)


def check_settled(found, x):
    """Some directions with margins of 0 or more settle each of these columns."""
    margins, d = exact.margins(x), x.shape[1]
    assert found.settled.any()
    assert (found.settled >= found.constant).all()
    for j in np.flatnonzero(found.settled):
        uphill = linprog(-margins[j::d].sum(axis=0), A_ub=-margins, b_ub=np.zeros(len(margins)), bounds=(-1, 1))
        assert uphill.fun < -1e-3


@pytest.mark.parametrize("at_once", [True, False])
def test_it_exists_just_where_positive_weights_balance_the_rows(at_once, monkeypatch):
    """Linear programmes decide where no weights are found at once that prove a maximiser to exist."""
    if not at_once:
        monkeypatch.setattr(module, "_certain", lambda *_: False)
    exist = 0
    for x in tables(60, seed=5):
        found, A = separation(x), exact.margins(x)
        balance = linprog(np.zeros(len(A)), A_eq=A.T, b_eq=np.zeros(A.shape[1]), bounds=(1, None))
        assert found.exists is balance.success  # by Stiemke
        assert (found.sentence() == "") is found.exists
        exist += found.exists
        if not found.exists:
            check_settled(found, x)
    assert 10 < exist < 50  # both occur


def test_rows_without_weight_do_not_count():
    rows = [[1, 1], [0, 0], [1, 0], [0, 1]]
    assert separation(Examples(np.array(rows), weight=np.array([1, 2, 3, 0.5]))).exists
    assert not separation(Examples(np.array(rows), weight=np.array([1, 2, 3, 0]))).exists


@pytest.mark.parametrize("limit", ["MOST_PARAMETERS", "MOST_OF_COLUMNS", "MOST_COEFFICIENTS"])
def test_a_table_too_large_is_said_to_be(monkeypatch, limit):
    """Whatever the limit is that it meets; a column of one value is seen all the same."""
    monkeypatch.setattr(module, limit, 10)
    generator = np.random.default_rng(4)
    common = 3 * generator.normal(size=(40, 3)) @ generator.normal(size=(3, 6))
    x = np.where(common + generator.normal(size=(40, 6)) > 0, 1, -1)  # columns that go together
    found = separation(x)
    assert found.exists is None
    assert "not checked" in found.sentence()
    x[:, 0] = -1
    found = separation(x)
    assert found.exists is False
    check_settled(found, x)
