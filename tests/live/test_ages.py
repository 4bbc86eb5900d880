"""When the figures of a frame were measured."""

import dataclasses

import pytest

from boltzcore import Recipe
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.snapshot import Snapshot
from boltzcore.runs.training import train
from pages.live.run_frame import frame_of
from pages.views import likelihood


def snapshot(recipe, at):
    """A training at an update, with its records up to there."""
    prepared, records = PreparedData.from_recipe(recipe), []
    for step in train(recipe, prepared=prepared, seconds=1e-9, most=lambda: 1):
        records += [step.record] if step.record else []
        if step.state.count == at:
            return Snapshot("running", state=step.state, records=tuple(records), prepared=prepared)


@pytest.mark.parametrize(("unit", "when"), [("epochs", "at epoch 40"), ("updates", "at update 40")])
@pytest.mark.parametrize(("at", "old"), [(40, False), (53, False), (54, True)])
def test_figures_of_a_record_say_when_it_was_taken_and_when_that_is_long_ago(unit, when, at, old):
    recipe = Recipe(data="bars-and-stripes", schedule=Schedule(length=100, unit=unit, every=40))
    frame = frame_of(recipe, snapshot(recipe, at))
    assert (frame.measured, frame.old) == (when, old)
    measured = {each.name for each in frame.figures if each.measured}
    assert measured
    assert measured <= {likelihood.ALL, likelihood.TEST, likelihood.TRAINING}


def test_before_the_first_record_no_figure_says_so():
    recipe = Recipe(data="bars-and-stripes")
    frame = frame_of(recipe, dataclasses.replace(snapshot(recipe, 0), records=()))
    assert (frame.measured, frame.old) == ("", False)
    assert not any(each.measured for each in frame.figures)


def test_stages_tell_updates_as_their_count_does():
    before = Recipe(data="bars-and-stripes", schedule=Schedule(length=4))
    recipe = Recipe(data="bars-and-stripes", schedule=Schedule(length=8, every=2), before=before)
    frame = frame_of(recipe, snapshot(recipe, 5))
    assert frame.measured.startswith("at update ")
