"""PCD, parallel tempering and parallel trajectory tempering at equal operations, where likelihoods are exact.

On Bars & Stripes modes are far from each other; on digits Gibbs steps mix well enough. CD-1 and PCD-10 stand beside.
"""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from boltzcore.data.digits import Digits
from boltzcore.data.patterns import BarsAndStripes
from boltzcore.data.source import Source
from boltzcore.learners import CD, PCD, TemperedPCD, TrajectoryTempering
from boltzcore.learners.tempering.base import LOG_Z
from boltzcore.models import RBMSetup
from boltzcore.papers.equilibrium import judged, trained
from boltzcore.papers.study import Row, Study, grouped, left_of
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.ticks import Tick

HIDDEN = 16
SEEDS = {"paper": 8, "quick": 1}
OPERATIONS = {"paper": 20_000_000_000, "quick": 1_000_000_000}


@dataclass(frozen=True)
class Task:
    """What is learnt, at which rates, from batches of how many rows (0 for all), with how many chains of CD and PCD for
    each of them.
    """

    data: Source
    rates: tuple[float, float]
    batch: int
    chains_per_row: int


TASKS = {
    "bars": Task(BarsAndStripes(D=4), (0.05, 0.2), batch=0, chains_per_row=3),
    "digits": Task(Digits(), (0.05, 0.2), batch=100, chains_per_row=1),
}


def learners(task: Task, rate: float) -> dict[str, Any]:
    """Those that are compared, each with about 100 chains."""
    batch, chains = task.batch, task.chains_per_row
    return {
        "CD-1": CD(rate, batch, chains_per_row=chains),
        "PCD-1": PCD(rate, batch, chains_per_row=chains),
        "PCD-10": PCD(rate, batch, K=10, chains_per_row=chains),
        "PT": TemperedPCD(rate, batch),
        "PTT": TrajectoryTempering(rate, batch),
    }


NAMES = ("task", "rate", "learner", "seed")  # what a training has of its own
Cell = tuple[Any, ...]


def cells(scale: str) -> list[Cell]:
    """Every training, in the order of the rows."""
    return [
        (task, rate, name, seed)
        for task, of in TASKS.items()
        for rate in of.rates
        for name in learners(of, rate)
        for seed in range(SEEDS[scale])
    ]


def recipe_of(cell: Cell) -> Recipe:
    """The data, the start and the learner of a training; it ends by its operations."""
    task, rate, name, seed = cell
    of = TASKS[task]
    return Recipe(RBMSetup(hidden=HIDDEN), of.data, learners(of, rate)[name], Schedule(seed=seed), measures=())


def rows(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """A row for each training that is not among those kept."""
    for cell, part in left_of(cells(scale), NAMES, kept, tick):
        recipe = recipe_of(cell)
        yield dict(zip(NAMES, cell, strict=True)) | judged(recipe, trained(recipe, OPERATIONS[scale], part))


def table(found: list[Row]) -> list[str]:
    """Means over the seeds of each task, rate and learner, with the worst and the best; medians of gaps."""
    head = f"{'task':8}{'rate':>6} {'learner':8}{'exact':>9}{'worst':>9}{'best':>9}{'gap':>8}{'chi-square':>12}"
    lines = [f"{head}{'own log Z':>12}"]
    for (task, rate, name), group in grouped(found, "task", "rate", "learner").items():
        values = [row["log_likelihood"] for row in group]
        own = [abs(row[key]) for row in group if (key := f"{LOG_Z}_less_exact") in row]
        chains = "equilibrium_gap" in group[0]
        gap, chi_square = (
            f"{statistics.median(row[key] for row in group):.2f}" if chains else ""
            for key in ("equilibrium_gap", "chi_square")
        )
        lines.append(
            f"{task:8}{rate:6g} {name:8}{statistics.fmean(values):9.2f}{min(values):9.2f}{max(values):9.2f}"
            f"{gap:>8}{chi_square:>12}{f'{statistics.fmean(own):.2f} off' if own else '':>12}".rstrip()
        )
    return lines


STUDIES = {
    "equal-work": Study(
        title="PCD, PT and PTT at equal operations on Bars & Stripes 4 x 4 and on digits",
        source="after Bereux, Decelle, Furtlehner and Seoane, arXiv:2607.27077",
        reported="With exchanges chains stay where the model is, and the likelihood is as good or better.",
        scales={"paper": "8 seeds, 20 billion operations each", "quick": "1 seed, 1 billion operations"},
        rows=rows,
        table=table,
        parts=lambda scale: [recipe_of(cell) for cell in cells(scale)],
        rest=rows,
    ),
}
