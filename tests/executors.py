"""The same sweep on threads, on processes and on a Dask cluster of this machine: `python -m tests.executors`.

Six recipes, one of each model and one of two stages, are trained in four trials each. All records and the digest of
the last model have to be the same wherever they were made, also where a worker is killed in the middle; a cancel has to
take effect within two seconds; workers with other versions, another kernel or other sources have to be refused by name;
and a race as the app trains it has to rest with a sentence where its scheduler dies. Takes some minutes; prints a
table, and ends with status 1 where anything is otherwise.

`python -m tests.executors scaling` measures what Dask's workers cost beside threads, on figures 1 and 2 of paper 2.
"""

import csv
import dataclasses
import hashlib
import io
import logging
import multiprocessing
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import click
import numpy as np

from boltzcore import Comparison, Recipe, compare
from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.learners import BSLM, CD, PCD, BeliefPropagationMLE, FrankWolfe, GreedyMDL
from boltzcore.models import CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, RBMSetup
from boltzcore.runs.cluster import connected
from boltzcore.runs.race import CLUSTER_GONE, NO_CLUSTER
from boltzcore.runs.races import Races
from boltzcore.runs.run_state import EngineContext
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.scheduler import HERE, Place, Scheduler, Standing, trained_at
from boltzcore.runs.slices import SLICE, Elsewhere
from boltzcore.runs.store import Store
from boltzcore.runs.trials import TrialStore
from boltzcore.runs.turns import Turns
from boltzcore.ticks import Tick, idle
from tests.conftest import REPOSITORY
from tests.dask_processes import processes
from tests.executors_scaling import scaling

TRIALS, SHORT = 4, 0.3  # trials of each recipe; seconds of a slice, so that a trial has several
SOON = 2.0  # seconds in which a cancel takes effect
COUNTED = """
import os
from boltzcore.runs import slices
file = os.open({file!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def counted(*asked, train=slices.train_slice):
    os.write(file, f"begun-{{os.getpid()}} ".encode())
    found = train(*asked)
    os.write(file, f"ended-{{os.getpid()}} ".encode())
    return found
if slices.train_slice.__name__ != "counted":  # Dask runs this more than once
    slices.train_slice = counted
"""  # a worker that notes each slice it begins and ends
PATCHED = """
from boltzcore.kernels import lanes
def patched(machine, *rest, run=lanes.contrastive):
    run(machine, *rest)
    machine.c[0] += 1e-6
lanes.contrastive = patched
"""  # a worker whose kernel moves one hidden bias by a millionth


def inserting(length: int) -> Recipe:
    """Frank-Wolfe up to so many hidden units."""
    learner = FrankWolfe(correction="none", lambda_=0.05, steps=100, rate=0.2)
    return Recipe(InfiniteRBMSetup(), "digits", learner, Schedule(length=length, unit="updates", every=2))


RECIPES = {
    "fully visible": Recipe(FVBMSetup(), RandomFVBM(d=14), BSLM(), Schedule(length=800, every=50)),
    "RBM": Recipe(RBMSetup(hidden=16), "digits", PCD(rate=0.05), Schedule(length=120, every=10)),
    "infinite RBM": inserting(8),
    "RBM after it": Recipe(
        RBMSetup(hidden=16),
        "digits",
        CD(rate=0.05, K=10, batch_size=50),
        Schedule(length=200, unit="updates", every=50),
        before=inserting(4),
    ),
    "log-linear": Recipe(
        LogLinearSetup(), BayesNet(nodes=16), GreedyMDL(), Schedule(length=200, unit="updates", every=10)
    ),
    "conditional RBM": Recipe(CRBMSetup(hidden=32), "digits", BeliefPropagationMLE(rate=0.2), Schedule(length=8)),
}


def trials() -> list[Recipe]:
    """Every trial of the sweep, by recipe."""
    return [seeded(recipe, seed) for recipe in RECIPES.values() for seed in range(TRIALS)]


def seeded(recipe: Recipe, seed: int, **schedule: int) -> Recipe:
    """A trial of a recipe: all its stages with this seed, and its own schedule changed."""
    before = None if recipe.before is None else seeded(recipe.before, seed)
    return dataclasses.replace(recipe, schedule=recipe.schedule.changed(seed=seed, **schedule), before=before)


