"""Charts of a study's rows, drawn over the values in the paper's text and tables."""

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

from boltzcore.plotting import drawing
from boltzcore.plotting.comparison_curves import COLOURS, DASHES
from boltzcore.plotting.drawing import Figure
from boltzcore.quoting import number

OURS, PAPER = "ours", "paper"
MARKS = {OURS: "circle", PAPER: "diamond-open"}  # by source
OF_OTHERS = "line-ns"
MARK = 10  # pixels
HEIGHT, ROW, AROUND = 300, 24, 80  # pixels of a chart of lines; of one of points for each line, and for the rest
BUTTONS, ENTRY = 40, 22  # pixels above a chart of points: for the buttons, and for each two sources
FEW = 12  # points of a line, up to which each is marked
SPANS = 6.0  # of the upper half of all values: what lies further below is cut off, or it would flatten all else
NONE = "\N{EN DASH}"

Value = float | None


@dataclass(frozen=True)
class Series:
    """A line of a chart.

    y : None where nothing is known
    colour, dash : a hue, and how it is dashed
    low, high : ends of the intervals of y, None where one is not known; empty where there are none
    """

    name: str
    x: Sequence[float]
    y: Sequence[Value]
    colour: str
    dash: str = "solid"
    low: Sequence[Value] = ()
    high: Sequence[Value] = ()

    @property
    def last(self) -> Value:
        """The last value that is known."""
        return next((value for value in reversed(self.y) if value is not None), None)


@dataclass(frozen=True)
class Curves:
    """Lines over an axis.

    title : where it stands among others; about : what is drawn, for a newcomer
    levels : {name: value} of horizontal lines, and marks : of upright ones, which the paper's text gives
    log : the axes that are logarithmic
    limits : of the upright axis, where its scale has them; otherwise they follow from the values
    note : a sentence below
    named : whether lines have names; else they are repetitions of one thing
    """

    title: str
    about: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    levels: Mapping[str, float] = field(default_factory=dict)
    marks: Mapping[str, float] = field(default_factory=dict)
    log: Literal["", "x", "y", "xy"] = ""
    limits: tuple[float, float] | None = None
    note: str = ""
    named: bool = True

    @property
    def figure(self) -> Figure:
        """As Plotly draws it."""
        figure = drawing.blank(self.x_title, self.y_title)
        figure["data"] = [_line(each) for each in self.series]
        reach = self._reach([x for each in self.series for x in each.x])
        known = [y for each in self.series for y in (*each.y, *each.low, *each.high) if y is not None]
        limits = self.limits or self._limits(known)
        if self.named:
            drawing.show_legend(figure)
        for place, (name, value) in enumerate(self.levels.items()):
            drawing.level(figure, value, _text(name), ("dash", "dot")[place % 2], above=value > sum(limits) / 2)
        for name, value in self.marks.items():
            if reach[0] <= value <= reach[1]:
                figure["layout"]["shapes"].append(drawing.up(value))
                figure["layout"]["annotations"].append(drawing.upright(value, _text(name), low=True))
        drawing.framed(figure, reach, limits)
        for axis in self.log:
            figure["layout"][f"{axis}axis"] |= {"type": "log", "exponentformat": "power", "minor": {"nticks": 0}}
            figure["layout"][f"{axis}axis"]["dtick"] = _decades(reach if axis == "x" else limits)
        if "y" in self.log:
            figure["layout"]["margin"]["l"] = 72
        figure["layout"]["uirevision"] = self.title
        return figure

    def _reach(self, values: Sequence[float]) -> tuple[float, float]:
        if not values:
            return 0.0, 1.0
        low, high = min(values), max(values)
        if "x" in self.log:
            return math.log10(low) - 0.05, math.log10(high) + 0.05
        room = (high - low) / 50 or 1.0
        return low - room, high + room

    def _limits(self, values: list[float]) -> tuple[float, float]:
        if "y" in self.log:
            known = [math.log10(value) for value in values]
            low, high = math.floor(min(known, default=0.0)), math.ceil(max(known, default=1.0))
            return float(low), float(max(high, low + 1))
        values += self.levels.values()
        if not values:
            return 0.0, 1.0
        top = max(values)
        floor = top - SPANS * (top - median(values))
        return drawing.rounded(max(min(values), floor) if floor < top else min(values), top)

    @property
    def alt(self) -> str:
        """What is drawn, for those who cannot see it."""
        said = [f"{self.title}. {self.y_title} over {self.x_title.lower()}."]
        for each in self.series:
            known = [value for value in each.y if value is not None]
            if known:
                said.append(f"{each.name}: from {known[0]:.4g} to {known[-1]:.4g}.")
        said += [f"{name}: {value:.4g}." for name, value in (*self.levels.items(), *self.marks.items())]
        return " ".join(said)

    @property
    def height(self) -> int:
        """Pixels."""
        return HEIGHT

    @property
    def table(self) -> list[dict[str, Any]]:
        """What is drawn, a row for each place on the axis."""
        columns = {each.name: each for each in self.series}
        places = sorted({x for each in columns.values() for x in each.x})
        values = {name: dict(zip(each.x, each.y, strict=True)) for name, each in columns.items()}
        return [{self.x_title: x, **{name: found.get(x) for name, found in values.items()}} for x in places]

    @property
    def standing(self) -> dict[str, tuple[str, str, list[tuple[str, str, str]]]]:
        """{line: (colour, dash, its last value)}; empty if lines have no names."""
        return {
            each.name: (
                each.colour,
                each.dash,
                [(self.title, _number(each.last), f"{self.about} Given is the last value.")],
            )
            for each in (self.series if self.named else ())
        }


