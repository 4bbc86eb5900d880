"""Recall of stored patterns: downhill in energy, up to the known capacity."""

import numpy as np
import pytest

from boltzcore.inference import recall
from boltzcore.learners import Hebbian
from boltzcore.models import RBM, LogLinear
from tests.models.test_fvbm import machine
from tests.runs.toys import refused
from tests.tools.capacity import capacity, expected, measured, network


def test_couplings_are_the_sum_of_the_outer_products_over_the_number_of_units():
    model, x = network(16, 3, seed=4)
    M = x.T @ x / 16
    np.testing.assert_allclose(model.M, M - np.diag(np.diag(M)), atol=1e-15)
    assert not model.b.any()


def test_patterns_are_stored_in_the_order_of_the_rows_and_each_once():
    rows = np.array([[1, 1, 0, 0], [0, 1, 0, 1], [1, 1, 0, 0]])
    learner, spins = Hebbian(), 2 * rows - 1
    state = learner.start(machine(4, 4, 1.0), rows, seed=0)
    first = learner.advance(state, rows)
    assert first.model.M[0, 1] == 2 * spins[0, 0] * spins[0, 1] / 4
    assert not first.done
    last = learner.advance(first, rows)
    assert last.done
    np.testing.assert_array_equal(learner.advance(last, rows).model.M, last.model.M)
    assert last.operations == learner.advance(last, rows).operations == 2 * 4 * 3
    assert learner.advance(first, rows, updates=9).count == last.count


@pytest.mark.parametrize("seed", range(5))
def test_one_unit_changes_a_step_and_the_energy_never_rises(seed):
    model = machine(40, 40, 1.0)
    start = np.random.default_rng(seed).integers(0, 2, 40)
    found = recall(model, start, seed=seed)
    assert (np.diff(found.path, axis=0) != 0).sum(axis=1).tolist() == [1] * (len(found.path) - 1)
    assert (np.diff(found.energy) < 0).all()
    assert found.settled
    assert (found.path[-1] * model.field(found.path[-1:])[0] > 0).all()
    np.testing.assert_array_equal(recall(model, start, seed=seed).path, found.path)
    assert not recall(model, start, seed=seed, sweeps=1).settled


@pytest.mark.parametrize("seed", range(5))
def test_layers_of_an_rbm_take_their_most_probable_states_and_the_energy_never_rises(seed):
    rng = np.random.default_rng(seed)
    model = RBM(rng.normal(0, 2, (12, 6)), rng.normal(size=12), rng.normal(size=6))
    found = recall(model, rng.integers(0, 2, 12))
    assert found.settled
    assert (np.diff(found.energy) <= 1e-5).all()
    h = model.hidden_field(found.path) > 0
    energy = -(found.path @ model.W * h).sum(axis=1) - found.path @ model.b - h @ model.c
    np.testing.assert_allclose(found.energy, energy, rtol=1e-5)
    np.testing.assert_array_equal(model.visible_field(h[-1:]) > 0, found.path[-1:])
    assert not recall(model, 1 - found.path[-1], sweeps=1).settled


def test_damaged_patterns_are_recalled():
    model, x = network(64, 4, seed=1)
    for k, pattern in enumerate(x):
        damaged = pattern * np.where(np.random.default_rng(k).random(64) < 0.15, -1, 1)
        np.testing.assert_array_equal(recall(model, damaged, seed=k).path[-1], pattern)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("sweeps", {"sweeps": 0}),
        ("seed", {"seed": -1}),
        ("x", {"start": [1, 0]}),
        ("x", {"start": [1, 0, 2]}),
        ("model", {"model": LogLinear([2, 2, 2], {1: 1.0})}),
    ],
)
def test_what_cannot_be_recalled_is_refused(field, options):
    given = {"model": machine(3, 3, 1.0), "start": [1, 0, 1]} | options
    with refused(field):
        recall(given.pop("model"), given.pop("start"), **given)


def test_theory_knows_the_capacity():
    assert expected(0.1379) == pytest.approx(0.0165, abs=0.001)
    assert expected(0.1385) == 0.5


@pytest.mark.nightly
@pytest.mark.parametrize(("units", "low", "high"), [(256, 0.10, 0.17), (64, 0.08, 0.19)])
def test_the_load_at_1_percent_wrong_bits_is_near_the_asymptotic_capacity(units, low, high):
    assert low < capacity(units, networks=40) / units < high
    assert measured(units, units // 2, networks=5) > 0.1
