"""Parts of charts: axes, lines, levels, marks and labels, and round ends of axes.

A figure is a dict and not a `go.Figure`: many are made per second, and validation would cost more than the drawing.
Text and grid take the page's theme; only data have their own colours.
"""

import html
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.plotting import palette
from boltzcore.quoting import cut, number
from boltzcore.training.loop import Record

Figure = dict[str, Any]

AXES: Mapping[str, Callable[[Record], float]] = {
    "epochs": lambda r: r.epoch,
    "updates": lambda r: float(r.count),
    "work": lambda r: float(r.work),
    "seconds": lambda r: r.seconds,
}
_COLOURS = 11  # colours of a diverging scale; Plotly interpolates
LABEL = 0.3, 0.1  # width and height of a level's label, as shares of the plot
LOW, ACROSS = 0.4, 0.05  # height at which curves that learn have already risen; width of text along a line
TICKS, MARGIN, CHARACTER = 7, 62, 7  # of vertical axes: number of ticks; pixels left of them, and of a digit
HEIGHT = 400  # largest height in pixels of a chart that compares curves


def axis_titles(work: str) -> dict[str, str]:
    """Return {axis: its title}, for a model with this unit of work."""
    return {"epochs": "Epochs", "updates": "Updates", "work": work, "seconds": "Seconds of training"}


def blank(x_title: str, y_title: str) -> Figure:
    """Return a figure without data: axes, grid and margins of all charts."""
    grid: dict[str, Any] = dict.fromkeys(("gridcolor", "zerolinecolor", "tickcolor"), palette.GRID)
    grid |= {"automargin": False, "ticklen": 4, "separatethousands": True, "minexponent": 6}
    layout = {
        "margin": {"l": MARGIN, "r": 16, "t": 34, "b": 46},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "x unified",
        "xaxis": {"title": {"text": x_title, "standoff": 8}, **grid},
        "yaxis": {"title": {"text": y_title, "standoff": 8}, "nticks": TICKS, **grid},
        "shapes": [],
        "annotations": [],
    }
    return {"data": [], "layout": layout}


def fix_axes(figure: Figure, reach: Sequence[float] | None, limits: Sequence[float]) -> Figure:
    """Return the figure with space for the numbers and fixed axes; with `reach` None the horizontal one stays."""
    decimals = max(0, -math.floor(math.log10(max(abs(limits[1] - limits[0]), 1e-9) / TICKS)))
    longest = max(len(f"{limit:,.{decimals}f}") for limit in limits)
    figure["layout"]["margin"]["l"] = MARGIN + CHARACTER * max(0, longest - len("1,000"))
    for axis, ends in (("xaxis", reach), ("yaxis", limits)):
        figure["layout"][axis] |= {} if ends is None else {"range": list(ends), "autorange": False}
    return figure


def drawn_line(x: list[float], y: list[float], name: str, colour: str, width: float, dash: str) -> dict[str, Any]:
    """Return a line for Plotly; a single point becomes a dot."""
    mode = "lines" if len(x) > 1 else "markers"
    return {
        "type": "scatter",
        "mode": mode,
        "x": x,
        "y": y,
        "name": name,
        "line": {"color": colour, "width": width, "dash": dash},
        "marker": {"color": colour, "size": 3 + width},
        "cliponaxis": mode == "lines",  # so that a dot at the end of the axis is not cut
        "hovertemplate": "%{y:.4f}",
    }


def ring(x: float, y: float, name: str) -> dict[str, Any]:
    """Ring that marks the best state."""
    marker = {"symbol": "circle-open", "size": 14, "color": palette.REFERENCE, "line": {"width": 2}}
    dot = drawn_line([x], [y], name, palette.REFERENCE, 2.0, "solid")  # not cut at the end of the axis
    return dot | {"showlegend": False, "marker": marker}


def bar_chart(
    titles: tuple[str, str], x: Sequence[Any], y: Sequence[float], colour: Any, hover: str, ends: Sequence[float]
) -> Figure:
    """Return bars, between two ends of the vertical axis.

    titles : of the horizontal and the vertical axis; colour : one, or one for each bar
    """
    figure = blank(*titles)
    marker = {"color": colour, "line": {"width": 0}}
    figure["data"].append({"type": "bar", "x": x, "y": y, "marker": marker, "hovertemplate": f"{hover}<extra></extra>"})
    figure["layout"] |= {"hovermode": "closest", "uirevision": titles[0]}
    return fix_axes(figure, None, ends)


def add_level(figure: Figure, y: float, name: str, dash: str, form: str = ".2f", *, log: bool = False) -> None:
    """Add a horizontal reference line, with its name and value at the end and side that the fewest curves pass.

    log : True for a logarithmic axis: Plotly places a label on it by the logarithm, but a line by the value
    """
    line = {"color": palette.REFERENCE, "width": 1.5, "dash": dash}
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line, "layer": "below"}
    figure["layout"]["shapes"].append(across)
    side, end = ("left", "bottom") if log else _free_place(figure, y)
    label = {"xref": "paper", "x": float(side == "right"), "xanchor": side, "y": math.log10(y) if log else y}
    label |= {"yanchor": end, "showarrow": False, "text": f"{name} {number(y, form)}"}
    figure["layout"]["annotations"].append(label)


def _points(figure: Figure) -> NDArray[np.float64]:
    """Return the (x, y) of points along all curves, ten for each line between two records."""
    traces = [np.array([trace["x"], trace["y"]], np.float64) for trace in ({"x": [], "y": []}, *figure["data"])]
    between = (curve[:, :-1] + share * np.diff(curve) for curve in traces for share in np.linspace(0.1, 0.9, 9))
    points = np.hstack([*traces, *between])
    return points[:, np.isfinite(points).all(axis=0)]


