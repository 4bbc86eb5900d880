"""What the Train page shows of a training, as frames: plain values, without a browser."""

import dataclasses
import io
import re

import numpy as np
import pytest
import streamlit as st
from PIL import Image
from streamlit.testing.v1 import AppTest

from boltzcore.data.digits import Digits
from boltzcore.figures.frame import Panel
from boltzcore.learners import CD, PCD, ScikitLearn
from boltzcore.models import RBMSetup
from boltzcore.runs.comparison import Comparison
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.schedule import Schedule
from pages.common import lab
from pages.live.run_frame import frame_of
from tests.pages.train import (
    LARGE,
    PAGE,
    QUICK,
    at,
    compared,
    current,
    enabled,
    field,
    figures,
    frame,
    opened,
    page,
    panels,
    pinned,
    press,
    said,
    settle,
    values,
    watched,
)

SHORT = dataclasses.replace(QUICK, schedule=Schedule(length=40, every=20))


def beside(test: AppTest) -> AppTest:
    """The page after a training was pinned, another learner chosen and played."""
    test = press(settle(press(test, "Play"), "finished"), "Pin this curve")
    field(test, "choose learner").select("SDCP").run()
    return settle(press(test, "Play"), "finished")


def test_the_likelihood_of_a_model_too_large_to_enumerate_is_an_estimate_with_its_interval():
    test = settle(press(opened(LARGE), "Step"), "paused")
    drawn = panels(test)
    assert (drawn["curve"].title, drawn["curve"].rest) == ("Log-likelihood", ", estimated by AIS")
    assert re.fullmatch(r"−[\d.]+ ± (?:< )?[\d.]+", values(test)["Test, nats, estimate"])
    assert values(test)["AIS chains that count"].endswith("of 20")
    assert drawn["gap"].title == "Free-energy gap"


def test_a_training_whose_likelihood_is_not_measured_shows_the_gap():
    test = settle(press(opened(dataclasses.replace(QUICK, measures=("free_energy_gap",))), "Step"), "paused")
    curve = panels(test)["curve"]
    assert curve.title == "Free-energy gap"
    assert "The log-likelihood is not among the measures" in curve.below


def test_no_share_of_the_climb_is_told_of_a_curve_that_still_climbs():
    test = settle(press(opened(QUICK), "Play"), "finished")
    assert values(test)["90 % of climb"] == "–"
    about = next(each.about for each in figures(test) if each.name == "90 % of climb")
    assert "A dash while it still climbs" in about


def test_an_earlier_curve_is_pinned_beside_the_new_one():
    test = press(settle(press(opened(QUICK), "Play"), "finished"), "Pin this curve")
    first = current(test).id
    assert pinned(test) == first
    assert "CD-1, η 0.05 is pinned" in said(test)
    assert compared(test) == []
    field(test, "choose learner").select("SDCP").run()
    test = settle(press(test, "Play"), "finished")
    assert not test.exception
    assert current(test).id != first == pinned(test)
    assert [name.partition(",")[0] for name in compared(test)] == ["CD-1", "S-DCP 3×4"]
    assert [name for name, *_ in figures(test)].count("90 % of climb") == 3


@pytest.mark.parametrize("typed", ["0.2", "0.1"])
def test_another_rate_beside_a_pinned_training_that_rests_begins_a_new_one(typed):
    test = settle(press(opened(dataclasses.replace(QUICK, learner=CD(rate=0.1, batch_size=0))), "Step"), "paused")
    field(test, "live CD.rate").input("0.05").run()
    test = press(test, "Pin this curve")
    first = current(test)
    field(test, "live CD.rate").input(typed).run()
    assert not test.exception
    assert first.recipe.changes == ((1, "rate", 0.05),)  # and not as it was typed now
    assert field(test, "CD.rate").value == typed
    test = settle(press(test, "Step"), "paused")
    assert current(test).id != first.id
    assert (current(test).recipe.learner.rate, current(test).recipe.changes) == (float(typed), ())
    assert len(compared(test)) == 2


def test_the_rate_of_a_pinned_training_that_moves_is_changed_while_it_moves():
    test = press(opened(dataclasses.replace(QUICK, schedule=Schedule(length=10_000_000, every=1_000_000))), "Play")
    settle(test, "running")
    test = press(test, "Pin this curve")
    assert "is pinned.** Once it rests, choose another learner or rate" in said(test)
    run = current(test)
    run.pace = 1.0
    field(test, "live CD.rate").input("0.2").run()
    assert [value for _, _, value in run.recipe.changes] == [0.2]
    test = settle(press(test, "Pause"), "paused")
    assert "is pinned.** Choose another learner or rate" in said(test)


