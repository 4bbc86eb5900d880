"""Papers: each figure and table of the five papers, what of it was made here, and how near that is."""

from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from boltzcore.papers import STUDIES
from boltzcore.papers.charts import CHARTS
from boltzcore.papers.exhibits import EXHIBITS, PAPERS, Exhibit, judged
from boltzcore.papers.stored import StoredResult
from boltzcore.papers.verdicts import VERDICTS, Verdict
from boltzcore.quoting import number
from boltzcore.runs.recipe import Recipe
from pages.common import address
from pages.common.words import few, plain
from pages.exhibits import charts

MEANS = (
    "**Same numbers**: within the tolerance that stands beside each claim. **Same order**: who is ahead of whom is as "
    "in the paper. **Same shape**: the course of the curves is. **Differs**: none of these. The strictest that holds "
    "is given. Each verdict follows from the stored rows by rules that state what the paper reports; the rules were "
    "written by people who had seen earlier results of some of these studies."
)


def exhibit(shown: Exhibit, found: Verdict, made: Mapping[str, StoredResult]) -> None:
    """A figure or table: its verdict, what that rests on, the rows, and how they were made."""
    st.subheader(f"{shown.label}: {shown.title}", anchor=False)
    scales = ", ".join(dict.fromkeys(f"{result.scale} scale" for result in made.values()))
    with_scale = f" ({scales})" if scales else ""
    st.markdown(f"**{found.verdict.capitalize()}**{with_scale}. {plain(found.reason)}")
    for name, result in made.items():
        charts.draw(f"{shown.paper} {shown.label} {name}", CHARTS[shown.paper, shown.label][name], result)
    if found.checks:
        with st.expander(f"What the verdict rests on: {len(found.checks)} claims"):
            for check in found.checks:
                holds = "holds" if check.holds else "does not hold"
                st.markdown(f"- {check.grade.capitalize()}, {holds}: {check.claim}.  \n  Ours: {check.evidence}.")
    for name, result in made.items():
        rows_of(name, result)


def rows_of(name: str, result: StoredResult) -> None:
    """The rows of a result and by what they were made, behind lines that open, and its first training to try."""
    study, by = STUDIES[name], result.provenance
    st.caption(plain(f"The paper: {study.reported}"))
    if not result.by_this_code:
        st.warning("Made by other code than this: numbers made now may differ.")
    with st.expander(f"All rows of study {name}"):
        st.dataframe([flat(row) for row in result.rows], hide_index=True)
    with st.expander(f"How study {name} was made"):
        data = "; ".join(f"{source}: {', '.join(each[:12] for each in by.data[source])}" for source in by.data)
        st.code(by.command, language="bash", wrap_lines=True)
        st.markdown(
            f"- {plain(study.scales[result.scale])}\n"
            f"- version {plain(by.version)}, code {plain(by.code[:12])}, {plain(by.date)}\n"
            f"- {by.seconds:,.0f} s, threads: {by.threads}, {plain(by.processor)}\n"
            f"- seeds: {min(by.seeds, default=0)} to {max(by.seeds, default=0)}\n"
            f"- data, by the beginnings of their digests: {plain(data)}"
        )
    first = next((part for part in study.parts(result.scale) if isinstance(part, Recipe)), None)
    if first is not None:
        st.link_button(f"Open a training of {name} in Train", f"train?{urlencode(first.to_query())}")


def flat(row: Mapping[str, object]) -> dict[str, object]:
    """A row with its lists as texts."""
    return {
        key: ", ".join("–" if each is None else str(each) if isinstance(each, int) else number(each) for each in value)
        if isinstance(value, list) and all(each is None or isinstance(each, int | float) for each in value)
        else str(value)
        if isinstance(value, list)
        else value
        for key, value in row.items()
    }


st.title("Papers", anchor=False)
for sentence in few(address.strange(st.query_params, ("paper",).__contains__)):
    st.warning(plain(sentence))
address.arrive("paper", PAPERS, otherwise="1")
verdicts: list[tuple[Exhibit, Verdict, Mapping[str, StoredResult]]] = []
for each in EXHIBITS:
    try:
        verdicts.append((each, *judged(each)))
    except ValueError as refusal:  # a stored file was changed by hand
        verdicts.append((each, Verdict("not attempted", str(refusal)), {}))
counts = Counter(found.verdict for _, found, _ in verdicts)
counted = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name])
st.write(f"Their {len(EXHIBITS)} figures and tables, made again here where a result is stored: {counted}.")
with st.expander("What the verdicts mean"):
    st.markdown(MEANS)
chosen = st.selectbox("Paper", list(PAPERS), format_func=lambda key: PAPERS[key].title, key="paper")
address.keep({"paper": "" if chosen == "1" else chosen})
st.header(PAPERS[chosen].title, anchor=False)
st.write(PAPERS[chosen].question)
for each, found, made in verdicts:
    if each.paper == chosen:
        with st.container(border=True):
            exhibit(each, found, made)
