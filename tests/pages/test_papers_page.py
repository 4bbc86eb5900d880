"""The page Papers: a verdict on each figure and table, its evidence, and how it was made."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.papers import exhibits
from boltzcore.papers.exhibits import EXHIBITS, PAPERS, judged

PAGE = Path(__file__).resolve().parents[2] / "pages" / "papers.py"


def page(**query: str) -> AppTest:
    test = AppTest.from_file(str(PAGE), default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def text_of(test: AppTest) -> str:
    return "\n".join(each.value for each in test.markdown)


@pytest.mark.parametrize("paper", PAPERS)
def test_each_figure_has_its_verdict(paper):
    test = page(paper=paper)
    assert not test.exception
    mine = [each for each in EXHIBITS if each.paper == paper]
    assert [each.value for each in test.subheader] == [f"{each.label}: {each.title}" for each in mine]
    for each in mine:
        assert f"**{judged(each)[0].verdict.capitalize()}**" in text_of(test)


def test_a_result_says_how_it_was_made():
    test = page(paper="2")
    assert "study dcp-small --scale paper --store" in test.code[0].value
    assert any("How study dcp-small was made" in each.label for each in test.expander)


def test_all_rows_are_there_with_their_lists_as_texts():
    tables = (each.value for each in page(paper="2").dataframe)
    rows = next(table for table in tables if "epochs" in table)
    assert len(rows) == 20
    assert set(rows["epochs"]) == {"1000, 5000, 10000, 20000, 30000, 50000"}


def test_the_values_that_are_drawn_stand_in_a_table():
    first = page(paper="2").dataframe[0].value
    assert list(first)[:2] == ["Epochs", "CD"]
    assert first["CD"].iloc[-1] == pytest.approx(-2.62, abs=0.01)


def test_a_paper_that_is_none_is_said():
    test = page(paper="9")
    assert "paper must be one of 1, 2, 3, 4, 5" in test.warning[0].value
    assert test.selectbox[0].value == "1"


def test_a_damaged_file_takes_no_other_figure_away(monkeypatch):
    def damaged(name):
        raise ValueError("The stored result x.json cannot be read.")

    monkeypatch.setattr(exhibits.stored, "results", damaged)
    test = page(paper="2")
    assert not test.exception
    assert text_of(test).count("cannot be read") == 8