def test_a_pin_survives_a_reload_a_page_switch_and_a_new_start():
    before = beside(opened(QUICK))
    pin, wanted = pinned(before), compared(before)
    query = at(before)
    reloaded = page(**query)
    assert (pinned(reloaded), compared(reloaded)) == (pin, wanted)
    back = AppTest.from_file(str(PAGE), default_timeout=60)  # the address is empty after a page switch
    for key in ("setting", "run", "pin", "keys of runs"):
        back.session_state[key] = before.session_state[key]
    back.run()
    assert (pinned(back), compared(back)) == (pin, wanted)
    again = settle(press(back, "Reset"), "paused")
    assert (pinned(again), compared(again)) == (pin, wanted)
    assert not any("pin=" in code.value for code in again.code)  # links of Share


def test_two_trainings_of_one_learner_are_told_apart_by_what_differs():
    test = press(settle(press(opened(QUICK), "Play"), "finished"), "Pin this curve")
    field(test, "CD.batch_size").input("7").run()
    test = settle(press(test, "Play"), "finished")
    assert compared(test) == ["CD-1, η 0.05, N_B all †", "CD-1, η 0.05, N_B 7"]
    assert "† Differs in more than learner and rate: CD-1, η 0.05, N_B all also in batch size." in said(test)
    test = settle(press(test, "New seed"), "paused")
    assert compared(test) == ["CD-1, η 0.05, N_B all, seed 0 †", "CD-1, η 0.05, N_B 7, seed 1"]


def seeds(test: AppTest, count: int) -> AppTest:
    """The page after so many starts that differ in seed, each pinned but the last."""
    for i in range(count):
        test = settle(press(test, "Play"), "finished")
        if i + 1 < count:
            press(press(test, "Pin this curve"), "New seed")
            settle(test, "paused")
    return test


def told_seeds(*numbers: int) -> list[str]:
    return [f"CD-1, η 0.05, seed {number}" for number in numbers]


def test_several_starts_are_overlaid_by_three_clicks_each_and_found_again():
    test = seeds(opened(SHORT), 4)
    assert not test.exception
    assert compared(test) == told_seeds(0, 1, 2, 3)
    ids = pinned(test).split(",")
    assert len(set(ids)) == 3
    assert current(test).id not in ids
    assert {trace["name"] for trace in panels(test)["curve"].content.figure["data"]} >= set(told_seeds(0, 1, 2, 3))
    assert panels(test)["curve"].content.alt.count("Pinned, CD-1, η 0.05, seed") == 3
    query = at(test)
    assert compared(page(**query)) == told_seeds(0, 1, 2, 3)


def test_pinned_curves_are_let_go_one_by_one_or_all():
    test = press(seeds(opened(SHORT), 4), "Unpin CD-1, η 0.05, seed 1")
    assert compared(test) == told_seeds(0, 2, 3)
    press(press(test, "Pin this curve"), "Unpin CD-1, η 0.05, seed 0")
    assert compared(test) == told_seeds(2, 3)
    press(test, "Unpin all")
    assert (pinned(test), compared(test)) == ("", [])


def test_a_sixth_pin_is_refused_in_a_sentence_and_the_five_stay():
    test = seeds(opened(SHORT), 6)
    five = pinned(test)
    assert len(compared(test)) == 6
    press(test, "Pin this curve")
    assert "At most 5 trainings can be pinned: unpin one first." in said(test)
    assert pinned(test) == five
    press(press(test, "Unpin CD-1, η 0.05, seed 2"), "Pin this curve")
    assert "At most 5" not in said(test)
    assert (five[:16], current(test).id) == (pinned(test)[:16], pinned(test)[-16:])
    asked = f"{five},{current(test).id}"
    again = page(**SHORT.to_query(), pin=asked)
    assert "At most 5 trainings can be pinned" in said(again)
    assert pinned(again) == five


def test_of_the_pins_of_an_address_those_that_are_here_are_kept():
    test = seeds(opened(SHORT), 3)
    first, second = pinned(test).split(",")
    again = page(**SHORT.to_query(), pin=f"{first},,0123456789abcdef,<b>,{second},{first}")
    assert not again.exception
    assert pinned(again) == f"{first},{second}"
    assert len(again.warning) == 1
    lab.engine().delete(first)
    assert pinned(again.run()) == second


