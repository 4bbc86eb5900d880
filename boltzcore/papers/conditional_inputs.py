"""Ping and Ihler, Belief Propagation in Conditional RBMs: MLE-BP and MSSVM by what the paper leaves open.

It tells neither how strongly an output pixel depends on its own input pixel at the start, nor whether noise is drawn
once or in each epoch anew.
"""

import dataclasses
from collections.abc import Iterator, Sequence

from boltzcore.papers.conditional import SCALES, nothing_done, recipe_of, trained
from boltzcore.papers.conditional_tasks import METHODS, TASKS, title_of
from boltzcore.papers.study import Row, Study, left_of
from boltzcore.ticks import Tick
from boltzcore.training.recipe import Recipe

TASK = TASKS["crbm-noise-10"]
RATES = {"paper": 0.02, "sample": 0.05, "quick": 0.05}
LEARNERS = ("MLE-BP", "MSSVM")
CELLS = [(noise, weight, method) for noise in ("once", "each epoch") for weight in (4.0, 0.0) for method in LEARNERS]
OF = {"paper": "quick", "sample": "sample", "quick": "sample"}  # scales of the tables, whose data and sizes it takes
EPOCHS = {"paper": 15, "sample": 10, "quick": 2}


def recipe(noise: str, weight: float, method: str, scale: str) -> Recipe:
    """One training."""
    whole = recipe_of(TASK, METHODS[method], RATES[scale], SCALES[OF[scale]])
    return dataclasses.replace(
        whole,
        model=whole.model.changed(input_weight=weight),
        corruption=TASK.corruption.changed(redrawn=noise),
        schedule=whole.schedule.changed(length=EPOCHS[scale]),
    )


def parts(scale: str) -> list[Recipe]:
    """Every training."""
    return [recipe(*cell, scale) for cell in CELLS]


def inputs(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """Errors in percent over all test images of the best model of each training; of those that are not kept."""
    if not kept:
        yield nothing_done(TASK, SCALES[OF[scale]])
    for (noise, weight, method), part in left_of(CELLS, ("noise", "input_weight", "method"), kept, tick):
        settings = {"task": title_of(TASK), "noise": noise, "input_weight": weight, "method": method}
        yield {**settings, "rate": RATES[scale], **trained(recipe(noise, weight, method, scale), part)}


STUDIES = {
    "crbm-inputs": Study(
        title="MLE-BP and MSSVM by the input weight at the start, with noise drawn once and in each epoch",
        source="Ping and Ihler, section 6, table 1",
        reported="At 10 % noise MLE-BP has 1.688 % of pixels wrong, MSSVM 1.751 %; neither the start of W_vx nor how "
        "often noise is drawn is told.",
        scales={
            "paper": "10,000 images (the paper 50,000), at most 15 epochs at rate 0.02",
            "sample": "the 6,000 images that come with the project, 32 hidden units, at most 10 epochs at rate 0.05",
            "quick": "as sample, 2 epochs",
        },
        rows=inputs,
        parts=parts,
    )
}
