"""The Train page of a training, as frames: plain values, without a browser."""

import dataclasses
import io
import re

import numpy as np
import pytest
from PIL import Image

from boltzcore.comparison.comparison import Comparison
from boltzcore.data.digits import Digits
from boltzcore.learners import CD, PCD, SDCP, TemperedPCD
from boltzcore.models import RBMSetup
from boltzcore.training.presets import PRESETS
from boltzcore.training.schedule import Schedule
from pages.common import lab, pinning
from pages.figures.frame import Panel
from pages.stream.run_frame import frame_of
from tests.pages.train import (
    LARGE,
    QUICK,
    after_one_step,
    compared,
    current,
    field,
    figures,
    frame,
    opened,
    page,
    page_of,
    panels,
    pinned,
    play,
    run_training,
    settle,
    step,
    values,
    view,
    watched,
)
from tests.pages.visit import at, enabled, links, press, text_of, visit

SHORT = dataclasses.replace(QUICK, schedule=Schedule(length=40, every=20))
OTHER = dataclasses.replace(SHORT, learner=SDCP(batch_size=0))


def seeds(*numbers: int) -> list:
    """Trainings that differ in seed."""
    schedules = [SHORT.schedule.changed(seed=number) for number in numbers]
    return [run_training(dataclasses.replace(SHORT, schedule=each)) for each in schedules]


def seed_names(*numbers: int) -> list[str]:
    return [f"CD-1, η 0.05, seed {number}" for number in numbers]


def test_the_likelihood_of_a_model_too_large_to_enumerate_is_an_estimate_with_its_interval():
    test = after_one_step(LARGE)
    drawn, shown = panels(test), values(test)
    assert drawn["curve"].rest
    assert "gap" in drawn
    assert re.fullmatch(r"−[\d.]+ ± (?:< )?[\d.]+", shown["Test, nats, estimate"])
    assert any(value.endswith("of 20") for value in shown.values())  # chains that count
    test = page_of(current(test), run_training(dataclasses.replace(LARGE, learner=CD(batch_size=100)), whole=False))
    assert [name for name, *_ in figures(test)].count("Best, nats, estimate") == 2


@pytest.mark.parametrize("typed", ["0.2", "0.1"])
def test_another_rate_beside_a_pinned_training_that_rests_begins_a_new_one(typed):
    test = after_one_step(dataclasses.replace(QUICK, learner=CD(rate=0.1, batch_size=0)))
    field(test, "live CD.rate").input("0.05").run()
    test = press(test, "Pin this curve")
    first = current(test)
    field(test, "live CD.rate").input(typed).run()
    assert first.recipe.changes == ((1, "rate", 0.05),)  # and not as it was typed now
    assert field(test, "CD.rate").value == typed
    test = step(test)
    assert current(test).id != first.id
    assert (current(test).recipe.learner.rate, current(test).recipe.changes) == (float(typed), ())
    assert len(compared(test)) == 2


def test_the_rate_of_a_pinned_training_that_moves_is_changed_while_it_moves():
    test = press(opened(dataclasses.replace(QUICK, schedule=Schedule(length=10_000_000, every=1_000_000))), "Play")
    test = press(settle(test, "running"), "Pin this curve")
    run = current(test)
    run.pace = 1.0
    field(test, "live CD.rate").input("0.2").run()
    assert [value for _, _, value in run.recipe.changes] == [0.2]
    press(test, "Pause")


def test_a_pin_survives_a_reload_a_page_switch_and_a_new_start():
    before = page_of(run_training(SHORT), run_training(OTHER))
    pin, wanted = pinned(before), compared(before)
    assert len(wanted) == 2
    back = visit("train", {key: before.session_state[key] for key in ("settings", "run", "pinned", "run_keys")})
    again = settle(press(page(**at(before)), "Reset"), "paused")
    for test in (back, again):
        assert (pinned(test), compared(test)) == (pin, wanted)
    assert not any("pin" in query for query in links(again))