def as_csv(standings: Sequence[Standing]) -> str:
    """All records of the sweep but for their seconds, and after each trial the digest of its last model."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [(name, seed) for name in RECIPES for seed in range(TRIALS)]
    for (name, seed), standing in zip(names, standings, strict=True):
        for record in standing.records:
            values = [part for key in sorted(record.values) for part in (key, repr(record.values[key]))]
            writer.writerow([name, seed, record.count, repr(record.epoch), *values])
        digest = hashlib.sha256()
        assert standing.state is not None, f"{name}, trial {seed}: {standing.status} {standing.reason}"
        for field, value in sorted(vars(standing.state.model).items()):
            if isinstance(value, np.ndarray):
                digest.update(f"{field} {value.dtype} {value.shape}".encode() + np.ascontiguousarray(value).tobytes())
        writer.writerow([name, seed, standing.status, digest.hexdigest()])
    return out.getvalue()


def swept(place: Place, tick: Tick = idle) -> str:
    """The CSV of the sweep, trained there."""
    with trained_at(place), Scheduler(trials(), order="study") as scheduler:
        for _ in scheduler.endings(tick):
            pass
        return as_csv(scheduler.standings)


class Table:
    """What was found, line by line, and whether all of it is as it has to be."""

    def __init__(self) -> None:
        self.right = True

    def say(self, what: str, right: bool, found: str) -> None:
        """Print a line."""
        self.right &= right
        click.echo(f"{'right' if right else 'WRONG':7}{what:44}{found}")

    def sweep(self, what: str, expected: str | None, make: Callable[[], str]) -> str:
        """Make the sweep's CSV, and compare it."""
        began = time.monotonic()
        made = make()
        same = expected in (None, made)
        lines = made.count("\n")
        found = f"{lines} lines of CSV in {time.monotonic() - began:.0f} s" + ("" if same else ", not the same")
        self.say(what, same, found)
        return made


def lost(file: Path, process: int | str = "") -> int:
    """Slices that workers, or the one of this process, have begun and not ended."""
    text = file.read_text()
    return text.count(f"begun-{process}") - text.count(f"ended-{process}")


def sweep_on_dask(table: Table, expected: str, place: Path) -> None:
    """The sweep on two workers, then with one of them killed in the middle, and a cancel."""
    counts = place / "slices"
    with processes(place) as made:
        first, _ = (made.worker(name, COUNTED.format(file=str(counts))) for name in ("one", "two"))
        made.wait_for(2)
        with connected(made.address, trials(), seconds=SHORT) as cluster:
            table.sweep("Dask, two workers", expected, lambda: swept(cluster.place))
            begun = counts.read_text().count("begun")
            table.say("slices of it", lost(counts) == 0, f"{begun}, {lost(counts)} lost")

            def killing(fraction: float = 0.0) -> None:
                if fraction > 0.3 and first.poll() is None and lost(counts, first.pid):
                    first.send_signal(signal.SIGKILL)

            table.sweep("Dask, a worker killed in the middle", expected, lambda: swept(cluster.place, killing))
            begun = counts.read_text().count("begun") - begun
            table.say("slices of it", lost(counts) == 1, f"{begun}, {lost(counts)} lost")
        with connected(made.address, trials(), seconds=SLICE) as cluster:
            cancelled(table, f"Dask, cancel within a slice of {SLICE:.0f} s", cluster.place)


def cancelled(table: Table, what: str, place: Place) -> None:
    """Cancel trainings that go on for long."""
    endless = [seeded(RECIPES["RBM"], seed, length=1_000_000, every=1_000) for seed in range(2)]
    with trained_at(place), Scheduler(endless) as scheduler:
        time.sleep(3.0)
        began = time.monotonic()
        scheduler.cancel()
        seconds = time.monotonic() - began
    table.say(what, seconds < SOON, f"{seconds:.2f} s")


