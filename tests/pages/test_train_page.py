"""The Train page's logic: where its setting comes from, what it refuses, what its buttons do."""

import dataclasses
import re
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.data.corruption import Corruption
from boltzcore.inference import Annealing
from boltzcore.learners import CD, SDCP, BeliefPropagationMLE, ConditionalCD, Learner, State
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.registry import LEARNERS, MODELS, learners_of
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe, Schedule
from pages.parts import form, lab, transport

PAGE = Path(__file__).resolve().parents[2] / "pages" / "train.py"
QUICK = Recipe(
    model=RBMSetup(hidden=3),
    data="bars-and-stripes",
    learner=CD(batch_size=0),
    schedule=Schedule(length=2000, every=500),
)


def page(**query: str) -> AppTest:
    """The page as a link opens it."""
    test = AppTest.from_file(str(PAGE), default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def opened(recipe: Recipe, **more: str) -> AppTest:
    return page(**recipe.to_query(), **more)


def setting(test: AppTest) -> dict[str, str]:
    """The address without run and key."""
    return {
        key: values[0] if isinstance(values, list) else values
        for key, values in test.query_params.items()
        if key not in ("run", "key", "pin")
    }


def said(test: AppTest) -> str:
    return "\n".join(
        element.value for kind in (test.warning, test.info, test.error, test.markdown, test.caption) for element in kind
    )


def press(test: AppTest, label: str) -> AppTest:
    return next(button for button in test.button if button.label == label).click().run()


def field(test: AppTest, key: str):
    """The widget of a field; its key has a number once something else than the widget changed the value."""
    return next(
        w
        for kind in (test.text_input, test.selectbox)
        for w in kind
        if w.key == key or re.fullmatch(rf"{re.escape(key)} \d+", w.key)
    )


def enabled(test: AppTest, label: str) -> bool:
    return not next(button for button in test.button if button.label == label).disabled


def current(test: AppTest):
    return lab.engine().get(test.session_state["run"])


def settle(test: AppTest, *statuses: str) -> AppTest:
    """Wait until the run has one of these statuses, then look."""
    until = time.monotonic() + 30
    while current(test).snapshot.status not in statuses:
        assert time.monotonic() < until, f"still {current(test).snapshot.status}"
        time.sleep(0.02)
    return test.run()


def test_the_first_preset_is_there_from_the_start_and_nothing_trains():
    test = page()
    assert not test.exception
    assert setting(test) == PRESETS["real-digits"].recipe.to_query()
    assert field(test, "choose preset").value == "real-digits"
    assert PRESETS["real-digits"].look_for in said(test)
    assert "run" not in test.session_state
    assert enabled(test, "Play")


def test_at_most_five_controls_are_in_sight():
    test = page()
    in_sight = [w for kind in (test.main.selectbox, test.main.text_input) for w in kind]
    hidden = [
        w
        for box in (*test.main.expander, *test.main.get("popover"))
        for kind in ("selectbox", "text_input")
        for w in box.get(kind)
    ]
    assert len(in_sight) - len(hidden) <= 5


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_in_the_link_sets_everything(name):
    test = page(preset=name)
    assert not test.exception
    assert setting(test) == PRESETS[name].recipe.to_query()
    assert field(test, "choose preset").value == name


def test_choosing_a_preset_sets_everything():
    test = page()
    field(test, "choose preset").select("bars-and-stripes").run()
    assert setting(test) == PRESETS["bars-and-stripes"].recipe.to_query()


def test_a_browser_that_is_behind_picks_no_preset():
    test = opened(QUICK)
    own = field(test, "choose preset")
    own.select("plateau").run()
    now = field(test, "choose preset")
    now.options.append(own.options[-1])  # what it showed until now
    now.select("your own").run()
    assert not test.exception
    assert Recipe.from_query(setting(test)) == PRESETS["plateau"].recipe
    assert field(test, "choose preset").value == "plateau"


def test_what_is_typed_goes_into_the_link_and_comes_back_from_it():
    test = opened(QUICK)
    field(test, "CD.rate").input("0.25").run()
    field(test, "rbm.hidden").input("5").run()
    field(test, "rbm.visible_bias").select("zero").run()
    wanted = Recipe(
        model=RBMSetup(hidden=5, visible_bias="zero"),
        data=QUICK.data,
        learner=CD(rate=0.25, batch_size=0),
        schedule=QUICK.schedule,
    )
    assert Recipe.from_query(setting(test)) == wanted
    again = opened(wanted)
    assert field(again, "CD.rate").value == "0.25"
    assert field(again, "choose preset").value == "your own"


def test_a_field_at_its_default_leaves_the_link():
    test = opened(QUICK)
    field(test, "rbm.hidden").input("16").run()
    assert "rbm.hidden" not in setting(test)


def test_another_learner_keeps_the_values_of_the_fields_they_share():
    test = opened(Recipe(learner=CD(rate=0.3, K=7)))
    field(test, "choose learner").select("PCD").run()
    assert setting(test)["PCD.rate"] == "0.3"
    assert setting(test)["PCD.K"] == "7"
    assert "CD.rate" not in setting(test)


def test_another_learner_costs_as_much():
    test = opened(Recipe(learner=CD(K=24)))
    field(test, "choose learner").select("SDCP").run()
    chosen = Recipe.from_query(setting(test)).learner
    assert chosen.d * chosen.K_prime == 24
    field(test, "SDCP.d").input("12").run()
    field(test, "SDCP.K_prime").input("2").run()
    field(test, "choose learner").select("CSDCP").run()
    chosen = Recipe.from_query(setting(test)).learner
    assert (chosen.d, chosen.K_prime) == (12, 2)
    field(test, "choose learner").select("PCD").run()
    assert Recipe.from_query(setting(test)).learner.K == 24


def test_another_learner_can_be_chosen_while_a_field_cannot_be_taken():
    test = page(**QUICK.to_query() | {"CD.K": "0"})
    field(test, "choose learner").select("SDCP").run()
    assert not test.exception
    assert setting(test)["learner"] == "SDCP"


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("CD.rate", "0", "rate must be a number from 1e-06 to 10, not 0.0."),
        ("CD.rate", "-1", "rate must be a number from 1e-06 to 10, not -1.0."),
        ("CD.rate", "nan", "rate must be a number from 1e-06 to 10, not nan."),
        ("CD.rate", "1e9", "rate must be a number from 1e-06 to 10, not 1000000000.0."),
        ("CD.rate", "fast", "rate must be a number from 1e-06 to 10, not 'fast'."),
        ("CD.rate", "", "rate must be a number from 1e-06 to 10, not ''."),
        ("CD.K", "0", "K must be a whole number from 1 to"),
        (
            "CD.batch_size",
            "5000",
            "batch_size must be a whole number from 0 (all rows) to 14, the rows there are, not 5000.",
        ),
        ("rbm.hidden", "0", "hidden must be a whole number from 1 to"),
        ("rbm.hidden", "10000000", "hidden must be a whole number from 1 to"),
        ("schedule.length", "2.5", "length must be a whole number from 1 to"),
    ],
)
def test_a_value_that_cannot_be_taken_has_its_sentence_typed_or_in_a_link(key, text, sentence):
    typed = opened(QUICK)
    field(typed, key).input(text).run()
    linked = page(**QUICK.to_query() | {key: text})
    for test in (typed, linked):
        assert not test.exception
        assert sentence in said(test)
        assert field(test, key).value == text
        assert not enabled(test, "Play")
        assert setting(test)[key] == text


