"""What a study of a paper is: a table made anew by one command, beside what the paper reports."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boltzcore.data.source import Source
from boltzcore.ticks import Tick, portion
from boltzcore.training.numerics import Computation
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe

Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Study:
    """One experiment of a paper.

    source : paper, section and figures
    reported : what the paper says of it, in a sentence or two
    scales : {name: what it does at that scale}; "paper" is the largest, as near to the authors' as is made, "quick",
        which each has, a look at it
    rows : rows(scale, tick, kept) makes the table row by row, without rows that are kept, in their usual order; values
        are texts, numbers and lists of numbers
    parts : parts(scale) are recipes and data sets that the rows follow from; they name its seeds and its data
    computations : learners, measures and inference methods that the rows follow from besides those of its parts
    numerics : version of its rows, raised whenever they change by what the study itself does
    begins_anew : whether a study that was stopped makes all rows anew; its `rows` takes none that are kept
    only_trainings : whether its rows are read off the stored trials of its parts, so that an executor may train them
    """

    title: str
    source: str
    reported: str
    scales: Mapping[str, str]
    rows: Callable[..., Iterator[Row]]
    parts: Callable[[str], Iterable[Recipe | Source]] = lambda scale: ()
    computations: tuple[Computation, ...] = ()
    numerics: int = 1
    begins_anew: bool = False
    only_trainings: bool = False


def one_update(recipe: Recipe, prepared: PreparedData) -> None:
    """One update that counts for nothing: the first on a machine waits for a compiler."""
    few = prepared.dataset.train.head(2 * recipe.learner.batch_size)
    recipe.learner.advance(recipe.learner.start(recipe.model.initial(few, seed=0), few, seed=0), few)


def left_of(
    cells: Sequence[tuple[Any, ...]], names: Sequence[str], kept: Sequence[Row], tick: Tick
) -> Iterator[tuple[tuple[Any, ...], Tick]]:
    """The cells of a table that none of the rows kept is of, each with its part of the tick.

    names : of what a cell consists of, in its rows
    """
    there = {tuple(row.get(name) for name in names) for row in kept}
    left = [cell for cell in cells if cell not in there]
    for i, cell in enumerate(left):
        yield cell, portion(tick, i / len(left), 1 / len(left))
