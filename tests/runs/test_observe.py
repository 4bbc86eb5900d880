"""What a page is given to draw of a model."""

import dataclasses

import numpy as np

from boltzcore.learners.base import State
from boltzcore.runs.observe import observe_rbm
from tests.models import exact


def test_a_look_at_an_rbm():
    state, rows = State(exact.random_rbm(9, 4), 5, 0, 0), np.eye(9, dtype=np.uint8)
    first = observe_rbm(state, None, rows=rows, seed=1)
    assert {name: array.shape for name, array in first.items()} == {"particles": (40, 9), "autocorrelation": (26,), "activity": (4,)}
    assert first["autocorrelation"][0] == 1
    again = observe_rbm(dataclasses.replace(state, count=6), first, rows=rows, seed=1)
    assert not np.array_equal(first["particles"], again["particles"])


def test_a_look_without_rows_knows_no_activity():
    assert "activity" not in observe_rbm(State(exact.random_rbm(9, 4), 5, 0, 0), None, seed=1)
