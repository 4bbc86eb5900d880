"""The search for updates that tell: seeds, updates and rows of an example's recipe, each taken apart and scored."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from boltzcore.data.examples import Dataset
from boltzcore.learners.base import Learner, State
from boltzcore.learners.dissection import Dissection
from boltzcore.registry import entry
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.stories import STORIES, Told, apart
from boltzcore.runs.telling import EXAMPLES, Example, Pair, state_of, states
from boltzcore.ticks import Tick, idle, portion


@dataclass(frozen=True)
class Grid:
    """What is searched: seeds from 0 on, every so many updates from the first to the last, rows of the mini-batch."""

    seeds: int
    last: int
    every: int
    rows: int = 1
    first: int = 0


@dataclass(frozen=True)
class Found:
    """An update that was taken apart, and how much of its story it tells."""

    seed: int
    update: int
    row: int
    told: Told


# {example: what is searched for it}, each within a minute or so.
GRIDS: dict[str, Grid] = {
    "cd": Grid(40, 2_000, 3, first=200),
    "cd-digits": Grid(20, 2_000, 11, first=200),
    "pcd": Grid(40, 3_000, 2, first=200),
    "cg": Grid(40, 2_000, 2, first=200),
    "s-dcp": Grid(40, 1_000, 2, first=200),
    "cs-dcp": Grid(30, 1_000, 2, first=200),
    "ssd": Grid(20, 200, 3, rows=7, first=30),
    "mle-bp": Grid(20, 1_000, 31, first=100),
    "mle-mf": Grid(20, 1_000, 31, first=100),
    "conditional-cd": Grid(20, 1_000, 31, first=100),
    "cd-percloss": Grid(20, 300, 7, first=20),
    "lr": Grid(20, 600, 17, first=20),
    "lssvm": Grid(20, 600, 17, first=20),
    "mssvm": Grid(20, 600, 17, first=20),
    "bslm": Grid(20, 6, 1, rows=4),
    "bslm-senate": Grid(1, 6, 1, rows=40),
    "ga": Grid(20, 20, 1),
    "l-bfgs": Grid(20, 3, 1),
    "bm-di": Grid(20, 3, 1),
    "bm-pcd": Grid(40, 400, 3, first=100),
    "fw": Grid(20, 12, 1, first=3),
    "fw-digits": Grid(4, 8, 1, first=2),
    "greedy": Grid(30, 12, 1),
    "cd-1-and-cd-10": Grid(40, 2_000, 2, first=200),
    "cd-and-pcd": Grid(40, 2_000, 2, first=200),
    "cd-and-s-dcp": Grid(40, 1_500, 2, first=200),
}


def told_of(example: Example) -> Told:
    """How much of its story a listed example tells."""
    first = example.first if isinstance(example, Pair) else example
    _, state, dataset = state_of(first)
    return _told(example, state, dataset, first.row)


def seek(name: str, tick: Tick = idle) -> Iterator[Found]:
    """All updates of an example's grid, as they come. Where the data have a seed of their own, it is the training's.
    Refusal where there is no such example.
    """
    example = entry(EXAMPLES, "NAME", name)
    grid = GRIDS[name]
    for seed in range(grid.seeds):
        of_seed = portion(tick, seed / grid.seeds, 1 / grid.seeds)
        for state, dataset in states(_seeded(example.recipe, seed), grid.last, grid.every, of_seed):
            for row in range(grid.rows) if state.count >= grid.first else ():
                yield Found(seed, state.count, row, _told(example, state, dataset, row))


def _told(example: Example, state: State, dataset: Dataset, row: int) -> Told:
    if isinstance(example, Pair):
        return apart(*(_taken(side.learner, state, dataset, row) for side in (example.first, example.second)))
    return STORIES[example.story].told(_taken(example.learner, state, dataset, row))


def _taken(learner: Learner, state: State, dataset: Dataset, row: int) -> Dissection:
    taken = learner.dissect(state, dataset.train, row=row)
    assert taken is not None, f"{type(learner).__name__} takes no update apart"
    return taken


def _seeded(recipe: Recipe, seed: int) -> Recipe:
    drawn = "seed" in recipe.data.values()
    data = recipe.data.changed(seed=seed) if drawn else recipe.data
    return replace(recipe, data=data, schedule=recipe.schedule.changed(seed=seed))
