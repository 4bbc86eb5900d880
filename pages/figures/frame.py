"""Frames: the view of a training at one moment as plain values, and the layout of its parts.

A view makes a `Frame` of `ViewInputs`. Its items are made on request, so that a consumer which caches them need
not make again what has not changed.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from boltzcore.jobs.snapshot import Snapshot
from boltzcore.plotting import images
from boltzcore.plotting.drawing import AXES, Figure, axis_titles, round_up
from boltzcore.quoting import number
from boltzcore.registry import info_of
from boltzcore.training.recipe import Recipe
from pages.figures import naming
from pages.figures.curves import TrainingCurves
from pages.figures.naming import Curve
from pages.figures.time_axis import Along
from pages.web.access import may_see


class NamedFigure(NamedTuple):
    """A figure with a name.

    about : its explanation
    measured : whether it is of the last record, and not of now
    """

    name: str
    value: str
    about: str = ""
    measured: bool = False


Figures = list[NamedFigure]

AXIS = "axis"  # the choice that every curve follows
HIDDEN = "Only the owner of the table sees samples and parameters, because they may reveal its rows."
FEWEST = 10  # updates, or epochs, that a growing axis shows at least


@dataclass(frozen=True)
class Chart:
    """A Plotly figure as a plain dict; its height in pixels; its text alternative."""

    figure: Figure
    height: int
    alt: str


@dataclass(frozen=True)
class Pick:
    """Choice by a click on a tile of a picture, as an alternative to one of its panel's choices.

    name : of the choice
    columns, lines : of tiles, empty places included
    values : of the tiles, row by row; if there are none, the tiles are numbered from 0 on
    value : the chosen one, whose tile is framed in the colour of the text; "" if there is none
    """

    name: str
    columns: int
    lines: int
    values: tuple[str, ...] = ()
    value: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture.

    png : PNG bytes
    width, height : pixels
    alt : text alternative
    caption : a line above it, if several are in a row
    limit : weights are drawn from -limit to limit, and the scale of colours stands below; None for pixels
    pick : the choice by a click on a tile; None if there is none
    """

    png: bytes
    width: int
    height: int
    alt: str
    caption: str = ""
    limit: float | None = None
    pick: Pick | None = None

    @classmethod
    def from_tiles(cls, tiles: images.Tiles, alt: str, *, caption: str = "", pick: Pick | None = None) -> "Picture":
        """Return the picture of tiles."""
        return cls(tiles.png, tiles.width, tiles.height, alt, caption, tiles.limit, pick)


@dataclass(frozen=True)
class Column:
    """A column of a table.

    texts : its cells as they are read
    numbers : the numbers behind the texts, in full: the column is sorted by them, and a file contains them. None
        for a cell without a number, and for a column of words
    room : "wide" to be seen only if the table is wide, "file" only in the file
    """

    title: str
    texts: tuple[str, ...]
    numbers: tuple[float | None, ...] | None = None
    room: str = ""

    @classmethod
    def from_numbers(cls, title: str, values: Iterable[float], form: str = ",d", room: str = "") -> "Column":
        """Return a column of numbers in this format; an infinite one is left out of files."""
        every = list(values)
        texts = (number(value, form).replace("inf", "\N{INFINITY}") for value in every)
        return cls(title, tuple(texts), tuple(float(value) if math.isfinite(value) else None for value in every), room)


@dataclass(frozen=True)
class Table:
    """Columns of equal length, which a viewer may sort and save.

    name : of the file that it is saved in, without its ending
    """

    name: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class States:
    """Every state of a few binary units: a map on which one is chosen.

    payload : the values that a browser draws, as JSON holds them (`figures.landscape`)
    alt : text alternative of the map
    """

    payload: Mapping[str, Any]
    alt: str


@dataclass(frozen=True)
class Terrain(States):
    """An energy landscape: a map by height, and points that move on it (`figures.terrain`)."""


@dataclass(frozen=True)
class Choice:
    """Choice of a viewer for an item; it goes with the next request, and no script runs.

    options : {value: its title}; value : the one that is drawn
    """

    name: str
    title: str
    options: Mapping[str, str]
    value: str


