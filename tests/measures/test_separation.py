"""Whether a pseudo-likelihood has a maximiser, held against exact rational arithmetic."""

import gc
import types
import weakref

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from boltzcore.data import Examples
from boltzcore.measures import separation as module
from boltzcore.measures.separation import separation
from boltzcore.names import Names
from boltzcore.ticks import Stopped
from tests.measures import rational


def tables(count, seed):
    """Small random tables of distinct rows of spins."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        d = int(generator.integers(1, 5))
        yield np.unique(generator.choice([-1, 1], (generator.integers(1, 2**d + 4), d)), axis=0)


def drawn(n, d, strength, seed):
    """Rows of correlated columns, (n, d) of -1 and +1."""
    generator = np.random.default_rng(seed)
    common = generator.normal(size=(n, 3)) @ generator.normal(size=(3, d)) * strength
    return np.where(common + generator.normal(size=(n, d)) > 0, 1, -1)


def check_direction(found, x):
    """That it is a direction as `Separation` says, by the definition."""
    assert (found.M == found.M.T).all()
    assert not found.M.diagonal().any()
    margins = x * (x @ found.M + found.b)
    assert margins.min() > -1e-9
    assert margins.max() > 1e-3
    np.testing.assert_array_equal((margins > 1e-5).any(axis=0), found.settled)


def test_it_is_as_in_rational_arithmetic():
    exist = 0
    for x in tables(200, seed=5):
        found = separation(x)
        assert found.exists is rational.has_maximiser(x)
        exist += found.exists
        if not found.exists:
            check_direction(found, x)
    assert 25 < exist < 175  # both occur


def test_the_programmes_alone_know_it_too(monkeypatch):
    """Where no weights are found at once that prove a maximiser to exist, linear programmes decide."""
    monkeypatch.setattr(module, "_certain", lambda *_: False)
    joint = []
    uphill = module._uphill
    monkeypatch.setattr(module, "_uphill", lambda A, tick: joint.append(uphill(A, tick)) or joint[-1])
    needed = 0
    for x in tables(150, seed=5):
        joint.clear()
        found = separation(x)
        assert found.exists is rational.has_maximiser(x)
        needed += bool(found.exists) and any(each is not None for each in joint)
        if not found.exists:
            check_direction(found, x)
    assert needed  # a column separated by itself, and a maximiser all the same


def test_some_of_many_rows_may_prove_that_there_is_one(monkeypatch):
    """Only a few of a large table are looked at in one piece; nothing is decided by them that all would not."""
    monkeypatch.setattr(module, "_VALUES", 20)
    looked = []
    certain = module._certain
    monkeypatch.setattr(module, "_certain", lambda x, tick: looked.append((len(x), certain(x, tick))) or looked[-1][1])
    proved = 0
    for x in tables(400, seed=6):
        looked.clear()
        assert separation(x).exists is rational.has_maximiser(x)
        proved += any(answer and rows < len(x) for rows, answer in looked)
    assert proved


def test_directions_of_larger_tables_lead_uphill():
    exist = []
    for strength in (0.5, 1.5, 4.0, 8.0):
        x = drawn(150, 12, strength, seed=1)
        found = separation(x)
        exist.append(found.exists)
        if not found.exists:
            check_direction(found, x)
    assert exist == sorted(exist, reverse=True)
    assert len(set(exist)) == 2


@pytest.mark.parametrize("seed", range(6))
def test_a_direction_among_some_columns_of_a_large_table_is_enough(monkeypatch, seed):
    x = drawn(60, 8, 2.0, seed)
    exists = separation(x).exists
    monkeypatch.setattr(module, "_SLOW", 200)
    found = separation(x)
    assert found.exists is exists
    if not exists:
        check_direction(found, x)


@pytest.mark.parametrize(
    ("x", "exists", "why"),
    [
        ([[1]], False, "column x1 has one value only"),
        ([[1], [-1]], True, ""),
        ([[1, -1]], False, "columns x1, x2 have one value only"),
        ([[1, 1], [-1, -1]], False, "columns x1, x2 are settled by the others in some rows"),
        ([[1, 1], [-1, -1], [1, -1]], False, "columns x1, x2 are settled by the others in some rows"),
        ([[1, 1], [-1, -1], [1, -1], [-1, 1]], True, ""),
        ([[1, 1, 1], [1, -1, 1], [1, 1, -1], [1, -1, -1]], False, "column x1 has one value only"),
    ],
)
def test_what_is_said_of_tiny_tables(x, exists, why):
    found = separation(np.array(x))
    assert found.exists is exists
    assert (why in found.sentence()) if why else (found.sentence() == "")


def test_columns_are_called_by_their_names():
    """The second column is constant, and the fourth a copy of the third."""
    x = np.random.default_rng(0).choice([0, 1], (200, 4))
    x[:, 1], x[:, 3] = 1, x[:, 2]
    said = separation(Examples(x)).sentence(Names(("age", "sex", "left", "right")))
    assert "column sex has one value only, and columns left, right are settled by the others" in said


def test_rows_without_weight_do_not_count():
    rows = [[1, 1], [0, 0], [1, 0], [0, 1]]
    assert separation(Examples(np.array(rows), weight=np.array([1, 2, 3, 0.5]))).exists
    assert not separation(Examples(np.array(rows), weight=np.array([1, 2, 3, 0]))).exists


def test_examples_are_looked_at_once_and_not_kept():
    data = Examples((drawn(100, 5, 0.3, seed=2) > 0).astype(np.uint8))
    assert separation(data) is separation(data)
    gone = weakref.ref(data)
    del data
    gc.collect()
    assert gone() is None


def test_blas_has_one_thread_meanwhile():
    found = []
    with threadpool_limits(2, "blas"):
        separation(
            drawn(300, 8, 0.3, seed=3),
            lambda _: found.extend(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"),
        )
    assert set(found) == {1}


def test_it_can_be_stopped():
    def stop(fraction=0.0):
        raise Stopped

    with pytest.raises(Stopped):
        separation(drawn(300, 8, 0.3, seed=3), stop)


@pytest.mark.parametrize("limit", ["MOST_PRODUCTS", "MOST_PARAMETERS", "MOST_OF_COLUMNS", "MOST_COEFFICIENTS"])
def test_a_table_too_large_is_said_to_be(monkeypatch, limit):
    """Whatever the limit is that it meets; a column of one value is seen all the same."""
    monkeypatch.setattr(module, limit, 10)
    x = drawn(40, 6, 3.0, seed=4)
    found = separation(x)
    assert found.exists is None
    assert "not checked" in found.sentence()
    x[:, 0] = -1
    found = separation(x)
    assert found.exists is False
    check_direction(found, x)


def test_other_rows_are_refused():
    with pytest.raises(ValueError, match="two values"):
        separation(Examples(np.zeros((3, 4), np.uint8), levels=256))
    with pytest.raises(ValueError, match="-1 and"):
        separation(np.array([[0.5, 1.0]]))


def test_a_programme_without_an_answer_leaves_it_open(monkeypatch):
    ended = types.SimpleNamespace(status=4, x=None)
    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: ended)
    monkeypatch.setattr(module, "_certain", lambda *_: False)
    found = separation(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]))
    assert found.exists is None
    assert "was not checked" in found.sentence()
