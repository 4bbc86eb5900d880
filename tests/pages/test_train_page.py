"""The Train page's logic: where its setting comes from, what it refuses, what its buttons do."""

import dataclasses
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.data import upload
from boltzcore.inference import Annealing
from boltzcore.learners import BSLM, CD, ConditionalCD, Learner, PseudoLikelihoodLBFGS, ScikitLearn, State
from boltzcore.models import FVBMSetup, RBMSetup
from boltzcore.registry import LEARNERS
from boltzcore.runs.pace import FASTEST
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.common import address, lab
from pages.parts import codes, form
from pages.parts.controls import MORE, first_live
from pages.parts.share import OPEN
from tests.pages.train import (
    LARGE,
    PAGE,
    QUICK,
    RESTORING,
    current,
    enabled,
    field,
    opened,
    page,
    press,
    said,
    setting,
    settle,
)


def test_the_first_preset_is_there_from_the_start_and_nothing_trains():
    test = page()
    assert not test.exception
    first = next(iter(PRESETS))
    assert setting(test) == PRESETS[first].recipe.to_query()
    assert field(test, "choose preset").value == first
    assert PRESETS[first].look_for in said(test)
    assert "run" not in test.session_state
    assert enabled(test, "Play")


def test_more_settings_and_share_are_drawn_once_they_are_opened_or_a_field_in_them_is_refused():
    closed = AppTest.from_file(str(PAGE), default_timeout=60).run()
    learner = setting(closed)["learner"]
    assert [each.key for each in closed.text_input] == [first_live(learner)]
    assert not closed.code
    for opens in (MORE, OPEN):
        closed.session_state[opens] = True
    closed.run()
    assert field(closed, "schedule.seed").value == "0"
    assert closed.code
    refused = AppTest.from_file(str(PAGE), default_timeout=60)
    refused.query_params["rbm.hidden"] = "10000000"
    assert field(refused.run(), "rbm.hidden").value == "10000000"


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


def test_a_preset_is_chosen_or_named_in_the_link_and_sets_everything():
    test = page(preset="plateau")
    assert setting(test) == PRESETS["plateau"].recipe.to_query()
    field(test, "choose preset").select("bars-and-stripes").run()
    assert setting(test) == PRESETS["bars-and-stripes"].recipe.to_query()


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


def test_another_learner_can_be_chosen_while_a_field_cannot_be_taken():
    test = page(**QUICK.to_query() | {"CD.K": "0"})
    field(test, "choose learner").select("SDCP").run()
    assert not test.exception
    assert setting(test)["learner"] == "SDCP"


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("CD.rate", "nan", "Learning rate must be a number from 1e-06 to 10, not nan."),
        ("CD.rate", "fast", "Learning rate must be a number from 1e-06 to 10, not 'fast'."),
        ("CD.rate", "", "Learning rate must be a number from 1e-06 to 10, not ''."),
        (
            "CD.batch_size",
            "5000",
            "Batch size must be a whole number from 0 (all rows) to 14, the rows there are, not 5000.",
        ),
        ("schedule.length", "2.5", "Length must be a whole number from 1 to"),
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


def test_a_decimal_comma_is_taken_typed_or_in_a_link():
    typed = opened(QUICK)
    field(typed, "CD.rate").input("0,25").run()
    for test in (typed, page(**QUICK.to_query() | {"CD.rate": "0,25"})):
        assert enabled(test, "Play")
        assert setting(test)["CD.rate"] == "0.25"


def test_a_value_that_is_mended_can_be_played():
    test = page(**QUICK.to_query() | {"CD.rate": "nan"})
    field(test, "CD.rate").input("0.1").run()
    assert "Learning rate must be" not in said(test)
    assert enabled(test, "Play")


def test_what_is_wrong_in_a_link_is_told_twice_at_the_top_and_at_its_field_until_it_is_mended():
    test = page(learner="SuperCD", **{"rbm.hidden": "10000000"})
    assert "There is no learner 'SuperCD' of the model rbm." in said(test)
    assert said(test).count("Hidden units must be a whole number from 1 to 10,000, not 10000000.") == 2
    assert not enabled(test, "Play")
    field(test, "rbm.hidden").input("3").run()
    assert "Hidden units must be" not in said(test)
    assert enabled(test, "Play")


