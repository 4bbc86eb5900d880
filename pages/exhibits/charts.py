"""The charts of a figure or table, drawn in place, with the values that are drawn behind a line that opens."""

import streamlit as st

from boltzcore.papers.charts import Charts, frame
from boltzcore.papers.charts.plots import PlotRows, drawn
from boltzcore.papers.stored import StoredResult
from pages.common.words import plain
from pages.frames.component import play
from pages.frames.films import Film

PAGE = "papers"
HEAD = 48  # pixels of what stands above a chart


def draw(key: str, charts: Charts | None, result: StoredResult | None, again: StoredResult | None) -> None:
    """The charts of a result, with those of what was made again drawn over them; of that alone where there is no other.

    key : of the exhibit and the study
    """
    rows, over = _rows(charts, result, again)
    if charts is None or not rows:
        return
    sources = [(each.scale, len(each.rows), each.provenance) for each in (result, again) if each is not None]
    film = Film(("exhibit", key, sources), 1, lambda _: frame(rows, over))
    play(f"charts {key}", film, page=PAGE, every=1.0, height=_height(rows))
    st.caption(plain(charts.theirs))


def values(key: str, name: str, charts: Charts | None, result: StoredResult | None, again: StoredResult | None) -> None:
    """The values that are drawn, behind a line that opens: made once it does."""
    if charts is None or (result is None and again is None):
        return
    with (line := st.expander(f"Values drawn of study {name}", key=f"values {key}", on_change="rerun")):
        for plot in drawn(*_rows(charts, result, again)) if line.open else ():
            st.markdown(f"**{plain(plot.title)}**")
            st.dataframe(plot.table, hide_index=True)


def _rows(charts: Charts | None, result: StoredResult | None, again: StoredResult | None) -> tuple[PlotRows, PlotRows]:
    """The charts of a result, and those of what was made again; where there is no other, the latter are the former."""
    if charts is None:
        return (), ()
    of_result, of_again = (charts.draw(each.rows) if each is not None else () for each in (result, again))
    return (of_result, of_again) if of_result else (of_again, ())


def _height(rows: PlotRows) -> int:
    """Pixels that are kept free until the charts are there."""
    return sum(HEAD + max(plot.height for plot in row) for row in rows)