def test_a_value_that_is_mended_can_be_played():
    test = page(**QUICK.to_query() | {"CD.rate": "nan"})
    field(test, "CD.rate").input("0.1").run()
    assert "rate must be" not in said(test)
    assert enabled(test, "Play")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"learner": "SuperCD"}, f"learner must be one of {', '.join(learners_of('rbm'))}, not 'SuperCD'."),
        ({"model": "gpt"}, f"model must be one of {', '.join(MODELS)}, not 'gpt'."),
        ({"data": "cats"}, "data must be one of "),
        ({"preset": "magic"}, "preset must be one of real-digits, too-fast, "),
        ({"CD.speed": "3", "learner": "CD"}, "CD has no field 'speed'"),
        ({"rbm.visible_bias": "maybe"}, "visible_bias must be one of base rate, zero, not 'maybe'."),
        ({"learner": "PCD", "CD.rate": "1"}, "CD is not part of this setting"),
        (
            {"learner": "BeliefPropagationMLE"},
            f"learner must be one of {', '.join(learners_of('rbm'))}, not 'BeliefPropagationMLE'.",
        ),
        ({"model": "rbm", "corruption.rate": "0.2"}, "corruption is not part of this setting"),
        ({"model": "crbm", "annealing.chains": "9"}, "annealing is not part of this setting"),
        ({"CD.rate": "1e9"}, "rate must be a number from "),
        ({"changes": "5:rate"}, "changes must be written as update:field:value"),
        ({"run": "0123456789abcdef"}, "There is no training '0123456789abcdef' here"),
    ],
)
def test_a_bad_link_is_told_in_one_sentence_and_the_rest_of_it_is_kept(query, sentence):
    test = page(**query | {"schedule.length": "77"})
    assert not test.exception
    assert sentence in said(test)
    assert setting(test)["schedule.length"] == "77"


