"""Waits of a run: what is under way, and that its end is estimated."""

import time
from itertools import count

from boltzcore.data import Dataset
from boltzcore.measures import MEASURES, MeasureContext
from boltzcore.measures.measure import Figures, measure
from boltzcore.models import RBM
from boltzcore.training.loop import ONE
from tests.runs.toys import at_rest, until, walk


def test_a_slow_update_is_shown_while_it_is_under_way(engine):
    run = engine.create(walk(10, pause=60.0), play=True)
    until(lambda: (wait := run.snapshot.wait) and wait.what == ONE)
    run.pause()
    assert run.snapshot.wait is None  # while it is paused it waits for nothing
    run.stop()


def test_what_is_measured_is_shown_while_it_is_under_way(engine, monkeypatch):
    exact = MEASURES["log_likelihood"]

    @measure(exact.units, title=exact.title)
    def log_likelihood(model: RBM, rows: Dataset, context: MeasureContext) -> Figures:
        for k in count():
            time.sleep(0.03)
            context.tick(min(k, 99) / 100)  # ends it once the run is stopped
        raise AssertionError

    monkeypatch.setitem(MEASURES, "log_likelihood", log_likelihood)
    run = engine.create(walk(10), play=True)
    until(lambda: (now := run.snapshot).wait and now.wait.about)
    assert "likelihood" in run.snapshot.wait.what  # which does not end
    assert run.snapshot.status == "starting"
    run.stop()


def test_the_rest_is_estimated_while_it_plays_to_its_end(engine):
    run = engine.create(walk(400, every=100, pause=0.05), play=True)
    seen = []
    until(lambda: seen.append(run.snapshot.left) or seen[-1])
    assert not seen[-1].most
    run.pause()
    until(lambda: run.snapshot.status == "paused")
    assert run.snapshot.left is None
    run.step()
    at_rest(run)
    assert run.snapshot.left is None
    run.stop()
