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


def draw(key: str, charts: Charts, result: StoredResult | None, again: StoredResult | None) -> None:
    """The charts of a result, with those of what was made again drawn over them; of that alone where there is no other.

    key : of the exhibit and the study
    """
    shown = result or again
    if shown is None or not (rows := charts.draw(shown.rows)):
        return
    over = charts.draw(again.rows) if again is not None and result is not None else ()
    sources = [(each.scale, len(each.rows), each.provenance) for each in (result, again) if each is not None]
    film = Film(("exhibit", key, sources), 1, lambda _: frame(rows, over))
    play(f"charts {key}", film, page=PAGE, every=1.0, height=_height(rows))
    st.caption(plain(charts.theirs))


def values(charts: Charts, result: StoredResult | None, again: StoredResult | None) -> None:
    """The values that are drawn, behind a line that opens."""
    shown = result or again
    if shown is None or not (rows := charts.draw(shown.rows)):
        return
    with st.expander("The values that are drawn"):
        for plot in drawn(rows, charts.draw(again.rows) if again is not None and result is not None else ()):
            st.markdown(f"**{plain(plot.title)}**")
            st.dataframe(plot.table, hide_index=True)


def _height(rows: PlotRows) -> int:
    """Pixels that are kept free until the charts are there."""
    return sum(HEAD + max(plot.height for plot in row) for row in rows)