def test_several_starts_are_overlaid_found_again_and_let_go_one_by_one_or_all():
    test = opened(SHORT)
    assert not enabled(test, "Pin this curve")
    test = press(play(test), "Pin this curve")
    assert compared(test) == []
    test = play(settle(press(test, "New seed"), "paused"))
    assert compared(test) == seed_names(0, 1)
    test = page_of(*seeds(0, 1, 2, 3))
    assert compared(test) == seed_names(0, 1, 2, 3)
    assert {trace["name"] for trace in panels(test)["curve"].content.figure["data"]} >= set(seed_names(0, 1, 2, 3))
    assert all(seed in panels(test)["curve"].content.alt for seed in seed_names(0, 1, 2))
    test = press(page(**at(test)), "Unpin CD-1, η 0.05, seed 1")
    assert compared(test) == seed_names(0, 2, 3)
    press(press(test, "Pin this curve"), "Unpin CD-1, η 0.05, seed 0")
    assert compared(test) == seed_names(2, 3)
    press(test, "Unpin all")
    assert (pinned(test), compared(test)) == ("", [])
    assert enabled(test, "Pin this curve")


def test_a_sixth_pin_is_refused_in_a_sentence_and_the_five_stay():
    test = page_of(*seeds(*range(6)))
    five = pinned(test)
    assert len(compared(test)) == pinning.PINS + 1 == 6
    press(test, "Pin this curve")
    assert pinning.FULL in text_of(test)
    assert pinned(test) == five
    press(press(test, "Unpin CD-1, η 0.05, seed 2"), "Pin this curve")
    assert pinning.FULL not in text_of(test)
    assert (five[:16], current(test).id) == (pinned(test)[:16], pinned(test)[-16:])
    again = page(**SHORT.to_query(), pin=f"{five},{current(test).id}")
    assert pinning.FULL in text_of(again)
    assert pinned(again) == five


def test_of_the_pins_of_an_address_those_that_are_here_are_kept_and_those_of_other_data_not_drawn():
    first, second, last = seeds(0, 1, 2)
    test = page(**SHORT.to_query(), pin=f"{first.id},,0123456789abcdef,<b>,{second.id},{first.id}")
    assert pinned(test) == f"{first.id},{second.id}"
    assert len(test.warning) == 1
    lab.engine().delete(first.id)
    assert pinned(test.run()) == second.id
    other = run_training(dataclasses.replace(SHORT, data="shifting-bar"))
    test = page_of(other, second, last)
    assert compared(test) == seed_names(1, 2)
    assert pinned(test) == f"{other.id},{second.id}"
    assert sum("Shifting Bar" in each.value for each in test.info) == 1
    alone = page_of(last, other)  # as one of another visitor, by its link
    assert compared(alone) == []
    assert pinned(alone) == last.id


def test_what_to_look_for_stays_beside_the_pinned_preset_and_after_a_live_change_and_is_shown_of_no_other():
    advice = PRESETS["plateau"].look_for
    test = step(page(preset="plateau"))
    field(test, "live SDCP.rate").input("0.2").run()
    assert current(test).recipe.changes
    assert advice in text_of(test)
    press(test, "Pin this curve")
    field(test, "choose learner").select("CD").run()
    assert field(test, "choose preset").value == "your own"
    field(test, "schedule.length").input("many").run()
    assert advice in text_of(test)
    field(test, "choose data").select("bars-and-stripes").run()
    assert advice not in text_of(test)


def test_many_hidden_units_are_shown_page_by_page():
    test = after_one_step(dataclasses.replace(QUICK, model=RBMSetup(hidden=100)))
    first, second = panels(test)["fields"], panels(test, fields="1")["fields"]
    assert second.choices[0].options == {"0": "1 to 72", "1": "73 to 100"}
    assert (first.choices[0].value, second.choices[0].value) == ("0", "1")
    assert all("73 to 100" in text for text in (second.rest, second.choices[0].options["1"]))
    for wrong in ("7", "\u0661"):
        assert panels(test, fields=wrong)["fields"].rest == first.rest


