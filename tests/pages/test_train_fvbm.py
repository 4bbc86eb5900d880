"""The Train page of a fully visible machine, as frames: plain values, without a browser."""

import dataclasses
from concurrent.futures import wait

from streamlit.testing.v1 import AppTest

from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.learners import BSLM, GradientAscent, PseudoLikelihoodLBFGS
from boltzcore.models import FVBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures.frame import Table
from pages.views import fvbm
from tests.pages import train
from tests.pages.train import after_one_step, current, field, frame, opened, panels, settle, step, values
from tests.pages.visit import press

UPDATES = Schedule(length=3_000, every=10, unit="updates")
SENATE = Recipe(model=FVBMSetup(variance=0.0), data="senate", learner=BSLM(tau=1e-9), schedule=UPDATES)
RANDOM = Recipe(
    model=FVBMSetup(), data=RandomFVBM(d=4, n=500), learner=BSLM(), schedule=Schedule(length=40, unit="updates")
)


def trained(recipe: Recipe) -> AppTest:
    """The page after a training, with all that it worked out at rest."""
    test = train.trained(recipe)
    wait(frame(test).awaited, 30)
    return test


def names(test: AppTest, panel: str) -> list[str]:
    """The names of the lines in a chart."""
    return [trace["name"] for trace in panels(test)[panel].content.figure["data"]]


def test_the_senate_is_fitted_with_estimates_and_couplings_in_an_order():
    test = trained(SENATE)
    drawn = panels(test)
    assert names(test, "curve") == ["all rows", "best, training"]
    assert values(test)["All rows, pseudo, nats"] == "−2.969"
    assert isinstance(drawn["estimates"].content, Table)
    assert "36" in drawn["estimates"].rest
    assert not frame(test).awaited
    pairs = drawn["couplings"].content.figure["data"][0]
    assert pairs["x"][0] == "Opp"
    strongest = panels(test, order="strength")["couplings"]
    assert strongest.choices[0].value == "strength"
    assert strongest.content.figure["data"][0]["x"] != pairs["x"]
    quick = panels(trained(dataclasses.replace(SENATE, learner=PseudoLikelihoodLBFGS())))
    assert "increase" not in quick  # it makes no sweeps
    assert isinstance(quick["estimates"].content, Table)


def test_standard_errors_wait_for_rest_and_for_the_maximum():
    test = settle(press(after_one_step(RANDOM), "Reset"), "paused")
    assert panels(test)["estimates"].below == fvbm.AT_REST
    assert not frame(test).awaited
    first = frame(step(test))
    assert {item.key: item.panel() for item in first.items}["estimates"].below == fvbm.UNDER_WAY
    wait(first.awaited, 30)
    assert panels(test)["estimates"].below not in ("", fvbm.AT_REST, fvbm.UNDER_WAY)


def test_a_step_that_moved_while_it_ran_is_marked_in_both_charts():
    climbing = dataclasses.replace(RANDOM, learner=GradientAscent(tau=0.0), schedule=UPDATES)
    test = step(opened(climbing))
    field(test, "live GradientAscent.mu").input("2.5").run()
    assert current(test).recipe.changes == ((current(test).snapshot.state.count, "mu", 2.5),)
    for key in ("curve", "increase"):
        notes = panels(test)[key].content.figure["layout"]["annotations"]
        assert any("2.5" in note["text"] for note in notes), key


def test_what_is_not_measured_or_too_large_is_said_and_all_else_is_drawn():
    drawn = panels(trained(dataclasses.replace(RANDOM, measures=("log_likelihood",))))
    assert {"likelihood", "couplings"} <= set(drawn)
    assert fvbm.NOT_MEASURED in drawn["curve"].below
    drawn = panels(trained(dataclasses.replace(RANDOM, data="digits", schedule=Schedule(length=1, unit="updates"))))
    assert drawn["curve"].below == fvbm.TOO_LARGE
    assert not {"landscape", "likelihood"} & set(drawn)
    assert "pixels" in drawn  # rows that are images are drawn as such