@pytest.mark.parametrize(
    "query",
    [
        {"learner": "SuperCD"},
        {"model": "gpt"},
        {"data": "cats"},
        {"preset": "real-dig"},
        {"CD.speed": "3", "learner": "CD"},
        {"learner": "PCD", "CD.rate": "1"},
        {"model": "rbm", "corruption.rate": "0.2"},
        {"rbm.hidden": ""},
        {"changes": "5:rate"},
        {"measures": "log"},
        {"before.mod": ""},
        {"run": "0123456789abcdef"},
        {"run": ""},
        {"play": "yes"},
        {"view": "data"},
        {"PC": ""},
    ],
    ids=str,
)
def test_what_a_link_holds_and_cannot_be_taken_gets_a_sentence_and_the_rest_of_it_is_kept(query):
    test = page(**query | {"schedule.length": "77"})
    assert not test.exception
    assert test.warning
    assert setting(test)["schedule.length"] == "77"
    assert not {"before.mod", "view", "PC", "CD.speed"} & set(test.query_params)


def test_a_training_plays_pauses_steps_and_ends():
    test = press(opened(QUICK), "Play")
    assert settle(test, "finished").session_state["run"]
    assert current(test).recipe == QUICK
    assert current(test).snapshot.state.count == 2000
    assert enabled(test, "Train on")
    assert not enabled(test, "Pause")
    assert test.query_params["run"] in (current(test).id, [current(test).id])
    assert "key" in test.query_params


def test_settings_that_were_opened_fold_when_the_training_goes_on():
    test = press(settle(press(opened(QUICK), "Step"), "paused"), "Change")
    assert any(button.label == "Fold" for button in test.button)
    test = press(test, "Play")
    assert any(button.label == "Change" for button in test.button)
    test = press(press(settle(test, "finished"), "Change"), "Train on")
    assert any(button.label == "Change" for button in test.button)


def test_step_stays_enabled_while_a_training_gets_ready_so_that_focus_stays_on_it():
    test = press(opened(QUICK), "Step")
    assert enabled(test, "Step")


@pytest.mark.parametrize("anew", ["Reset", "New seed"])
def test_settings_stay_folded_or_open_when_a_training_starts_anew(anew):
    test = settle(press(opened(QUICK), "Step"), "paused")
    for before, after in (("", "Change"), ("Change", "Fold")):
        test = press(test, before) if before else test
        test = settle(press(test, anew), "paused")
        assert current(test).snapshot.state.count == 0
        assert any(button.label == after for button in test.button)


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
    assert "Learning rate must be a number from 1e-06 to 10, not -1.0." in said(test)
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
    assert "You are watching someone else's training." in said(guest)
    assert "key" not in guest.query_params
    assert not any(enabled(guest, label) for label in ("Pause", "Step", "Reset", "New seed", "End run"))
    guest = settle(press(guest, "Start my own copy"), "finished")
    assert current(guest).id != current(owner).id
    assert current(guest).recipe == QUICK
    assert current(owner).snapshot.state.count == 1


def test_whoever_watches_a_training_on_a_table_of_somebody_else_gets_nothing_of_it_to_go_on_with():
    table = upload(b"Salary,a,b\n" + b"1,1,0\n0,1,1\n" * 40).changed(leave_out="Salary")
    owner = settle(press(opened(Recipe(data=table)), "Step"), "paused")
    guest = page(run=current(owner).id)
    assert "You are watching someone else's training." in said(guest)
    assert set(guest.query_params) == {"run"}
    assert not enabled(guest, "Start my own copy")
    shown = " ".join([*(each.value for each in guest.text_input), *(each.value for each in guest.code), said(guest)])
    assert table.digest not in shown
    assert "Salary" not in shown
    before = len(lab.engine().runs())
    page(run=current(owner).id, play="1")
    assert len(lab.engine().runs()) == before
    assert table.digest in owner.query_params["own.digest"]


def test_a_link_that_was_not_understood_does_not_begin_by_itself():
    before = len(lab.engine().runs())
    test = page(preset="nosuch", play="1")
    assert "nosuch" in said(test)
    assert "press Play to train what is shown" in said(test)
    assert len(lab.engine().runs()) == before


def test_a_disabled_button_that_is_clicked_all_the_same_does_nothing_to_someone_else_s_training():
    owner = settle(press(page(preset="too-fast"), "Play"), "diverged")
    before = current(owner).recipe
    for label in ("Pause", "Step", "Reset", "New seed", "End run"):
        guest = page(run=current(owner).id)
        button = next(button for button in guest.button if button.label == label)
        button.proto.disabled = False  # as a client of one's own
        press(guest, label)
        assert not guest.exception, label
        assert guest.session_state["run"] == current(owner).id, label
        assert (current(owner).snapshot.status, current(owner).recipe) == ("diverged", before), label


