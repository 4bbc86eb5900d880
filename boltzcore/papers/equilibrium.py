"""Everything looks right: chains that have the shares of the data while their model has not (after Bereux et al.).

Five clusters that Gibbs steps do not join are learnt at equal operations by PCD, PCD-10, parallel tempering and
parallel trajectory tempering. Likelihoods are exact, and a model's shares are those of rows drawn from it exactly.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from boltzcore.data.clusters import Clusters
from boltzcore.inference.equilibrium import equilibrium_gap
from boltzcore.inference.exact import exact_rows
from boltzcore.learners import PCD, State, TemperedPCD, TrajectoryTempering
from boltzcore.measures import MEASURES
from boltzcore.models import RBMSetup
from boltzcore.models.rbm import base_rate_odds
from boltzcore.papers.study import Row, Study, left_of
from boltzcore.registry import info_of
from boltzcore.ticks import Tick
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

DATA = Clusters()
HIDDEN = 12
RATES = (0.01, 0.05)
SEEDS = {"paper": 8, "quick": 1}
OPERATIONS = {"paper": 20_000_000_000, "quick": 2_000_000_000}
PIECE = 50  # updates between two looks at what a training has cost
DRAWN = 4_000  # rows drawn from a model


def learners(rate: float) -> dict[str, Any]:
    """Those that are compared, each with 100 chains and batches of 100 rows."""
    return {
        "PCD-1": PCD(rate, 100),
        "PCD-10": PCD(rate, 100, K=10),
        "PT": TemperedPCD(rate, 100),
        "PTT": TrajectoryTempering(rate, 100),
    }


NAMES = ("rate", "learner", "seed")  # what a training has of its own
Cell = tuple[Any, ...]


def cells(scale: str) -> list[Cell]:
    """Every training, in the order of the rows."""
    return [(rate, name, seed) for rate in RATES for name in learners(rate) for seed in range(SEEDS[scale])]


def recipe_of(cell: Cell) -> Recipe:
    """The data, the start and the learner of a training; it ends by its operations."""
    rate, name, seed = cell
    return Recipe(RBMSetup(hidden=HIDDEN), DATA, learners(rate)[name], Schedule(seed=seed), measures=())


def trained(recipe: Recipe, operations: int, tick: Tick) -> State:
    """The first State, looked at every so many updates, that has cost as much."""
    rows, learner, seed = recipe.data.load().train, recipe.learner, recipe.schedule.seed
    state = learner.start(recipe.model.initial(rows, seed=seed), rows, seed=seed)
    while (state.operations or 0) < operations:
        tick((state.operations or 0) / operations)
        state = learner.advance(state, rows, updates=PIECE)
    return state


def judged(recipe: Recipe, state: State) -> dict[str, Any]:
    """How good the model at the end of a training is, exactly, and whether the chains that go on are where it is."""
    dataset, model = recipe.data.load(), state.model
    chains, log_z = state.chains_of_model, model.log_partition()
    tested = dataset.test if dataset.test is not None else dataset.train
    found = {"updates": state.count, "log_likelihood": float(tested.average(-model.free_energy(tested.v)) - log_z)}
    if chains is not None:
        base = base_rate_odds(dataset.train.mean())
        gap = equilibrium_gap(model, chains, base=base, seed=state.seed, step=state.count)
        found |= {"equilibrium_gap": gap.value, "chi_square": gap.chi_square}
    if estimates := info_of(recipe.learner).estimates:
        own = estimates(recipe.learner, state)
        found |= {f"{name}_less_exact": value - log_z for name, value in own.items()}
    return found


def measured(recipe: Recipe, state: State) -> dict[str, Any]:
    """What a row says of the end of a training."""
    chains = state.chains_of_model
    assert chains is not None
    return judged(recipe, state) | {
        "model_shares": DATA.truth().shares_of(exact_rows(state.model, DRAWN, state.seed)).tolist(),
        "chain_shares": DATA.truth().shares_of(chains).tolist(),
    }


def rows(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """A row for each training that is not among those kept."""
    for cell, part in left_of(cells(scale), NAMES, kept, tick):
        recipe = recipe_of(cell)
        yield dict(zip(NAMES, cell, strict=True)) | measured(recipe, trained(recipe, OPERATIONS[scale], part))


STUDIES = {
    "everything-looks-right": Study(
        title="Everything looks right: PCD, PT and PTT on five clusters",
        source="after Bereux, Decelle, Furtlehner, Rosset and Seoane 2024, and arXiv:2607.27077",
        reported="Chains that do not mix have the shares of the data while the model has not; with exchanges both "
        "agree.",
        scales={"paper": "8 seeds, 20 billion operations each", "quick": "1 seed, 2 billion operations"},
        rows=rows,
        parts=lambda scale: [recipe_of(cell) for cell in cells(scale)],
        computations=(MEASURES["equilibrium_gap"],),
    ),
}
