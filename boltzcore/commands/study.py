"""`study`: a table of a paper, made anew."""

import time
from collections.abc import Sequence
from typing import Any

import click

from boltzcore import threads
from boltzcore.commands.executor import executor_option, open_executor
from boltzcore.commands.parts import (
    INTERRUPTED,
    folder_option,
    given_options,
    interruptible,
    json_option,
    print_json,
)
from boltzcore.comparison.scheduler import Scheduler
from boltzcore.comparison.trials import TrialStore
from boltzcore.home import folder
from boltzcore.papers import STUDIES
from boltzcore.papers.stored import StoredResult, results, stored_rows
from boltzcore.papers.study import Row
from boltzcore.registry import entry
from boltzcore.ticks import Stopped, Tick
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status

LISTED = 6  # numbers of a list that a table shows
OF_A_LIST = {"name", "--list", "--folder", "--json"}  # what is taken where studies are listed


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--scale",
    default="quick",
    show_default=True,
    help="One of those that the study lists: paper is as near to the authors' own as is made, quick a look at it.",
)
@click.option("--store", is_flag=True, help="Keep the rows in assets/results; a study that was stopped goes on there.")
@executor_option
@click.option("--list", "listed", is_flag=True, help="List the studies and what is stored of them, as without NAME.")
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
) -> int:
    """Make a table of a paper anew; without NAME, list the studies. Ctrl-C ends it early and keeps the rows made. With
    --executor a study that is made of trainings alone trains on a cluster.
    """
    if name is None or listed:
        if given := given_options(context) - OF_A_LIST:
            if listed:
                raise ValueError(f"--list lists the studies: leave out {', '.join(sorted(given))}.")
            raise ValueError(f"{', '.join(sorted(given))} must come with NAME, one of {', '.join(STUDIES)}.")
        _list(as_json)
        return 0
    chosen = entry(STUDIES, "NAME", name)
    what = entry(chosen.scales, "--scale", scale)
    if executor is not None and not chosen.only_trainings:
        able = [each for each, about in STUDIES.items() if about.only_trainings]
        raise ValueError(f"--executor must come with {' or '.join(able)}: no other study is made of trainings alone.")
    recipes = [part for part in chosen.parts(scale) if isinstance(part, Recipe)] if chosen.only_trainings else []
    finished, began = True, time.monotonic()
    rows: list[Row] = []
    with (
        interruptible(lambda done: f"{name}, {what}: {len(rows)} rows, {done:.0%}") as tick,
        threads.use(threads.CORES),
    ):
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
        click.echo("\n".join(_table(rows)))
        click.echo(f"\nThe paper ({chosen.source}): {chosen.reported}")
    return 0 if finished else INTERRUPTED


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
                    raise ValueError(f"A training of the study failed. {trial.reason}")

        scheduler.finish(checking)


def _table(rows: Sequence[Row]) -> list[str]:
    """Return rows as the lines of a table, without long lists and lists of lists, which JSON has."""
    names = dict.fromkeys(name for row in rows for name in row if all(_is_short(each.get(name)) for each in rows))
    heads = [name.split("_") for name in names]
    height = max(map(len, heads), default=0)
    columns = [
        [*[""] * (height - len(head)), *head, *(_cell(row.get(name)) for row in rows)]
        for name, head in zip(names, heads, strict=True)
    ]
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in zip(*columns, strict=True)
    ]


def _is_short(value: Any) -> bool:
    return not isinstance(value, list) or (len(value) <= LISTED and not any(isinstance(each, list) for each in value))


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return "-" if value is None else f"{value:.5g}" if isinstance(value, float) else str(value)


def _list(as_json: bool) -> None:
    if as_json:
        studies: dict[str, Any] = {
            name: {
                "title": s.title,
                "source": s.source,
                "reported": s.reported,
                "scales": dict(s.scales),
                "stored": {scale: _kept(result) for scale, result in results(name).items()},
            }
            for name, s in STUDIES.items()
        }
        print_json(studies)
        return
    for name, listed in STUDIES.items():
        click.echo(f"{name}: {listed.title}")
        click.echo(
            f"    {listed.source}; " + "; ".join(f"--scale {scale}: {what}" for scale, what in listed.scales.items())
        )
        for scale, result in results(name).items():
            kept = _kept(result)
            earlier = "" if kept["is_current"] else ", made by an earlier version"
            stopped = "" if result.finished else ", stopped before its last"
            click.echo(f"    stored at scale {scale}: {kept['rows']} rows{stopped}, {kept['date']}{earlier}")


def _kept(result: StoredResult) -> dict[str, Any]:
    return {
        "rows": len(result.rows),
        "finished": result.finished,
        "is_current": result.is_current,
        "date": result.provenance.date,
    }
