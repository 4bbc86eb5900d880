"""`compare` as a person and as a script use it: presets, a file, what comes out, and what is refused."""

import json
from dataclasses import replace

import pandas
import pytest

from boltzcore import Comparison, compare
from boltzcore.comparison.presets import COMPARISON_PRESETS
from tests.conftest import REPOSITORY
from tests.runs.toys import batch

COMPARISON = Comparison(batch(30, every=10), {"CD-1": {}, "PCD": {"learner": "PCD", "PCD.batch_size": 0}}, trials=3)


@pytest.fixture
def run(run_command, tmp_path, monkeypatch):
    """Run the command with trials of its own: (status, standard output, standard error)."""
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    return lambda *arguments: run_command("compare", *arguments)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "comparison.json"
    path.write_text(COMPARISON.to_json(), encoding="utf-8-sig")  # as editors of Windows write it
    return path


def test_a_file_gives_what_the_library_gives_to_the_last_digit_and_is_trained_once(run, file, tmp_path):
    first, second = tmp_path / "one.csv", tmp_path / "two.csv"
    assert [run(file, "--csv", out)[0] for out in (first, second)] == [0, 0]
    assert first.read_text() == second.read_text()  # seconds, too: nothing is trained again
    written = pandas.read_csv(first).drop(columns="seconds")
    assert written.to_csv(index=False, lineterminator="\n") == compare(COMPARISON).csv(seconds=False)


def test_json_has_the_table_and_the_sentence(run, file):
    status, out, _ = run(file, "--reference", "PCD", "--trials", "2", "--json")
    found = json.loads(out)
    assert (status, found["finished"], found["reference"]) == (0, True, "PCD")
    assert found["sentence"] == compare(COMPARISON.changed(trials=2, reference="PCD")).sentence()
    assert not any(row["claimed"] for row in found["rows"])  # of 2 trials
    assert [row["contender"] for row in found["rows"]] == ["CD-1", "PCD"]
    assert found["rows"][1]["difference"] is None


def test_a_preset_is_written_as_a_file_that_is_read_again(run, tmp_path, monkeypatch):
    monkeypatch.setitem(COMPARISON_PRESETS, "toy", replace(COMPARISON_PRESETS["digits"], comparison=COMPARISON))
    assert run("--preset", "toy", "--trials", "1", "--write", tmp_path / "toy.json")[0] == 0
    assert Comparison.from_json((tmp_path / "toy.json").read_text()) == COMPARISON.changed(trials=1)


def test_presets_are_listed(run):
    status, out, _ = run()
    assert status == 0
    assert all(name in out for name in COMPARISON_PRESETS)
    assert list(json.loads(run("--json")[1])) == list(COMPARISON_PRESETS)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--preset", "none"), "--preset"),
        (("--csv", "out.csv", "--trials", "3"), "--csv, --trials"),
        (("--reference", "CD", "--json"), "--reference"),
        (("--preset", "digits", "--reference", "CD"), "reference"),
        (("--preset", "digits", "--csv", "nowhere/records.csv"), "records.csv"),
    ],
)
def test_what_cannot_be_done_is_refused(refuse, monkeypatch, arguments, named):
    monkeypatch.chdir(REPOSITORY)
    assert named in refuse("compare", *arguments)
