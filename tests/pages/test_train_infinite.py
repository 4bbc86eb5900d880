"""What the Train page shows of an infinite RBM, as frames: plain values, without a browser."""

import dataclasses
import re
from itertools import pairwise

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.figures import palette
from boltzcore.figures.frame import Chart
from boltzcore.figures.units import Gallery
from boltzcore.inference import Annealing
from boltzcore.learners import CD, FrankWolfe
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.parts import form
from pages.views import infinite_rbm, inserted_units, view_of
from tests.pages.train import (
    compared,
    current,
    field,
    frame,
    looked_at,
    opened,
    panels,
    press,
    said,
    setting,
    settle,
    trained,
    values,
)

FULL = Recipe(
    model=InfiniteRBMSetup(),
    data="bars-and-stripes",
    learner=FrankWolfe(correction="full", lambda_=0.01, restarts=2),
    schedule=Schedule(length=14, unit="updates"),
)
WHOLE = dataclasses.replace(
    FULL, learner=FrankWolfe(correction="none", lambda_=0.01, restarts=10), schedule=Schedule(length=4, unit="updates")
)
DIGITS = Recipe(
    model=InfiniteRBMSetup(),
    data="digits",
    learner=FrankWolfe(correction="none", lambda_=0.05, samples=200, steps=60, rate=0.3, restarts=1, iterations=20),
    schedule=Schedule(length=24, unit="updates", every=12, gap_limit=0.5),
    annealing=Annealing(chains=20, temperatures=50),
)


def test_the_model_has_a_view_of_its_own():
    assert view_of("infinite-rbm") is infinite_rbm


def test_before_the_first_training_it_is_told_what_will_be_seen():
    told = said(opened(FULL))
    assert "What it learns from" in told
    assert "Nobody chooses the number of hidden units here" in told


def test_units_that_came_and_went_keep_their_places():
    test = looked_at(FULL)
    drawn = panels(test)
    assert not test.exception
    assert list(drawn) == [
        "curve",
        "newest",
        "landscape",
        "gallery",
        "unit",
        "size",
        "by size",
        "duality",
        "objective",
        "particles",
        "activity",
    ]
    units, ghosts = re.fullmatch(r", (\d+) units and (\d+) ghosts?", drawn["gallery"].rest).groups()
    assert int(units) + int(ghosts) == 14
    assert values(test)["Hidden units"] == units
    assert float(values(test)["Alpha"]) > 0
    (gallery,) = drawn["gallery"].content
    assert gallery.pick.values == tuple(str(i) for i in range(1, 15))
    assert (gallery.pick.columns, gallery.pick.lines, gallery.pick.name) == (12, 2, "unit")
    objective = drawn["objective"].content.figure["data"][0]["y"]
    assert all(after >= before - 1e-9 for before, after in pairwise(objective))
    assert drawn["duality"].rest == ", estimated by the best of the restarts"


def test_units_that_are_too_cheap_diverge_and_a_larger_penalty_is_offered():
    cheap = dataclasses.replace(WHOLE.learner, lambda_=0.0005)
    test = opened(dataclasses.replace(WHOLE, learner=cheap, schedule=Schedule(length=40, unit="updates")))
    test = settle(press(test, "Play"), "diverged")
    assert "Try a penalty above 0.0005" in said(test)
    test = settle(press(test, "Go on with penalty 0.005"), "diverged", "finished", "paused")
    assert current(test).recipe.changes[-1][1:] == ("lambda_", 0.005)


