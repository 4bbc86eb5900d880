"""The page Papers: a verdict on each figure and table, its evidence, and how it was made."""

import dataclasses
from unittest.mock import Mock
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore import Comparison, Recipe
from boltzcore.papers import stored
from boltzcore.papers.citations import PAPERS
from boltzcore.papers.exhibits import EXHIBITS, judge_exhibit
from boltzcore.quoting import Refusal
from pages.exhibits import exhibit
from tests.pages.visit import at, text_of, visit


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
            assert shown.header[0].value == judge_exhibit(each).title
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
    whole = stored.load("dcp-mnist", "quick")
    begun = dataclasses.replace(whole, scale="long", finished=False, rows=whole.rows[:2])
    monkeypatch.setattr(exhibit, "results", lambda _: {"long": begun, "quick": whole})
    assert [len(each.value) for each in page("2", "figure-3").dataframe] == [15, 2]


@pytest.mark.parametrize(("paper", "exhibit"), [("9", "figure-1"), ("1", "figure-7")])
def test_a_paper_or_a_figure_that_is_none_is_said(paper, exhibit):
    test = page(paper, exhibit)
    assert len(test.warning) == 1
    assert [each.value for each in test.selectbox] == ["1", "figure-1"]


def test_a_damaged_file_is_said(monkeypatch):
    monkeypatch.setattr(stored, "load", Mock(side_effect=Refusal("DAMAGED")))
    assert "DAMAGED" in text_of(page("2"))


def test_comparisons_of_learners_open_as_races_and_studies_in_train():
    test = page("2", "figure-2")
    links = {each.proto.label: each.proto.url for each in test.get("link_button")}
    comparison = Comparison.from_query(dict(parse_qsl(links["Open as a race: rate 0.5"].removeprefix("compare?"))))
    assert comparison.names == ("CD", "PCD", "CG", "S-DCP", "CS-DCP")
    assert Recipe.from_query(dict(parse_qsl(links["Open in Train"].removeprefix("train?")))).data.name
