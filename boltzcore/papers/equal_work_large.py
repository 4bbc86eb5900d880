"""The same as `equal_work` on MNIST with 100 hidden units, where likelihoods are estimates.

There trajectory tempering as published, whose rate is halved by every rejection and does not come back, stands beside
ours, which bounds the steps instead.
"""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from boltzcore.data.mnist_small import MNISTSmall
from boltzcore.inference.annealing import Annealing
from boltzcore.inference.equilibrium import equilibrium_gap
from boltzcore.learners import PCD, TemperedPCD, TrajectoryTempering
from boltzcore.learners.tempering.phases import FACTOR, REJECTED
from boltzcore.models import RBMSetup
from boltzcore.models.rbm import base_rate_odds
from boltzcore.papers.equilibrium import trained
from boltzcore.papers.study import Row, Study, grouped, left_of
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.ticks import Tick

DATA = MNISTSmall(binarise="threshold")
HIDDEN, RATE, BATCH = 100, 0.05, 100
SEEDS = {"paper": 2, "quick": 1}
OPERATIONS = {"paper": 600_000_000_000, "quick": 20_000_000_000}
TEMPERATURES = {"paper": 10_000, "quick": 1_000}
LEARNERS: dict[str, Any] = {
    "PCD-1": PCD(RATE, BATCH),
    "PCD-1, rate 0.02": PCD(0.02, BATCH),
    "PCD-10": PCD(RATE, BATCH, K=10),
    "PT": TemperedPCD(RATE, BATCH),
    "PTT": TrajectoryTempering(RATE, BATCH),
    "PTT as published": TrajectoryTempering(RATE, BATCH, step_bound=0.0),
}
NAMES = ("learner", "seed")  # what a training has of its own
Cell = tuple[Any, ...]


def cells(scale: str) -> list[Cell]:
    """Every training, in the order of the rows."""
    return [(name, seed) for name in LEARNERS for seed in range(SEEDS[scale])]


def recipe_of(cell: Cell) -> Recipe:
    """The data, the start and the learner of a training; it ends by its operations."""
    name, seed = cell
    return Recipe(RBMSetup(hidden=HIDDEN), DATA, LEARNERS[name], Schedule(seed=seed), measures=())


def rows(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """A row for each training that is not among those kept."""
    for cell, part in left_of(cells(scale), NAMES, kept, tick):
        recipe = recipe_of(cell)
        state = trained(recipe, OPERATIONS[scale], part)
        yield dict(zip(NAMES, cell, strict=True)) | _estimated(recipe, state, TEMPERATURES[scale])


def _estimated(recipe: Recipe, state: Any, temperatures: int) -> dict[str, Any]:
    dataset, model = recipe.data.load(), state.model
    mean, chains = dataset.train.mean(), recipe.learner.chains_of_model(state)
    log_z = Annealing(temperatures=temperatures).log_partition(model, mean, seed=state.seed)
    gap = equilibrium_gap(model, chains, base=base_rate_odds(mean), temperatures=temperatures, seed=state.seed)
    free = float(-model.free_energy(dataset.test.v).mean())
    found = {"updates": state.count, "log_likelihood": free - log_z.value}
    found |= {"low": free - log_z.high, "high": free - log_z.low}
    found |= {"equilibrium_gap": gap.value, "chi_square": gap.chi_square}
    return found | {name: state.info[name] for name in (REJECTED, FACTOR) if name in state.info}


def table(found: list[Row]) -> list[str]:
    """Each learner's figures, averaged over the seeds; the widest interval."""
    lines = [
        f"{'learner':18}{'test, AIS':>10}{'from':>9}{'to':>9}{'gap':>8}{'updates':>10}{'rejected':>10}{'of rate':>9}"
    ]
    for (name,), group in grouped(found, "learner").items():
        mean = {key: statistics.fmean(row[key] for row in group) for key in ("log_likelihood", "equilibrium_gap")}
        tempered = REJECTED in group[0]
        lines.append(
            f"{name:18}{mean['log_likelihood']:10.1f}{min(row['low'] for row in group):9.1f}"
            f"{max(row['high'] for row in group):9.1f}{mean['equilibrium_gap']:8.2f}"
            f"{statistics.fmean(row['updates'] for row in group):10,.0f}"
            + (f"{group[0][REJECTED]:10.0f}{group[0][FACTOR]:9.3f}" if tempered else "")
        )
    return lines


STUDIES = {
    "equal-work-mnist": Study(
        title="PCD, PT and PTT at equal operations on MNIST with 100 hidden units",
        source="after Bereux, Decelle, Furtlehner and Seoane, arXiv:2607.27077",
        reported="PTT and PCD come about equally far.",
        scales={
            "paper": "2 seeds, 600 billion operations each, of the 6,000 digits that come with the project; AIS with "
            "10,000 temperatures",
            "quick": "1 seed, 20 billion operations; AIS with 1,000 temperatures",
        },
        rows=rows,
        table=table,
        parts=lambda scale: [recipe_of(cell) for cell in cells(scale)],
        rest=rows,
    ),
}
