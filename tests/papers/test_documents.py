"""Each number in a table of the results' documents is one of the stored rows that its section links to, rounded."""

import re
import statistics
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from boltzcore.papers.conditional import TASKS
from boltzcore.papers.stored import RESULTS, load
from boltzcore.papers.study import Row

pytestmark = pytest.mark.nightly
KEYS = ("d", "data", "learner", "method", "model", "rate", "start", "training")  # tables hold means over the others
Value = float | str | list | dict | None


def leaves(value: Value) -> Iterator[float]:
    """The numbers of a stored value, and of each list its median, least and most."""
    if isinstance(value, dict | list):
        found = [each for part in (value.values() if isinstance(value, dict) else value) for each in leaves(part)]
        yield from found
        yield from summaries(found) if isinstance(value, list) else ()
    elif isinstance(value, int | float):
        yield value


def summaries(values: list[float]) -> list[float]:
    return [of(values) for of in (statistics.fmean, statistics.median, min, max)] if values else []


def numbers(study: str, rows: tuple[Row, ...]) -> Iterator[float]:
    """All numbers that a table of these rows may show."""
    yield from (number for row in rows for number in leaves(dict(row)))
    tasks = {study, *(row.get("study") for row in rows)} & {*TASKS}
    yield from (number for task in tasks for of in TASKS[task].errors.values() for number in of.values())
    keys = [key for key in KEYS if key in rows[0]]
    for by in (*((key,) for key in keys), *combinations(keys, 2)):
        for cell in {tuple(row[key] for key in by) for row in rows}:
            group = [row for row in rows if tuple(row[key] for key in by) == cell]
            for field in group[0]:
                found = summaries([row[field] for row in group if isinstance(row.get(field), int | float)])
                d = group[0].get("d", 0)
                yield from found
                yield from (each / (parts * d * (d + 1) / 2) for each in found if d for parts in (1, 5))  # MSE / (q R)


def digits(text: str, number: float) -> str:
    """A number with as many digits as a text has."""
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return f"{number:.{decimals}e}".replace("e-0", "e-") if exponent else f"{number:.{decimals}f}"


SECTIONS = [
    (document, heading, section)
    for document in sorted(RESULTS.glob("*.md"))
    if document.name != "README.md"  # a list of the others
    for heading, section in re.findall(r"^#+ (.*)\n((?:(?!#+ ).*\n?)*)", document.read_text(encoding="utf-8"), re.M)
    if "\n| ---" in section or "\n|---" in section
]


@pytest.mark.parametrize(("document", "heading", "section"), SECTIONS, ids=[each[1] for each in SECTIONS])
def test_a_table_holds_numbers_of_the_stored_rows(document: Path, heading, section):
    linked = [name.rpartition("-") for name in re.findall(r"\]\(([\w-]+)\.json\)", section)]
    assert linked
    known = {number for study, _, scale in linked for number in numbers(study, load(study, scale).rows)}
    body = "\n".join(line for line in section.splitlines() if line.startswith("|"))
    shown = set(re.findall(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?", body.replace("\N{MINUS SIGN}", "-")))
    assert shown
    assert {text for text in shown if text not in {digits(text, each) for each in known}} <= {"-21.1"}  # of the law
