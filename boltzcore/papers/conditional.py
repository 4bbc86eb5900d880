"""Ping and Ihler, Belief Propagation in Conditional RBMs for Structured Prediction: its experiments.

Every method of a task starts from the same parameters and sees the same pairs; each predicts with the inference that it
learnt with, and is stopped early by its validation error. Rates are fixed and of the paper's set. It does not say
whether noise is drawn anew: here a pair is made once.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from boltzcore.learners import State
from boltzcore.learners.conditional import inference_of
from boltzcore.measures.merit import merit
from boltzcore.measures.pixels import pixel_errors
from boltzcore.papers.conditional_tasks import LEVELS, METHODS, NOTHING, TASKS, Method, Task, title_of
from boltzcore.papers.study import Row, Study, one_update
from boltzcore.registry import DATASETS
from boltzcore.ticks import Tick, portion
from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

SLOWEST_LAST = tuple(sorted(METHODS, key=lambda name: name == "CD-PercLoss"))  # a study goes on from its finished rows
RATES = (0.05, 0.02, 0.01)  # the validation error chooses; the paper has .005, too


@dataclass(frozen=True)
class Scale:
    """How much of the paper is done.

    rows : training images of MNIST, 0 for all; None for the sample that comes with the project
    epochs, long : of learners that infer, and of the others
    patience : epochs without a new best
    search : the shorter trainings whose validation errors choose the rate; None where this scale's choose it
    """

    about: str
    rows: int | None
    epochs: int
    long: int
    hidden: int = 256
    rates: tuple[float, ...] = RATES
    patience: int = 10
    search: "Scale | None" = None


SEARCH = Scale("10,000 images (Caltech: all), 10 epochs, of CD and LR 30", rows=10_000, epochs=10, long=30, patience=4)
SCALES = {
    "paper": Scale(
        "50,000 images (Caltech: all), 50 epochs, of CD and LR 200, at the rate that is best after 10 and 30 epochs of "
        "10,000",
        rows=0,
        epochs=50,
        long=200,
        search=SEARCH,
    ),
    "quick": Scale("10,000 images (Caltech: all), 30 epochs, of CD and LR 100", rows=10_000, epochs=30, long=100),
    "sample": Scale(
        "the 6,000 images of MNIST that come with the project (Caltech: all), 32 hidden units, 8 epochs, of CD and LR "
        "24, rate 0.05",
        rows=None,
        epochs=8,
        long=24,
        hidden=32,
        rates=(0.05,),
        patience=5,
    ),
}


def data_of(task: Task, scale: Scale) -> Any:
    """The data of a task at a scale, with a validation split, cut at 127 where they are gray."""
    if task.data == "mnist" and scale.rows is None:
        return DATASETS["mnist-small"](binarise="threshold")
    if task.data == "mnist":
        return DATASETS["mnist"](binarise="threshold", split="50000/10000/10000", rows=scale.rows)
    return DATASETS[task.data]()


def recipe_of(task: Task, method: Method, rate: float, scale: Scale) -> Recipe:
    """One training, measured every epoch."""
    schedule = Schedule(length=scale.long if method.long else scale.epochs, patience=scale.patience)
    return Recipe(
        task.setup(scale.hidden),
        data_of(task, scale),
        method.learner.changed(rate=rate),
        schedule,
        corruption=task.corruption,
    )


def parts(tasks: tuple[Task, ...], methods: tuple[str, ...], scale: str) -> list[Recipe]:
    """Every training of the tasks, and those at other rates that may follow from them."""
    chosen = SCALES[scale]
    return [
        recipe_of(task, METHODS[name], rate, each)
        for task in tasks
        for name in methods
        for each in dict.fromkeys((chosen.search or chosen, chosen))
        for rate in chosen.rates
    ]


def table_rows(
    tasks: tuple[Task, ...], methods: tuple[str, ...], scale: str, tick: Tick, kept: Sequence[Row] = ()
) -> Iterator[Row]:
    """Errors in percent over all test images of each method's best model on each task, with its epoch, seconds and
    convergence; of those that are not kept.
    """
    there = {(row["task"], row["method"]) for row in kept}
    cells = [(task, name) for task in tasks for name in methods if (title_of(task), name) not in there]
    for index, (task, name) in enumerate(cells):
        first = index == 0 or task is not cells[index - 1][0]
        if first and (title_of(task), NOTHING) not in there:
            yield nothing_done(task, SCALES[scale])
        found = best_of(task, name, SCALES[scale], portion(tick, index / len(cells), 1 / len(cells)))
        yield {"task": title_of(task), "method": name, **found}


def best_of(task: Task, name: str, scale: Scale, tick: Tick) -> dict[str, Any]:
    """What a method's training at the rate of the least validation error came to."""
    rates, search = scale.rates, scale.search
    share = 1 / (len(rates) + (search is not None))

    def at(rate: float, scale: Scale, index: int) -> dict[str, Any]:
        return {
            "rate": rate,
            **trained(recipe_of(task, METHODS[name], rate, scale), portion(tick, index * share, share)),
        }

    tried = [at(rate, search or scale, index) for index, rate in enumerate(rates)]
    best = min(tried, key=lambda row: row["validation_all"])
    return best if search is None else at(best["rate"], scale, len(rates))