def test_what_cannot_be_compared_is_not_drawn_among_what_can():
    other = settle(press(opened(dataclasses.replace(SHORT, data="shifting-bar")), "Play"), "finished")
    test = seeds(opened(SHORT), 2)
    query = at(test)
    test = page(**query | {"pin": f"{current(other).id},{pinned(test)}"})
    assert compared(test) == told_seeds(0, 1)
    assert len(pinned(test).split(",")) == 2
    assert said(test).count("Pinned and not drawn: CD-1, η 0.05, Shifting Bar, because its data are other") == 1


def test_what_to_look_for_stays_beside_the_pinned_preset_and_after_a_live_change():
    told = PRESETS["plateau"].look_for
    test = settle(press(page(preset="plateau"), "Step"), "paused")
    field(test, "live SDCP.rate").input("0.2").run()
    assert current(test).recipe.changes
    assert told in said(test)
    press(test, "Pin this curve")
    field(test, "choose learner").select("CD").run()
    assert field(test, "choose preset").value == "your own"
    assert told in said(test)
    field(test, "choose data").select("bars-and-stripes").run()
    assert told not in said(test)


def test_a_field_that_cannot_be_taken_moves_nothing_else():
    test = settle(press(opened(QUICK), "Play"), "finished")
    cost = QUICK.learner.cost
    field(test, "schedule.length").input("many").run()
    assert "Play starts a new one" not in said(test)
    assert cost in said(test)
    assert "**Estimate (AIS)**" not in said(test)


def test_the_figures_say_what_they_were_measured_over():
    test = settle(press(opened(LARGE), "Step"), "paused")
    assert "Base rate, training, nats" in values(test)
    over = re.compile(r"Measured over all [\d,]+ images\..*standard errors of log Z alone")
    assert any(over.search(each.about) for each in figures(test))
    press(test, "Pin this curve")
    test = settle(press(test, "New seed"), "paused")
    assert [name for name, *_ in figures(test)].count("Best, nats, estimate") == 2


def test_a_curve_is_let_go():
    test = press(beside(opened(QUICK)), "Unpin")
    assert (pinned(test), compared(test)) == ("", [])
    assert enabled(test, "Pin this curve")


def test_someone_else_s_training_can_be_pinned_by_its_link():
    other = settle(press(opened(QUICK), "Play"), "finished")
    guest = page(**dataclasses.replace(QUICK, learner=CD(rate=0.3, batch_size=0)).to_query(), pin=current(other).id)
    assert "CD-1, η 0.05 is pinned" in said(guest)
    assert compared(settle(press(guest, "Play"), "finished")) == ["CD-1, η 0.05", "CD-1, η 0.3"]


def test_likelihoods_of_different_data_are_not_compared():
    first = settle(press(opened(QUICK), "Play"), "finished")
    test = page(**dataclasses.replace(QUICK, data="shifting-bar").to_query(), pin=current(first).id)
    settle(press(test, "Play"), "finished")
    assert "log-likelihoods of different data cannot be compared" in said(test)
    assert compared(test) == []
    assert pinned(test) == current(first).id


def test_nothing_can_be_pinned_before_the_first_training():
    assert not enabled(opened(QUICK), "Pin this curve")


def axis(test: AppTest, **chosen: str) -> str:
    return panels(test, **chosen)["curve"].choices[0].value


def test_curves_are_drawn_over_what_the_schedule_counts_until_somebody_chooses():
    assert axis(settle(press(opened(QUICK), "Step"), "paused")) == "epochs"
    counting = dataclasses.replace(QUICK, schedule=Schedule(length=2000, every=500, unit="updates"))
    test = settle(press(opened(counting), "Step"), "paused")
    assert axis(test) == "updates"
    assert axis(test, axis="seconds") == "seconds"
    assert axis(test, axis="**hours**") == "updates"


def test_many_hidden_units_are_shown_page_by_page():
    many = dataclasses.replace(QUICK, model=RBMSetup(hidden=100))
    test = settle(press(opened(many), "Step"), "paused")
    first, second = panels(test)["fields"], panels(test, fields="1")["fields"]
    assert (first.rest, second.rest) == (", hidden units 1 to 72 of 100", ", hidden units 73 to 100 of 100")
    assert second.choices[0].options == {"0": "1 to 72", "1": "73 to 100"}
    assert second.choices[0].value == "1"
    assert panels(test, fields="7")["fields"].rest == first.rest
    assert panels(test, fields="\u0661")["fields"].rest == first.rest