def test_a_training_plays_pauses_steps_and_ends():
    test = press(opened(QUICK), "Play")
    assert settle(test, "finished").session_state["run"]
    assert current(test).recipe == QUICK
    assert current(test).snapshot.state.count == 2000
    assert enabled(test, "Train on")
    assert not enabled(test, "Pause")


def test_the_owner_s_address_names_run_and_key():
    test = press(opened(QUICK), "Play")
    assert test.query_params["run"] in (current(test).id, [current(test).id])
    assert "key" in test.query_params


def test_training_on_doubles_the_length():
    test = press(settle(press(opened(QUICK), "Play"), "finished"), "Train on")
    settle(test, "finished")
    assert current(test).snapshot.state.count == 4000
    assert setting(test)["schedule.length"] == "4000"


def test_a_step_is_one_update_and_then_rest():
    test = press(opened(QUICK), "Step")
    settle(test, "paused")
    assert current(test).snapshot.state.count == 1
    test.segmented_control(key="step").set_value("10 updates").run()
    press(test, "Step")
    settle(test, "paused")
    assert current(test).snapshot.state.count == 11


def test_a_step_may_be_an_epoch():
    recipe = Recipe(model=RBMSetup(hidden=3), data="bars-and-stripes", learner=CD(batch_size=5))
    test = opened(recipe)
    test.segmented_control(key="step").set_value("1 epoch").run()
    settle(press(test, "Step"), "paused")
    assert current(test).snapshot.state.count == 3


def test_reset_starts_the_same_training_again():
    test = settle(press(opened(QUICK), "Play"), "finished")
    first = current(test)
    test = press(test, "Reset")
    assert current(test).id != first.id
    assert settle(test, "paused").session_state["run"]
    assert current(test).snapshot.state.count == 0
    settle(press(test, "Play"), "finished")
    assert [r.values for r in current(test).snapshot.records] == [r.values for r in first.snapshot.records]


def test_a_new_seed_gives_another_training():
    test = settle(press(opened(QUICK), "Play"), "finished")
    first = current(test)
    test = press(test, "New seed")
    assert setting(test)["schedule.seed"] == "1"
    settle(test, "paused")
    assert current(test).snapshot.records[0].values != first.snapshot.records[0].values


def test_other_settings_start_a_new_training_and_keep_the_old_one():
    test = settle(press(opened(QUICK), "Play"), "finished")
    first = current(test)
    field(test, "rbm.hidden").input("4").run()
    assert "Play starts a new one" in said(test)
    test = settle(press(test, "Play"), "finished")
    assert current(test).id != first.id
    assert current(test).snapshot.state.model.n_hidden == 4
    assert lab.engine().get(first.id) is first


def test_a_rate_changed_under_way_is_marked_and_goes_into_the_link():
    test = settle(press(opened(QUICK), "Step"), "paused")
    field(test, "live CD.rate").input("0.2").run()
    assert current(test).recipe.changes == ((1, "rate", 0.2),)
    assert setting(test)["changes"] == "1:rate:0.2"
    assert "CD.rate" not in setting(test)
    assert field(test, "live CD.rate").value == "0.2"


def test_a_bad_rate_under_way_is_refused_beside_its_field_and_changes_nothing():
    test = settle(press(opened(QUICK), "Step"), "paused")
    field(test, "live CD.rate").input("-1").run()
    assert "rate must be a number from 1e-06 to 10, not -1.0." in said(test)
    assert field(test, "live CD.rate").value == "-1"
    assert current(test).recipe.changes == ()


