"""The charts of a figure or table, drawn in place, with the values that are drawn behind a line that opens."""

from collections.abc import Callable, Iterable
from itertools import islice

import streamlit as st

from boltzcore.papers.charts import Charts
from boltzcore.papers.charts.plots import Plot, PlotRows
from boltzcore.papers.stored import StoredResult
from pages.common.words import plain
from pages.figures.frame import Chart, Frame, Item, Line, NamedFigure, Panel
from pages.frames.component import play
from pages.frames.films import Film

PAGE = "papers"
HEAD = 48  # pixels of what stands above a chart


def draw(key: str, charts: Charts, result: StoredResult | None) -> None:
    """Draw the charts of a result.

    key : of the exhibit and the study
    """
    if result is None or not (rows := charts.draw(result.rows)):
        return
    film = Film(("exhibit", key, result.scale, len(result.rows), result.provenance), 1, lambda _: frame(rows))
    height = sum(HEAD + max(plot.height for plot in row) for row in rows)  # kept free until the charts are there
    play(f"charts {key}", film, page=PAGE, every=1.0, height=height)
    st.caption(plain(charts.theirs))


def values(key: str, name: str, charts: Charts, result: StoredResult) -> None:
    """Show the values that are drawn, in an expander that makes them when it opens."""
    with (line := st.expander(f"Values drawn of study {name}", key=f"values {key}", on_change="rerun")):
        for row in charts.draw(result.rows) if line.open else ():
            for plot in row:
                st.markdown(f"**{plain(plot.title)}**")
                st.dataframe(plot.table, hide_index=True)


def frame(rows: PlotRows) -> Frame:
    """Return the charts as a page shows them, and the names of their lines."""
    shown = [plot for row in rows for plot in row]
    left = iter(enumerate(shown))
    items = tuple(tuple(Item(str(k), (), _paneled(it), "numbers") for k, it in islice(left, len(row))) for row in rows)
    return Frame(below=items, lines=_lines(shown))


def _paneled(plot: Plot) -> Callable[[], Panel]:
    def panel() -> Panel:
        chart = Chart(plot.figure, plot.height, plot.alt, "figure")
        return Panel(plot.title, chart, about=plot.about, below=plot.note)

    return panel


def _lines(plots: Iterable[Plot]) -> tuple[Line, ...]:
    """A line for each name, with what each of the charts gives of it."""
    found = dict[str, tuple[str, str, list[NamedFigure]]]()
    for plot in plots:
        for name, (colour, dash, figures) in plot.standing.items():
            found.setdefault(name, (colour, dash, [NamedFigure("Line", name)]))[2].extend(
                NamedFigure(*figure) for figure in figures
            )
    return tuple(Line(colour, dash, figures) for colour, dash, figures in found.values())
