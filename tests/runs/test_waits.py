"""What a run says of its waits: what is under way, and how long the rest takes."""

import time

from boltzcore.data import Dataset
from boltzcore.measures import MEASURES, MeasureContext
from boltzcore.measures.measure import Figures, measure
from boltzcore.models import RBM
from tests.runs.test_engine import at_rest
from tests.runs.toys import until, walk

MAKING = "Making the next update"


def test_a_slow_update_is_told_while_it_is_under_way(engine):
    run = engine.create(walk(10, pause=60.0), play=True)
    until(lambda: run.snapshot.wait and run.snapshot.wait.what == MAKING)
    assert 1.0 <= run.snapshot.wait.seconds < 60.0
    run.pause()
    assert run.snapshot.wait is None  # while it is paused nobody waits
    run.stop()


def test_what_is_measured_is_told_while_it_is_under_way(engine, monkeypatch):
    exact, went = MEASURES["log_likelihood"], {}

    @measure(exact.units, title=exact.title)
    def log_likelihood(model: RBM, rows: Dataset, context: MeasureContext) -> Figures:
        began = time.monotonic()
        for k in range(100):
            time.sleep(0.03)
            went.setdefault("whole", []).append((time.monotonic() - began) / (k + 1) * 100)  # as it goes so far
            context.tick(k / 100)
        return exact(model, rows, context)

    monkeypatch.setitem(MEASURES, "log_likelihood", log_likelihood)
    run = engine.create(walk(10), play=True)
    until(lambda: run.snapshot.wait and run.snapshot.wait.about)
    assert run.snapshot.wait.what == "Measuring the likelihood"
    assert run.snapshot.status == "starting"
    assert min(went["whole"]) * 0.8 < run.snapshot.wait.about < max(went["whole"]) * 1.3
    run.stop()


def test_how_long_the_rest_takes_is_told_while_it_plays(engine):
    began = time.monotonic()
    run = engine.create(walk(400, every=100, pause=0.05), play=True)
    until(lambda: run.snapshot.left)
    left, count = run.snapshot.left, run.snapshot.state.count
    slowest = (time.monotonic() - began) / count  # of an update on this machine, now, with the start
    assert 0.5 * 0.05 < left.seconds / (400 - count) < 1.5 * max(slowest, 0.05)
    assert not left.most
    run.pause()
    until(lambda: run.snapshot.status == "paused")
    assert run.snapshot.left is None
    run.step()
    at_rest(run)
    assert run.snapshot.left is None
    run.stop()