def nothing_done(task: Task, scale: Scale) -> Row:
    """The errors of the inputs themselves."""
    clean = data_of(task, scale).load().corrupted(task.corruption).test.epoch(0, 0)
    errors = pixel_errors(clean.v, clean.x, clean.x)
    return {"task": title_of(task), "method": NOTHING, "all": 100 * errors.all, "changed": 100 * errors.changed}


def trained(recipe: Recipe, tick: Tick) -> dict[str, Any]:
    """The test errors of the model with the least validation error of a training, and its epoch."""
    prepared = PreparedData.from_recipe(recipe, tick)
    one_update(recipe, prepared)
    best: State | None = None
    best_epoch, lowest, share, length = 0.0, math.inf, [], recipe.schedule.length
    done = 0.0

    def watched(fraction: float = 0.0) -> None:
        tick(done)

    for step in train(recipe, prepared=prepared, tick=watched):
        assert step.record is not None
        done = step.record.epoch / length
        error = -(merit(step.record.values, recipe.entry.merit) or 0.0)
        if step.record.count:
            share.append(step.record.values.get("converged"))
        if step.record.count and error < lowest:
            best, best_epoch, lowest = step.state, step.record.epoch, error
        last = step.record
    assert best is not None
    test = prepared.dataset.test.epoch(0, recipe.schedule.seed)
    beliefs = inference_of(recipe.learner, best_epoch).infer(best.model, test.x, tick=watched)
    errors = pixel_errors(test.v, test.x, beliefs.v > 0.5)  # type: ignore[arg-type]
    return {
        "all": 100 * errors.all,
        "changed": 100 * errors.changed,
        "validation_all": 100 * lowest,
        "epoch": best_epoch,
        "epochs": last.epoch,
        "seconds_per_epoch": last.seconds / last.epoch,
        "converged": None if share[0] is None else [round(100 * part, 1) for part in share if part is not None],
    }


def _study(
    title: str, figure: str, reported: str, tasks: tuple[Task, ...], methods: tuple[str, ...] = SLOWEST_LAST
) -> Study:
    return Study(
        title=title,
        source=f"Ping and Ihler, {figure}",
        reported=reported,
        scales={name: scale.about for name, scale in SCALES.items()},
        rows=partial(table_rows, tasks, methods),
        parts=partial(parts, tasks, methods),
    )


STUDIES = {
    "crbm-noise-10": _study(
        title="Denoising MNIST, 10 % of pixels flipped",
        figure="section 6, table 1",
        reported="MLE-BP is best, then MSSVM; CD-1 is near LR.",
        tasks=(TASKS["crbm-noise-10"],),
    ),
    "crbm-noise-20": _study(
        title="Denoising MNIST, 20 % of pixels flipped",
        figure="section 6, table 1",
        reported="MLE-BP is best, then MSSVM; CD-1 is near LR.",
        tasks=(TASKS["crbm-noise-20"],),
    ),
    "crbm-occlusion-8": _study(
        title="Completing MNIST, 8 x 8 patch",
        figure="section 6, table 2 and figure 4",
        reported="MLE-BP is best, then MSSVM and CD-PercLoss; CD-1 and CD-10 are worse than LR. BP's "
        "convergence changes near epoch 3.",
        tasks=(TASKS["crbm-occlusion-8"],),
    ),
    "crbm-occlusion-12": _study(
        title="Completing MNIST, 12 x 12 patch",
        figure="section 6, table 2",
        reported="MLE-BP is best, then MSSVM; MLE-MF, LSSVM, CD-PercLoss and LR lie within 0.03 points, "
        "and CD-1 and CD-10 are worse.",
        tasks=(TASKS["crbm-occlusion-12"],),
    ),
    "crbm-caltech-noise": _study(
        title="Denoising silhouettes, 20 % of pixels flipped",
        figure="section 6, table 3",
        reported="MLE-BP is best, then MSSVM.",
        tasks=(TASKS["crbm-caltech-noise"],),
    ),
    "crbm-caltech-occlusion": _study(
        title="Completing silhouettes, 12 x 12 patch",
        figure="section 6, table 3",
        reported="MSSVM is best, MLE-BP 0.014 points behind.",
        tasks=(TASKS["crbm-caltech-occlusion"],),
    ),
    "crbm-sizes": _study(
        title="Completing ever larger patches",
        figure="section 6, figure 3",
        reported="MLE-BP is better than CD-10 until the image is almost fully hidden; at 28 x 28 the models "
        "are plain RBMs, and CD is better.",
        tasks=LEVELS,
        methods=("CD-10", "MLE-BP"),
    ),
}
