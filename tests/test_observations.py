"""Observations of a model, for a page to draw."""

import numpy as np

from boltzcore.data import Dataset, Examples
from boltzcore.inference import Inference
from boltzcore.learners.base import State
from boltzcore.measures import MeasureContext
from boltzcore.models import CRBM
from boltzcore.observations import observe_crbm, observe_rbm
from tests.models import exact

ROWS = Examples(np.eye(9, dtype=np.uint8))


def test_an_observation_of_an_rbm():
    state, rows = State(exact.random_rbm(9, 4), 5, 0, 0), Dataset(ROWS, None, ROWS)
    first = observe_rbm(state, None, rows, MeasureContext(1, state.count))
    shapes = {"particles": (40, 9), "activity": (4,)}
    assert {name: array.shape for name, array in first.items()} == shapes
    again = observe_rbm(state, first, rows, MeasureContext(1, 6))
    assert not np.array_equal(first["particles"], again["particles"])
    gray = observe_rbm(state, None, rows, MeasureContext(1, state.count, gray=True))
    np.testing.assert_array_equal(gray["particles"], first["particles"])
    W, b, c = (getattr(state.model, name).astype(float) for name in ("W", "b", "c"))
    hidden = 1 / (1 + np.exp(-(gray["particles"] @ W + c)))
    np.testing.assert_allclose(gray["expected"], 1 / (1 + np.exp(-(hidden @ W.T + b))), atol=1e-6)


def test_an_observation_of_a_conditional_model():
    rng = np.random.default_rng(0)
    model = CRBM(*(rng.normal(size=shape) for shape in ((9, 4), (9, 9), (4, 9), 9, 4)))
    state, inference = State(model, 5, 0, 0), Inference(iterations=6, tolerance=0.0)
    validation, test = (
        Examples(rng.integers(0, 2, (30, 9)).astype(np.uint8), rng.integers(0, 2, (30, 9)).astype(np.uint8))
        for _ in range(2)
    )
    for shown, rows in ((validation, Dataset(ROWS, validation, test)), (test, Dataset(ROWS, None, test))):
        observed = observe_crbm(state, None, rows, MeasureContext(1, 5, inference=inference))
        assert np.array_equal(observed["clean"], shown.v[:12])
        assert np.array_equal(observed["seen"], shown.x[:12])
        assert np.array_equal(observed["restored"], inference.infer(model, shown.x[:12]).v)
    assert not observe_crbm(state, None, None, MeasureContext(1, 5, inference=inference))
    assert not observe_crbm(state, None, Dataset(ROWS, None, test), MeasureContext(1, 5))
