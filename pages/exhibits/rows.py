"""The rows of a result and by what they were made, behind lines that open."""

from collections.abc import Mapping

import streamlit as st

from boltzcore.papers import STUDIES
from boltzcore.papers.stored import StoredResult
from boltzcore.quoting import number
from pages.common.words import plain


def rows_of(key: str, name: str, result: StoredResult) -> None:
    """The rows of a study's result, made once their line opens, and by what they were made.

    key : of the exhibit and the study
    """
    study, by = STUDIES[name], result.provenance
    all_rows, how = f"All rows of study {name}", f"How study {name} was made"
    if not result.finished:
        all_rows = f"Rows of study {name} at {result.scale} scale so far: {len(result.rows)}"
        how = f"How study {name} is made at {result.scale} scale"
    with (line := st.expander(all_rows, key=f"rows {key}", on_change="rerun")):
        if line.open:
            st.dataframe([flat(row) for row in result.rows], hide_index=True)
    with st.expander(how):
        data = "; ".join(f"{source}: {', '.join(each[:12] for each in by.data[source])}" for source in by.data)
        st.code(by.command, language="bash", wrap_lines=True)
        st.markdown(
            f"- {plain(study.scales[result.scale])}\n"
            f"- version {plain(by.version)}, {plain(by.date)}\n"
            f"- {by.seconds:,.0f} s, threads: {by.threads}, {plain(by.processor)}\n"
            f"- seeds: {min(by.seeds, default=0)} to {max(by.seeds, default=0)}\n"
            f"- data, by the beginnings of their digests: {plain(data)}"
        )


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
