"""End of the axis of a training's curves."""

import pytest

from boltzcore.jobs.snapshot import Snapshot
from boltzcore.learners.base import State
from boltzcore.training.presets import PRESETS
from pages.figures.frame import ViewInputs


@pytest.mark.parametrize(
    ("name", "count", "status", "end"),
    [
        *(("ising-terms", count, "running", end) for count, end in ((0, 10), (40, 100), (81, 200), (9_000, 10_000))),
        ("ising-terms", 81, "finished", 81),
        *(("handwriting", count, "running", end) for count, end in ((0, 10), (12, 50), (200, 200))),
        ("plateau", 3, "running", PRESETS["plateau"].recipe.schedule.length),
    ],
)
def test_an_axis_grows_if_a_rule_ends_the_training_and_is_fixed_if_the_schedule_does(name, count, status, end):
    recipe = PRESETS[name].recipe
    snapshot = Snapshot(status, state=State(None, count, 0, 0), budget=recipe.schedule.length)
    assert ViewInputs.from_snapshot(snapshot, recipe).along.budget == end