def test_look_inside_is_not_offered_where_the_learner_takes_no_step_apart_and_nothing_is_paused():
    recipe = dataclasses.replace(
        QUICK, learner=ScikitLearn(batch_size=14), schedule=Schedule(length=100_000, every=1_000)
    )
    test = settle(press(opened(recipe), "Play"), "running")
    look = next(button for button in test.button if button.label == "Look inside")
    assert look.disabled
    assert "cannot be taken apart" in look.help
    look.proto.disabled = False  # as a client of one's own
    press(test, "Look inside")
    assert current(test).snapshot.status == "running"
    assert not enabled(test, "Look inside")
    press(test, "End run")
    test = settle(press(opened(QUICK), "Step"), "paused")
    assert enabled(test, "Look inside")


def test_the_link_to_share_has_no_key():
    test = settle(press(opened(QUICK), "Step"), "paused")
    links = [code.value for code in test.code if code.value.startswith(("http", "?"))]
    queries = [{key: values[0] for key, values in parse_qs(urlsplit(link).query).items()} for link in links]
    assert [Recipe.from_query(query) for query in queries] == [QUICK] * 4  # the second for a class
    assert [query.get("play") for query in queries] == ["1", None, None, None]
    assert [query.get("run") for query in queries] == [None, None, None, current(test).id]
    assert not any("key" in query or current(test).key in str(query) for query in queries)


def test_a_link_that_starts_playing_is_short_for_a_preset_and_starts_once(monkeypatch):
    def query_of(test):
        links = [code.value for code in test.code if code.value.startswith(("http", "?"))]
        return {key: values[0] for key, values in parse_qs(urlsplit(links[0]).query).items()}

    assert query_of(page(preset="too-fast")) == {"preset": "too-fast", "play": "1"}
    seeded = query_of(page(preset="too-fast", **{"schedule.seed": "3"}))
    assert seeded == {"preset": "too-fast", "schedule.seed": "3", "play": "1"}
    changed = query_of(opened(PRESETS["too-fast"].recipe.changed(50, rate=0.01)))
    assert Recipe.from_query(changed).changes == ((50, "rate", 0.01),)
    test = page(**query_of(opened(QUICK)))
    assert settle(test, "finished").query_params["run"] in (current(test).id, [current(test).id])
    assert "play" not in test.query_params
    monkeypatch.setattr(address, "went_back", lambda: True)
    assert "run" not in page(**query_of(opened(QUICK))).session_state


def test_a_link_is_shown_as_a_code_unless_it_leads_nowhere_or_is_too_long(monkeypatch):
    test = press(page(preset="too-fast"), "Show as QR code")
    assert not test.exception
    assert test.session_state["share"] is False  # it would lie on the code
    shown = next(each.proto.body for each in test.get("html") if "lab-code" in each.proto.body)
    assert 'alt="QR code of ?preset=too-fast&amp;play=1"' in shown
    long = dataclasses.replace(QUICK, changes=[(at, "rate", 0.1 + at / 1e4) for at in range(40)])
    assert "too dense to be read across a room" in said(press(opened(long), "Show as QR code"))
    monkeypatch.setattr(codes, "only_here", lambda link: True)
    assert "Open it at this computer's name or address" in said(press(page(preset="too-fast"), "Show as QR code"))


def test_what_programs_hang_on_to_a_link_is_nobody_s_mistake():
    test = page(**QUICK.to_query(), utm_source="mail", fbclid="x")
    assert "means nothing here" not in said(test)
    assert setting(test) == QUICK.to_query()