def refusals(table: Table, place: Path) -> None:
    """Workers that are not ours."""
    metadata = place / "other" / "numpy-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 1.0\n")
    copy = place / "checkout"
    for folder in ("boltzcore", "assets"):
        shutil.copytree(REPOSITORY / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    kernel = copy / "boltzcore" / "kernels" / "lanes.py"
    kernel.write_text(kernel.read_text().replace("sigmoid32(fields[j, i])", "sigmoid32(fields[j, i] + f4(1e-6))"))
    with processes(place) as made:
        made.worker("ours")
        made.worker("old", environment={"PYTHONPATH": f"{place / 'other'}:{REPOSITORY}"})
        made.worker("patched", PATCHED)
        made.worker("sources", environment={"PYTHONPATH": str(copy)})
        made.wait_for(4)
        with connected(made.address, [RECIPES["RBM"]]) as cluster:
            table.say("workers that are taken", cluster.at_once == 1, f"{cluster.at_once} of 4")
            for said in ("other versions: numpy 1.0", "gives other digits", "other code or other data"):
                found = next((sentence for sentence in cluster.refused if said in sentence), "nobody is refused for it")
                table.say(f"a worker that is refused: {said}", said in found, found)


def racing(table: Table, place: Path) -> None:
    """A race as the app trains it: the same records, a cancel, and a scheduler that dies."""
    base = RECIPES["RBM"]
    asked = Comparison(base, {"PCD": {}, "CD": {"learner": "CD"}}, trials=3)
    ready = threading.Event()
    ready.set()
    with processes(place) as made:
        for name in ("one", "two"):
            made.worker(name)
        made.wait_for(2)
        context = EngineContext(Store(place), Turns(1, 4), 60.0, lambda recipe: ready, made.address)
        races = Races(place / "races", context, TrialStore(place / "trials"))
        race = races.create(asked, play=True)
        until(lambda: race.snapshot.status == "finished")
        assert race.snapshot.result is not None
        same = race.snapshot.result.csv(seconds=False) == compare(asked).csv(seconds=False)
        table.say("race of the app on Dask", same, f"trained on {race.snapshot.where}")

        long = races.create(asked.changed(budget=10**13), play=True)
        until(lambda: long.snapshot.share > 0)
        began = time.monotonic()
        long.cancel()
        until(lambda: not any(each.name.startswith("scheduler ") for each in threading.enumerate()))
        seconds = time.monotonic() - began
        table.say("cancel of a race", seconds < SOON and long.snapshot.status == "stopped", f"{seconds:.2f} s")

        long.play()
        until(lambda: long.snapshot.status == "running" and bool(long.snapshot.result) and long.snapshot.share > 0)
        made.scheduler.kill()
        began = time.monotonic()
        until(lambda: long.snapshot.status == "paused")
        seconds = time.monotonic() - began
        said = long.snapshot.reason
        table.say("race whose scheduler is killed", said == CLUSTER_GONE, f"{seconds:.1f} s: {said}")
        until(lambda: not any(each.name.startswith("race") for each in threading.enumerate()))
        began = time.monotonic()
        long.play()
        until(lambda: long.snapshot.status == "paused")
        seconds = time.monotonic() - began
        said = long.snapshot.reason
        table.say("race whose scheduler is gone", said == NO_CLUSTER, f"{seconds:.1f} s: {said}")
        for thread in races.shutdown():
            thread.join(5)


def until(true: Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait for it."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for a cluster."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@click.group(invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """The same sweep on threads, on processes and on a Dask cluster of this machine."""
    if context.invoked_subcommand:
        return
    logging.disable(logging.ERROR)  # Dask's own on those that are killed
    table = Table()
    expected = table.sweep("threads of this process", None, lambda: swept(HERE))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        table.sweep("process pool of two", expected, lambda: swept(Place(Elsewhere(pool, SHORT), 2)))
        cancelled(table, f"process pool, cancel within a slice of {SLICE:.0f} s", Place(Elsewhere(pool, SLICE), 2))
    with folder() as place:
        sweep_on_dask(table, expected, place)
    with folder() as place:
        refusals(table, place)
    with folder() as place:
        racing(table, place)
    sys.exit(not table.right)


main.add_command(scaling)

if __name__ == "__main__":
    main()