def test_reset_keeps_the_rate_that_was_changed_under_way():
    test = settle(press(opened(QUICK), "Step"), "paused")
    field(test, "live CD.rate").input("0.2").run()
    test = settle(press(test, "Reset"), "paused")
    assert current(test).recipe.learner.rate == 0.2
    assert current(test).recipe.changes == ()


def test_a_link_with_changes_repeats_them_or_leaves_them_out():
    linked = QUICK.changed(500, rate=0.2)
    test = opened(linked)
    assert "rate 0.2 from update 500 on" in said(test)
    settle(press(test, "Play"), "finished")
    assert current(test).recipe == linked
    without = press(opened(linked), "Leave them out")
    assert "changes" not in setting(without)


def test_someone_else_s_training_is_watched_and_can_be_copied():
    owner = settle(press(opened(QUICK), "Step"), "paused")
    guest = page(run=current(owner).id)
    assert "watching someone else's training: you see it live" in said(guest)
    assert "key" not in guest.query_params
    assert not any(enabled(guest, label) for label in ("Pause", "Step", "Reset", "New seed", "End run"))
    guest = settle(press(guest, "Start my own copy"), "finished")
    assert current(guest).id != current(owner).id
    assert current(guest).recipe == QUICK
    assert current(owner).snapshot.state.count == 1


def test_a_training_that_has_ended_is_not_said_to_be_live():
    owner = settle(press(opened(QUICK), "Play"), "finished")
    guest = page(run=current(owner).id)
    assert "it has ended" in said(guest)
    assert "live" not in said(guest).partition("watching")[2].partition("touch it")[0]


def test_the_link_to_share_has_no_key():
    test = settle(press(opened(QUICK), "Step"), "paused")
    links = [code.value for code in test.code if code.value.startswith(("http", "?"))]
    assert len(links) == 2
    queries = [{key: values[0] for key, values in parse_qs(urlsplit(link).query).items()} for link in links]
    assert Recipe.from_query(queries[0]) == QUICK
    assert queries[1]["run"] == current(test).id
    assert not any("key" in query or current(test).key in str(query) for query in queries)


def test_the_python_that_is_offered_repeats_the_training():
    test = settle(press(opened(QUICK), "Play"), "finished")
    code = next(code.value for code in test.code if code.value.startswith("from boltzcore"))
    names: dict = {}
    exec(code.replace('step.state.model.save("model.npz")', ""), names)
    assert (names["step"].state.model.W == current(test).snapshot.state.model.W).all()


def test_too_fast_diverges_says_so_and_offers_the_way_back():
    test = settle(press(page(preset="too-fast"), "Play"), "diverged")
    assert "The training has diverged" in said(test)
    assert "nats" in said(test)
    diverged = current(test).snapshot
    test = press(test, "Back to the best state")
    settle(test, "paused")
    assert current(test).snapshot.state.count == diverged.best.count


def test_too_fast_goes_on_with_a_tenth_of_the_rate():
    test = settle(press(page(preset="too-fast"), "Play"), "diverged")
    test = press(test, "Try a tenth of the rate")
    assert current(test).recipe.changes[-1][2] == pytest.approx(0.05)
    press(test, "Pause")


def figures(test: AppTest) -> str:
    """The figures on the page, as HTML."""
    return "".join(element.proto.body for element in test.get("html"))


LARGE = Recipe(
    model=RBMSetup(hidden=30),
    data="digits",
    learner=CD(batch_size=200),
    schedule=Schedule(length=1),
    annealing=Annealing(chains=20, temperatures=50),
)


def test_the_likelihood_of_a_model_too_large_to_enumerate_is_an_estimate_with_its_interval():
    test = settle(press(opened(LARGE), "Step"), "paused")
    assert "**Log-likelihood, estimated by AIS**" in said(test)
    assert re.search(r"Test, nats, estimate</dt><dd>−[\d.]+ ± (?:&lt; )?[\d.]+</dd>", figures(test))
    assert "of 20</dd>" in figures(test)
    assert "Free-energy gap" in said(test)


