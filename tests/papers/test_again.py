"""Studies made again: which a server makes, where their rows go, and what they say beside the stored ones."""

import dataclasses
import json
import shutil

import pytest

from boltzcore.papers import STUDIES, again, stored
from boltzcore.papers.exhibits import EXHIBITS
from boltzcore.parameters import Refusal
from boltzcore.runs.engine import Engine
from boltzcore.runs.store import Store

NAME = "fsll-table-1"
TABLE = next(each for each in EXHIBITS if each.studies == (NAME,))


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """A data folder of its own, and what was stored of a study of 18 rows as if it was made there."""
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    place = tmp_path / again.FOLDER
    place.mkdir()
    file = stored.file_of(NAME, "quick")
    shutil.copy(file, place)
    return place / file.name


def test_a_study_that_is_short_is_offered_at_its_quick_scale():
    offered = again.offer(NAME)
    assert (offered.scale, offered.refusal) == ("quick", "")
    assert 0 < offered.seconds <= again.LONGEST


def test_every_other_says_why_not(monkeypatch, tmp_path):
    engine = Engine(Store(tmp_path))
    monkeypatch.setattr(again, "results", lambda name: {})
    for name in STUDIES:
        assert again.offer(name).refusal.startswith("It is not made again here: no whole result")
        with pytest.raises(Refusal, match="It is not made again here"):
            again.begin(engine, name)
    engine.shutdown()


def test_the_scale_that_took_least_is_taken(monkeypatch):
    found = stored.stored(NAME, "quick")

    def results(name):
        return {
            scale: dataclasses.replace(
                found, scale=scale, provenance=dataclasses.replace(found.provenance, seconds=seconds)
            )
            for scale, seconds in (("paper", 4_000.0), ("sample", 100.0), ("quick", 3_000.0))
        }

    monkeypatch.setattr(again, "results", results)
    monkeypatch.setattr(again, "_sources", lambda name, scale: [])
    assert again.offer(NAME) == again.Offer("sample", 100.0)
    monkeypatch.setattr(again, "LONGEST", 60.0)
    assert (
        "the stored result at sample scale took 1.7 minutes, and a page repeats only what took at most 1."
        in again.offer(NAME).refusal
    )


def test_what_was_made_again_has_its_own_verdict(kept):
    made = again.made(NAME)
    assert made.finished
    assert again.equal_rows(made) == len(made.rows) == 18
    assert again.verdict_on(TABLE) == "same order"


@pytest.mark.parametrize(("field", "equal"), [("kl_to_data", 17), ("seconds", 18)])
def test_a_row_that_differs_in_more_than_seconds_is_counted_as_such(kept, field, equal):
    result = json.loads(kept.read_text())
    result["rows"][0][field] = [9.5]
    kept.write_text(json.dumps(result))
    assert again.equal_rows(again.made(NAME)) == equal


def test_a_damaged_file_counts_for_nothing_and_is_made_anew(kept):
    kept.write_text("no JSON")
    assert again.made(NAME) is None
    assert again.verdict_on(TABLE) == ""
    part = kept.with_name("dcp-small-quick.part.json")
    part.write_text("no JSON")
    again._rows("dcp-small", "quick", lambda fraction: None)
    assert not part.exists()