def test_the_newest_unit_is_drawn_with_what_it_changed():
    drawn = panels(looked_at(WHOLE))["newest"]
    assert drawn.rest == ", the 4th to come"
    assert [picture.caption for picture in drawn.content] == [
        "Its weights",
        "Mean before, after",
        "What it changed",
        "Samples that it weighs most",
    ]
    assert [picture.limit is None for picture in drawn.content] == [False, True, False, True]
    assert re.fullmatch(
        r"It would raise the likelihood: its inner objective is \u2212[\d.]+ nats "
        r"\(\u2212?[\d.e\u2212]+ where the search began; below 0 helps\)\.",
        drawn.below,
    )
    told = [float(p) for p in re.findall(r"\d\.\d\d", drawn.content[3].alt)]
    assert len(told) == 8
    assert told == sorted(told, reverse=True)


def test_a_mean_that_the_biases_keep_is_not_drawn():
    drawn = panels(looked_at(FULL))["newest"]
    assert drawn.rest == ", the 14th to come"
    assert [picture.caption for picture in drawn.content] == ["Its weights", "Samples that it weighs most"]
    assert drawn.below.endswith(f" helps). {inserted_units.SAME_MEAN}")


def test_a_unit_that_is_chosen_shows_what_it_answers_to():
    test = looked_at(FULL)
    ghosts = next(int(n) for n, text in _options(test).items() if n and text.endswith(" (removed)"))
    gone = panels(test, unit=str(ghosts))["unit"]
    assert re.fullmatch(rf", the {ghosts}(st|nd|rd|th)", gone.rest)
    assert f"It came at update {ghosts}, was removed at update " in gone.below
    assert " would be on in " in gone.below
    assert panels(test, unit=str(ghosts))["gallery"].content[0].pick.value == str(ghosts)
    first, answered = gone.content
    assert f"unit {ghosts}" in first.alt
    assert "training images" in answered.alt
    newest = panels(test)["unit"]
    assert (newest.rest, newest.choices[0].value) == (", the 14th", "")
    assert panels(test)["gallery"].content[0].pick.value == ""


def _options(test: AppTest) -> dict:
    return panels(test)["unit"].choices[0].options


def test_a_bias_that_explodes_is_told_in_three_digits():
    exploded = Gallery(np.array([[1.0, -9.04e23]], np.float32), np.array([0.5288]), np.array([3]), np.array([0]))
    told = inserted_units._standing(exploded, 0, 0.5)
    assert told.startswith("It came at update 3, counts 0.529 times, and is on in 50.0")
    assert told.endswith("Hidden bias \N{MINUS SIGN}9.04e+23.")


@pytest.mark.parametrize("asked", ["0", "15", "-1", "<b>", "\u0661", "1e3"])
def test_a_unit_that_there_is_not_is_passed_over(asked):
    drawn = panels(looked_at(WHOLE), unit=asked, gallery=asked)
    assert drawn["unit"].choices[0].value == ""
    assert drawn["unit"].rest == ", the 4th"
    assert not drawn["gallery"].choices


def test_whole_units_count_once_and_the_best_size_is_marked():
    test = looked_at(WHOLE)
    drawn = panels(test)
    assert "Alpha" not in values(test)
    assert values(test)["Best size"] in ("0", "1", "2", "3", "4")
    assert "counts once," in drawn["unit"].below
    assert re.search(r"is on in [\d.]+\N{NO-BREAK SPACE}% of the training images", drawn["unit"].below)
    notes = [note["text"] for note in drawn["curve"].content.figure["layout"]["annotations"]]
    assert any(note.startswith("best: ") for note in notes)
    assert re.fullmatch(r"Best: after update \d, with \d units?\.", drawn["curve"].below)
    assert [line["name"] for line in drawn["size"].content.figure["data"]] == ["units"]