def test_how_a_likelihood_is_estimated_is_set_where_it_has_to_be():
    assert "**Estimate (AIS)**" not in said(opened(QUICK))
    test = opened(LARGE)
    assert "**Estimate (AIS)**" in said(test)
    assert field(test, "annealing.chains").value == "20"
    field(test, "annealing.temperatures").input("70").run()
    assert Recipe.from_query(setting(test)).annealing == Annealing(chains=20, temperatures=70)
    field(test, "annealing.chains").input("1").run()
    assert "chains must be a whole number from 2 to" in said(test)


def test_a_training_whose_likelihood_is_not_measured_shows_the_gap():
    test = settle(press(opened(dataclasses.replace(QUICK, measures=("free_energy_gap",))), "Step"), "paused")
    assert "The log-likelihood is not among the measures" in said(test)


def test_the_learner_says_what_an_update_costs():
    test = opened(dataclasses.replace(QUICK, learner=SDCP(d=3, K_prime=4, batch_size=0)))
    assert "d K' = 12 Gibbs steps" in said(test)
    field(test, "SDCP.d").input("6").run()
    assert "d K' = 24 Gibbs steps" in said(test)


def test_the_first_measurement_at_90_percent_of_the_climb_is_told():
    assert re.search(
        r"90 % of climb</dt><dd>epoch [\d,]+</dd>", figures(settle(press(opened(QUICK), "Play"), "finished"))
    )


# -- a pinned curve -----------------------------------------------------------------------------------


def pinned(test: AppTest) -> str:
    value = test.query_params.get("pin", "")
    return value[0] if isinstance(value, list) else value


def compared(test: AppTest) -> list[str]:
    """The names in the lines that compare two trainings."""
    return re.findall(r"(?:Pinned|This training)</dt><dd>([^<]*)</dd>", figures(test))


def beside(test: AppTest) -> AppTest:
    """The page after a training was pinned, another learner chosen and played."""
    test = press(settle(press(test, "Play"), "finished"), "Pin this curve")
    field(test, "choose learner").select("SDCP").run()
    return settle(press(test, "Play"), "finished")


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
    assert compared(test) == ["CD-1, η 0.05", "S-DCP 1×1, η 0.05"]
    assert figures(test).count("90 % of climb") == 3


def test_a_pin_survives_a_reload_a_page_switch_and_a_new_start():
    before = beside(opened(QUICK))
    pin, wanted = pinned(before), ["CD-1, η 0.05", "S-DCP 1×1, η 0.05"]
    query = {key: value[0] if isinstance(value, list) else value for key, value in before.query_params.items()}
    reloaded = page(**query)
    assert (pinned(reloaded), compared(reloaded)) == (pin, wanted)
    back = AppTest.from_file(str(PAGE), default_timeout=60)  # the address is empty after a page switch
    for key in ("setting", "run", "pin", "keys of runs"):
        back.session_state[key] = before.session_state[key]
    back.run()
    assert (pinned(back), compared(back)) == (pin, wanted)
    again = settle(press(back, "Reset"), "paused")
    assert (pinned(again), compared(again)) == (pin, wanted)
    assert all(f"pin={pin}" in code.value for code in again.code if code.value.startswith(("http", "?")))


def test_two_trainings_of_one_learner_are_told_apart_by_what_differs():
    test = press(settle(press(opened(QUICK), "Play"), "finished"), "Pin this curve")
    field(test, "CD.batch_size").input("7").run()
    test = settle(press(test, "Play"), "finished")
    assert compared(test) == ["CD-1, η 0.05, N_B all", "CD-1, η 0.05, N_B 7"]
    test = settle(press(test, "New seed"), "paused")
    assert compared(test) == ["CD-1, η 0.05, N_B all, seed 0", "CD-1, η 0.05, N_B 7, seed 1"]


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
    assert "Base rate, training, nats</dt>" in figures(test)
    assert re.search(r'title="[^"]*Measured over all [\d,]+ images\.[^"]*standard errors of log Z alone', figures(test))
    press(test, "Pin this curve")
    test = settle(press(test, "New seed"), "paused")
    assert figures(test).count("Best, nats, estimate</dt>") == 2


def test_a_curve_is_let_go():
    test = press(beside(opened(QUICK)), "Unpin")
    assert (pinned(test), compared(test)) == ("", [])
    assert enabled(test, "Pin this curve")


