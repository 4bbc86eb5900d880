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
from pages.exhibits import again
from tests.pages import visit
from tests.pages.visit import until


def page(*opened: str, **query: str) -> AppTest:
    """The page at an address, with these lines open."""
    return visit.visit("papers", dict.fromkeys(opened, True), **query)


def text_of(test: AppTest) -> str:
    return "\n".join(each.value for each in test.markdown)


@pytest.mark.parametrize("paper", PAPERS)
def test_each_figure_has_its_verdict(paper):
    test = page(paper=paper)
    mine = [each for each in EXHIBITS if each.paper == paper]
    titles = [each.value for each in test.subheader]
    assert titles == [f"{each.label}: {each.title}" for each in mine]
    for each in mine:
        assert f"**{judged(each)[0].verdict.capitalize()}**" in text_of(test)


def test_all_rows_are_there_with_their_lists_as_texts():
    assert not page(paper="2").dataframe
    rows = page("rows 2 Figure 1 dcp-small", paper="2").dataframe[0].value
    assert len(rows) == 20
    assert set(rows["epochs"]) == {"1000, 5000, 10000, 20000, 30000, 50000"}


def test_rows_of_a_larger_scale_that_are_not_all_yet_stand_beside_the_whole_result(monkeypatch):
    whole = stored.stored("dcp-mnist", "quick")
    begun = dataclasses.replace(whole, scale="long", finished=False, rows=whole.rows[:2])
    begun = dataclasses.replace(begun, provenance=dataclasses.replace(whole.provenance, seconds=1e9))
    read = stored.stored
    monkeypatch.setattr(
        stored, "stored", lambda name, scale: begun if (name, scale) == ("dcp-mnist", "long") else read(name, scale)
    )
    test = page("rows 2 Figure 3 dcp-mnist long", paper="2")
    assert len(test.dataframe[0].value) == 2
    assert "(dcp-mnist: one trial of 10 epochs)" in text_of(test)  # the verdict is on the whole result


def test_a_paper_that_is_none_is_said():
    test = page(paper="9")
    assert len(test.warning) == 1
    assert test.selectbox[0].value == "1"


def test_a_damaged_file_takes_no_other_figure_away(monkeypatch):
    def damaged(*_):
        raise ValueError("DAMAGED")

    monkeypatch.setattr(stored, "stored", damaged)
    test = page(paper="2")
    assert len(test.subheader) == 8
    assert "DAMAGED" in text_of(test)


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


TABLE = "4 Table 1 and figure 3 fsll-table-1"


def button(test, label):
    """The button of table 1 of paper 4 with this label; None where there is none."""
    return next((each for each in test.button if each.label == label and each.key.endswith(TABLE)), None)


def test_a_rerun_counts_the_rows_that_equal_the_stored_ones_and_is_cancelled(engine, slow, monkeypatch):
    before = {file: file.read_bytes() for file in stored.RESULTS.iterdir() if file.is_file()}
    test = page(paper="4")
    button(test, "Rerun on this server").click().run()
    button(test, "Cancel").click().run()
    until(lambda: engine.works.get("fsll-table-1").thread is None)  # it takes nothing that the next one is let
    button(test.run(), "Rerun on this server").click().run()
    work = engine.works.get("fsll-table-1")
    assert button(test, "Rerun on this server") is None
    assert button(page(paper="4"), "Cancel").disabled  # another visitor may only watch
    assert not button(test, "Cancel").disabled
    slow.release(3)
    until(lambda: not work.moving)
    assert any("3 of 3" in each.value for each in test.run().caption)
    assert button(test, "Rerun on this server") is not None
    assert {file: file.read_bytes() for file in stored.RESULTS.iterdir() if file.is_file()} == before
    monkeypatch.setattr(again, "LONGEST", 1.0)
    assert button(page(paper="4"), "Rerun on this server") is None


def test_comparisons_of_learners_open_as_races_and_studies_in_train():
    test = page(paper="2")
    links = {each.proto.label: each.proto.url for each in test.get("link_button")}
    comparison = Comparison.from_query(dict(parse_qsl(links["Open as a race: rate 0.5"].removeprefix("compare?"))))
    assert comparison.names == ("CD", "PCD", "CG", "S-DCP", "CS-DCP")
    assert Recipe.from_query(dict(parse_qsl(links["Open in Train"].removeprefix("train?")))).data.name
