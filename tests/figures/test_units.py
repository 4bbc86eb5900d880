"""The units of an infinite RBM: each keeps its place, and what it answers to is what it is on for."""

import numpy as np
import pytest

from boltzcore import Recipe
from boltzcore.data.examples import Examples
from boltzcore.learners import FrankWolfe
from boltzcore.learners.base import State
from boltzcore.models import RBM, InfiniteRBM, InfiniteRBMSetup
from boltzcore.training.loop import train
from boltzcore.training.schedule import Schedule
from pages.figures import units
from pages.figures.units import Gallery


def test_a_unit_keeps_its_place_for_good():
    learner = FrankWolfe(correction="full", lambda_=0.01, restarts=2)  # under which units come and go
    schedule = Schedule(length=14, unit="updates")
    steps = train(Recipe(InfiniteRBMSetup(), "bars-and-stripes", learner, schedule, measures=()))
    states = [step.state for step in steps]
    last = Gallery.from_state(states[-1])
    assert len(last) == 14
    assert 0 < last.removed.sum() < 14
    for state in states:
        now = Gallery.from_state(state)
        np.testing.assert_array_equal(now.weights, last.weights[: len(now)])
        np.testing.assert_array_equal(now.arrived, np.arange(1, len(now) + 1))
        np.testing.assert_array_equal(now.counts[now.present], state.model.counts)
        np.testing.assert_array_equal(now.weights[now.present], state.model.units)
        assert (now.counts[now.removed] == 0).all()
    np.testing.assert_array_equal(Gallery.from_state(states[3]).weights[2], states[3].model.units[-1])


def test_units_that_were_not_inserted_are_all_there_and_none_is_new():
    model = InfiniteRBM(np.ones((3, 5), np.float32), np.ones(3, np.float32), np.zeros(4, np.float32))
    gallery = Gallery.from_state(State(model, 7, 0, 0))
    assert (len(gallery), gallery.removed.any()) == (3, False)
    assert (gallery.arrived == 0).all()


def test_an_answer_is_the_probability_of_a_hidden_unit():
    generator = np.random.default_rng(0)
    unit = generator.normal(size=7).astype(np.float32)
    rows = Examples(generator.integers(0, 2, (200, 6)).astype(np.uint8), weight=generator.random(200))
    rbm = RBM(unit[:-1, None], np.zeros(6, np.float32), unit[-1:])
    p = 1 / (1 + np.exp(-rbm.hidden_field(rows.v)[:, 0]))
    found = units.answer(unit, rows, 5)
    assert found.share == pytest.approx(np.average(p, weights=rows.weight), abs=1e-5)
    assert len(np.unique(found.rows, axis=0)) == 5
    by_row = {row.tobytes(): value for row, value in zip(rows.v, p, strict=True)}
    np.testing.assert_allclose(found.probabilities, sorted(by_row.values(), reverse=True)[:5], atol=1e-5)
    np.testing.assert_allclose([by_row[row.tobytes()] for row in found.rows], found.probabilities, atol=1e-5)
