"""A process that is killed in the middle of a training: the run is back, and its numbers are those of the recipe."""

import dataclasses
import os
import random
import signal
import subprocess
import sys
import textwrap
import time

from boltzcore.learners import PCD
from boltzcore.models import RBMSetup
from boltzcore.runs.engine import Engine
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.store import Store
from boltzcore.runs.summary import read_summary
from tests.conftest import REPOSITORY
from tests.runs.toys import SMALL, cd, figures, finished, until, whole

KILLS = 2
# Trains the run in a folder on, or begins it, and saves it again and again until it is killed.
PROCESS = """
    import sys, time
    from pathlib import Path
    from boltzcore.runs import checkpointer
    from boltzcore.runs.engine import Engine
    from boltzcore.runs.recipe import Recipe
    from boltzcore.runs.store import Store

    checkpointer.SAVE = 0.01
    engine = Engine(Store(Path(sys.argv[1])))
    known = engine.store.list()
    run = engine.get(known[0].id) if known else engine.create(Recipe.from_json(sys.argv[2]))
    run.keep_going = True
    run.play()
    time.sleep(200)
"""
STAGED = dataclasses.replace(
    cd(rate=0.1),
    schedule=Schedule(seed=3, length=8000, every=100),
    before=Recipe(RBMSetup(hidden=4), SMALL, PCD(rate=0.01, batch_size=5), Schedule(seed=3, length=4000, every=100)),
)


def killed(folder, recipe, chance) -> None:
    """Train on in another process, and kill it once it has saved some more."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROCESS), str(folder), recipe.to_json()], cwd=REPOSITORY
    )
    try:

        def count() -> int:
            summaries = [read_summary(each) for each in (folder / "runs").glob("*")]
            return max((each.count for each in summaries if each is not None), default=0)

        before = count()
        until(lambda: count() > before)
        time.sleep(chance.uniform(0.0, 0.1))
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


def test_a_training_that_is_killed_again_and_again_ends_as_if_it_had_not_been(tmp_path):
    chance = random.Random(7)
    for _ in range(KILLS):
        killed(tmp_path, STAGED, chance)
        store = Store(tmp_path)
        (entry,) = store.list()
        assert entry.damage == ""
        back = store.load(entry.id)
        assert back.damage == ""
        assert back.state.count >= back.records[-1].count
        assert back.status == "running"
    for left in (tmp_path / "runs").glob("*/.*"):
        os.utime(left, (0, 0))
    store.tidy()
    assert not list((tmp_path / "runs").glob("*/.*"))
    engine = Engine(store)
    run = engine.get(entry.id)
    assert "restarted" in run.snapshot.reason
    run.play()
    assert figures(finished(run).records) == whole(STAGED)
    engine.shutdown()
