"""Results of studies as files: what made them, what a reader refuses, and how a stopped study goes on."""

import dataclasses
import json
import math
from itertools import islice

import pytest

from boltzcore.data.patterns import ShiftingBar
from boltzcore.papers import STUDIES, stored
from boltzcore.papers.study import Study
from boltzcore.ticks import Stopped, idle

NAMES = ("a", "b", "c")


@pytest.fixture
def made(monkeypatch):
    """The cells that a small study has made, one after the other."""
    cells = list[str]()

    def make(scale, left, tick):
        for (name,) in left:
            tick(0.5)
            cells.append(name)
            yield {"values": [1 / 3, math.inf]}

    study = Study(
        title="t",
        source="s",
        scales={"quick": "a look"},
        names=("name",),
        cells=lambda scale: [(name,) for name in NAMES],
        make=make,
        parts=lambda scale: [ShiftingBar()],
    )
    monkeypatch.setitem(STUDIES, "small", study)
    stored.numerics_of.cache_clear()
    yield cells
    stored.numerics_of.cache_clear()


def stopping(after):
    """A tick that stops a study once so many rows are under way."""
    calls = iter(range(100))

    def tick(fraction=0.0):
        if fraction and next(calls) == after:
            raise Stopped

    return tick


def test_a_result_says_by_what_it_was_made(made, tmp_path):
    rows = list(stored.stored_rows("small", "quick", idle, tmp_path))
    result = stored.load("small", "quick", tmp_path)
    assert result.finished
    assert result.is_current
    assert [row["name"] for row in result.rows] == [row["name"] for row in rows] == list(NAMES)
    assert result.rows[0]["values"] == [0.333333333, None]
    provenance = result.provenance
    assert provenance.command == "python -m boltzcore study small --scale quick --store"
    assert list(provenance.data) == ["shifting-bar"]


def test_a_stopped_study_goes_on_where_it_was(made, tmp_path):
    with pytest.raises(Stopped):
        list(stored.stored_rows("small", "quick", stopping(after=2), tmp_path))
    left = stored.load("small", "quick", tmp_path)
    assert not left.finished
    assert [row["name"] for row in left.rows] == ["a", "b"]
    assert [row["name"] for row in stored.stored_rows("small", "quick", idle, tmp_path)] == list(NAMES)
    assert made == list(NAMES)
    assert stored.load("small", "quick", tmp_path).finished


def test_a_row_that_another_study_has_is_not_made_again(made, monkeypatch, tmp_path):
    small = dataclasses.replace(STUDIES["small"], same_as=lambda scale, cell: cell)
    other = dataclasses.replace(small, names=("other",), cells=lambda scale: [("c",), ("b",)])
    for name, study in {"small": small, "other": other}.items():
        monkeypatch.setitem(STUDIES, name, study)
    list(stored.stored_rows("other", "quick", idle, tmp_path))
    assert made == ["c", "b"]
    list(stored.stored_rows("small", "quick", idle, tmp_path))
    assert made == ["c", "b", "a"]
    rows = stored.load("small", "quick", tmp_path).rows
    assert [row.get("name") for row in rows] == list(NAMES)
    assert {tuple(row) for row in rows} == {("name", "values")}


def test_rows_of_earlier_numerics_are_made_again(made, monkeypatch, tmp_path):
    with pytest.raises(Stopped):
        list(stored.stored_rows("small", "quick", stopping(after=1), tmp_path))
    monkeypatch.setattr(ShiftingBar, "numerics", 2)
    stored.numerics_of.cache_clear()
    assert not stored.load("small", "quick", tmp_path).is_current
    list(stored.stored_rows("small", "quick", idle, tmp_path))
    assert made == ["a", "a", "b", "c"]


@pytest.mark.parametrize(
    "change",
    [
        {"scale": "paper"},
        {"rows": "many"},
        {"rows": [{"value": {"a": 1}}]},
        {"rows": [{"value": [[[[1]]]]}]},
        {"finished": "yes"},
        {"provenance": {}},
        "{",
        "[" * 100_000,
        " " * (stored.MOST_BYTES + 1),
    ],
)
def test_a_file_that_is_no_result_is_refused(made, tmp_path, change):
    list(stored.stored_rows("small", "quick", idle, tmp_path))
    file = stored.file_of("small", "quick", tmp_path)
    file.write_text(change if isinstance(change, str) else json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(ValueError, match=r"small-quick\.json cannot be read"):
        stored.load("small", "quick", tmp_path)


@pytest.mark.parametrize("name", ["bslm-figure-1", "fsll-table-1", "dcp-small", "crbm-noise-20"])
def test_a_study_makes_no_row_that_is_kept(name):
    assert list(STUDIES[name].rows("quick", idle, stored.load(name, "quick").rows)) == []


@pytest.mark.parametrize(("name", "rows"), [("dcp-small", 5), ("everything-looks-right", 4)])
def test_a_current_result_is_made_again_row_by_row(name, rows, tmp_path):
    if not stored.load(name, "quick").is_current:
        pytest.skip(f"the stored result of {name} is of an earlier version")
    assert len(list(islice(stored.stored_rows(name, "quick", idle, tmp_path), rows))) == rows
    made, kept = (stored.load(name, "quick", folder).rows for folder in (tmp_path, stored.RESULTS))
    alike = [{key: value for key, value in row.items() if "seconds" not in key} for row in (*made, *kept)]
    assert all(row in alike[rows:] for row in alike[:rows])
