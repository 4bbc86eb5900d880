"""The one training loop: what `fit` returns, how it ends, and how it goes on from any progress."""

from dataclasses import replace

import pytest

from boltzcore import Recipe
from boltzcore.registry import LEARNERS
from boltzcore.ticks import Stopped
from boltzcore.training.loop import fit, train
from tests.runs.toys import figures, walk, whole


def falling() -> Recipe:
    return walk(40, every=5, drift=-3.0)


def test_a_fit_has_the_records_of_train_and_its_last_state():
    recipe, steps = walk(), []
    found = fit(recipe, on_step=lambda reached: steps.append((reached.state.count, len(reached.records))))
    *_, last = train(recipe)
    assert (found.ended, found.state.count, found.chosen) == ("finished", last.state.count, found.state)
    assert figures(tuple(found.records)) == whole(recipe)
    assert steps == [(5 * k, k + 1) for k in range(9)]


def test_a_fall_ends_it_with_the_best_state_unless_it_is_tolerated():
    found = fit(falling())
    assert (found.ended, found.cause, found.state.count, found.chosen.count) == ("diverged", "likelihood", 5, 0)
    assert [record.count for record in found.records] == [0, 5]
    assert "nats" in found.reason
    tolerated = fit(falling(), tolerant=True)
    assert (tolerated.ended, tolerated.state.count, tolerated.best.count) == ("finished", 40, 0)
    assert figures(tuple(tolerated.records)) == whole(falling())


@pytest.mark.parametrize("tolerant", [False, True])
def test_parameters_that_overflow_end_it_at_the_state_before(monkeypatch, tolerant):
    def sign(_learner, state):
        return "All weights are large" if state.count > 20 else ""

    monkeypatch.setitem(LEARNERS, "Walk", replace(LEARNERS["Walk"], divergence_sign=sign))
    found = fit(walk(), tolerant=tolerant)
    assert (found.ended, found.cause, found.state.count) == ("diverged", "parameters", 20)
    assert [record.count for record in found.records] == [0, 5, 10, 15, 20]
    assert [step.state.count for step in train(walk())][-1] == 40  # which shows what comes of it


def test_a_tick_that_stops_it_passes_through():
    reached = []

    def tick(_fraction=0.0):
        if len(reached) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        fit(walk(), on_step=reached.append, tick=tick)
    assert reached[-1].state.count == 10
    assert not reached[-1].ended
