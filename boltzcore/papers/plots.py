"""Charts of a study's rows as Plotly figures: line charts, and dot plots that compare sources."""

import html
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from boltzcore.papers.study import Row
from boltzcore.plotting import drawing
from boltzcore.plotting.comparison_curves import COLOURS, DASHES
from boltzcore.plotting.drawing import Figure
from boltzcore.quoting import number

OURS, PAPER = "ours", "paper"
MARKS = {OURS: "circle", PAPER: "diamond-open", "bound": "line-ns"}  # marker by source
MARK = 10  # pixels
HEIGHT, ROW, AROUND = 300, 24, 80  # heights in pixels: of a line chart; of a dot plot, per row and for the rest
BUTTONS, ENTRY = 40, 22  # pixels above a dot plot: for the buttons, and for each two sources
FEW = 12  # lines of at most this number of points show a marker for each
SPANS = 6.0  # distances from the top to the median, below which lower values are cut off: they would flatten the rest

Value = float | None
Limits = tuple[float, float]
Style = tuple[str, str]  # hue and dash


@dataclass(frozen=True)
class Plot:
    """A chart.

    about : explanation for a newcomer
    alt : description for a screen reader; note : a sentence below the chart
    lines : {name: (hue, dash, last value)} of named lines, or of hues with a meaning, which have no value
    """

    title: str
    about: str
    figure: Figure
    height: int
    alt: str
    note: str = ""
    lines: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)


PlotRows = Sequence[Sequence[Plot]]  # rows of charts that are shown side by side if there is space


@dataclass(frozen=True)
class Series:
    """A line.

    y : None for unknown values
    low, high : ends of the intervals of y, None for unknown ends; empty if there are no intervals
    """

    name: str
    x: Sequence[float]
    y: Sequence[Value]
    style: Style
    low: Sequence[Value] = ()
    high: Sequence[Value] = ()

    @classmethod
    def from_rows(cls, name: str, rows: Sequence[Row], x: str, y: str, style: Style) -> "Series":
        """Return the line of two fields of rows, with the ends of its intervals if the rows have them."""
        ends = ([row.get(f"{y}_{end}") for row in rows] for end in ("low", "high"))
        return cls(name, [row[x] for row in rows], [row.get(y) for row in rows], style, *ends)


def curves(
    title: str,
    about: str,
    x_title: str,
    y_title: str,
    series: Sequence[Series],
    *,
    levels: Mapping[str, float] | None = None,
    marks: Mapping[str, float] | None = None,
    log: str = "",
    limits: Limits | None = None,
    named: bool = True,
) -> Plot:
    """Return a line chart.

    levels, marks : {name: value} of horizontal and of vertical lines, as given in the paper's text
    log : the axes that are logarithmic, such as "xy"
    limits : of the vertical axis, if its scale has fixed ends; otherwise they follow from the values
    named : True if the lines have names; False if they are repetitions of one experiment
    """
    levels, marks = levels or {}, marks or {}
    figure = drawing.blank(x_title, y_title)
    figure["data"] = [_line(each) for each in series]
    x = [x for each in series for x in each.x]
    y = [y for each in series for y in (*each.y, *each.low, *each.high) if y is not None]
    if named:
        drawing.show_legend(figure)
    if "y" not in log:
        drawing.fix_axes(figure, None, limits or _limits(y, levels.values()))
        for place, (name, value) in enumerate(levels.items()):
            drawing.add_level(figure, value, _text(name), ("dash", "dot")[place % 2])
    for name, value in marks.items():
        if x and min(x) <= value <= max(x):
            figure["layout"]["shapes"].append(drawing.vertical_line(value))
            figure["layout"]["annotations"].append(drawing.vertical_text(value, _text(name), height=drawing.LOW))
    if "x" in log:
        figure["layout"]["xaxis"] |= _decades(x)
    if "y" in log:
        figure["layout"]["yaxis"] |= _decades(y)
        figure["layout"]["margin"]["l"] = 72
    figure["layout"]["uirevision"] = title
    alt, lines = [f"{title}. {y_title} over {x_title.lower()}."], dict[str, tuple[str, str, str]]()
    for each in series:
        values = [value for value in each.y if value is not None]
        if values:
            alt.append(f"{each.name}: from {values[0]:.4g} to {values[-1]:.4g}.")
        lines[each.name] = (*each.style, number(values[-1]) if values else "\N{EN DASH}")
    alt += [f"{name}: {value:.4g}." for name, value in (*levels.items(), *marks.items())]
    return Plot(title, about, figure, HEIGHT, " ".join(alt), lines=lines if named else {})