@dataclass(frozen=True)
class Light:
    """The equilibrium indicator: a verdict as a symbol in a colour, with its word and its sentence.

    kind : "good", "bad", "unsure" or "dark", if nothing is known yet
    about : its explanation, for a newcomer
    when : of which moment it is, in short; "" if it is dark
    """

    kind: str
    word: str
    sentence: str
    about: str
    when: str = ""


@dataclass(frozen=True)
class Panel:
    """Content of one place of a frame; all words are plain text.

    title, rest : the heading, and its continuation in plain type
    about : its explanation, for a newcomer
    below : a line under the content
    abreast : whether, if there is room, the first of its pictures stands next to the next two, and the others below
    even : whether its pictures stand side by side at every width, all as wide
    light : a verdict above its content
    csv : the text of a CSV file that a viewer may save; "" if there is none
    """

    title: str
    content: Chart | tuple[Picture, ...] | Table | States | None = None
    rest: str = ""
    about: str = ""
    below: str = ""
    choices: tuple[Choice, ...] = ()
    abreast: bool = False
    even: bool = False
    light: Light | None = None
    csv: str = ""


@dataclass(frozen=True)
class Item:
    """A panel that is made on request.

    key : its place: a panel of the same key replaces the one before
    of : the values that it is made of; it must be made anew only if one of these is another object, or another value
        of numbers and texts. Of the parameters: `ViewInputs.parameter_sources`; of an observation: itself; of
        records: `ViewInputs.curve_sources`
    shows : the kind of its content (`pages.web.access`); an item that does not declare it is not sent
    """

    key: str
    of: tuple[Any, ...]
    panel: Callable[[], Panel]
    shows: str = ""


def is_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """True if both hold the same objects, or equal numbers and texts."""
    return len(one) == len(other) and all(
        a is b or (type(a) is type(b) and isinstance(a, bool | int | float | str) and a == b)
        for a, b in zip(one, other, strict=True)
    )


@dataclass(frozen=True)
class Line:
    """One of several trainings that are drawn together, as figures with the colour and the dash of its curve."""

    colour: str
    dash: str
    figures: Figures


@dataclass(frozen=True)
class Frame:
    """View of a training at one moment.

    figures : its progress
    curve : the chart of the model's quality, drawn large
    beside : next to the curve if there is room; below : rows of items
    lines : of trainings that are drawn together
    summary : a sentence on all of it
    aria_text : the status for screen readers; counts are left out, or they would hear nothing else
    awaited : pending work that the frame was drawn without: once one of these is done, it is another frame
    measured : when the figures of the last record were measured, in short
    old : whether that is long ago, as trainings go
    light : a verdict on all of it
    """

    figures: Figures = field(default_factory=list)
    curve: Item | None = None
    beside: tuple[Item, ...] = ()
    below: tuple[tuple[Item, ...], ...] = ()
    lines: tuple[Line, ...] = ()
    summary: str = ""
    aria_text: str = ""
    awaited: tuple[Future[Any], ...] = ()
    measured: str = ""
    old: bool = False
    light: Light | None = None

    @property
    def items(self) -> tuple[Item, ...]:
        """Every item, in reading order."""
        return (*([self.curve] if self.curve else []), *self.beside, *(item for row in self.below for item in row))

    def visible_to(self, right: str) -> "Frame":
        """Return the frame as a viewer with this right sees it, with a sentence in place of each hidden item."""

        def seen(items: Sequence[Item]) -> tuple[Item, ...]:
            return tuple(item for item in items if may_see(item.shows, right))

        below = [row for row in map(seen, self.below) if row]
        if any(item.shows == "samples" for item in self.items) and not may_see("samples", right):
            below.insert(0, (Item("hidden", (), lambda: Panel("", below=HIDDEN), "numbers"),))
        curve = next(iter(seen([self.curve] if self.curve else [])), None)
        return replace(self, curve=curve, beside=seen(self.beside), below=tuple(below))


