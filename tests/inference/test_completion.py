"""Completion by clamped Gibbs sampling, against listing the states that agree with what is known."""

import numpy as np
import pytest

from boltzcore.inference import complete
from tests.models import exact


@pytest.mark.parametrize("known", [[True, False, False, True, True, False], [False] * 6], ids=["some", "none"])
@pytest.mark.parametrize(("burn_in", "steps"), [(40, 1), (20, 20)])
def test_unknown_units_are_on_as_often_as_the_known_ones_imply(known, burn_in, steps):
    rbm, known = exact.random_rbm(6, 4, 1.5, seed=4), np.array(known)
    v = np.array([1, 0, 1, 0, 1, 1])
    p, V = exact.visible_probabilities(rbm), exact.states(6)
    p = p * (V[:, known] == v[known]).all(axis=1)
    found = complete(rbm, v, known, chains=4000, burn_in=burn_in, steps=steps, seed=3)
    # as if the steps of a chain were one draw: five standard deviations
    for told in (found.mean, found.rows.mean(axis=0)):
        assert np.abs(told - p @ V / p.sum()).max() < 5 * 0.5 / np.sqrt(4000)
    assert np.array_equal(found.mean[known], v[known])
    assert (found.rows[:, known] == v[known]).all()


def test_single_completions_are_draws_of_whole_rows_and_not_of_each_unit_on_its_own():
    rbm, known = exact.random_rbm(4, 3, 2.0, seed=2), np.array([True, False, False, False])
    p, V = exact.visible_probabilities(rbm), exact.states(4)
    p = np.where(V[:, 0] == 1, p, 0)
    rows = complete(rbm, np.array([1, 0, 0, 0]), known, chains=4000, burn_in=40, steps=1, seed=1).rows
    often = (rows[:, None] == V[None]).all(axis=2).mean(axis=0)
    assert np.abs(often - p / p.sum()).max() < 5 * 0.5 / np.sqrt(4000)


def test_chains_start_at_the_given_values():
    """Weights too strong to leave a state: what is unknown stays where it was."""
    rbm = exact.random_rbm(2, 1, 0.0)
    rbm.W[:], rbm.b[:], rbm.c[:] = 100, -50, -100
    known = np.array([False, False])
    for v in ([0, 0], [1, 1]):
        assert complete(rbm, v, known, chains=50, burn_in=20, steps=5).mean.tolist() == v


@pytest.mark.parametrize(
    "wrong",
    [
        *({"known": wrong} for wrong in (np.zeros(5, bool), np.zeros(6))),
        *({"v": wrong} for wrong in (np.full(6, 0.5), np.zeros(5))),
        *({name: wrong} for name, wrong in (("chains", 0), ("burn_in", -1), ("steps", 0))),
    ],
)
def test_what_is_wrong_is_named(wrong):
    given = {"v": np.zeros(6), "known": np.zeros(6, bool), **wrong}
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))} must"):
        complete(exact.random_rbm(6, 4), given.pop("v"), given.pop("known"), **given)
