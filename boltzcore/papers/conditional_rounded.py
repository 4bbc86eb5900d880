"""Ping and Ihler, Belief Propagation in Conditional RBMs: CD-PercLoss with rounded candidates beside sampled ones."""

import dataclasses
from collections.abc import Iterator, Sequence

from boltzcore.learners import CDPercLoss
from boltzcore.papers.conditional import SCALES, nothing_done, recipe_of, trained
from boltzcore.papers.conditional_tasks import NOTHING, TASKS, Method, title_of
from boltzcore.papers.study import Row, Study
from boltzcore.runs.recipe import Recipe
from boltzcore.ticks import Tick, portion

NAMES = ("crbm-noise-10", "crbm-occlusion-8")
RATES = (0.01, 0.005)
ROWS = {"paper": 10_000, "quick": 1_000}  # of MNIST; the sample has its own
EPOCHS = {"paper": 100, "quick": 20, "sample": 30}
OF = {"paper": "quick", "quick": "quick", "sample": "sample"}  # scales of the tables, whose sizes it takes
CELLS = [(name, kind, rate) for name in NAMES for kind in ("rounded", "sampled") for rate in RATES]
REPORTED = "CD-PercLoss"  # of the methods in the paper's tables


def recipe(name: str, candidates: str, rate: float, scale: str) -> Recipe:
    """One training, stopped early, of fewer images than the paper's."""
    method = Method(CDPercLoss(candidates=candidates), long=True)
    whole = recipe_of(TASKS[name], method, rate, SCALES[OF[scale]])
    data = dataclasses.replace(whole.data, rows=ROWS[scale]) if scale in ROWS else whole.data
    schedule = whole.schedule.changed(length=EPOCHS[scale])
    return dataclasses.replace(whole, data=data, schedule=schedule)


def parts(scale: str) -> list[Recipe]:
    """Every training."""
    return [recipe(*cell, scale) for cell in CELLS]


def candidates(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """Errors in percent over all test images of the best model of each training; of those that are not kept."""
    there = {(row["task"], row["method"], row.get("rate")) for row in kept}
    cells = [cell for cell in CELLS if (title_of(TASKS[cell[0]]), *cell[1:]) not in there]
    for index, (name, kind, rate) in enumerate(cells):
        task = TASKS[name]
        if (index == 0 or name != cells[index - 1][0]) and (title_of(task), NOTHING, None) not in there:
            yield nothing_done(task, SCALES[OF[scale]])
        found = trained(recipe(name, kind, rate, scale), portion(tick, index / len(cells), 1 / len(cells)))
        yield {"task": title_of(task), "method": kind, "rate": rate, **found}


def _table(rows: list[Row]) -> list[str]:
    lines = []
    for name in NAMES:
        task = TASKS[name]
        mine = [row for row in rows if row["task"] == title_of(task)]
        if mine:
            reported = "{:.3f}, {:.3f}".format(*task.reported[REPORTED])
            lines += ["", f"{title_of(task)}: wrong pixels in % (the paper, all images: {reported})"]
            lines.append(f"{'candidates':14}{'rate':>8}{'All':>8}{'Changed':>9}{'at epoch':>10}{'of':>5}{'s/epoch':>9}")
        for row in mine:
            rate = "" if row["method"] == NOTHING else f"{row['rate']:g}"
            rest = f"{row['epoch']:10g}{row['epochs']:5g}{row['seconds_per_epoch']:9.2f}" if rate else ""
            lines.append(f"{row['method']:14}{rate:>8}{row['all']:8.3f}{row['changed']:9.3f}{rest}")
    return lines


STUDIES = {
    "crbm-percloss": Study(
        title="CD-PercLoss with rounded and with sampled candidates, 10 % noise and 8 x 8 patch",
        source="Ping and Ihler, section 6, tables 1 and 2",
        reported="CD-PercLoss has 1.760 % of pixels wrong after noise and 1.394 % after a patch, fewer than CD-10.",
        scales={
            "paper": "10,000 images (the paper 50,000), at most 100 epochs, stopped early",
            "quick": "1,000 images, at most 20 epochs, stopped early",
            "sample": "the 6,000 images that come with the project, 32 hidden units, at most 30 epochs, stopped early",
        },
        rows=candidates,
        table=_table,
        parts=parts,
        rest=candidates,
    )
}
