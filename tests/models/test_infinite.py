"""The infinite RBM held against sums over all states, and against RBMs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.models import RBM, InfiniteRBM, InfiniteRBMSetup, RBMSetup
from boltzcore.quoting import Refusal


def drawn(n_visible: int, counts, seed: int = 0, size: float = 1.0) -> InfiniteRBM:
    rng = np.random.default_rng(seed)
    units = rng.normal(0, size, (len(counts), n_visible + 1))
    return InfiniteRBM(units, counts, rng.normal(0, 1, n_visible))


def states(n: int) -> np.ndarray:
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.uint8)


def test_an_rbm_gives_it_and_it_gives_the_rbm_back():
    rng = np.random.default_rng(3)
    rbm = RBM(rng.normal(size=(7, 4)), rng.normal(size=7), rng.normal(size=4))
    model = InfiniteRBM.from_rbm(rbm)
    assert (model.n_units, model.alpha, model.whole) == (4, 4.0, True)
    again = model.to_rbm()
    for name in ("W", "b", "c"):
        assert np.array_equal(getattr(again, name), getattr(rbm, name))
    assert np.isclose(model.log_partition(), rbm.log_partition())
    assert np.allclose(model.log_likelihood(states(7)), rbm.log_likelihood(states(7)))
    more = drawn(5, [2, 1, 0])  # a unit that counts twice is there twice
    assert more.to_rbm().n_hidden == 3
    assert np.allclose(more.to_rbm().log_likelihood(states(5)), more.log_likelihood(states(5)))


@settings(deadline=None, max_examples=25)
@given(st.floats(0.01, 0.99), st.integers(0, 99), st.floats(0.1, 20))
def test_the_approximation_is_within_the_bounds_of_proposition_3_2(count, seed, size):
    """2**(c - 1) (1 + e**(c w'v)) <= (1 + e**(w'v))**c <= 1 + e**(c w'v)."""
    model, v = drawn(6, [count], seed, size), states(6)
    near = -model.approximation().free_energy(v)
    own = -model.free_energy(v)
    slack = 1e-5 * (1 + np.abs(own))
    assert (own <= near + slack).all()
    assert (own >= near - (1 - count) * np.log(2) - slack).all()


def test_a_start_has_no_hidden_unit_or_those_of_an_rbm():
    data = Examples(np.eye(6, dtype=np.uint8))
    model = InfiniteRBMSetup().initial(data, seed=0)
    assert (model.n_units, model.n_visible) == (0, 6)
    rbm = RBMSetup(hidden=3).initial(data, seed=0)
    assert InfiniteRBMSetup().initial(data, seed=0, before=rbm).n_units == 3
    fractional = InfiniteRBM(np.ones((2, 7)), [1.5, 1], np.zeros(6))
    assert RBMSetup().initial(data, seed=0, before=fractional).n_hidden == 3  # a whole unit, a half, and a whole one
    with pytest.raises(Refusal, match="before must end with a model"):
        RBMSetup().initial(Examples(np.eye(5, dtype=np.uint8)), seed=0, before=fractional)
