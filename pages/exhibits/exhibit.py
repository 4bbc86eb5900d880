"""A figure or table of a paper: its verdict, its charts, what may be made of it here, and what all of that rests on."""

from collections.abc import Mapping

import streamlit as st

from boltzcore.papers import STUDIES
from boltzcore.papers.exhibits import Draw, Exhibit
from boltzcore.papers.stored import StoredResult, results
from boltzcore.papers.verdicts import Verdict
from pages.common.words import plain
from pages.exhibits import again, charts, links
from pages.exhibits.rows import rows_of


def exhibit(shown: Exhibit, found: Verdict, made: Mapping[str, StoredResult]) -> None:
    """A figure or table.

    made : {study: the whole result that the verdict rests on}; empty where there is none
    """
    st.subheader(f"{shown.label}: {shown.title}", anchor=False)
    scales = ", ".join(dict.fromkeys(f"{result.scale} scale" for result in made.values()))
    with_scale = f" ({scales})" if scales else ""
    st.markdown(f"**{found.verdict.capitalize()}**{with_scale}. {plain(found.reason)}")
    stored = {name: made.get(name) or _largest(name) for name in shown.studies}
    for reported in dict.fromkeys(f"{STUDIES[name].source}: {STUDIES[name].reported}" for name in stored):
        st.caption(plain(reported))
    if other := [name for name, result in stored.items() if result is not None and not result.is_current]:
        st.warning(f"Made by an earlier version ({', '.join(other)}): numbers made now may differ.")
    for name, result in stored.items():
        study(_key(shown, name), name, shown.charts[name], result)
    with st.container(horizontal=True, gap="small"):
        links.races(shown)
    if found.checks:
        claims(found)
    for name, result in stored.items():
        if result is not None:
            rows_of(_key(shown, name), name, result)
        if name in made and (begun := _largest(name)) is not None and not begun.finished:
            rows_of(f"{_key(shown, name)} {begun.scale}", name, begun)


def study(key: str, name: str, drawn_by: Draw, result: StoredResult | None) -> None:
    """Draw the charts of a study, and offer to rerun it and to open its first training.

    key : of the exhibit and the study
    """
    if result is not None and not result.finished:
        st.caption(f"Stored so far: {len(result.rows)} rows at {result.scale} scale, not yet all.")
    if result is not None and (plots := drawn_by(result.rows)):
        charts.draw(key, plots, result)
    links.training(name, result.scale if result is not None else again.QUICK)
    again.rerun(key, name)


def _key(shown: Exhibit, name: str) -> str:
    """Return the key of widgets of an exhibit and a study of it."""
    return f"{shown.paper} {shown.label} {name}"


def claims(found: Verdict) -> None:
    """Show each claim of the paper and our evidence, in an expander."""
    with st.expander(f"What the verdict rests on: {len(found.checks)} claims"):
        for check in found.checks:
            holds = "holds" if check.holds else "does not hold"
            st.markdown(f"- {check.grade.capitalize()}, {holds}: {check.claim}.  \n  Ours: {check.evidence}.")


def _largest(name: str) -> StoredResult | None:
    """Return the stored result of a study at its largest scale, finished or not; None if it cannot be read, which the
    verdict reports.
    """
    try:
        return next(iter(results(name).values()), None)
    except ValueError:
        return None
