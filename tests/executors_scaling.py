"""What Dask's workers cost beside threads, on the trainings of figures 1 and 2 of paper 2."""

import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import click

from boltzcore.papers import dc_programming
from boltzcore.runs.cluster import connected
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.scheduler import Place, Scheduler, trained_at
from tests.dask_processes import processes
from tests.tools.load.meter import busy, cpu


class Measured(NamedTuple):
    """Seconds that all trainings took: of the clock, of processors that worked for them (for Dask those of scheduler
    and workers, too), and of processors that others had meanwhile.
    """

    wall: float
    cpu: float
    others: float


def recipes(trials: int, epochs: int) -> list[Recipe]:
    """The trainings of the study, in so many trials of so many epochs."""
    return [
        dc_programming.small_recipe(data, learner, trial, epochs)
        for data, _, _, learner in dc_programming.small_cells(dc_programming.SETS)
        for trial in range(trials)
    ]


def measured(asked: list[Recipe], place: Place) -> Measured:
    """Train them there."""
    wall, own, all_ = time.perf_counter(), cpu(os.getpid()), busy()
    with trained_at(place), Scheduler(asked, order="study") as scheduler:
        for _, ended in scheduler.endings():
            assert ended.status == "finished", ended.reason
    wall, own, all_ = time.perf_counter() - wall, cpu(os.getpid()) - own, busy() - all_
    return Measured(wall, own, all_ - own)


@click.command()
@click.option("--trials", default=2, show_default=True, help="Trials of each of the 20 cells; the paper has 25.")
@click.option("--epochs", default=50_000, show_default=True, help="Epochs of each, as in the paper.")
@click.option("--times", default=3, show_default=True, help="Measurements of each, of which the least counts.")
def scaling(trials: int, epochs: int, times: int) -> None:
    """Wall and processor seconds of the trainings of figures 1 and 2 of paper 2 on one and two threads, and on one and
    two workers of Dask, in turn.
    """
    asked = recipes(trials, epochs)
    with ExitStack() as stack:
        places = {f"{count} thread{'s' * (count > 1)}": Place(threads=count) for count in (1, 2)}
        for count in (1, 2):
            made = stack.enter_context(processes(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
            for number in range(count):
                made.worker(str(number))
            made.wait_for(count)
            cluster = stack.enter_context(connected(made.address, asked))
            places[f"{count} worker{'s' * (count > 1)}"] = cluster.place
        found: dict[str, list[Measured]] = {name: [] for name in places}
        measured(asked[:: 4 * trials], places["1 thread"])  # compiles
        for turn in range(times):
            for name, place in places.items():
                found[name].append(now := measured(asked, place))
                told = f"{now.wall:.1f} s of the clock, {now.cpu:.1f} s of processors, others {now.others:.1f} s"
                click.echo(f"{turn + 1}: {name}: {told}", err=True)
    click.echo(f"{len(asked)} trainings of {epochs:,} epochs, the least of {times}, seconds")
    click.echo(table(found))


def table(found: Mapping[str, list[Measured]]) -> str:
    """A line for each place, with how Dask does beside as many threads."""
    least = {name: Measured(*map(min, zip(*each, strict=True))) for name, each in found.items()}
    lines = [f"{'':12}{'clock':>8}{'processors':>12}{'of threads: by clock':>22}{'by processors':>15}"]
    for name, each in least.items():
        beside = least[name.replace("worker", "thread")]
        shares = f"{beside.wall / each.wall:22.2f}{beside.cpu / each.cpu:15.2f}"
        lines.append(f"{name:12}{each.wall:8.1f}{each.cpu:12.1f}{shares}")
    return "\n".join(lines)
