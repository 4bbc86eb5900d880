"""The Train page of a log-linear model, as frames: plain values, without a browser."""

import csv
import dataclasses
import math
import threading
from concurrent.futures import wait

import numpy as np
from streamlit.testing.v1 import AppTest

from boltzcore.data.patterns import Parity
from boltzcore.learners import GreedyMDL
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures import questions
from pages.figures.frame import Table
from pages.views import answers, log_linear
from pages.web.background import in_background
from tests.pages.train import current, frame, opened, panels, step, trained, values, view

PARITY = Recipe("log-linear", Parity(), GreedyMDL(price=0.5), Schedule(length=200, every=1, unit="updates"))
SENATE = dataclasses.replace(PARITY, data="senate", learner=GreedyMDL())


FROM, TO = "95 % from", "to"


def cells(panel, title: str) -> tuple[str, ...]:
    return next(each.texts for each in panel.content.columns if each.title == title)


def test_terms_are_listed_strongest_first_with_what_they_gain_and_cost():
    table = panels(view(SENATE))["terms"].content
    assert isinstance(table, Table)
    columns = {each.title: each for each in table.columns}
    own = [title for title in columns if title not in ("Estimate", FROM, TO, "p, Holm")]
    assert own == ["More often", "Odds ratio", "Value", "Less often", "Gain", "Price", "Update"]
    strength = [abs(math.log(each)) for each in columns["Odds ratio"].numbers]
    assert strength == sorted(strength, reverse=True)
    assert all(gain > price > 0 for gain, price in zip(columns["Gain"].numbers, columns["Price"].numbers, strict=True))


def listed_with_intervals(test: AppTest):
    """The panel of terms, once all that a frame waits for is there."""
    while awaited := frame(test).awaited:
        wait(awaited, 100)
    return panels(test)["terms"]


def test_intervals_stand_beside_the_values_of_a_training_that_rests():
    listed = listed_with_intervals(view(SENATE))
    numbers = {each.title: each.numbers for each in listed.content.columns}
    assert all(low < value < high for low, value, high in zip(*map(numbers.get, (FROM, "Estimate", TO)), strict=True))
    assert listed.below.endswith(log_linear.CONDITIONAL)
    of_three = listed_with_intervals(view(PARITY))
    assert log_linear.CONDITIONAL not in of_three.below  # there is no maximum
    for panel, warned in ((listed, False), (of_three, True)):  # of pairs, and of a term of three variables
        assert (log_linear.HIGHER.strip() in panel.below) == (log_linear.HIGHER in panel.about) == warned


def test_figures_are_of_the_same_update_as_the_list_of_terms():
    seldom = dataclasses.replace(SENATE, schedule=Schedule(length=200, every=2, unit="updates"))
    test = step(opened(seldom))
    assert len(panels(test)["terms"].content.columns[0].texts) == 1
    assert values(test)["Terms"] == "1"
    state = current(test).snapshot.state
    assert values(test)["Cost, nats"] == f"{state.cost:.4f}"


def test_evidence_is_answered_at_once_beside_the_data():
    test = view(PARITY)
    asked = panels(test, given0="1", given1="0")["question"]
    assert [choice.value for choice in asked.choices] == ["1", "0", ""]
    bars = {trace["name"]: (trace["y"], trace["x"]) for trace in asked.content.figure["data"]}
    labels, (by_model,) = bars["model"]
    assert labels == ["x3 = 1"]
    assert by_model > 0.9
    assert bars["data"][1] == [1.0]
    assert "1 of 4" in asked.below
    assert "x3 1 1.000" in asked.content.alt
    nothing = panels(test, given0="1", given1="1", given2="1")
    assert nothing["question"].content is None
    assert cells(nothing["states"], "Model") == ("1",)


def test_an_answer_is_saved_as_the_command_writes_it(tmp_path, run_json):
    test = view(SENATE)
    model, names = current(test).snapshot.state.model, SENATE.data.load().names
    model.save(tmp_path / "senate.npz", names=names)
    value = names.categories[0][1]
    run_json(
        "query", tmp_path / "senate.npz", "--given", f"{names.columns[0]}={value}", "--out", tmp_path / "answer.csv"
    )
    texts = panels(test, given0=value)["question"].csv, (tmp_path / "answer.csv").read_text()
    ours, theirs = ([*csv.DictReader(text.splitlines())] for text in texts)
    assert {row["given"] for row in ours} == {f"{names.columns[0]}={value}"}
    rows, shares = SENATE.data.load().train.v, [float(row.pop("share")) for row in ours]
    np.testing.assert_allclose(shares[1::2], rows[rows[:, 0] == 1, 1:].mean(axis=0))
    assert [row | {"share": ""} for row in ours] == theirs  # the command has no data


def test_a_large_model_answers_once_it_rests(monkeypatch):
    may = threading.Event()  # else it may be there before the frame is
    monkeypatch.setattr(answers, "AT_ONCE", 4)
    monkeypatch.setattr(
        answers, "answer_in_background", in_background(lambda *of: may.wait(100) and questions.answer_query(*of))
    )
    test = step(opened(PARITY))
    first = frame(test, given0="1")
    assert len(first.awaited) == 2  # and the intervals
    may.set()
    wait(first.awaited, 100)
    second = frame(test, given0="1")
    assert not second.awaited
    drawn = {item.key: item.panel() for item in second.items}
    monkeypatch.setattr(answers, "MOVING", ("paused",))
    moving = panels(test, given0="0")
    assert moving["question"].content.height == drawn["question"].content.height
    assert moving["question"].below == moving["states"].below == moving["samples"].below == answers.AT_REST


def test_categories_are_shown_by_their_names():
    drawn = panels(view(SENATE))
    assert drawn["question"].choices[0].title == "Opp"
    assert set(cells(drawn["rows"], "Opp")) <= set(drawn["question"].choices[0].options.values())
    assert any("PHON" in words and "Cull" in words for words in cells(drawn["terms"], "More often"))


def test_images_are_drawn_as_such():
    drawn = panels(trained(dataclasses.replace(PARITY, data="bars-and-stripes", learner=GreedyMDL())))
    assert len(drawn["samples"].content) == 2
    assert "rows" not in drawn