def test_images_have_an_estimate_a_gap_and_its_limit():
    test = trained(DIGITS)
    drawn = panels(test)
    assert not test.exception
    assert list(drawn) == ["curve", "newest", "gallery", "unit", "gap", "size", "duality", "particles", "activity"]
    assert drawn["curve"].rest == ", estimated by AIS"
    assert [each["name"] for each in drawn["curve"].content.figure["data"]][1:4] == ["training", "validation", "test"]
    told = re.fullmatch(
        r"Best by the validation images: after update (\d+), with (\d+) units?\.", drawn["curve"].below
    ).groups()
    assert told == (values(test)["Best size"],) * 2
    assert any(note["text"].startswith("ends above") for note in drawn["gap"].content.figure["layout"]["annotations"])
    assert values(test)["Hidden units"] == "24"
    assert drawn["gallery"].rest == ", 24 units"
    assert isinstance(drawn["activity"].content, Chart)
    assert len(drawn["unit"].content) == 2


def test_where_no_unit_is_worth_its_penalty_it_is_said_that_there_is_none():
    learner = dataclasses.replace(FULL.learner, lambda_=1.0)
    test = trained(dataclasses.replace(FULL, learner=learner))
    drawn = panels(test)
    assert drawn["newest"].below == "No unit worth its penalty was found."
    assert drawn["gallery"].below == drawn["unit"].below == drawn["activity"].below == inserted_units.NONE
    assert drawn["gallery"].content is drawn["newest"].content is None
    low, high = drawn["objective"].content.figure["layout"]["yaxis"]["range"]
    assert 0.01 <= high - low < 0.05


def test_trainings_are_drawn_together_with_their_sizes():
    test = press(trained(WHOLE), "Pin this curve")
    field(test, "FrankWolfe.correction").select("full").run()
    test = settle(press(test, "Play"), "finished")
    assert len(compared(test)) == 2
    assert "Hidden units" in [name for name, *_ in frame(test).lines[0].figures]
    for key in ("curve", "size", "duality", "objective"):
        assert len(panels(test)[key].content.figure["data"]) >= 2


def test_a_second_stage_has_the_view_of_its_own_model():
    stages = Recipe(
        model=RBMSetup(hidden=4),
        data="bars-and-stripes",
        learner=CD(batch_size=0),
        schedule=Schedule(length=20, unit="updates", every=10),
        before=WHOLE,
    )
    test = settle(press(opened(stages), "Step"), "paused")
    assert "First: Frank-Wolfe (penalty 0.01, 4 updates); then CD-1 from its best model. 4 hidden units." in said(test)
    drawn = panels(test)
    assert "gallery" in drawn
    assert drawn["gallery"].content[0].pick.lines == 1  # places for 4 units, not for 24 updates
    assert drawn["size"].content.figure["layout"]["xaxis"]["range"] == [0.0, 4.0]
    colours = {drawn[key].content.figure["data"][0]["line"]["color"] for key in ("curve", "size")}
    assert colours == {palette.hue("FW")}
    test = settle(press(test, "Play"), "finished")
    drawn = panels(test)
    assert "fields" in drawn
    assert "gallery" not in drawn
    curve = drawn["curve"].content.figure
    assert curve["data"][0]["line"]["color"] == palette.hue("CD")
    assert [note["x"] for note in curve["layout"]["annotations"] if note["text"] == "CD-1 from here"] == [4.0]


def test_what_has_been_found_goes_on_as_an_rbm_in_one_click():
    test = press(trained(WHOLE), "Go on as: Restricted Boltzmann machine")
    recipe = current(test).recipe
    assert recipe.before == WHOLE
    assert 0 < recipe.model.hidden <= WHOLE.schedule.length
    assert Recipe.from_query(setting(test)) == recipe
    assert values(test)["Stage"] in ("1 of 2", "2 of 2")
    press(test, "Pause")
    assert not test.exception


def test_a_link_to_two_stages_keeps_the_first_whatever_the_data_s_options():
    rows = {"data": "digits", "digits.threshold": "100"}
    before = {f"before.{key}": text for key, text in DIGITS.to_query().items()} | {
        f"before.{key}": text for key, text in rows.items()
    }
    texts, refused = form.from_link({"model": "rbm", "learner": "CD", **rows, **before})
    assert refused == []
    assert Recipe.from_query(texts).before.data.threshold == 100
