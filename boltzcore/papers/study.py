"""Studies of the papers, and how their trainings run: every study trains by `steps`, or through the store of trials."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from boltzcore.comparison.trial import Trial, train_trial
from boltzcore.comparison.trials import TrialStore
from boltzcore.data.source import Source
from boltzcore.display import progress_bar
from boltzcore.home import folder
from boltzcore.learners.base import State
from boltzcore.registry import DATASETS
from boltzcore.ticks import Tick, chain_ticks, idle, portion
from boltzcore.training.loop import Record, train
from boltzcore.training.numerics import Computation
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status

Row = Mapping[str, Any]
Cell = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class Study:
    """One experiment of a paper, as a table.

    source : paper, section and figures
    scales : {name: description}; "paper", if there is one, is the authors' own scale or larger, and "quick", which
        every study has, a short version
    full : {scale as large as the paper's: what it still lacks}
    theirs, cost : the paper's scale, and its cost here if no result at that scale is stored
    names : the first fields of a row, which identify it
    cells : cells(scale) returns their values for each row, in order; None for a field that a row lacks
    make : make(scale, cells, tick) yields the other fields of the rows of these cells: texts, numbers, lists of numbers
    parts : parts(scale) returns the recipes and data sets behind the rows, from which seeds and data are listed
    computations : learners, measures and inference methods that the rows depend on besides those of its parts
    same_as : same_as(scale, cell) identifies the row of a cell: rows of several studies with the same value are equal,
        and are made once
    numerics : version of its rows, raised whenever the study's own code changes them
    only_trainings : True if its rows follow from the stored trials of its parts, so that an executor may train them
    """

    title: str
    source: str
    scales: Mapping[str, str]
    names: tuple[str, ...]
    cells: Callable[[str], Sequence[Cell]]
    make: Callable[[str, Sequence[Cell], Tick], Iterable[Row]]
    parts: Callable[[str], Iterable[Recipe | Source]]
    full: Mapping[str, str] = field(default_factory=lambda: {"paper": ""})
    theirs: str = ""
    cost: str = ""
    computations: tuple[Computation, ...] = ()
    same_as: Callable[[str, Cell], Hashable] | None = None
    numerics: int = 1
    only_trainings: bool = False

    def cell_of(self, row: Row) -> Cell:
        """Return the cell of a row."""
        return tuple(row.get(name) for name in self.names)

    def rows(self, scale: str, tick: Tick = idle, kept: Sequence[Row] = (), *, progress: bool = False) -> Iterator[Row]:
        """Make the table row by row, omitting rows that are in `kept`, with a tqdm bar if `progress`."""
        there = set(map(self.cell_of, kept))
        left = [cell for cell in self.cells(scale) if cell not in there]
        with progress_bar(progress, self.title) as move:
            made = self.make(scale, left, chain_ticks(tick, move)) if left else ()
            for cell, row in zip(left, made, strict=True):
                known = zip(self.names, cell, strict=True)
                yield {name: value for name, value in known if value is not None} | dict(row)


def training_study(
    recipe: Callable[..., Recipe],
    cells: Callable[[str], Sequence[Cell]],
    measured: Callable[[Recipe, Tick], Row],
    **words: Any,
) -> Study:
    """Return a study with one training per cell, recipe(scale, *cell); measured(recipe, tick) makes its row."""

    def make(scale: str, left: Sequence[Cell], tick: Tick) -> Iterator[Row]:
        return (measured(recipe(scale, *cell), part) for cell, part in portions(left, tick))

    def parts(scale: str) -> list[Recipe]:
        return [recipe(scale, *cell) for cell in cells(scale)]

    return Study(cells=cells, make=make, parts=parts, **words)


def images(name: str, rows: int | None) -> Any:
    """Return a data set of images with a validation split; gray images are thresholded at 127. `rows` is the number of
    training images of MNIST, 0 for all, or None for the sample that comes with the project.
    """
    if name != "mnist":
        return DATASETS[name]()
    if rows is None:
        return DATASETS["mnist-small"](binarise="threshold")
    return DATASETS["mnist"](binarise="threshold", split="50000/10000/10000", rows=rows)


def portions(items: Sequence[Any], tick: Tick) -> Iterator[tuple[Any, Tick]]:
    """Yield each item with its share of the progress callback."""
    for i, item in enumerate(items):
        yield item, portion(tick, i / len(items), 1 / len(items))


def group_cells(cells: Iterable[Cell]) -> list[tuple[Any, list[Cell]]]:
    """Return (first value, the remaining values of each cell) for consecutive cells with the same first value."""
    return [(first, [cell[1:] for cell in group]) for first, group in groupby(cells, key=lambda cell: cell[0])]


def steps(recipe: Recipe, tick: Tick, resume: State | None = None) -> Iterator[tuple[State, Record]]:
    """Train, and yield the State and the record at each record; the tick receives the share of it that is done."""
    prepared = PreparedData.from_recipe(recipe, tick)
    few = prepared.dataset.train.head(2 * (getattr(recipe.learner, "batch_size", 0) or 100))
    # the first update on a machine waits for the compiler, which must not count as training time
    recipe.learner.advance(recipe.learner.start(recipe.model.initial(few, seed=0), few, seed=0), few)
    done, budget = 0.0, prepared.budget(recipe)

    def share_done(fraction: float = 0.0) -> None:
        tick(done)

    for step in train(recipe, prepared=prepared, resume=resume, tick=share_done):
        if step.record is not None:
            done = step.state.count / budget
            yield step.state, step.record


def trials(recipes: Sequence[Recipe], tick: Tick) -> Iterator[Trial]:
    """Yield the finished trial of each recipe from the store that all studies and comparisons share; a missing one is
    trained. Raises RuntimeError if a training diverges.
    """
    store = TrialStore(folder("trials"))
    for recipe, part in portions(recipes, tick):
        part(0.0)
        trial = store.get(recipe) or Trial(recipe)
        if not trial.ended:
            trial = train_trial(trial, tick=part)
            store.put(trial)
        if trial.status != Status.FINISHED:
            raise RuntimeError(f"A run of {type(recipe.learner).__name__} ended early. {trial.reason}")
        yield trial