def test_particles_look_as_the_data_do_grey_where_those_are():
    def particles(binarise: str) -> Panel:
        shown = frame(after_one_step(dataclasses.replace(QUICK, data=Digits(binarise=binarise))))
        assert [item.key for item in shown.beside] == ["particles", "pulls"]
        return shown.beside[0].panel()

    def greys(panel: Panel) -> int:
        pixels = np.asarray(Image.open(io.BytesIO(panel.content[0].png)).convert("RGBA")).reshape(-1, 4)
        return int((np.unique(pixels, axis=0)[:, 3] == 255).sum())

    grey, drawn = particles("each epoch"), particles("threshold")
    assert (bool(grey.rest), bool(drawn.rest)) == (True, False)
    assert greys(grey) > 2 == greys(drawn)


def test_what_happened_is_in_the_frame_for_viewers_and_on_the_page_for_the_owner():
    run = run_training(PRESETS["too-fast"].recipe)
    guest = page(run=run.id)
    assert run.snapshot.reason in text_of(page_of(run))
    assert run.snapshot.reason not in text_of(guest)
    assert frame(guest).summary == run.snapshot.reason
    assert not watched(guest)["mine"]


@pytest.mark.parametrize(("learner", "ends"), [(PCD(batch_size=0), "samples"), (CD(batch_size=0), "reconstructions")])
def test_beside_the_curve_stands_what_moves_it_now(learner, ends):
    test = after_one_step(dataclasses.replace(QUICK, learner=learner))
    drawn = panels(test, unit="2")
    assert not any("**" in text for panel in drawn.values() for text in (panel.about, panel.below, panel.rest))
    shown, pick = drawn["pulls"], drawn["fields"].content[0].pick
    assert len(shown.content) == 3
    assert ends in shown.content[1].caption
    assert all("hidden unit 2" in picture.alt for picture in shown.content)
    assert (pick.name, pick.value) == (shown.choices[0].name, shown.choices[0].value) == ("unit", "2")
    assert panels(test, unit="99")["pulls"].choices[0].value == "1"  # there are three


@pytest.mark.parametrize(
    ("status", "each", "text"), [("running", 2, "1.0"), ("paused", 2, "1"), ("running", 1, "2"), ("running", 4, "0.5")]
)
def test_where_a_training_stands_keeps_its_decimal_while_it_moves(status, each, text):
    run = current(view(QUICK))
    prepared = dataclasses.replace(run.snapshot.prepared, updates_per_epoch=each)
    state = dataclasses.replace(run.snapshot.state, count=2)
    at_two = dataclasses.replace(run.snapshot, status=status, prepared=prepared, state=state)
    shown = {each.name: each.value for each in frame_of(run.recipe, at_two).figures}
    assert shown["Epoch"].split(" of ")[0] == text


def test_of_a_table_and_of_chains_that_are_not_seen_nothing_is_said_to_move():
    inside = panels(after_one_step(dataclasses.replace(QUICK, learner=TemperedPCD())))
    assert "pulls" not in inside
    assert inside["fields"].content[0].pick is None
    assert "pulls" not in panels(after_one_step(dataclasses.replace(QUICK, data="senate")))


def test_pinned_curves_lead_to_a_race_of_what_differs_in_more_than_the_seed(page_links):
    page_of(*seeds(0, 1))
    assert "Race these" not in [label for _, label, _ in page_links]
    page_of(run_training(SHORT), run_training(OTHER))
    (query,) = [query for _, label, query in page_links if label == "Race these"]
    found = Comparison.from_query(query)
    assert [type(recipe.learner).__name__ for _, recipe in found.contenders] == ["CD", "SDCP"]