@dataclass(frozen=True)
class Points:
    """Values side by side: a line of the chart for each category, with a point for each source.

    groups : {name: hue} of points of one category, in the order in which they stand below each other
    values : {source: {(category, group): value}}
    hues : {category: hue} where there is one group, whose own says nothing
    note : a sentence below
    """

    title: str
    about: str
    x_title: str
    groups: Mapping[str, str]
    values: Mapping[str, Mapping[tuple[str, str], float]]
    log: Literal["", "x"] = ""
    hues: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    @property
    def categories(self) -> list[str]:
        """In the order in which they stand below each other."""
        return list(dict.fromkeys(category for found in self.values.values() for category, _ in found))

    @property
    def figure(self) -> Figure:
        """As Plotly draws it."""
        figure, categories = drawing.blank(self.x_title, ""), self.categories
        places = {category: place for place, category in enumerate(categories)}
        groups, known = list(self.groups), [x for found in self.values.values() for x in found.values()]
        for source, found in self.values.items():
            colours = [self.hues.get(category) or self.groups[group] for category, group in found]
            marker = {"symbol": MARKS.get(source, OF_OTHERS), "size": MARK, "color": colours}
            figure["data"].append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "x": list(found.values()),
                    "y": [
                        places[category] + (groups.index(group) - (len(groups) - 1) / 2) / (len(groups) + 0.5)
                        for category, group in found
                    ],
                    "name": source,
                    "customdata": [_text(", ".join(filter(None, key))) for key in found],
                    "marker": marker | {"line": {"width": 2, "color": colours}},
                    "cliponaxis": False,
                    "hovertemplate": f"%{{customdata}}, {source}: %{{x:.4g}}<extra></extra>",
                }
            )
        last = len(categories) - 0.5
        drawing.framed(figure, self._reach(known), [last, -0.5])
        longest = max((len(name) for name in categories), default=0)
        layout = figure["layout"]
        del layout["yaxis"]["title"]  # a narrow page would take it away, and the room of the names with it
        layout["margin"] |= {"l": 16 + round(7.5 * longest), "t": self._above}
        layout["yaxis"] |= {"tickvals": list(range(len(categories))), "ticktext": [_text(name) for name in categories]}
        layout["yaxis"] |= {"zeroline": False, "ticklen": 0}
        layout |= {"hovermode": "closest", "showlegend": True, "uirevision": self.title}
        layout["legend"] = {"orientation": "h", "xref": "container", "x": 0, "y": 1, "yanchor": "bottom"}
        layout["legend"] |= {"itemclick": False, "itemdoubleclick": False}
        if self.log:
            layout["xaxis"] |= {"type": "log", "exponentformat": "power", "minor": {"nticks": 0}}
            layout["xaxis"]["dtick"] = _decades(layout["xaxis"]["range"])
        else:
            layout["xaxis"]["nticks"] = 5  # short numbers, for which a phone has room
        return figure

    def _reach(self, values: Sequence[float]) -> tuple[float, float]:
        positive = [math.log10(value) for value in values if value > 0]
        if self.log:
            return min(positive, default=0.0) - 0.15, max(positive, default=1.0) + 0.15
        low, high = min(values, default=0.0), max(values, default=1.0)
        room = (high - low) / 15 or 1.0
        return low - room, high + room

    @property
    def alt(self) -> str:
        """What is drawn, for those who cannot see it."""
        said = []
        for category, group in self._keys():
            found = [
                f"{source} {values[category, group]:.4g}"
                for source, values in self.values.items()
                if (category, group) in values
            ]
            said.append(f"{', '.join(filter(None, (category, group)))}: {', '.join(found)}.")
        return " ".join([f"{self.title}. {self.x_title}.", *said])

    def _keys(self) -> list[tuple[str, str]]:
        return [
            (category, group)
            for category in self.categories
            for group in self.groups
            if any((category, group) in found for found in self.values.values())
        ]

    @property
    def height(self) -> int:
        """Pixels."""
        lines = len(self.categories) * (1 if len(self.groups) < 2 else 2)
        return self._above + AROUND + ROW * lines

    @property
    def _above(self) -> int:
        return BUTTONS + ENTRY * ((len(self.values) + 1) // 2)  # two stand side by side on a phone

    @property
    def table(self) -> list[dict[str, Any]]:
        """What is drawn, a row for each category and group."""
        rows = []
        for category, group in self._keys():
            names = {"": category} | ({"of": group} if group else {})
            rows.append(names | {source: found.get((category, group)) for source, found in self.values.items()})
        return rows

    @property
    def standing(self) -> dict[str, tuple[str, str, list[tuple[str, str, str]]]]:
        """{group: (colour, dash, nothing)} where there are several: what their hues mean."""
        return {name: (hue, "solid", []) for name, hue in self.groups.items()} if len(self.groups) > 1 else {}


Plot = Curves | Points
PlotRows = Sequence[Sequence[Plot]]  # rows of charts that stand side by side where there is room


def _line(series: Series) -> dict[str, Any]:
    """Return a line as Plotly draws it."""
    x, y = list(series.x), list(series.y)
    line = drawing.drawn_line(x, [], _text(series.name), series.colour, 2.5, series.dash) | {"y": y}  # y has gaps
    line |= {"connectgaps": False, "hovertemplate": "%{y:.4g}"}
    if len(x) <= FEW:
        line |= {"mode": "lines+markers", "marker": {"color": series.colour, "size": 6}}
    if series.low:
        ends = list(zip(y, series.low, series.high, strict=True))
        line["error_y"] = {
            "type": "data",
            "symmetric": False,
            "array": [0 if None in (at, high) else high - at for at, _, high in ends],  # type: ignore[operator]
            "arrayminus": [0 if None in (at, low) else at - low for at, low, _ in ends],  # type: ignore[operator]
            "color": series.colour,
            "thickness": 1,
            "width": 3,
        }
    return line


def styles(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """{name: (colour, dash)} by its place: no two are told apart by colour alone."""
    return {
        name: (COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)])
        for place, name in enumerate(dict.fromkeys(names))
    }


def _decades(limits: Sequence[float]) -> int:
    """Powers of ten between two ticks of an axis with these limits."""
    return max(1, round((limits[1] - limits[0]) / 6))


def _number(value: Value) -> str:
    return NONE if value is None else number(value)


def _text(name: str) -> str:
    """A name for Plotly, which takes < and & for markup."""
    return html.escape(name, quote=False)