def test_someone_else_s_training_can_be_pinned_by_its_link():
    other = settle(press(opened(QUICK), "Play"), "finished")
    guest = page(**dataclasses.replace(QUICK, learner=CD(rate=0.3, batch_size=0)).to_query(), pin=current(other).id)
    assert "CD-1, η 0.05 is pinned" in said(guest)
    assert compared(settle(press(guest, "Play"), "finished")) == ["CD-1, η 0.05", "CD-1, η 0.3"]


@pytest.mark.parametrize("name", ["0123456789abcdef", "../../etc", "<b>", ""])
def test_a_pin_that_cannot_be_opened_is_told_and_dropped(name):
    test = page(**QUICK.to_query(), pin=name)
    assert not test.exception
    assert pinned(test) == ""
    assert ("here to pin" in said(test)) == bool(name)
    assert not compared(settle(press(test, "Play"), "finished"))


def test_likelihoods_of_different_data_are_not_compared():
    first = settle(press(opened(QUICK), "Play"), "finished")
    test = page(**dataclasses.replace(QUICK, data="shifting-bar").to_query(), pin=current(first).id)
    settle(press(test, "Play"), "finished")
    assert "log-likelihoods of different data cannot be compared" in said(test)
    assert compared(test) == []
    assert pinned(test) == current(first).id


def test_nothing_can_be_pinned_before_the_first_training():
    assert not enabled(opened(QUICK), "Pin this curve")


def test_data_of_one_s_own_that_were_not_uploaded_are_refused_in_a_sentence():
    test = page(data="own")
    assert "upload" in said(test)
    assert not enabled(test, "Play")


def test_back_from_another_page_the_setting_and_the_training_are_still_there():
    before = settle(press(opened(QUICK), "Step"), "paused")
    test = AppTest.from_file(
        str(PAGE), default_timeout=60
    )  # the address is empty and the widgets are forgotten after a page switch
    for key in ("setting", "run", "keys of runs"):
        test.session_state[key] = before.session_state[key]
    test.run()
    assert setting(test) == QUICK.to_query()
    assert test.query_params["run"] in (current(before).id, [current(before).id])
    assert enabled(test, "Step")


def test_speed_is_the_pace_of_the_run():
    long = dataclasses.replace(QUICK, schedule=Schedule(length=10_000_000, every=1_000_000))
    test = opened(long)
    field(test, "speed").select("10 updates a second").run()
    press(test, "Play")
    assert current(test).pace == 10.0
    field(test, "speed").select("As fast as possible").run()
    assert current(test).pace is None
    press(test, "Pause")


def test_every_field_of_jargon_has_a_tooltip():
    test = page()
    assert all(widget.help for kind in (test.text_input, test.selectbox) for widget in kind)


def test_a_link_read_by_the_form_is_the_recipe_s_own_format():
    texts, refused = form.from_link(QUICK.to_query())
    assert (form.read(texts).recipe, refused) == (QUICK, [])


def test_a_run_outlives_an_address_from_before_it_began():
    test = settle(press(opened(QUICK), "Step"), "paused")
    own = current(test).id
    del test.query_params["run"]
    del test.query_params["key"]
    test.run()
    assert test.query_params["run"] in (own, [own])
    assert enabled(test, "Step")


def test_a_click_that_two_threads_hear_counts_once(monkeypatch):
    steps, fragments = [], [None]
    monkeypatch.setattr(transport, "get_script_run_ctx", lambda: SimpleNamespace(fragment_ids_this_run=fragments[0]))
    monkeypatch.setattr(transport.st, "session_state", {})
    step = transport.once(lambda: steps.append(1))
    step()
    fragments[0] = ["live"]
    step()
    assert len(steps) == 1
    fragments[0] = None
    step()
    step()
    assert len(steps) == 3


def axis(test: AppTest) -> str:
    return field(test, "axis").value


def test_curves_are_drawn_over_what_the_schedule_counts_until_somebody_chooses():
    test = opened(QUICK)
    assert axis(test) == "epochs"
    field(test, "schedule.unit").select("updates").run()
    assert axis(test) == "updates"
    field(test, "axis").select("seconds").run()
    field(test, "schedule.unit").select("epochs").run()
    assert axis(test) == "seconds"


# -- a conditional model ------------------------------------------------------------------------------