@dataclass(frozen=True)
class ViewInputs:
    """The inputs of a view, from which it makes a frame.

    shown, beside : the curve of the training, and those of pinned ones
    chosen : {name of a choice: value} as a viewer asks for it; values that no item offers are ignored
    """

    snapshot: Snapshot
    recipe: Recipe
    shown: Curve
    beside: tuple[Curve, ...] = ()
    chosen: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_snapshot(
        cls,
        snapshot: Snapshot,
        recipe: Recipe,
        pinned: Sequence[tuple[Snapshot, Recipe]] = (),
        chosen: Mapping[str, str] | None = None,
    ) -> "ViewInputs":
        """Return the inputs for a training and pinned ones."""
        earlier = [(of_it, each.records) for each, of_it in pinned]
        *beside, shown = naming.name_curves(earlier, (recipe, snapshot.records))
        return cls(snapshot, recipe, shown, tuple(beside), chosen or {})

    @property
    def along(self) -> Along:
        """The axis of the curves: that of the schedule, until the viewer chooses. It reaches to the scheduled or actual
        end of the training, but grows with it if a rule of the learner usually ends it much earlier, or if it is also
        measured in between, because it then shows most at its beginning.
        """
        axis, snapshot = self.chosen.get(AXIS, ""), self.snapshot
        count = snapshot.count
        end = count if snapshot.status == "finished" else 0
        if not end and snapshot.budget and (info_of(self.recipe.learner).stop_reason or self.recipe.schedule.between):
            unit = snapshot.updates_per_epoch if self.recipe.schedule.unit == "epochs" else 1
            end = min(snapshot.budget, int(round_up(max(2 * count, FEWEST * (unit or 1)))))
        return Along(
            axis if axis in AXES else self.recipe.schedule.unit,
            self.recipe.entry.work,
            end or snapshot.budget or None,
            snapshot.updates_per_epoch or None,
        )

    @property
    def curves(self) -> TrainingCurves:
        """Curves of the training and of the pinned ones."""
        past = tuple(each for each in self.recipe.changes if each[0] <= self.snapshot.count)
        return TrainingCurves(self.shown, self.beside, self.along, past, self.best)

    @property
    def axis(self) -> Choice:
        """The choice of the axis of the curves."""
        return Choice(AXIS, "Curves over", axis_titles(self.recipe.entry.work), self.along.axis)

    @property
    def best(self) -> int | None:
        """The update of the best state so far."""
        return self.snapshot.best.count if self.snapshot.best else None

    @property
    def chart_sources(self) -> tuple[Any, ...]:
        """The values that the large chart is made of: the training's curve and the pinned ones."""
        drawn = [part for each in (self.shown, *self.beside) for part in (each.records, each.name, each.dash)]
        return *self.curve_sources, self.best, *drawn

    @property
    def parameter_sources(self) -> tuple[Any, ...]:
        """The values that pictures of the parameters are made of: these pictures are drawn anew at each observation,
        and once more at rest.
        """
        snapshot = self.snapshot
        return snapshot.observation, None if snapshot.status == "running" else snapshot.state

    @property
    def curve_sources(self) -> tuple[Any, ...]:
        """The values that every curve of the training is made of."""
        snapshot = self.snapshot
        return snapshot.records, self.recipe, self.along.axis, self.along.budget, snapshot.prepared

    def number(self, name: str, offered: range, otherwise: int = 0) -> int:
        """Return the number that the viewer has chosen; `otherwise` if it is not offered."""
        asked = self.chosen.get(name, "")
        return int(asked) if asked in map(str, offered) else otherwise

    def page(
        self, name: str, title: str, count: int, *, per_page: int = images.PER_PAGE, newest: bool = False
    ) -> tuple[int, tuple[Choice, ...]]:
        """Return (page of `count` tiles, from 0; the choice of it, if there are several). Before the viewer chooses it
        is the first, or the last if the newest tiles are wanted.
        """
        pages = images.pages(count, per_page)
        page = self.number(name, range(pages), pages - 1 if newest else 0)
        if pages < 2:
            return page, ()
        spans = [(i * per_page + 1, min((i + 1) * per_page, count)) for i in range(pages)]
        options = {str(i): f"{first:,} to {last:,}" for i, (first, last) in enumerate(spans)}
        return page, (Choice(name, title, options, str(page)),)
