"""`compare`: contenders over trials, with what may be claimed of their differences."""

from pathlib import Path
from typing import Any

import click

from boltzcore.arrays import open_binary
from boltzcore.commands.executor import executor_option, open_executor
from boltzcore.commands.outputs import check_outputs, write_text
from boltzcore.commands.shared import (
    FILE,
    OUT,
    folder_option,
    given_options,
    json_option,
    print_json,
    print_listing,
    print_table,
    working,
)
from boltzcore.comparison.compare import compare as compared
from boltzcore.comparison.compare import load_result
from boltzcore.comparison.comparison import LARGEST, Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.comparison.result import Result
from boltzcore.comparison.trials import TrialStore
from boltzcore.home import folder
from boltzcore.quoting import Refusal
from boltzcore.registry import entry
from boltzcore.ticks import Stopped

OF_A_LIST = {"--folder", "--json"}  # options that are taken without a comparison
COLUMNS = ("contender", "trials", "value", "to_target", "difference", "low", "high", "p", "better_in", "pace")


@click.command()
@click.argument("file", required=False, type=FILE)
@click.option("--preset", help="One of the presets; without FILE or --preset all are listed.")
@click.option("--trials", type=int, help="Runs of each contender, instead of the number in the comparison.")
@click.option("--reference", help="Test differences from this contender only; all pairs by default.")
@click.option("--csv", type=OUT, help="Write all records to this CSV file.")
@executor_option
@click.option("--write", type=OUT, help="Write the comparison to this JSON file.")
@folder_option
@json_option
@click.pass_context
def compare(
    context: click.Context,
    file: Path | None,
    preset: str | None,
    trials: int | None,
    reference: str | None,
    csv: Path | None,
    executor: str | None,
    write: Path | None,
    as_json: bool,
) -> None:
    """Train the contenders of a comparison, a JSON FILE or a preset, in several trials each, and print the results;
    without either, list the presets. Completed trials are stored and reused, except those on a
    table of your own. Ctrl-C stops early and keeps them.
    """
    if file is None and preset is None:
        if given := given_options(context) - OF_A_LIST:
            raise Refusal(
                f"{', '.join(sorted(given))} must come with FILE or --preset, one of {', '.join(COMPARISON_PRESETS)}."
            )
        presets = COMPARISON_PRESETS.items()
        listing = {
            key: {"question": each.question, "about": each.about, "answer": each.answer} for key, each in presets
        }
        print_listing(listing, as_json)
        return
    if file is not None and preset is not None:
        raise Refusal("compare takes FILE or --preset, not both.")
    check_outputs({"--csv": csv, "--write": write}, [file])
    if file is None:
        comparison = entry(COMPARISON_PRESETS, "--preset", preset or "").comparison
    else:
        with open_binary(file) as stream:
            comparison = Comparison.from_json(stream.read(LARGEST + 1).decode("utf-8-sig", "replace"))
    chosen = {"trials": trials, "reference": reference}
    comparison = comparison.changed(**{name: value for name, value in chosen.items() if value is not None})
    write_text(write, comparison.to_json())
    store = TrialStore(folder("trials"))
    recipes = [comparison.trial(name, 0) for name in comparison.names]
    with working(lambda fraction: f"{fraction:.0%} of the runs", cores=1) as tick:
        try:
            with open_executor(executor, recipes, tick) as (pool, at_once, watching):
                result = compared(comparison, store=store, tick=watching, executor=pool, threads=at_once)
            finished = True
        except Stopped:
            result, finished = load_result(comparison, store), False
    write_text(csv, result.csv())
    if as_json:
        print_json(_figures(result, finished=finished))
    else:
        against = result.comparison.contender(None)
        click.echo(f"Means (value) of the {result.figure_title}, differences from {against}, and median costs:")
        print_table([{name: row[name] for name in COLUMNS} for row in _rows(result)])
        click.echo(f"\n{result.sentence()}")
        if result.tuning is not None:
            click.echo("\nSettings tried before the trials, on seeds of their own:")
            print_table(result.tuning.tried().to_dict("records"))
    if not finished:
        raise Stopped


def _figures(result: Result, *, finished: bool) -> dict[str, Any]:
    tuning, reference = result.tuning, result.comparison.contender(None)
    return {
        "finished": finished,
        "figure": result.figure,
        "state": result.figure_title,
        "reference": reference,
        "family": result.family(reference),
        "sentence": result.sentence(),
        "tuning": None if tuning is None else {"scores": tuning.scores, "taken": tuning.taken, "edges": tuning.edges},
        "rows": _rows(result),
    }


def _rows(result: Result) -> list[dict[str, Any]]:
    table = result.table().reset_index()
    return table.astype(object).where(table.notna(), None).to_dict("records")