RESTORING = Recipe(
    model=CRBMSetup(hidden=4),
    data="bars-and-stripes",
    learner=BeliefPropagationMLE(batch_size=0, rate=0.5),
    schedule=Schedule(length=6),
    corruption=Corruption(rate=0.2),
)


def test_another_model_keeps_the_data_and_the_fields_that_fit_and_takes_its_first_learner():
    test = opened(dataclasses.replace(QUICK, learner=CD(rate=0.2, batch_size=7)))
    field(test, "choose model").select("crbm").run()
    assert not test.exception
    chosen = Recipe.from_query(setting(test))
    assert (chosen.model, chosen.data, chosen.schedule) == (CRBMSetup(hidden=3), QUICK.data, QUICK.schedule)
    assert chosen.learner == BeliefPropagationMLE(rate=0.2, batch_size=7)
    assert set(field(test, "choose learner").options) == {learner.title for learner in learners_of("crbm").values()}
    field(test, "choose model").select("rbm").run()
    assert Recipe.from_query(setting(test)).model == QUICK.model


def test_a_model_shows_the_part_of_the_recipe_that_it_needs_and_no_other():
    test = opened(RESTORING)
    assert "**Corruption**" in said(test)
    assert not any(widget.key.startswith("annealing.") for widget in test.text_input)
    field(test, "corruption.rate").input("0.3").run()
    assert Recipe.from_query(setting(test)).corruption == Corruption(rate=0.3)
    assert "30 % of pixels flipped" in said(test)
    field(test, "choose model").select("rbm").run()
    assert not any(widget.key.startswith("corruption.") for widget in test.text_input)
    assert not any(key.startswith("corruption.") for key in setting(test))


def test_a_model_chosen_again_has_the_learner_and_the_damage_it_was_left_with():
    damaged = dataclasses.replace(
        RESTORING,
        learner=ConditionalCD(K=3, rate=0.4),
        corruption=Corruption(kind="patch", size=2),
        model=CRBMSetup(input_weight=0.5),
    )
    test = opened(damaged)
    field(test, "choose model").select("rbm").run()
    field(test, "choose learner").select("SDCP").run()
    field(test, "rbm.hidden").input("5").run()
    field(test, "choose model").select("crbm").run()
    assert not test.exception
    assert Recipe.from_query(setting(test)) == dataclasses.replace(damaged, model=CRBMSetup(hidden=5, input_weight=0.5))
    field(test, "choose model").select("rbm").run()
    assert setting(test)["learner"] == "SDCP"


def test_what_to_look_for_is_told_of_no_other_model():
    test = settle(press(page(preset="hidden-patch"), "Step"), "paused")
    told = PRESETS["hidden-patch"].look_for
    test = press(test, "Pin this curve")
    field(test, "corruption.size").input("many").run()
    assert told in said(test)
    field(test, "choose model").select("rbm").run()
    assert told not in said(test)
    field(test, "choose model").select("crbm").run()
    field(test, "corruption.size").input("4").run()
    field(test, "choose learner").select("ConditionalLR").run()
    assert f"**What to look for beside the pinned training:** {told}" in said(test)


def test_a_link_that_names_a_model_alone_takes_its_first_learner():
    assert setting(page(model="crbm"))["learner"] == "BeliefPropagationMLE"


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("corruption.rate", "2", "rate must be a number from 0 to 1, not 2.0."),
        ("corruption.size", "0", "size must be a whole number from 1 to 512, not 0."),
        ("corruption.value", "3", "value must be a whole number from 0 to 1, not 3."),
        ("BeliefPropagationMLE.rate", "0", "rate must be a number from 1e-06 to 10, not 0.0."),
        ("BeliefPropagationMLE.iterations", "0", "iterations must be a whole number from 1 to"),
        (
            "BeliefPropagationMLE.batch_size",
            "5000",
            "batch_size must be a whole number from 0 (all rows) to 14, the rows there are, not 5000.",
        ),
    ],
)
def test_a_refused_value_of_a_conditional_model_has_its_sentence(key, text, sentence):
    test = opened(RESTORING)
    field(test, key).input(text).run()
    assert not test.exception
    assert f":red[{sentence}" in said(test)
    assert field(test, key).value == text
    assert not enabled(test, "Play")


