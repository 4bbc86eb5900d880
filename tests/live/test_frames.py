"""Times at which the figures of a frame were measured, and the work it waits for."""

import pytest

from boltzcore import Recipe
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.jobs.stopwatch import Left
from boltzcore.quoting import span
from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.schedule import Schedule
from pages.stream.run_frame import frame_of, waits
from pages.views import likelihood
from pages.web.background import Promise


def snapshot(recipe, at):
    """A training at an update, with its records up to there."""
    prepared, records = PreparedData.from_recipe(recipe), []
    for step in train(recipe, prepared=prepared, seconds=1e-9):
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


def test_the_rest_of_a_training_and_its_place_in_the_line_are_sent_while_they_are_known():
    assert waits(Snapshot("running"), ()) == {"wait": None, "progress": ""}
    assert span(41.0) in waits(Snapshot("running", left=Left(41.0)), ())["progress"]
    assert "3" in waits(Snapshot("queued", place=4), ())["progress"]


def test_a_promise_is_waited_for_until_it_is_kept():
    promise = Promise("Computing something new")
    assert waits(Snapshot("paused"), (promise,))["wait"]["what"] == "Computing something new"
    promise.set_result(1)
    assert waits(Snapshot("paused"), (promise,))["wait"] is None
    assert Promise("Computing something new").wait.about is not None  # estimated by the previous run
