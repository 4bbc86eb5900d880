"""The frames of a Potts model on the Train page, and the model that it suggests for a table."""

import re
from concurrent.futures import wait

import numpy as np
import pytest

from boltzcore.data import Reading, upload
from boltzcore.jobs import work
from boltzcore.learners import PottsPseudoLikelihood
from boltzcore.models import Potts
from boltzcore.names import Names
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import working
from pages.figures import value_couplings
from pages.parts import suggestion
from pages.views import potts
from tests.pages.train import frame, opened, panels, setting, step, trained
from tests.pages.visit import labels, press, text_of, worked

SHORT = Schedule(length=4, unit="updates", every=1)
PETS = {"flat": "cat cat cat dog", "house": "dog dog cat none", "farm": "none none dog none"}


@pytest.fixture
def homes():
    """A table of which the pets depend on the home, and the weather on nothing."""
    lines = [f"{home},{pet},{w}" for home, pets in PETS.items() for pet in pets.split() for w in ("sun", "rain")]
    return upload(("home,pet,weather\n" + "\n".join(lines * 100) + "\n").encode())


def test_the_strongest_pair_is_opened_and_another_one_by_choice(homes):
    test = trained(Recipe("potts", homes, PottsPseudoLikelihood(price=0.05), SHORT))
    drawn = panels(test)
    (heat,) = drawn["pair"].content.figure["data"]
    assert [{*heat["y"]}, {*heat["x"]}] == [{"flat", "house", "farm"}, {"cat", "dog", "none"}]
    table = np.array(heat["z"], np.float64)
    assert np.abs(table.sum(axis=0)).max() < 0.005  # each is rounded to a thousandth
    a, b = np.unravel_index(np.abs(table).argmax(), table.shape)
    assert f"home = {heat['y'][a]} and pet = {heat['x'][b]} occur" in drawn["pair"].below
    listed = {column.title: column.texts for column in drawn["strongest"].content.columns}
    assert listed["Columns"] == ("home, pet",)  # the weather is coupled to neither
    a, b = np.unravel_index(table.argmax(), table.shape)
    assert listed["More often"] == (f"{heat['y'][a]}, {heat['x'][b]}",)
    other = panels(test, first="2", second="0")["pair"]
    assert {*other.content.figure["data"][0]["y"]} == {"sun", "rain"}
    assert [choice.value for choice in other.choices] == ["2", "0"]
    assert "independent" in other.below
    assert [choice.value for choice in panels(test, first="2", second="2")["pair"].choices] != ["2", "2"]


def test_a_question_is_answered_from_the_exact_law(homes):
    test = trained(Recipe("potts", homes, PottsPseudoLikelihood(price=0.05), SHORT))
    asked = panels(test, given0="flat")["question"]
    bars = {trace["name"]: dict(zip(trace["y"], trace["x"], strict=True)) for trace in asked.content.figure["data"][:2]}
    assert bars["model"]["pet = cat"] > 0.6 > 0.2 > bars["model"]["pet = none"]
    assert abs(bars["model"]["pet = cat"] - bars["data"]["pet = cat"]) < 0.1


@pytest.mark.parametrize("sign", [1, -1])
def test_the_sentence_is_true_of_the_law_with_and_without_the_coupling(sign):
    """Of any couplings: the law without them, given all other columns, is the product of its factors."""
    generator = np.random.default_rng(1)
    table = sign * generator.exponential(size=(3, 4))
    J = np.zeros((7, 7))
    J[:3, 3:], J[3:, :3] = table, table.T
    model = Potts([3, 4], generator.normal(size=7), J).zero_sum()
    said_of = value_couplings.sentence(model, (0, 1), Names(("x", "y"), (tuple("abc"), tuple("defg"))))
    states = [[a, b] for a in range(3) for b in range(4)]
    joint = np.exp(model.log_likelihood(states)).reshape(3, 4)
    apart = Potts(model.levels, model.h, np.zeros((7, 7)))
    without = np.exp(apart.log_likelihood(states)).reshape(3, 4)
    a, b = np.unravel_index(np.abs(model.J[:3, 3:]).argmax(), (3, 4))
    assert f"x = {'abc'[a]} and y = {'defg'[b]}" in said_of
    assert ("more often" in said_of) == (joint[a, b] > without[a, b])


def test_columns_of_too_many_states_lead_to_a_potts_model_whose_rows_are_drawn_once_it_rests(monkeypatch):
    rows = "".join(",".join("abc"[(i * k) % 7 % 3] for k in range(1, 25)) + "\n" for i in range(60))
    wide = upload(rows.encode(), Reading(header="no"))
    test = press(opened(Recipe("rbm", wide, "CD", SHORT)), "Use the Potts model")
    assert suggestion.TOO_MANY in text_of(worked(test))
    test = step(opened(Recipe("potts", wide, "PottsPCD", SHORT)))
    while awaited := frame(test).awaited:
        wait(awaited, 60)
    drawn = panels(test)
    assert "question" not in drawn
    listed = drawn["strongest"]  # of 24 columns, which are all coupled
    assert re.findall(r"\d+", listed.rest) == [str(len(listed.content.columns[0].texts)), "276"]
    assert drawn["curve"].below == potts.TOO_LARGE
    assert len(drawn["samples"].content.columns[0].texts) == len(drawn["rows"].content.columns[0].texts)
    monkeypatch.setattr(work, "LONGEST", 0.0)
    monkeypatch.setattr(working, "MOMENT", -1.0)
    wait(frame(step(test)).awaited, 60)
    assert not frame(test).awaited  # it would take too long, and the panel says so
    assert (panels(test)["samples"].content, panels(test)["curve"].below) == (None, potts.TOO_LARGE)


# -- the suggestion -----------------------------------------------------------------------------------


def test_the_better_model_of_a_table_is_suggested_and_taken_at_a_press():
    x = np.random.default_rng(0).integers(0, 2, (200, 2))  # with their parity, which no model of pairs can represent
    parity = "".join(f"{a},{b},{(a + b) % 2},{'uvw'[i % 3]}\n" for i, (a, b) in enumerate(x.tolist()))
    test = worked(opened(Recipe("potts", upload(parity.encode()), "PottsPCD", SHORT)))
    assert "On 40 validation rows: " in text_of(test)
    press(test, "Use the log-linear model")
    assert (setting(test)["model"], setting(test)["learner"]) == ("log-linear", "GreedyMDL")
    assert "On 40 validation rows: " in text_of(test)
    assert not [label for label in labels(test) if label.startswith("Use the")]


def test_a_table_that_takes_too_long_or_has_two_values_a_column_has_nothing_suggested(homes, table, monkeypatch):
    monkeypatch.setattr(suggestion, "LONGEST", 0.0)
    assert suggestion.TOO_LONG in text_of(worked(opened(Recipe("potts", homes, "PottsPseudoLikelihood", SHORT))))
    test = opened(Recipe("fvbm", table, "BSLM", SHORT))
    assert not (test.session_state.get("results"))