def _free_place(figure: Figure, level: float) -> tuple[str, str]:
    """Return the side, free of near labels, and the end of a label that hide the fewest points of curves."""
    low, high = figure["layout"]["yaxis"]["range"]
    x, y = _points(figure)
    left, right = figure["layout"]["xaxis"].get("range") or ((x.min(), x.max()) if x.size else (0.0, 1.0))
    reach, up = LABEL[0] * (right - left), (y - level) / (high - low)
    at = {"right": x > right - reach, "left": x < left + reach}
    at |= {"top": (up < 0) & (up > -LABEL[1]), "bottom": (up > 0) & (up < LABEL[1])}
    places = [("right", "top"), ("left", "bottom"), ("right", "bottom"), ("left", "top")]
    if level - low < LABEL[1] * (high - low):  # below the line it would be cut
        places = places[1:3]
    labels = [each for each in figure["layout"]["annotations"] if "xref" in each]
    near = {each["xanchor"] for each in labels if abs(each["y"] - level) < 2 * LABEL[1] * (high - low)}
    places = [each for each in places if each[0] not in near] or places
    return min(places, key=lambda place: np.count_nonzero(at[place[0]] & at[place[1]]))


def vertical_line(x: float) -> dict[str, Any]:
    """Return a dotted vertical line over the whole height, behind the curves."""
    line = {"color": palette.REFERENCE, "width": 1.5, "dash": "dot"}
    return {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x, "line": line, "layer": "below"}


def vertical_text(x: float, text: str, *, height: float = 1.0, before: bool = False) -> dict[str, Any]:
    """Return text along a vertical line.

    height : of its middle, as a share of the plot's; 1 for text that ends at the top
    before : True for the left side of the line
    """
    side = {"xanchor": "right", "xshift": -3} if before else {"xanchor": "left", "xshift": 3}
    place = {"y": height, "yref": "paper", "yanchor": "top" if height == 1 else "middle"}
    return {"x": x, **side, **place, "showarrow": False, "text": text, "textangle": -90}


def free_height(figure: Figure, x: float, *, before: bool) -> float:
    """Return the height at which text along a vertical line hides the fewest points of curves."""
    (left, right), (low, high) = (figure["layout"][axis]["range"] for axis in ("xaxis", "yaxis"))
    at, y = _points(figure)
    apart = (x - at if before else at - x) / (right - left or 1.0)
    beside = (y[(apart >= 0) & (apart < ACROSS)] - low) / (high - low or 1.0)
    return min((LOW, 0.6, 0.2), key=lambda height: np.count_nonzero(np.abs(beside - height) < 0.2))


def show_legend(figure: Figure) -> None:
    """Show the names of lines in rows below the plot."""
    place = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
    figure["layout"] |= {"showlegend": True, "legend": place}
    figure["layout"]["xaxis"]["automargin"] = "height"  # otherwise the rows overlap the title of the axis
    figure["layout"]["margin"]["b"] = 0


def is_known(record: Record, key: str) -> bool:
    """True if a record has a finite figure of this name."""
    return math.isfinite(record.values.get(key, math.nan))


def heat_map(z: NDArray[Any], x: Sequence[str], y: Sequence[str], limit: float, hover: str) -> Figure:
    """Return a table of numbers from -limit to limit: red below 0, white, blue above; None for no number.

    The colour scale is above the map because a phone has no space at its side.

    z : (rows, columns), the first row at the top
    """
    digits = 4 - (math.floor(math.log10(limit)) + 1)  # of the largest number: more are invisible
    figure, colours = blank("", ""), palette.rdbu(_COLOURS)
    figure["data"].append(
        {
            "type": "heatmap",
            "x": list(x),
            "y": list(y)[::-1],  # from the lowest row up: Plotly finds a square's text by its row's position
            "z": [[None if value is None else round(float(value), digits) for value in row] for row in z[::-1]],
            "coloraxis": "coloraxis",
            "hoverongaps": False,
            "hovertemplate": f"{hover}<extra></extra>",
        }
    )
    bar = {"orientation": "h", "len": 0.5, "thickness": 10, "outlinewidth": 0, "tickvals": [-limit, 0, limit]}
    place = {"x": 0, "xanchor": "left", "xpad": 12, "y": 1, "yanchor": "bottom", "ypad": 4}
    scale = [[i / (_COLOURS - 1), palette.rgb(each)] for i, each in enumerate(colours)]
    axis = {"type": "category", "tickfont": {"size": 12}, "showgrid": False, "ticklen": 0}
    figure["layout"] |= {
        "hovermode": "closest",
        "xaxis": axis,
        "yaxis": dict(axis),
        "coloraxis": {"cmin": -limit, "cmax": limit, "colorscale": scale, "colorbar": bar | place},
    }
    return figure


def round_limits(low: float, high: float) -> tuple[float, float]:
    """Return round limits with a little space above and below; 0 stays a limit."""
    span = max(high - low, 1e-9)
    step = round_up(span / 8)
    return math.floor((low - 0.02 * span * (low != 0)) / step) * step, math.ceil((high + 0.02 * span) / step) * step


def round_up(value: float) -> float:
    """Return the next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= value * (1 - 1e-9))


def labels(names: Sequence[str], most: int) -> list[str]:
    """Return names for a figure: each with at most `most` characters, numbered if two would be the same.

    They are escaped, because Plotly treats < and & as markup everywhere.
    """
    short = [cut(name, most) for name in names]
    if len(set(short)) < len(short):
        short = [f"{i + 1}. {cut(name, most - 5)}" for i, name in enumerate(names)]
    return [html.escape(name, quote=False) for name in short]
