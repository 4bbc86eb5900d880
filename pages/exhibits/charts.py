"""The charts of a figure or table, drawn in place, with the values that are drawn behind a line that opens."""

import streamlit as st

from boltzcore.papers.charts import Charts, frame
from boltzcore.papers.charts.plots import PlotRows
from boltzcore.papers.stored import StoredResult
from pages.common.words import plain
from pages.frames.component import play
from pages.frames.films import Film

PAGE = "papers"
HEAD = 48  # pixels of what stands above a chart


def draw(key: str, charts: Charts, result: StoredResult) -> None:
    """The charts of a result.

    key : of the exhibit and the study
    """
    rows = charts.draw(result.rows)
    if not rows:
        return
    source = ("exhibit", key, result.scale, len(result.rows), result.provenance)
    film = Film(source, 1, lambda _: frame(rows))
    play(f"charts {key}", film, page=PAGE, every=1.0, height=_height(rows))
    st.caption(plain(charts.theirs))
    with st.expander("The values that are drawn"):
        for plot in (plot for row in rows for plot in row):
            st.markdown(f"**{plain(plot.title)}**")
            st.dataframe(plot.table, hide_index=True)


def _height(rows: PlotRows) -> int:
    """Pixels that are kept free until the charts are there."""
    return sum(HEAD + max(plot.height for plot in row) for row in rows)
