"""Chains can have the proportions of the data while the model itself does not (after Bereux et al. 2026).

Five clusters that Gibbs steps do not connect are learnt at equal operations by PCD, PCD-10, parallel tempering and
parallel trajectory tempering. Likelihoods are exact, and a model's proportions are those of rows drawn from it exactly.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from boltzcore.data.clusters import Clusters
from boltzcore.inference.equilibrium import equilibrium_gap
from boltzcore.inference.samples import exact_rows
from boltzcore.learners import PCD, TemperedPCD, TrajectoryTempering
from boltzcore.learners.base import State
from boltzcore.measures import MEASURES
from boltzcore.models import RBMSetup
from boltzcore.models.rbm import base_rate_odds
from boltzcore.papers.study import Cell, Row, Study, portions
from boltzcore.registry import info_of
from boltzcore.ticks import Tick
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

DATA = Clusters()
RATES = (0.01, 0.05)
SEEDS = {"paper": 8, "quick": 1}
OPERATIONS = {"paper": 20_000_000_000, "quick": 2_000_000_000}
PIECE = 50  # updates between two checks of the cost of a training
DRAWN = 4_000  # rows drawn from a model


def learners(rate: float) -> dict[str, Any]:
    """Return the learners to compare, each with 100 chains and batches of 100 rows."""
    return {
        "PCD-1": PCD(rate, 100),
        "PCD-10": PCD(rate, 100, K=10),
        "PT": TemperedPCD(rate, 100),
        "PTT": TrajectoryTempering(rate, 100),
    }


def cells(scale: str) -> list[Cell]:
    """Return (rate, learner, seed) of every training."""
    return [(rate, name, seed) for rate in RATES for name in learners(rate) for seed in range(SEEDS[scale])]


def recipe_of(rate: float, name: str, seed: int) -> Recipe:
    """Return the data, the start and the learner of a training; its operations end it."""
    return Recipe(RBMSetup(hidden=12), DATA, learners(rate)[name], Schedule(seed=seed), measures=())


def train_to_cost(recipe: Recipe, operations: int, tick: Tick) -> State:
    """Return the State of a training once it has cost `operations` or more, checked every `PIECE` updates."""
    rows, learner, seed = recipe.data.load().train, recipe.learner, recipe.schedule.seed
    state = learner.start(recipe.model.initial(rows, seed=seed), rows, seed=seed)
    while (state.operations or 0) < operations:
        tick((state.operations or 0) / operations)
        state = learner.advance(state, rows, updates=PIECE)
    return state


def measure_end(recipe: Recipe, state: State) -> Row:
    """Return the exact quality of the model at the end of a training, and of its persistent chains."""
    dataset, model, truth = recipe.data.load(), state.model, DATA.truth()
    chains, log_z = state.chains_of_model, model.log_partition()
    assert chains is not None
    base = base_rate_odds(dataset.train.mean())
    gap = equilibrium_gap(model, chains, base=base, seed=state.seed, step=state.count)
    estimates = info_of(recipe.learner).estimates
    own = estimates(recipe.learner, state) if estimates else {}
    return {
        "updates": state.count,
        "log_likelihood": float(dataset.test.average(-model.free_energy(dataset.test.v)) - log_z),
        "equilibrium_gap": gap.value,
        "chi_square": gap.chi_square,
        **{f"{name}_less_exact": value - log_z for name, value in own.items()},
        "model_shares": truth.shares_of(exact_rows(model, DRAWN, state.seed)).tolist(),
        "chain_shares": truth.shares_of(chains).tolist(),
    }


def make(scale: str, cells: Sequence[Cell], tick: Tick) -> Iterator[Row]:
    """Yield the final quality of each training."""
    for cell, part in portions(cells, tick):
        recipe = recipe_of(*cell)
        yield measure_end(recipe, train_to_cost(recipe, OPERATIONS[scale], part))


STUDIES = {
    "everything-looks-right": Study(
        title="Everything looks right: PCD, PT and PTT on five clusters",
        source="after Bereux, Decelle, Furtlehner, Rosset and Seoane 2024, and arXiv:2607.27077",
        scales={"paper": "8 seeds, 20 billion operations each", "quick": "1 seed, 2 billion operations"},
        names=("rate", "learner", "seed"),
        cells=cells,
        make=make,
        parts=lambda scale: [recipe_of(*cell) for cell in cells(scale)],
        computations=(MEASURES["equilibrium_gap"],),
    ),
}
