"""`train`: a recipe from options or a file, trained to a model file and a trace."""

import dataclasses
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import click
import numpy as np

from boltzcore.arrays import file_name, open_binary
from boltzcore.commands.outputs import check_outputs, open_output
from boltzcore.commands.shared import (
    FILE,
    OUT,
    declared_options,
    folder_option,
    given_options,
    json_option,
    print_json,
    set_option,
    settings,
    working,
)
from boltzcore.commands.tables import DATA_HELP, append_columns, data_of, file_of, reading_options
from boltzcore.names import Names
from boltzcore.quoting import Refusal
from boltzcore.registry import LEARNERS, entry, learners_of, unit_of
from boltzcore.ticks import Stopped
from boltzcore.training.loop import Fit, Record, fit
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe, declarations
from boltzcore.training.schedule import Schedule
from boltzcore.training.status import Status
from boltzcore.training.trace import trace_csv

LARGEST_RECIPE = 1_000_000  # largest size in bytes
SCHEDULE = ("every", "between", "patience", "gap_limit", "seed")  # its fields that are options with the same name
OUTSIDE_THE_RECIPE = {"--recipe", "--out", "--half", "--trace", "--folder", "--json"}


@click.command()
@click.option("--model", default="rbm", show_default=True, help="Name from `models`.")
@click.option("--learner", help="Name from `learners`; by default the first one of the model.")
@click.option("--data", default="digits", show_default=True, help=DATA_HELP)
@reading_options
@set_option(
    "the learner, the model, the data, the annealing that estimates a likelihood or the corruption of a conditional "
    "model's inputs, such as rate=0.1, hidden=500, CD.K=3 or corruption.size=12"
)
@click.option(
    "--epochs",
    metavar="N",
    help="Length of the training in epochs; by default 50, or more if the learner has its own stopping rule.",
)
@click.option("--updates", metavar="N", help="Length of the training in updates.")
@declared_options(Schedule, *SCHEDULE)
@click.option(
    "--change",
    "changes",
    multiple=True,
    metavar="AT:FIELD:VALUE",
    help="Change a live field from update AT on, such as 5000:rate:0.01.",
)
@click.option(
    "--before", type=FILE, help="A recipe (JSON) on the same data to train first; its best model is the start."
)
@click.option("--recipe", "recipe_file", type=FILE, help="A recipe (JSON), instead of the options above.")
@click.option("--out", type=OUT, help="Write the model to this .npz file, with arrays named like its fields.")
@click.option("--half", is_flag=True, help="Write the parameters as float16, which halves the file size.")
@click.option("--trace", type=OUT, help="Write the records to this CSV file.")
@folder_option
@json_option
@click.pass_context
def train(
    context: click.Context,
    recipe_file: Path | None,
    out: Path | None,
    trace: Path | None,
    half: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Train a model. Ctrl-C stops early and keeps the result so far."""
    if recipe_file is None:
        recipe = _recipe_of(**options)
    else:
        if given := given_options(context) - OUTSIDE_THE_RECIPE:
            raise Refusal(f"--recipe sets all options of the training: leave out {', '.join(sorted(given))}.")
        recipe = _recipe_in(recipe_file)
    inputs = (recipe_file, options["before"], file_of(options["data"]))
    check_outputs({"--out": out, "--trace": trace}, inputs)  # before the training

    found, names = _run(recipe)
    if found.state is None:
        click.echo("Stopped before the first update; nothing was written.", err=True)
        raise Stopped
    failed = _write(found, names, out, trace, half)
    _report(recipe, found, None if out in failed else out, as_json)
    if failed:
        raise Refusal(" ".join(failed.values()))
    if not found.ended:
        raise Stopped


def _recipe_of(
    *,
    model: str,
    learner: str | None,
    data: str,
    assignments: tuple[str, ...],
    epochs: str | None,
    updates: str | None,
    changes: tuple[str, ...],
    before: Path | None,
    **others: str | None,
) -> Recipe:
    if epochs is not None and updates is not None:
        raise Refusal("--epochs and --updates both set the length of the training: give one of them.")
    name, table = data_of(data)
    names = {"model": model, "data": name, "learner": learner or next(iter(learners_of(model)))}
    # the schedule has its own options
    owners = {owner: kind for owner, kind in declarations(names).items() if owner != "schedule"}
    usual, unit = entry(LEARNERS, "learner", names["learner"]).length
    length = next((text for text in (epochs, updates) if text is not None), str(usual))
    unit = "epochs" if epochs is not None else "updates" if updates is not None else unit
    schedule = {"length": length, "unit": unit, **{name: others[name] for name in SCHEDULE}}
    query = names | {"changes": ";".join(changes)} | table | settings(assignments, owners)
    query |= {f"schedule.{name}": text for name, text in schedule.items() if text is not None}
    return dataclasses.replace(Recipe.from_query(query), before=None if before is None else _recipe_in(before))


def _recipe_in(file: Path) -> Recipe:
    with open_binary(file) as stream:
        content = stream.read(LARGEST_RECIPE + 1)
    if len(content) > LARGEST_RECIPE:
        raise Refusal(f"{file_name(file)} is larger than {LARGEST_RECIPE:,} bytes: this is not a recipe.")
    return Recipe.from_json(content.decode("utf-8-sig", "replace"))


def _run(recipe: Recipe) -> tuple[Fit, Names | None]:
    """Return the training so far, and the names of its columns."""
    reached, names, budget = Fit(recipe), None, 0

    def describe(_fraction: float) -> str:
        if not reached.records:
            return ""
        return f"update {reached.count:,} of {budget:,}: {_format_record(reached.records[-1])}"

    with suppress(Stopped), working(describe) as tick:
        with append_columns(recipe.data):
            prepared = PreparedData.from_recipe(recipe, tick)
        if data_warning := prepared.data_warning(tick):
            click.echo(data_warning, err=True)
        names, budget = prepared.dataset.names, prepared.budget(recipe)

        def on_step(found: Fit) -> None:
            nonlocal reached
            reached = found
            tick(0.0)

        reached = fit(recipe, prepared=prepared, on_step=on_step, seconds=0.5, tick=tick)
    return reached, names


def _format_record(record: Record) -> str:
    """Return the figures of a record in one line, grouped by unit."""
    by_unit: dict[str, list[str]] = {}
    for name, value in record.values.items():
        by_unit.setdefault(unit_of(name), []).append(f"{name.replace('_', ' ')} {value:.4g}")
    lines = [f"{', '.join(figures)}{f' ({each})' if each else ''}" for each, figures in by_unit.items()]
    return "; ".join(lines) or "not measured"


def _write(found: Fit, names: Names | None, out: Path | None, trace: Path | None, half: bool) -> dict[Path, str]:
    """Write the requested model and trace; return the reasons of failures, each of which does not prevent the other."""
    model = found.chosen.model
    most = max(float(np.abs(getattr(model, name)).max(initial=0.0)) for name in model.ARRAYS)
    if half and most > (limit := float(np.finfo(np.float16).max)):
        click.echo(
            f"--half: parameters are as large as {most:.4g}, beyond {limit:,.0f}; they are written in full precision.",
            err=True,
        )
        half = False
    writers: dict[Path | None, Callable[[BinaryIO], Any]] = {
        out: lambda stream: model.save(stream, np.float16 if half else None, names),
        trace: lambda stream: stream.write(trace_csv(found.records).encode()),
    }
    failed = {}
    for file, write in writers.items():
        if file is not None:
            try:
                with open_output(file) as stream:  # with exactly this name: numpy would add .npz
                    write(stream)
            except Refusal as refusal:
                failed[file] = str(refusal)
    return failed


def _report(recipe: Recipe, found: Fit, out: Path | None, as_json: bool) -> None:
    assert found.state is not None
    last, record, finished = found.state, found.records[-1], bool(found.ended)
    seconds = last.progress.seconds
    if found.ended == Status.DIVERGED:
        click.echo(found.reason, err=True)
    if as_json:
        print_json(
            {
                "recipe": json.loads(recipe.to_json()),
                "finished": finished,
                "updates": last.count,
                "work": last.work,
                "seconds": seconds,
                "record": {"count": record.count, "epoch": record.epoch, **record.values},
                "out": None if out is None else str(out),
                "model_update": found.chosen.count,
            }
        )
        return
    learner, data = type(recipe.learner).__name__, recipe.data.name
    end = "" if finished else " (stopped early)"
    click.echo(f"{learner} on {data}: {last.count:,} updates in {seconds:.2f} s{end}")
    click.echo(f"At update {record.count:,} (epoch {record.epoch:g}): {_format_record(record)}")
    if out is not None:
        kept = found.chosen.count
        which = "model" if kept == last.count else f"best model, of update {kept:,},"
        click.echo(f"The {which} is in {out}")
