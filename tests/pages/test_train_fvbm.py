"""What the Train page shows of a fully visible machine, as frames: plain values, without a browser."""

import dataclasses
from concurrent.futures import wait

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.data.patterns import Parity
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.figures.frame import Table
from boltzcore.learners import BSLM, GradientAscent, PseudoLikelihoodLBFGS
from boltzcore.models import FVBMSetup
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from tests.pages.train import compared, current, field, frame, opened, panels, press, said, settle, values

UPDATES = Schedule(length=3_000, every=10, unit="updates")
SENATE = Recipe(model=FVBMSetup(variance=0.0), data="senate", learner=BSLM(tau=1e-9), schedule=UPDATES)
RANDOM = Recipe(
    model=FVBMSetup(), data=RandomFVBM(d=4, n=500), learner=BSLM(), schedule=Schedule(length=40, unit="updates")
)


def trained(recipe: Recipe) -> AppTest:
    """The page after a training, with all that it worked out at rest."""
    test = settle(press(opened(recipe), "Play"), "finished")
    wait(frame(test).awaited, 30)
    return test


def names(test: AppTest, panel: str) -> list[str]:
    """The names of the lines in a chart."""
    return [trace["name"] for trace in panels(test)[panel].content.figure["data"]]


def test_the_senate_is_fitted_and_its_estimates_are_told():
    test = trained(SENATE)
    drawn = panels(test)
    assert not test.exception
    assert list(drawn) == ["curve", "couplings", "landscape", "increase", "likelihood", "estimates"]
    assert drawn["curve"].title == "Log-pseudo-likelihood"
    assert names(test, "curve") == ["all rows", "best, training"]
    assert drawn["increase"].below.startswith("It fell in none of the")
    assert values(test)["All rows, pseudo, nats"] == "−2.969"
    table = drawn["estimates"].content
    assert isinstance(table, Table)
    assert drawn["estimates"].rest == " of 36 parameters, with standard errors"
    assert not frame(test).awaited


def test_the_map_has_the_names_of_the_columns_an_order_and_intervals():
    test = trained(SENATE)
    pairs = panels(test)["couplings"].content.figure["data"][0]
    assert pairs["x"][0] == "Opp"
    assert "95 % interval" in pairs["customdata"][0][1]
    strongest = panels(test, order="strength")["couplings"]
    assert strongest.choices[0].value == "strength"
    assert strongest.content.figure["data"][0]["x"] != pairs["x"]
    assert panels(test, order="<b>")["couplings"].choices[0].value == "table"


def test_standard_errors_wait_for_rest_and_say_what_is_missing():
    test = settle(press(settle(press(opened(RANDOM), "Step"), "paused"), "Reset"), "paused")
    assert panels(test)["estimates"].below.startswith("Standard errors are worked out once")
    assert not frame(test).awaited
    test = settle(press(test, "Step"), "paused")
    first = frame(test)
    assert {item.key: item.panel() for item in first.items}["estimates"].below.startswith("Standard errors are being")
    wait(first.awaited, 30)
    assert "not at the maximum" in panels(test)["estimates"].below
    assert "customdata" not in panels(test)["couplings"].content.figure["data"][0]


def test_held_out_rows_and_the_truth_are_shown_where_they_are_known():
    test = trained(RANDOM)
    assert names(test, "curve")[:2] == ["training", "test"]
    notes = panels(test)["likelihood"].content.figure["layout"]["annotations"]
    assert any(note["text"].startswith("truth") for note in notes)
    assert {"Test, pseudo, nats", "Training, pseudo, nats", "Test, exact, nats"} <= set(values(test))


def test_parity_is_no_better_than_chance():
    test = trained(dataclasses.replace(RANDOM, data=Parity(), schedule=Schedule(length=200, unit="updates")))
    shown = values(test)
    assert shown["All rows, pseudo, nats"] == shown["Base rate, nats"] == "−2.079"


def test_starts_are_drawn_together_in_both_charts():
    test = press(trained(RANDOM), "Pin this curve")
    test = settle(press(settle(press(test, "New seed"), "paused"), "Play"), "finished")
    assert len(compared(test)) == 2
    assert all("seed" in name for name in compared(test))
    assert names(test, "increase") == compared(test)
    assert len(names(test, "curve")) == 2
    assert [name for name, *_ in frame(test).lines[0].figures].count("Best, pseudo, nats") == 1


def test_a_step_that_moved_while_it_ran_is_marked_in_both_charts_and_the_guarantee_is_told():
    climbing = dataclasses.replace(RANDOM, learner=GradientAscent(tau=0.0), schedule=UPDATES)
    test = settle(press(opened(climbing), "Step"), "paused")
    field(test, "live GradientAscent.mu").input("2.5").run()
    assert current(test).recipe.changes == ((current(test).snapshot.state.count, "mu", 2.5),)
    drawn = panels(test)
    for key in ("curve", "increase"):
        assert any("2.5" in note["text"] for note in drawn[key].content.figure["layout"]["annotations"])
    assert "Up to 1 (BSLM's step) it is proved that P_n never falls; up to 2 it is true" in drawn["increase"].about


def test_a_learner_that_makes_no_sweeps_has_no_chart_of_them():
    test = trained(dataclasses.replace(SENATE, learner=PseudoLikelihoodLBFGS()))
    assert "increase" not in panels(test)
    assert isinstance(panels(test)["estimates"].content, Table)


@pytest.mark.parametrize("measures", [(), ("log_likelihood",)])
def test_what_is_not_measured_is_said_and_all_else_is_drawn(measures):
    test = trained(dataclasses.replace(RANDOM, measures=measures))
    drawn = panels(test)
    assert ("likelihood" in drawn) == bool(measures)
    assert "not among the measures" in drawn["curve"].below
    assert "couplings" in drawn


def test_rows_that_are_images_are_drawn_as_such():
    recipe = dataclasses.replace(RANDOM, data="bars-and-stripes")
    test = opened(recipe)
    assert "What it learns from" in said(test)
    drawn = panels(settle(press(test, "Play"), "finished"))
    assert drawn["pixels"].rest == ", pixels 1 to 9 of 9"


def test_a_model_too_large_for_its_states_says_so():
    images = dataclasses.replace(RANDOM, data="digits", schedule=Schedule(length=1, unit="updates"))
    drawn = panels(settle(press(opened(images), "Play"), "finished"))
    below = "The exact log-likelihood sums over every state: it is computed for at most 25 columns."
    assert drawn["curve"].below == below
    assert not {"landscape", "likelihood"} & set(drawn)
