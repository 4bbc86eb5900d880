"""The charts of a figure or table, drawn in place, with the values that are drawn behind a line that opens."""

import streamlit as st

from boltzcore.papers.charts import Charts, frame
from boltzcore.papers.stored import StoredResult
from pages.common.words import plain
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
