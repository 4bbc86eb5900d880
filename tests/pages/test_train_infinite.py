"""The Train page of an infinite RBM, as frames: plain values, without a browser."""

import dataclasses
import re
from itertools import pairwise

from boltzcore.inference import Annealing
from boltzcore.learners import CD, FrankWolfe
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.plotting import palette
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures.frame import Chart
from pages.views import inserted_units
from tests.pages.train import current, field, opened, panels, play, step, trained, values, view

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


def test_units_that_came_and_went_keep_their_places():
    test = view(FULL)
    drawn = panels(test)
    units, ghosts = re.fullmatch(r", (\d+) units and (\d+) ghosts?", drawn["gallery"].rest).groups()
    assert int(units) + int(ghosts) == 14
    assert values(test)["Hidden units"] == units
    assert float(values(test)["Alpha"]) > 0
    (gallery,) = drawn["gallery"].content
    assert gallery.pick.values == tuple(str(i) for i in range(1, 15))
    assert (gallery.pick.columns, gallery.pick.lines, gallery.pick.name) == (12, 2, "unit")
    objective = drawn["objective"].content.figure["data"][0]["y"]
    assert all(after >= before - 1e-9 for before, after in pairwise(objective))


def test_a_unit_that_is_chosen_shows_what_it_answers_to():
    test = view(FULL)
    options = panels(test)["unit"].choices[0].options
    ghosts = next(int(n) for n, text in options.items() if n and text.endswith(" (removed)"))
    gone = panels(test, unit=str(ghosts))["unit"]
    assert re.fullmatch(rf", the {ghosts}(st|nd|rd|th)", gone.rest)
    assert panels(test, unit=str(ghosts))["gallery"].content[0].pick.value == str(ghosts)
    assert f"unit {ghosts}" in gone.content[0].alt
    newest = panels(test)["unit"]
    assert ("14th" in newest.rest, newest.choices[0].value) == (True, "")
    assert panels(test)["gallery"].content[0].pick.value == ""


def test_whole_units_count_once_and_the_best_size_is_marked():
    test = view(WHOLE)
    drawn = panels(test)
    assert "Alpha" not in values(test)
    assert values(test)["Best size"] in ("0", "1", "2", "3", "4")
    notes = [note["text"] for note in drawn["curve"].content.figure["layout"]["annotations"]]
    assert any(note.startswith("best: ") for note in notes)
    assert [line["name"] for line in drawn["size"].content.figure["data"]] == ["units"]


def test_images_have_an_estimate_a_gap_and_its_limit():
    test = trained(DIGITS)
    drawn = panels(test)
    assert [each["name"] for each in drawn["curve"].content.figure["data"]][1:4] == ["training", "validation", "test"]
    assert set(re.findall(r"\d+", drawn["curve"].below)) == {values(test)["Best size"]}
    assert any(note["text"].startswith("ends above") for note in drawn["gap"].content.figure["layout"]["annotations"])
    assert values(test)["Hidden units"] == "24"
    assert isinstance(drawn["activity"].content, Chart)
    assert len(drawn["unit"].content) == 2


def test_where_no_unit_is_worth_its_penalty_it_is_said_that_there_is_none():
    learner = dataclasses.replace(FULL.learner, lambda_=1.0)
    test = trained(dataclasses.replace(FULL, learner=learner))
    drawn = panels(test)
    assert drawn["unit"].below == inserted_units.NO_MORE
    assert drawn["gallery"].below == drawn["activity"].below == inserted_units.NONE
    assert drawn["gallery"].content is drawn["unit"].content is None
    low, high = drawn["objective"].content.figure["layout"]["yaxis"]["range"]
    assert 0.01 <= high - low < 0.05


def test_a_second_stage_has_the_view_of_its_own_model():
    schedule = Schedule(length=20, unit="updates", every=10)
    stages = Recipe(RBMSetup(hidden=4), "bars-and-stripes", CD(batch_size=1), schedule, before=WHOLE)
    test = opened(stages)
    test.segmented_control(key="step").set_value("1 epoch").run()
    assert current(step(test)).snapshot.state.count == 1  # and not as many as in an epoch of the second stage
    drawn = panels(test)
    assert "gallery" in drawn
    assert drawn["gallery"].content[0].pick.lines == 1  # places for 4 units, not for 24 updates
    assert drawn["size"].content.figure["layout"]["xaxis"]["range"] == [0.0, 4.0]
    colours = {drawn[key].content.figure["data"][0]["line"]["color"] for key in ("curve", "size")}
    assert colours == {palette.hue("FW")}
    field(test, "live CD.rate").input("0.1").run()
    assert current(test).recipe == stages  # whose present stage has a rate, too
    test = play(test)
    drawn = panels(test)
    assert "fields" in drawn
    assert "gallery" not in drawn
    curve = drawn["curve"].content.figure
    assert curve["data"][0]["line"]["color"] == palette.hue("CD")
    assert [note["x"] for note in curve["layout"]["annotations"] if note["text"] == "CD-1 from here"] == [4.0]
