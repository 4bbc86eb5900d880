"""Where the axis of a training's curves ends."""

import pytest

from boltzcore.figures.frame import ViewInputs
from boltzcore.learners import State
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.snapshot import Snapshot


def end_of(name: str, count: int, status: str = "running") -> float:
    recipe = PRESETS[name].recipe
    state = State(None, count, 0, 0)
    return ViewInputs.from_snapshot(Snapshot(status, state=state, budget=recipe.schedule.length), recipe).along.budget


@pytest.mark.parametrize(("count", "end"), [(0, 10), (3, 10), (40, 100), (81, 200), (9_000, 10_000)])
def test_it_grows_where_a_rule_of_the_learner_s_own_ends_the_training(count, end):
    assert end_of("ising-terms", count) == end


@pytest.mark.parametrize(("count", "end"), [(0, 10), (12, 50), (200, 200)])
def test_it_grows_where_a_training_is_measured_in_between(count, end):
    assert end_of("handwriting", count) == end


def test_it_is_known_from_the_first_where_the_schedule_ends_it_and_at_the_end_of_all():
    recipe = PRESETS["plateau"].recipe
    assert end_of("plateau", 3) == recipe.schedule.length
    assert end_of("ising-terms", 81, "finished") == 81