def points(
    title: str,
    about: str,
    x_title: str,
    values: Mapping[str, Mapping[tuple[str, str], float]],
    hues: Mapping[str, str],
    *,
    log: bool = False,
    note: str = "",
) -> Plot:
    """Return a dot plot with a row for each category, and a point for each source and group.

    values : {source: {(category, group): value}}
    hues : by category, or by group if a category has several
    """
    keys = list(dict.fromkeys(key for found in values.values() for key in found))
    categories, groups = (list(dict.fromkeys(names)) for names in zip(*keys, strict=True))
    figure, above = drawing.blank(x_title, ""), BUTTONS + ENTRY * ((len(values) + 1) // 2)  # two by two on a phone
    for source, found in values.items():
        colours = [hues[category if category in hues else group] for category, group in found]
        marker = {"symbol": MARKS[source], "size": MARK, "color": colours}
        figure["data"].append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": list(found.values()),
                "y": [
                    categories.index(category) + (groups.index(group) - (len(groups) - 1) / 2) / (len(groups) + 0.5)
                    for category, group in found
                ],
                "name": source,
                "customdata": [_text(", ".join(filter(None, key))) for key in found],
                "marker": marker | {"line": {"width": 2, "color": colours}},
                "cliponaxis": False,
                "hovertemplate": f"%{{customdata}}, {source}: %{{x:.4g}}<extra></extra>",
            }
        )
    layout = figure["layout"]
    layout["yaxis"] |= {"range": [len(categories) - 0.5, -0.5], "autorange": False}
    del layout["yaxis"]["title"]  # on a narrow page Plotly would drop the title, and the space for the names with it
    layout["margin"] |= {"l": 16 + round(7.5 * max(map(len, categories))), "t": above}
    layout["yaxis"] |= {"tickvals": list(range(len(categories))), "ticktext": [_text(name) for name in categories]}
    layout["yaxis"] |= {"zeroline": False, "ticklen": 0}
    layout |= {"hovermode": "closest", "showlegend": True, "uirevision": title}
    layout["legend"] = {"orientation": "h", "xref": "container", "x": 0, "y": 1, "yanchor": "bottom"}
    layout["legend"] |= {"itemclick": False, "itemdoubleclick": False}
    x = [x for found in values.values() for x in found.values()]
    layout["xaxis"] |= _decades(x) if log else {"nticks": 5}  # a phone has space for short numbers only
    alt = [f"{title}. {x_title}."]
    for key in sorted(keys, key=lambda key: (categories.index(key[0]), groups.index(key[1]))):
        given = ", ".join(f"{source} {found[key]:.4g}" for source, found in values.items() if key in found)
        alt.append(f"{', '.join(filter(None, key))}: {given}.")
    height = above + AROUND + ROW * len(categories) * (1 if len(groups) < 2 else 2)
    lines = {name: (hues[name], "solid", "") for name in groups} if len(groups) > 1 else {}
    return Plot(title, about, figure, height, " ".join(alt), note, lines)


def styles(names: Iterable[str]) -> dict[str, Style]:
    """Return {name: (hue, dash)} by position: no two differ by hue alone."""
    return {name: (COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]) for k, name in enumerate(names)}


def _line(series: Series) -> dict[str, Any]:
    x, y = list(series.x), list(series.y)
    hue, dash = series.style
    line = drawing.drawn_line(x, [], _text(series.name), hue, 2.5, dash) | {"y": y}  # y has gaps
    line |= {"connectgaps": False, "hovertemplate": "%{y:.4g}"}
    if len(x) <= FEW:
        line |= {"mode": "lines+markers", "marker": {"color": hue, "size": 6}}
    if any(end is not None for end in (*series.low, *series.high)):
        ends = list(zip(y, series.low, series.high, strict=True))
        line["error_y"] = {
            "type": "data",
            "symmetric": False,
            "array": [0 if None in (at, high) else high - at for at, _, high in ends],  # type: ignore[operator]
            "arrayminus": [0 if None in (at, low) else at - low for at, low, _ in ends],  # type: ignore[operator]
            "color": hue,
            "thickness": 1,
            "width": 3,
        }
    return line


def _limits(y: Sequence[float], levels: Collection[float]) -> Limits:
    """Return the ends of an axis, with space for the name of each level below it."""
    if not (values := [*y, *levels]):
        return 0.0, 1.0
    top = max(values)
    floor = top - SPANS * (top - median(values))
    low = max(min(values), floor) if floor < top else min(values)
    return drawing.round_limits(min([low, *(level - drawing.LABEL[1] * (top - low) for level in levels)]), top)


def _decades(values: Sequence[float]) -> dict[str, Any]:
    """Return a logarithmic axis for these values, with about six ticks at powers of ten."""
    known = [value for value in values if value > 0] or [1.0]
    spans = math.log10(max(known) / min(known))
    return {"type": "log", "exponentformat": "power", "dtick": max(1, round(spans / 6)), "minor": {"nticks": 0}}


def _text(name: str) -> str:
    """Return a name escaped for Plotly, which treats < and & as markup."""
    return html.escape(name, quote=False)
