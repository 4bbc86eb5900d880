"""A figure or table of a paper: its verdict, its charts and, folded, the details."""

import streamlit as st

from boltzcore.papers.exhibits import Exhibit, scale_sentence
from boltzcore.papers.stored import StoredResult, results
from boltzcore.papers.verdicts import Verdict
from boltzcore.quoting import Refusal
from pages.common.words import escape
from pages.exhibits import charts, details

LONGEST = 2_000  # characters of a quotation or a reason


def draw(exhibit: Exhibit, found: Verdict) -> None:
    """Draw a figure or table with its verdict."""
    st.header(found.title, anchor=False)
    stored = {name: _load_results(name) for name in (*exhibit.studies, *exhibit.experiments)}
    shown = {name: stored[name][0] for name in exhibit.studies if stored[name]}
    lines = (exhibit.claim, *found.reason.splitlines(), found.cause)
    st.markdown("  \n".join(escape(line, most=LONGEST) for line in lines if line))
    if other := [name for name, result in shown.items() if not result.is_current]:
        st.warning(f"Computed by an earlier version ({', '.join(other)}): new numbers may differ.")
    st.html(charts.STYLE)
    for name, result in shown.items():
        if plots := exhibit.charts[name](result.rows):
            charts.draw(f"{exhibit.paper} {exhibit.label} {name}", plots, result)
    if shown:
        st.caption(f"Our scale: {escape(scale_sentence(exhibit), most=LONGEST)}.")
    line = st.expander("Details", key="details", on_change="rerun")
    if line.open:  # rows are sent only then
        with line:
            details.draw(exhibit, found, stored)


def _load_results(name: str) -> list[StoredResult]:
    """Return the results of a study, complete ones first; none if a file is damaged, which the verdict says."""
    try:
        return sorted(results(name).values(), key=lambda result: not result.finished)
    except Refusal:
        return []