def test_particles_look_as_the_data_do_grey_where_those_are():
    def particles(binarise: str) -> Panel:
        shown = frame(
            settle(press(opened(dataclasses.replace(QUICK, data=Digits(binarise=binarise))), "Step"), "paused")
        )
        assert [item.key for item in shown.beside] == ["particles", "pulls"]
        return shown.beside[0].panel()

    def greys(panel: Panel) -> int:
        levels = np.unique(
            np.asarray(Image.open(io.BytesIO(panel.content[0].png)).convert("RGBA")).reshape(-1, 4), axis=0
        )
        return int((levels[:, 3] == 255).sum())

    grey, drawn = particles("each epoch"), particles("threshold")
    assert (grey.rest, drawn.rest) == (", in shades of grey", "")
    assert greys(grey) > 2 == greys(drawn)


def test_nothing_of_a_training_is_drawn_in_words_that_could_be_more_than_words():
    test = settle(press(opened(QUICK), "Step"), "paused")
    assert not any("**" in text for panel in panels(test).values() for text in (panel.about, panel.below, panel.rest))


def test_who_watches_is_told_in_the_frame_what_happened_and_its_owner_on_the_page():
    owner = settle(press(page(preset="too-fast"), "Play"), "diverged")
    guest = page(run=current(owner).id)
    assert "The training has diverged" in said(owner)
    assert "diverged" not in said(guest)
    assert frame(guest).said == current(owner).snapshot.reason
    assert not watched(guest)["mine"]


@pytest.mark.parametrize(("learner", "ends"), [(PCD(batch_size=0), "dreams"), (CD(batch_size=0), "reconstructions")])
def test_beside_the_curve_stands_what_moves_it_now(learner, ends):
    test = settle(press(opened(dataclasses.replace(QUICK, learner=learner)), "Step"), "paused")
    assert [item.key for item in frame(test).beside] == ["particles", "pulls"]
    shown = panels(test, unit="2")["pulls"]
    assert [picture.caption for picture in shown.content] == ["Data pull up", f"− {ends}", "= change"]
    assert all(
        picture.alt.startswith("How each pixel goes together with hidden unit 2 in") for picture in shown.content
    )
    assert "Of only 14 images much is chance" in shown.below
    assert f"what the {ends} lack" in shown.below
    pick = panels(test, unit="2")["fields"].content[0].pick
    assert (pick.name, pick.value) == (shown.choices[0].name, shown.choices[0].value) == ("unit", "2")
    assert panels(test, unit="99")["pulls"].choices[0].value == "1"  # there are three


@pytest.mark.parametrize(
    ("status", "each", "told"), [("running", 2, "1.0"), ("paused", 2, "1"), ("running", 1, "2"), ("running", 4, "0.5")]
)
def test_where_a_training_stands_keeps_its_decimal_while_it_moves(status, each, told):
    run = current(settle(press(settle(press(opened(QUICK), "Step"), "paused"), "Step"), "paused"))
    prepared = dataclasses.replace(run.snapshot.prepared, updates_per_epoch=each)
    at_two = dataclasses.replace(run.snapshot, status=status, prepared=prepared)
    shown = {each.name: each.value for each in frame_of(run.recipe, at_two).figures}
    assert at_two.state.count == 2
    assert shown["Epoch"].split(" of ")[0] == told


def test_a_training_that_waits_in_line_tells_its_place():
    run = current(settle(press(opened(QUICK), "Step"), "paused"))
    waiting = dataclasses.replace(run.snapshot, status="queued", place=1)
    shown = {each.name: each.value for each in frame_of(run.recipe, waiting).figures}
    assert shown["Status"] == "Waiting, place 1"


def test_of_a_table_and_of_chains_that_nobody_sees_nothing_is_said_to_move():
    inside = panels(settle(press(opened(dataclasses.replace(QUICK, learner=ScikitLearn())), "Step"), "paused"))
    assert "pulls" not in inside
    assert inside["fields"].content[0].pick is None
    table = settle(press(opened(dataclasses.replace(QUICK, data="senate")), "Step"), "paused")
    assert "pulls" not in panels(table)


def test_pinned_curves_lead_to_a_race_of_what_differs_in_more_than_the_seed(monkeypatch):
    links = []
    monkeypatch.setattr(st, "page_link", lambda page, **given: links.append((given["label"], given)))
    of_seeds = press(settle(press(opened(SHORT), "Play"), "finished"), "Pin this curve")
    settle(press(settle(press(of_seeds, "New seed"), "paused"), "Play"), "finished")
    assert "Race these" not in dict(links)
    beside(opened(SHORT))
    found = Comparison.from_query(dict(links)["Race these"]["query_params"])
    assert [type(recipe.learner).__name__ for _, recipe in found.contenders] == ["CD", "SDCP"]
