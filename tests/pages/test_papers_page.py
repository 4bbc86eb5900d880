"""The page Papers: a verdict on each figure and table, its evidence, and how it was made."""

import dataclasses
import threading
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore import Comparison, Recipe
from boltzcore.jobs.engine import Engine
from boltzcore.jobs.store import Store
from boltzcore.papers import STUDIES, stored
from boltzcore.papers.citations import PAPERS
from boltzcore.papers.exhibits import EXHIBITS, judged
from pages.common import lab
from pages.exhibits import again, exhibit
from tests.pages.visit import at, enabled, labels, press, said, until, visit


def page(paper: str, exhibit: str = "figure-1") -> AppTest:
    """The page at an address, with its details open."""
    return visit("papers", {"details": True}, paper=paper, exhibit=exhibit)


@pytest.mark.parametrize("paper", PAPERS)
def test_one_figure_at_a_time_has_its_verdict_and_the_address_keeps_which(paper):
    test = visit("papers")
    test.selectbox(key="paper").select(paper).run()
    for each in (each for each in EXHIBITS if each.paper == paper):
        name = each.label.lower().replace(" ", "-")
        test.selectbox(key="exhibit").select(name).run()
        for shown in (test, visit("papers", **at(test))):
            assert shown.header[0].value == judged(each).verdict.capitalize()
            assert (shown.selectbox(key="exhibit").value, len(shown.warning)) == (name, 0)


def test_another_paper_begins_with_its_first_figure():
    test = page("2", "figure-7")
    test.selectbox(key="paper").select("5").run()
    assert (at(test), len(test.warning)) == ({"paper": "5"}, 0)


def test_all_rows_are_there_with_their_lists_as_texts():
    assert not visit("papers", paper="2").dataframe
    rows = page("2").dataframe[0].value
    assert len(rows) == 60
    assert set(rows["epochs"]) == {"1000, 5000, 10000, 20000, 30000, 50000"}


def test_rows_of_a_larger_scale_that_are_not_all_yet_stand_beside_the_whole_result(monkeypatch):
    whole = stored.stored("dcp-mnist", "quick")
    begun = dataclasses.replace(whole, scale="long", finished=False, rows=whole.rows[:2])
    monkeypatch.setattr(exhibit, "results", lambda _: {"long": begun, "quick": whole})
    assert [len(each.value) for each in page("2", "figure-3").dataframe] == [15, 2]


@pytest.mark.parametrize(("paper", "exhibit"), [("9", "figure-1"), ("1", "figure-7")])
def test_a_paper_or_a_figure_that_is_none_is_said(paper, exhibit):
    test = page(paper, exhibit)
    assert len(test.warning) == 1
    assert [each.value for each in test.selectbox] == ["1", "figure-1"]


def test_a_damaged_file_is_said(monkeypatch):
    def damaged(*_):
        raise ValueError("DAMAGED")

    monkeypatch.setattr(stored, "stored", damaged)
    assert "DAMAGED" in said(page("2"))


# -- reruns -----------------------------------------------------------------------------------


@pytest.fixture
def engine(monkeypatch, tmp_path):
    """An engine with folders of its own."""
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    made = Engine(Store(tmp_path))
    monkeypatch.setattr(lab, "engine", lambda: made)
    yield made
    made.shutdown()


@pytest.fixture
def slow(monkeypatch):
    """Lets the study of table 1 of paper 4 make its stored rows one by one, each once it is let."""
    let = threading.Semaphore(0)
    rows = [dict(row) for row in stored.stored("fsll-table-1", "quick").rows]

    def make(scale, cells, tick):
        for place in range(3):
            while not let.acquire(timeout=0.01):
                tick(place / 3)
            yield rows[place]

    study = STUDIES["fsll-table-1"]
    changes = {"cells": lambda scale: study.cells(scale)[:3], "make": make}
    monkeypatch.setitem(STUDIES, "fsll-table-1", dataclasses.replace(study, **changes))
    return let


def test_a_rerun_counts_the_rows_that_equal_the_stored_ones_and_is_cancelled(engine, slow, monkeypatch):
    before = {file: file.read_bytes() for file in stored.RESULTS.iterdir() if file.is_file()}
    test = page("4", "figure-4")
    press(test, "Rerun on this server")
    press(test, "Cancel")
    until(lambda: engine.works.get("fsll-table-1").thread is None)  # it takes nothing that the next one is let
    press(test.run(), "Rerun on this server")
    work = engine.works.get("fsll-table-1")
    assert "Rerun on this server" not in labels(test)
    assert not enabled(page("4", "figure-4"), "Cancel")  # another visitor may only watch
    assert enabled(test, "Cancel")
    slow.release(3)
    until(lambda: not work.moving)
    assert any("3 of 3" in each.value for each in test.run().caption)
    assert "Rerun on this server" in labels(test)
    assert {file: file.read_bytes() for file in stored.RESULTS.iterdir() if file.is_file()} == before
    monkeypatch.setattr(again, "LONGEST", 1.0)
    assert "Rerun on this server" not in labels(page("4", "figure-4"))


def test_comparisons_of_learners_open_as_races_and_studies_in_train():
    test = page("2", "figure-2")
    links = {each.proto.label: each.proto.url for each in test.get("link_button")}
    comparison = Comparison.from_query(dict(parse_qsl(links["Open as a race: rate 0.5"].removeprefix("compare?"))))
    assert comparison.names == ("CD", "PCD", "CG", "S-DCP", "CS-DCP")
    assert Recipe.from_query(dict(parse_qsl(links["Open in Train"].removeprefix("train?")))).data.name