def test_two_fields_of_one_name_are_told_apart():
    texts = RESTORING.to_query() | {"corruption.rate": "7"}
    assert list(form.read(texts).problems) == ["corruption.rate"]
    assert list(form.read(texts | {"corruption.rate": "0.1", "BeliefPropagationMLE.rate": "70"}).problems) == [
        "BeliefPropagationMLE.rate"
    ]
    patch = dataclasses.replace(RESTORING, data="digits", corruption=Corruption(kind="patch", size=9)).to_query()
    assert form.read(patch).problems == {"corruption.size": "size must be a whole number from 1 to 8, not 9."}


def test_a_conditional_model_shows_its_errors_and_what_it_restores():
    test = settle(press(opened(RESTORING), "Play"), "finished")
    assert not test.exception
    assert re.search(r"Test, all pixels</dt><dd>[\d.]+ %</dd>", figures(test))
    assert re.search(r"Test, changed pixels</dt><dd>[\d.]+ %</dd>", figures(test))
    assert "Converged</dt>" in figures(test)
    assert "Best</dt>" in figures(test)
    assert "Restored: the marginal of each pixel" in said(test)
    assert "ikelihood" not in said(test).replace(BeliefPropagationMLE.title, "")


def test_logistic_regression_shows_only_what_it_has():
    test = settle(press(page(**RESTORING.to_query() | {"learner": "ConditionalLR"}), "Play"), "finished")
    assert not test.exception
    assert "to pixels 1 to 9 of 9" in said(test)
    assert "Residuals" not in said(test)
    assert "Converged" not in figures(test)


def test_two_trainings_on_the_same_damage_are_compared_and_others_are_not():
    test = press(settle(press(opened(RESTORING), "Play"), "finished"), "Pin this curve")
    field(test, "choose learner").select("ConditionalCD").run()
    test = settle(press(test, "Play"), "finished")
    assert compared(test) == ["MLE-BP, η 0.5", "CD-1, η 0.5"]
    pin = pinned(test)
    other = settle(
        press(page(**dataclasses.replace(RESTORING, corruption=Corruption(rate=0.3)).to_query(), pin=pin), "Play"),
        "finished",
    )
    assert "damaged in another way, 20 % of pixels flipped" in said(other)
    plain = settle(press(page(**QUICK.to_query(), pin=pin), "Play"), "finished")
    assert "likelihoods and pixel errors cannot be compared" in said(plain)
    assert compared(other) == compared(plain) == []


def test_a_training_that_stops_early_says_so_and_offers_its_best_state():
    recipe = dataclasses.replace(
        RESTORING, learner=ConditionalCD(batch_size=0, rate=1e-6), schedule=Schedule(length=500, patience=2)
    )
    test = settle(press(opened(recipe), "Play"), "finished")
    assert "**Stopped early:** 2 measurements in a row brought no new best." in said(test)
    assert not enabled(test, "Train on")
    best = current(test).snapshot.best.count
    test = settle(press(test, "Back to the best state"), "paused")
    assert current(test).snapshot.state.count == best
    assert "Stopped early" not in said(test)


def test_a_link_keeps_the_recipe_that_is_trained_before():
    recipe = dataclasses.replace(QUICK, before=dataclasses.replace(QUICK, schedule=Schedule(length=3)))
    test = opened(recipe)
    assert not test.exception
    assert setting(test) == recipe.to_query()
    press(test, "Play")
    settle(test, "finished")
    assert current(test).recipe == recipe
    assert current(test).snapshot.state.count == 2003
    wrong = opened(recipe, **{"before.CD.rate": "70"})
    assert "rate must be a number from 1e-06 to 10, not 70" in said(wrong)
    assert not any(key.startswith("before.") for key in setting(wrong))


def test_a_learner_without_fields_can_be_chosen(monkeypatch):
    @dataclasses.dataclass(frozen=True)
    class Still(Learner):
        title, family, models, source = "Still", "none known", ("rbm",), "tests"

        def start(self, model, data, *, seed):
            return State(model, 0, 0, seed)

        def advance(self, state, data, *, updates=1, tick=None):
            return dataclasses.replace(state, count=state.count + updates)

    monkeypatch.setitem(LEARNERS, "Still", Still)
    test = opened(dataclasses.replace(QUICK, learner=Still()))
    assert not test.exception
    press(test, "Play")
    settle(test, "finished")
    assert not test.exception
