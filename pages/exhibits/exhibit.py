"""A figure or table of a paper: its verdict, its charts, what may be made of it here, and what all of that rests on."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from boltzcore.papers import STUDIES, again
from boltzcore.papers.charts import BESIDE, CHARTS, Charts
from boltzcore.papers.exhibits import Exhibit
from boltzcore.papers.findings import FINDINGS
from boltzcore.papers.stored import StoredResult, results
from boltzcore.papers.verdicts import Verdict
from pages.common.words import plain
from pages.exhibits import again as making
from pages.exhibits import charts, links
from pages.exhibits.rows import rows_of

QUICK = "quick"


def exhibit(shown: Exhibit, found: Verdict, made: Mapping[str, StoredResult]) -> None:
    """A figure or table.

    made : {study: the whole result that the verdict rests on}; empty where there is none
    """
    st.subheader(f"{shown.label}: {shown.title}", anchor=False)
    scales = ", ".join(dict.fromkeys(f"{result.scale} scale" for result in made.values()))
    with_scale = f" ({scales})" if scales else ""
    st.markdown(f"**{found.verdict.capitalize()}**{with_scale}. {plain(found.reason)}")
    stored = {name: made.get(name) or _largest(name) for name in shown.studies}
    for said in dict.fromkeys(STUDIES[name].reported for name in stored):
        st.caption(plain(f"The paper: {said}"))
    if other := [name for name, result in stored.items() if result is not None and not result.by_this_code]:
        st.warning(f"Made by another version of the code ({', '.join(other)}): numbers made now may differ.")
    drawn_by = CHARTS[shown.paper, shown.label]
    for name, result in stored.items():
        study(_key(shown, name), name, drawn_by[name], result)
    if verdict := again.verdict_on(shown):
        st.markdown(f"By the rows made again here: **{verdict}**.")
    with st.container(horizontal=True, gap="small"):
        links.races(shown.paper, shown.label)
    if found.checks:
        claims(found)
    for name, result in stored.items():
        tables(_key(shown, name), name, drawn_by[name], result)
        if name in made and (begun := _largest(name)) is not None and not begun.finished:
            rows_of(f"{_key(shown, name)} {begun.scale}", name, begun)


def beside(name: str) -> None:
    """A study that no figure or table rests on."""
    asked, result = STUDIES[name], _largest(name)
    st.subheader(asked.title, anchor=False)
    st.caption(plain(f"{asked.source}. The paper: {asked.reported}"))
    if result is None:
        st.markdown(
            f"**Not attempted**. {plain('; '.join(f'{scale}: {what}' for scale, what in asked.scales.items()))}."
        )
    else:
        st.markdown(f"At {result.scale} scale: {plain(asked.scales[result.scale])}.")
        if not result.by_this_code:
            st.warning("Made by another version of the code: numbers made now may differ.")
        if result.finished and name in FINDINGS:
            st.markdown(f"**What came out.** {' '.join(plain(said) for said in FINDINGS[name](result.rows))}")
    study(name, name, BESIDE.get(name), result)
    tables(name, name, BESIDE.get(name), result)


def study(key: str, name: str, charts_of: Charts | None, result: StoredResult | None) -> None:
    """The charts of a study, and what may be made of it here.

    key : what its widgets are known by
    """
    offered = again.offer(name)
    if result is not None and not result.finished:
        st.caption(f"Stored so far: {len(result.rows)} rows at {result.scale} scale, not yet all.")
    making.watched(name, partial(charts.draw, key, charts_of, result))
    with st.container(horizontal=True, gap="small"):
        making.buttons(key, name, offered)
        links.training(name, result.scale if result is not None else QUICK)
    if sentence := making.refused(name) or offered.refusal:
        st.caption(plain(sentence))


def tables(key: str, name: str, charts_of: Charts | None, result: StoredResult | None) -> None:
    """The values that are drawn of a study, its rows, and how they were made, behind lines that open."""
    charts.values(key, name, charts_of, result, again.made(name))
    if result is not None:
        rows_of(key, name, result)


def _key(shown: Exhibit, name: str) -> str:
    """What widgets of an exhibit and a study of it are known by."""
    return f"{shown.paper} {shown.label} {name}"


def claims(found: Verdict) -> None:
    """What the paper reports, and whether ours agrees, behind a line that opens."""
    with st.expander(f"What the verdict rests on: {len(found.checks)} claims"):
        for check in found.checks:
            holds = "holds" if check.holds else "does not hold"
            st.markdown(f"- {check.grade.capitalize()}, {holds}: {check.claim}.  \n  Ours: {check.evidence}.")


def _largest(name: str) -> StoredResult | None:
    """What is stored of a study at its largest scale, whole or not; None where that cannot be read: the verdict says
    so.
    """
    try:
        return next(iter(results(name).values()), None)
    except ValueError:
        return None
