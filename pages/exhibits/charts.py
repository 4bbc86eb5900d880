"""The charts of a figure or table, drawn in place."""

from collections.abc import Callable
from itertools import islice

from boltzcore.papers.plots import Plot, PlotRows
from boltzcore.papers.stored import StoredResult
from pages.figures.frame import Chart, Frame, Item, Line, NamedFigure, Panel
from pages.stream.films import Film, play

HEAD = 48  # pixels above a chart
STYLE = """<style>
[class*="st-key-charts-"] .lab-live { display: flex; flex-direction: column; }
[class*="st-key-charts-"] .lab-lines { order: 6; }
</style>"""


def draw(key: str, rows: PlotRows, result: StoredResult) -> None:
    """Draw the charts of a result.

    key : of the exhibit and the study
    """
    film = Film(("exhibit", key, result.scale, len(result.rows), result.provenance), 1, lambda _: frame(rows))
    height = sum(HEAD + max(plot.height for plot in row) for row in rows)  # reserved for the charts
    play(f"charts {key}", film, every=1.0, height=height)


def frame(rows: PlotRows) -> Frame:
    """Return the charts as a page shows them, and the names of their lines."""
    shown = [plot for row in rows for plot in row]
    left = iter(enumerate(shown))
    items = tuple(tuple(Item(str(k), (), _panel(it), "numbers") for k, it in islice(left, len(row))) for row in rows)
    lines = dict[str, Line]()
    for plot in shown:
        for name, (hue, dash, last) in plot.lines.items():
            line = lines.setdefault(name, Line(hue, dash, [NamedFigure("Line", name)]))
            if last:
                line.figures.append(NamedFigure(plot.title, last, f"{plot.about} The last value is shown."))
    return Frame(below=items, lines=tuple(lines.values()))


def _panel(plot: Plot) -> Callable[[], Panel]:
    chart = Chart(plot.figure, plot.height, plot.alt)
    return lambda: Panel(plot.title, chart, about=plot.about, below=plot.note)
