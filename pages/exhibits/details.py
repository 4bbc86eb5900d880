"""Details of a figure or table: the paper's claims, the rows, how they were made, and where to go on from them."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from boltzcore.papers import STUDIES
from boltzcore.papers.citations import PAPERS
from boltzcore.papers.exhibits import Exhibit
from boltzcore.papers.stored import StoredResult
from boltzcore.papers.verdicts import Verdict
from boltzcore.quoting import number
from boltzcore.training.recipe import Recipe
from pages.common.words import escape

RULES = (
    "The main claim decides the verdict, at the paper's scale; a smaller run leaves it undecided. Rules that encode "
    "the paper's claims derive it from the stored rows; if the paper gives no number, the tolerance is ours. Earlier "
    "results of some studies were known when the rules were written. Charts show the paper's values, and quotations "
    "its page, if our text of the paper has them."
)


def draw(exhibit: Exhibit, found: Verdict, stored: Mapping[str, Sequence[StoredResult]]) -> None:
    """Draw the details.

    stored : {study: its results}; that of the charts is the first
    """
    st.markdown(PAPERS[exhibit.paper].question)
    with st.container(horizontal=True, gap="small"):
        for title, made in exhibit.races.items():
            st.link_button(f"Open as a race: {title}", f"compare?{urlencode(made().to_query())}")
    st.subheader("Claims", anchor=False)
    for check in found.checks:
        holds = "Holds" if check.holds else "Ours is lower" if check.is_better else "Does not hold"
        main = ", main claim" if check.is_main else ""
        st.markdown(f"- {holds}{main}: {check.claim}.  \n  Ours: {check.evidence}.")
    st.caption(RULES)
    for name, kept in stored.items():
        st.subheader(f"Study {name}", anchor=False)
        st.markdown(escape(found.experiments.get(name, ""), most=1_000))
        if link := _training(name, kept[0].scale if kept else "quick"):
            st.link_button("Open in Train", link, help="The first run of this study.")
        for result in kept:
            _rows(name, result)


def _rows(name: str, result: StoredResult) -> None:
    """Show how the rows of a result were made, and the rows."""
    by, scale = result.provenance, STUDIES[name].scales[result.scale]
    seeds = " to ".join(map(str, sorted({*by.seeds[:1], *by.seeds[-1:]})))
    data = "; ".join(f"{source}: {', '.join(each[:12] for each in by.data[source])}" for source in by.data)
    st.markdown(
        f"- {result.scale.capitalize()} scale: {escape(scale)}\n"
        f"- Version {escape(by.version)}, {escape(by.date)}\n"
        f"- {by.seconds:,.0f} s, threads: {by.threads}, {escape(by.processor)}\n"
        f"- Seed{'s' * (len(by.seeds) > 1)}: {seeds}\n"
        f"- Data, by SHA-256: {escape(data)}\n"
        f"- Rows: {len(result.rows)}{'' if result.finished else '; the others are missing'}"
    )
    st.code(by.command, language="bash", wrap_lines=True)
    st.dataframe([{key: _cell(value) for key, value in row.items()} for row in result.rows], hide_index=True)


def _cell(value: object) -> object:
    """Return a value of a row, a list as text."""
    if not isinstance(value, list):
        return value
    if any(each is not None and not isinstance(each, int | float) for each in value):
        return str(value)
    return ", ".join("–" if each is None else str(each) if isinstance(each, int) else number(each) for each in value)


def _training(name: str, scale: str) -> str:
    first = next((part for part in STUDIES[name].parts(scale) if isinstance(part, Recipe)), None)
    return "" if first is None else f"train?{urlencode(first.to_query())}"
