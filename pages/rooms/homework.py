"""Homework of a class: the files of students as a table and as CSV."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from boltzcore.data.table_text import csv_text
from boltzcore.quoting import Refusal, cell, cut
from pages.common.downloads import download
from pages.common.words import warn
from pages.lessons.catalogue import LESSONS
from pages.lessons.homework import Homework
from pages.parts import uploads

MOST = 100  # files


def read() -> None:
    """Draw the upload of homework files, and the table of the class."""
    panel = st.expander("Homework", key="homework", on_change="rerun")
    if not panel.open:
        return
    with panel:
        st.markdown("Students make these files with Share on a lesson. They are not signed, and nothing is stored.")
        files: Sequence[Any] = uploads.uploader(
            "Homework files", type="json", accept_multiple_files=True, key="homework files"
        )
        found, refused = [], [f"Only the first {MOST} files are read."] * (len(files or []) > MOST)
        for file in (files or [])[:MOST]:
            try:
                found.append(Homework.from_json(file.getvalue()))
            except Refusal as refusal:
                refused.append(f"File {cut(file.name, 60)}: {refusal}")
        warn(refused, "files were refused")
        if found:
            st.dataframe(_table(found), hide_index=True)
            download("Answers as CSV", "homework.csv", lambda: to_csv(found), "numbers")


def _table(found: Sequence[Homework]) -> dict[str, list[Any]]:
    return {
        "Name": [each.name for each in found],
        "Lesson": [LESSONS[each.lesson].title for each in found],
        "Steps done": [f"{sum(reply.done for reply in each.replies)} of {len(each.replies)}" for each in found],
        "Right predictions": [sum(each.right) for each in found],
        "Reasons": [sum(map(bool, each.reasons)) for each in found],
    }


def to_csv(found: Sequence[Homework]) -> str:
    """Return a row for each student and step."""
    lines = []
    for each in found:
        steps = zip(LESSONS[each.lesson].steps, each.replies, each.right, each.reasons, each.runs, strict=True)
        for number, (step, reply, right, reason, run) in enumerate(steps, 1):
            predicted = "" if reply.predicted is None else step.predict.options[reply.predicted]
            judged = "" if reply.predicted is None else "yes" if right else "no"
            done, numbers = "yes" if reply.done else "no", " ".join(f"{value:g}" for value in run)
            lines.append([cell(each.name), each.lesson, number, cell(predicted), judged, done, cell(reason), numbers])
    return csv_text(("name", "lesson", "step", "prediction", "right", "done", "reason", "run"), lines)