def test_the_python_that_is_offered_repeats_the_training(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # it saves the model
    test = settle(press(opened(QUICK), "Play"), "finished")
    code = next(code.value for code in test.code if code.value.startswith("from boltzcore"))
    names: dict = {}
    exec(code, names)
    assert (tmp_path / "model.npz").exists()
    assert (names["step"].state.model.W == current(test).snapshot.state.model.W).all()


def test_too_fast_diverges_and_goes_on_from_the_best_state_or_with_a_tenth_of_the_rate():
    test = settle(press(page(preset="too-fast"), "Play"), "diverged")
    best = current(test).snapshot.best.count
    slower = next(button.label for button in test.button if button.label.startswith("Go on with"))
    test = settle(press(test, "Back to the best state"), "paused")
    assert current(test).snapshot.state.count == best
    test = press(settle(press(test, "Play"), "diverged"), slower)
    assert current(test).recipe.changes[-1][2] == pytest.approx(0.05)
    press(test, "Pause")


def test_how_a_likelihood_is_estimated_is_set_where_it_has_to_be():
    assert "**Estimate (AIS)**" not in said(opened(QUICK))
    test = opened(LARGE)
    assert "**Estimate (AIS)**" in said(test)
    assert field(test, "annealing.chains").value == "20"
    field(test, "annealing.temperatures").input("70").run()
    assert Recipe.from_query(setting(test)).annealing == Annealing(chains=20, temperatures=70)
    field(test, "annealing.chains").input("1").run()
    assert "Chains must be a whole number from 2 to" in said(test)


def test_what_a_learner_says_of_its_data_is_told_before_anything_is_fitted():
    recipe = Recipe(FVBMSetup(), "shifting-bar", BSLM(), Schedule(length=5))
    test = opened(recipe)
    assert "The pseudo-likelihood of these data has no maximiser" in said(test)
    assert enabled(test, "Play")
    test = opened(dataclasses.replace(recipe, learner=PseudoLikelihoodLBFGS()))
    assert "L-BFGS would not converge" in said(test)
    assert not enabled(test, "Play")
    assert "no maximiser" not in said(opened(dataclasses.replace(recipe, data="parity")))


def test_more_states_than_fit_are_refused_with_what_would_fit():
    test = page(model="log-linear", data="bayes-net", learner="GreedyMDL", **{"bayes-net.nodes": "30"})
    assert not test.exception
    assert "data must have at most 2^26 states, 67,108,864, for a table over all of them" in said(test)
    assert "The first 26 would fit." in said(test)
    assert not enabled(test, "Play")


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
    test.select_slider("speed").set_value(10.0).run()
    press(test, "Play")
    run = current(test)
    assert run.pace == 10.0
    test.toggle("whole training").set_value(True).run()
    assert run.pace == 500_000.0  # of ten million updates in 20 s
    assert test.select_slider("speed").value == 10_000.0
    test.select_slider("speed").set_value(3.0).run()
    assert run.pace == 3.0
    assert not test.toggle("whole training").value
    test.select_slider("speed").set_value(FASTEST).run()
    assert run.pace is None
    press(test, "Pause")


def test_a_new_training_goes_at_the_speed_that_was_asked_for():
    test = opened(QUICK)
    test.toggle("whole training").set_value(True).run()
    press(test, "Step")
    run = current(test)
    assert run.pace == PreparedData.from_recipe(QUICK).budget(QUICK) / 20
    press(test, "New seed")
    assert current(test) is not run
    assert current(test).pace == run.pace


def test_a_preset_that_would_be_over_at_once_is_slow_until_somebody_moves_the_speed():
    test = press(page(preset="senate"), "Play")
    run = current(test)
    assert run.pace == PRESETS["senate"].pace
    test.select_slider("speed").set_value(FASTEST).run()
    assert run.pace is None
    press(test, "Reset")
    assert current(test) is not run
    assert current(test).pace is None
    assert current(press(page(preset="parity-term"), "Step")).pace is None


def test_a_speed_that_was_moved_is_forgotten_with_its_slider():
    test = opened(QUICK)
    test.select_slider("speed").set_value(3.0).run()
    back = AppTest.from_file(str(PAGE), default_timeout=60)  # another page was opened meanwhile
    back.session_state["speed was moved"] = test.session_state["speed was moved"]
    back.query_params["preset"] = "senate"
    assert current(press(back.run(), "Play")).pace == PRESETS["senate"].pace


def test_who_watches_sees_the_speed_and_cannot_change_it():
    test = opened(QUICK)
    press(test, "Step")
    run = current(test)
    run.pace = 7.0
    watcher = page(run=run.id)
    assert watcher.select_slider("speed").value == 7.0
    watcher.select_slider("speed").proto.disabled = False  # as a client of one's own
    watcher.select_slider("speed").set_value(1.0).run()
    assert run.pace == 7.0
    assert watcher.select_slider("speed").value == 7.0


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
    assert "Learning rate must be a number from 1e-06 to 10, not 70" in said(wrong)
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
    lab.engine().delete(current(test).id)  # without its learner it cannot be read, and nobody's table is tidied away


def test_a_training_can_be_paused_while_other_settings_are_chosen():
    test = press(opened(dataclasses.replace(QUICK, schedule=Schedule(length=10_000_000, every=1_000_000))), "Play")
    settle(test, "running")
    field(test, "choose learner").select("SDCP").run()
    assert "Play starts a new one" in said(test)
    assert (enabled(test, "Play"), enabled(test, "Pause")) == (True, True)
    press(test, "Pause")
    settle(test, "paused")
