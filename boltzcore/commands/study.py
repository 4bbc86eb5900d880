"""Reproduction of a paper's table: `study`."""

import time
from collections.abc import Sequence

import click

from boltzcore.commands.executor import executor_option, open_executor
from boltzcore.commands.outputs import check_outputs
from boltzcore.commands.shared import (
    folder_option,
    given_options,
    json_option,
    print_json,
    print_listing,
    print_table,
    working,
)
from boltzcore.comparison.scheduler import Scheduler
from boltzcore.comparison.trials import TrialStore
from boltzcore.home import folder
from boltzcore.papers import STUDIES
from boltzcore.papers.stored import file_of, results, stored_rows
from boltzcore.papers.study import Row
from boltzcore.quoting import Refusal
from boltzcore.registry import entry
from boltzcore.ticks import Stopped, Tick
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status

OF_A_LIST = {"name", "--list", "--folder", "--json"}  # options for the list of studies


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--scale",
    default="quick",
    show_default=True,
    help="A scale of the study: paper is closest to the authors' setting, quick is a preview.",
)
@click.option("--store", is_flag=True, help="Store the rows in assets/results; a stopped study resumes there.")
@executor_option
@click.option("--list", "listed", is_flag=True, help="List the studies and their stored results, as without NAME.")
@folder_option
@json_option
@click.pass_context
def study(
    context: click.Context,
    name: str | None,
    scale: str,
    store: bool,
    executor: str | None,
    listed: bool,
    as_json: bool,
) -> None:
    """Reproduce a table of a paper; without NAME, list the studies. Ctrl-C stops early and keeps the rows so far. With
    --executor a study that consists of runs only trains on a cluster.
    """
    if name is None or listed:
        if given := given_options(context) - OF_A_LIST:
            if listed:
                raise Refusal(f"--list lists the studies: leave out {', '.join(sorted(given))}.")
            raise Refusal(f"{', '.join(sorted(given))} must come with NAME, one of {', '.join(STUDIES)}.")
        _list(as_json)
        return
    chosen = entry(STUDIES, "NAME", name)
    what = entry(chosen.scales, "--scale", scale)
    if executor is not None and not chosen.only_trainings:
        able = [each for each, about in STUDIES.items() if about.only_trainings]
        raise Refusal(f"--executor must come with {' or '.join(able)}: no other study consists of runs only.")
    check_outputs({"--store": file_of(name, scale) if store else None})
    recipes = [part for part in chosen.parts(scale) if isinstance(part, Recipe)] if chosen.only_trainings else []
    finished, began = True, time.monotonic()
    rows: list[Row] = []
    with working(lambda fraction: f"{name}, {what}: {len(rows)} rows, {fraction:.0%}") as tick:
        try:
            if recipes:
                _train(recipes, executor, tick)
            for row in stored_rows(name, scale, tick, began=began) if store else chosen.rows(scale, tick):
                rows.append(row)
        except Stopped:
            finished = False
    if as_json:
        print_json({"study": name, "scale": scale, "finished": finished, "rows": rows})
    else:
        click.echo(f"{chosen.title}: {what}{'' if finished else ' (stopped early)'}")
        print_table(rows)
        click.echo(f"\nSource: {chosen.source}")
    if not finished:
        raise Stopped


def _train(recipes: Sequence[Recipe], executor: str | None, tick: Tick) -> None:
    """Train recipes into the trial store, several at once; on a cluster if one is given."""
    store = TrialStore(folder("trials"))
    with (
        open_executor(executor, recipes, tick) as (pool, at_once, watching),
        Scheduler(recipes, store=store, order="study", threads=at_once, executor=pool) as scheduler,
    ):

        def checking(fraction: float = 0.0) -> None:
            watching(fraction)
            for trial in scheduler.trials:
                if trial.status == Status.FAILED:
                    raise Refusal(f"A run of the study failed. {trial.reason}")

        scheduler.finish(checking)


def _list(as_json: bool) -> None:
    listing = {
        name: {
            "title": study.title,
            "source": study.source,
            "scales": study.scales,
            "stored": {
                scale: {
                    "rows": len(result.rows),
                    "finished": result.finished,
                    "is_current": result.is_current,
                    "date": result.provenance.date,
                }
                for scale, result in results(name).items()
            },
        }
        for name, study in STUDIES.items()
    }
    print_listing(listing, as_json)
