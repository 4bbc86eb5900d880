"""Insertions of Frank-Wolfe against their reference, by sums over all states and by chains."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boltzcore.data import Examples, load
from boltzcore.learners import FrankWolfe
from boltzcore.learners.insertion import frank_wolfe
from boltzcore.learners.insertion.frank_wolfe import ACCEPTED, EFFECTIVE, GAP, INNER
from boltzcore.models import InfiniteRBMSetup
from boltzcore.reference import trace, unit_search
from tests.learners.test_frank_wolfe import spoilt

SMALL = {"lambda_": 0.01, "samples": 60, "restarts": 2, "K": 2, "steps": 9, "M": 40, "rounds": 5}
LEARNERS = {
    "none": FrankWolfe(correction="none", **SMALL),
    "ball": FrankWolfe(correction="none", ball=4.0, **SMALL),
    "gradient": FrankWolfe(correction="none", temperature="gradient", **SMALL),
    "full": FrankWolfe(correction="full", **SMALL),
}


@pytest.fixture(params=["bars-and-stripes", "digits"], ids=["by sums", "by chains"])
def data(request):
    return load("bars-and-stripes", D=3).train if request.param != "digits" else load("digits").train.head(300)


@pytest.fixture
def same_search(monkeypatch):
    """The reference takes the unit that the learner has found: each L-BFGS rounds in its own way."""
    found, search = [], frank_wolfe.search_unit
    monkeypatch.setattr(frank_wolfe, "search_unit", lambda *given: found.append(search(*given)) or found[-1])
    monkeypatch.setattr(unit_search, "search_path", lambda _, start, *__: [start, found[-1].unit.astype(float)])


def started(learner, data, model=None):
    return learner.start(model or InfiniteRBMSetup().initial(data, seed=1), data, seed=1)


def arrays(taken, kind):
    return next(phase.arrays for phase in taken.phases if phase.kind == kind)


def assert_same(taken, before, after):
    """`taken` leads from a State to the next; means of chains are equal only if all their draws are."""
    for name in ("units", "counts", "b"):
        assert_allclose(getattr(taken.models[-1], name), getattr(after.model, name), rtol=1e-5, atol=1e-5)
    assert_allclose(arrays(taken, "samples")["model_mean"], after.mean_before, atol=1e-6)
    assert_allclose(arrays(taken, "new")["model_mean"], after.mean_after, atol=1e-6 if len(after.chains) else 1e-4)
    if before.model.n_units:
        assert_allclose(arrays(taken, "found")["gap"], after.figures[GAP], rtol=1e-5, atol=1e-5)
    assert after.done == ("over" in [phase.kind for phase in taken.phases])


@pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)
def test_each_update_is_that_of_the_reference(learner, data, same_search):
    state = started(learner, data)
    for _ in range(3):
        before = state
        state = learner.advance(before.copy(), data)
        assert_same(trace(learner, before, data), before, state)
        if len(state.chains):
            assert 0 < state.figures[ACCEPTED] <= 1
            assert 30 <= state.figures.get(EFFECTIVE, 30) <= 60


@pytest.mark.parametrize("kind", ["none", "ball"])
def test_the_search_ends_at_the_unit_of_the_reference(kind, data):
    learner = LEARNERS[kind]
    before = learner.advance(started(learner, data), data)
    found, after = arrays(trace(learner, before, data), "found"), learner.advance(before.copy(), data)
    assert_allclose(found["curve"][-1], after.figures[INNER], rtol=1e-4, atol=1e-5)
    assert_allclose(found["unit"], after.model.units[-1], atol=1e-2)
    assert (np.diff(found["curve"]) <= 1e-6).all()


@pytest.mark.parametrize("temperature", ["units", "gradient"])
def test_an_away_step_is_that_of_the_reference(temperature, same_search):
    data = load("bars-and-stripes", D=3).train
    learner = FrankWolfe(**{**SMALL, "lambda_": 0.3}, correction="none", temperature=temperature, away=True)
    before = started(learner, data, spoilt(1.0))
    for arrived in (before.arrived, np.array([-1, 1, 0, 2])):  # the unit is old, or the newest
        before = dataclasses.replace(before, arrived=arrived, count=max(arrived[1], 0))
        after = learner.advance(before.copy(), data)
        taken = trace(learner, before, data)
        assert_same(taken, before, after)
        assert (arrays(taken, "away")["worst"], arrays(taken, "away")["taken"]) == (1, True)
        assert "insert" not in [phase.kind for phase in taken.phases]


@pytest.mark.parametrize("samples", [50, 100])
def test_the_training_ends_when_the_reference_says_so(data, samples, same_search):
    learner = FrankWolfe(lambda_=0.5, samples=samples, restarts=1, K=1, rounds=2)
    before = started(learner, data)
    after = learner.advance(before.copy(), data)
    assert_same(trace(learner, before, data), before, after)


def test_gray_rows_are_those_of_the_update(same_search):
    data = Examples(np.random.default_rng(0).integers(0, 256, (40, 5)).astype(np.uint8), levels=256)
    learner = LEARNERS["full"]
    before = learner.advance(started(learner, data), data)
    after = learner.advance(before.copy(), data)
    assert_same(trace(learner, before, data), before, after)


def test_an_update_of_too_many_numbers_is_refused():
    many = FrankWolfe(K=10_000)
    digits = load("digits").train
    with pytest.raises(ValueError, match="chains"):
        trace(many, started(many, digits), digits)
