"""`starts`: how soon each model and learner is seen to learn from each data set, from what forms write out."""

import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from boltzcore import threads
from boltzcore.commands.outputs import check_outputs, written
from boltzcore.commands.parts import INTERRUPTED, Progress, folder_option, interruptible, json_option, print_json
from boltzcore.processor import processor
from boltzcore.registry import DATASETS, MODELS, entry, learners_of
from boltzcore.runs.learnt import gain
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.starts import start_for
from boltzcore.runs.training import train
from boltzcore.ticks import Stopped, Tick, idle


@dataclass(frozen=True)
class Trial:
    """A training from a start.

    figure, baseline, value : what judges the model, where nothing was learnt and at the last record
    margin, wanted : how much better the model is than the baseline, and from what on it has learnt visibly
    visible : CPU seconds at one thread, measures included, to the first record with that margin; None where none has it
    seconds : to the last record; updates : made until then
    whole : False where it was ended by the clock
    """

    data: str
    model: str
    learner: str
    seed: int
    figure: str
    baseline: float
    value: float
    margin: float
    wanted: float
    visible: float | None
    seconds: float
    updates: int
    whole: bool


def trial(recipe: Recipe, seconds: float, tick: Tick = idle) -> Trial | None:
    """A training of at most so many CPU seconds; None where it has not made an update by then."""
    prepared, began = PreparedData.from_recipe(recipe, tick), time.process_time()
    found, visible, whole, updates, ended = None, None, True, 0, 0.0

    def until(fraction: float = 0.0) -> None:
        tick(fraction)
        if time.process_time() - began > seconds:
            raise TimeoutError

    try:
        for step in train(recipe, prepared=prepared, tick=until):
            if step.record is None:
                continue
            found, updates, ended = gain(recipe, prepared, step.record.values), step.state.count, time.process_time()
            if visible is None and found is not None and found.learnt:
                visible = ended - began
    except TimeoutError:
        whole = False
    if found is None or not updates:
        return None
    return Trial(
        data=recipe.data.name,
        model=recipe.model.name,
        learner=type(recipe.learner).__name__,
        seed=recipe.schedule.seed,
        **asdict(found),
        margin=found.margin,
        wanted=found.wanted,
        visible=visible,
        seconds=ended - began,
        updates=updates,
        whole=whole,
    )


def fitting(names: tuple[str, ...]) -> Iterator[Recipe]:
    """The start of each model and learner on each data set at hand that they can learn from."""
    for name in names or DATASETS:
        source = entry(DATASETS, "data", name)()
        if not source.at_hand():
            continue
        for model in MODELS:
            for learner in learners_of(model):
                recipe = start_for(model, source, learner)
                try:
                    PreparedData.from_recipe(recipe)
                except ValueError:  # they do not fit
                    continue
                yield recipe


@click.command()
@click.argument("names", nargs=-1, metavar="[DATA]...")
@click.option("--seeds", default=5, show_default=True, type=click.IntRange(1, 100))
@click.option(
    "--seconds",
    default=60.0,
    show_default=True,
    help="CPU seconds of a training at most; what it is then, counts.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the trials there, as JSON.")
@folder_option
@json_option
def starts(names: tuple[str, ...], seeds: int, seconds: float, out: Path | None, as_json: bool) -> int:
    """How soon each model and learner is seen to learn from each data set (all at hand), from the start that the page
    writes out. A training has learnt visibly once its model is 2 % better than the base rate, or restores with a tenth
    fewer wrong pixels than it was given.
    """
    check_outputs({"--out": out})
    for name in names:
        entry(DATASETS, "data", name)
    trials, finished = list[Trial](), True
    with Progress() as progress, interruptible() as tick, threads.use(1), threads.one_for_blas():
        try:
            for recipe in fitting(names):
                for seed in range(seeds):
                    progress(f"{recipe.data.name}, {recipe.model.name}, {type(recipe.learner).__name__}, seed {seed}")
                    made = trial(replace(recipe, schedule=recipe.schedule.changed(seed=seed)), seconds, tick)
                    trials += [made] if made else []
        except Stopped:
            finished = False
    command = " ".join(["boltzcore starts", *names, f"--seeds {seeds} --seconds {seconds:g}"])
    result = {
        "command": command,
        "processor": processor(),
        "finished": finished,
        "trials": [asdict(made) for made in trials],
    }
    if out is not None:
        with written(out) as stream:
            stream.write(f"{json.dumps(result, indent=0)}\n".encode())
    if as_json:
        print_json(result)
    else:
        click.echo("\n".join(table(trials)))
    return 0 if finished else INTERRUPTED


def table(trials: list[Trial]) -> list[str]:
    """A line for each data set, model and learner: medians over the seeds, and how many of them learnt."""
    groups: dict[tuple[str, str, str], list[Trial]] = {}
    for each in trials:
        groups.setdefault((each.data, each.model, each.learner), []).append(each)
    head = f"{'data':17}{'model':14}{'learner':23}{'baseline':>10}{'final':>10}{'margin':>10}{'wanted':>9}"
    lines = [f"{head}{'learnt':>8}{'visible, s':>12}{'in all, s':>11}"]
    for (data, model, learner), seeds in groups.items():
        baseline, value, margin, wanted, seconds = (
            statistics.median(getattr(each, name) for each in seeds)
            for name in ("baseline", "value", "margin", "wanted", "seconds")
        )
        learnt = sum(each.margin >= each.wanted for each in seeds)
        soon = [each.visible for each in seeds if each.visible is not None]
        visible = f"{statistics.median(soon):.2f}" if soon else "-"
        lines.append(
            f"{data:17}{model:14}{learner:23}{baseline:10.3f}{value:10.3f}{margin:10.3f}{wanted:9.3f}"
            f"{f'{learnt}/{len(seeds)}':>8}{visible:>12}{seconds:11.2f}"
        )
    return lines
