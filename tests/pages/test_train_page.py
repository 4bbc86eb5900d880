"""The Train page's logic: where its setting comes from, what it refuses, what its buttons do."""

import dataclasses
import io

import pytest

from boltzcore.data.digits import Digits
from boltzcore.jobs.pace import FASTEST
from boltzcore.learners import BSLM, CD, PCD, ConditionalCD, PseudoLikelihoodLBFGS
from boltzcore.models import RBM, FVBMSetup, RBMSetup
from boltzcore.training.presets import PRESETS
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import address, lab
from pages.parts import qr
from pages.parts import step_toggle as opened_inside
from pages.parts.controls import main_fields
from pages.parts.share import OPEN, model_of
from tests.pages.train import (
    LARGE,
    QUICK,
    RESTORING,
    after_one_step,
    current,
    field,
    opened,
    page,
    play,
    run_training,
    setting,
    settle,
    step,
    trained,
)
from tests.pages.visit import at, button, click_disabled, enabled, labels, links, press, text_of, visit

FAST = PRESETS["too-fast"].recipe
ENDLESS = dataclasses.replace(QUICK, schedule=Schedule(length=10_000_000, every=1_000_000))


def test_the_first_preset_is_there_from_the_start_and_nothing_trains():
    assert not at(visit("start"))
    test = page()
    first = next(iter(PRESETS))
    assert setting(test) == PRESETS[first].recipe.to_query()
    assert field(test, "choose preset").value == first
    assert PRESETS[first].look_for in text_of(test)
    assert not test.session_state["run"]
    assert enabled(test, "Play")
    assert all(widget.help for kind in (test.text_input, test.selectbox) for widget in kind)
    field(test, "choose preset").select("plateau").run()
    assert setting(test) == setting(page(preset="plateau")) == PRESETS["plateau"].recipe.to_query()


def test_all_settings_and_share_are_drawn_once_they_are_opened_or_a_field_in_them_is_refused():
    closed = visit("train")
    assert [each.key for each in closed.text_input] == main_fields(setting(closed))
    assert labels(closed) == ["Play", "All settings"]
    assert not closed.code
    closed.session_state[OPEN] = True
    press(closed, "All settings")
    assert field(closed, "schedule.seed").value == "0"
    assert closed.code
    refused = visit("train", **{"schedule.length": "0"})
    assert "All settings" not in labels(refused)
    assert field(refused, "schedule.length").value == "0"


@pytest.mark.parametrize("name", ["start", "train", "denoise"])
def test_at_most_five_controls_are_in_sight(name):
    test, kinds = visit(name), ("selectbox", "text_input", "slider", "toggle")
    boxes = (*test.main.expander, *test.main.get("popover"))
    hidden = sum(len(box.get(kind)) for box in boxes for kind in kinds)
    assert sum(len(test.main.get(kind)) for kind in kinds) - hidden <= 5


def test_what_is_typed_goes_into_the_link_and_comes_back_from_it():
    test = opened(QUICK)
    field(test, "CD.rate").input("0,25").run()  # a decimal comma
    field(test, "rbm.hidden").input("5").run()
    field(test, "rbm.visible_bias").select("zero").run()
    wanted = dataclasses.replace(
        QUICK, model=RBMSetup(hidden=5, visible_bias="zero"), learner=CD(rate=0.25, batch_size=0)
    )
    assert Recipe.from_query(setting(test)) == wanted
    again = page(**wanted.to_query() | {"CD.rate": "0,25"}, utm_source="mail", fbclid="x")  # as programs add them
    assert setting(again) == wanted.to_query()
    assert not again.warning
    assert field(again, "choose preset").value == "your own"
    field(again, "rbm.hidden").input("16").run()
    assert "rbm.hidden" not in setting(again)  # its default


@pytest.mark.parametrize(
    ("recipe", "key", "text", "good"),
    [
        (QUICK, "CD.rate", "nan", "0.1"),
        (QUICK, "CD.rate", "", "0.1"),
        (QUICK, "CD.batch_size", "5000", "14"),
        (QUICK, "schedule.length", "2.5", "2"),
        (LARGE, "annealing.chains", "1", "30"),
        (RESTORING, "corruption.rate", "2", "0.1"),
        (RESTORING, "BeliefPropagationMLE.batch_size", "5000", "14"),
    ],
)
def test_a_value_that_cannot_be_taken_has_its_sentence_typed_or_in_a_link_until_it_is_mended(recipe, key, text, good):
    typed = opened(recipe)
    field(typed, key).input(text).run()
    linked = page(**recipe.to_query() | {key: text})
    for test in (typed, linked):
        (error,) = test.error
        assert field(test, key).value == text
        assert not enabled(test, "Play")
        assert setting(test)[key] == text
        assert sum(error.value in each.value for each in test.warning) == (test is linked)  # at the top, too
        field(test, key).input(good).run()
        assert not test.error
        assert not test.warning
        assert enabled(test, "Play")


@pytest.mark.parametrize(
    "query",
    [
        {"learner": "SuperCD"},
        {"preset": "real-dig"},
        {"CD.speed": "3", "learner": "CD"},
        {"model": "rbm", "corruption.rate": "0.2"},
        {"rbm.hidden": ""},
        {"changes": "5:rate"},
        {"before.mod": ""},
        {"run": "0123456789abcdef"},
        {"play": "yes"},
        {"view": "data"},
    ],
    ids=str,
)
def test_what_a_link_holds_and_cannot_be_taken_gets_a_sentence_and_the_rest_of_it_is_kept(query):
    test = page(**query | {"schedule.length": "77"})
    assert test.warning
    assert setting(test)["schedule.length"] == "77"
    assert not {"before.mod", "view", "CD.speed"} & set(test.query_params)


def test_a_training_plays_to_its_end_is_trained_on_repeated_and_begun_with_another_seed():
    test = play(opened(QUICK))
    first = current(test)
    assert (first.recipe, first.snapshot.state.count) == (QUICK, 2000)
    assert at(test)["run"] == first.id
    assert "key" in test.query_params
    assert not enabled(test, "Pause")
    values = [record.values for record in first.snapshot.records]
    test = settle(press(test, "Train longer"), "finished")
    assert first.snapshot.state.count == 4000
    assert setting(test)["schedule.length"] == "4000"
    test = settle(press(test, "Reset"), "paused")
    again = current(test)
    assert again.id != first.id
    assert again.snapshot.state.count == 0
    play(test)
    assert [record.values for record in again.snapshot.records][: len(values)] == values
    test = settle(press(test, "New seed"), "paused")
    assert setting(test)["schedule.seed"] == "1"
    assert current(test).snapshot.records[0].values != values[0]


def test_settings_fold_when_a_training_goes_on_and_stay_as_they_are_when_one_starts_anew():
    show, hide = "All settings", "Hide settings"
    test = press(opened(QUICK), "Step")
    assert enabled(test, "Step")  # so that focus stays on it while the training gets ready
    test = settle(press(settle(test, "paused"), "New seed"), "paused")
    assert current(test).snapshot.state.count == 0
    for before, after in ((show, hide), ("Reset", hide), ("Play", show), (show, hide)):
        test = settle(press(test, before), "paused", "finished")
        assert after in labels(test), before
    assert show in labels(press(test, "Train longer"))


def test_a_step_is_one_update_or_ten_or_an_epoch():
    test, counts = opened(dataclasses.replace(QUICK, learner=CD(batch_size=5))), []
    for size in (None, "10 updates", "1 epoch"):
        if size:
            test.segmented_control(key="step").set_value(size).run()
        counts.append(current(step(test)).snapshot.state.count)
    assert counts == [1, 11, 14]


def test_other_settings_start_a_new_training_and_keep_the_old_one_which_can_be_paused():
    test = settle(press(opened(ENDLESS), "Play"), "running")
    first = current(test)
    field(test, "choose learner").select("SDCP").run()
    assert (enabled(test, "Play"), enabled(test, "Pause")) == (True, True)
    settle(press(test, "Pause"), "paused")
    field(test, "schedule.length").input("5").run()
    field(test, "rbm.hidden").input("4")  # a tap on Play sends it with the click
    test = play(test)
    assert current(test).id != first.id
    assert current(test).snapshot.state.model.n_hidden == 4
    assert lab.engine().get(first.id) is first


def test_a_rate_changed_under_way_is_marked_goes_into_the_link_and_is_kept_by_reset():
    test = after_one_step(QUICK)
    field(test, "live CD.rate").input("-1").run()
    assert len(test.error) == 1
    assert field(test, "live CD.rate").value == "-1"
    assert current(test).recipe.changes == ()
    field(test, "live CD.rate").input("0.2").run()
    assert field(test, "live CD.rate").value == "0.2"
    field(test, "schedule.length").input("3000").run()
    assert setting(test) == QUICK.to_query() | {"CD.rate": "0.2", "schedule.length": "3000"}
    field(test, "schedule.length").input("2000").run()  # the settings of the run again
    assert current(test).recipe.changes == ((1, "rate", 0.2),)
    assert setting(test) == QUICK.to_query() | {"changes": "1:rate:0.2"}
    assert field(page(run=current(test).id), "live CD.rate").value == "0.2"  # also to viewers
    test = settle(press(test, "Reset"), "paused")
    assert (current(test).recipe.learner.rate, current(test).recipe.changes) == (0.2, ())


def test_a_link_with_changes_repeats_them_or_leaves_them_out():
    linked = QUICK.changed(500, rate=0.2)
    assert current(play(opened(linked))).recipe == linked
    assert "changes" not in setting(press(opened(linked), "Leave them out"))
    test = after_one_step(linked)
    assert field(test, "live CD.rate").value == "0.05"
    assert current(settle(press(test, "Reset"), "paused")).recipe == linked
    assert current(settle(press(opened(linked), "New seed"), "paused")).recipe.changes == linked.changes


def test_someone_else_s_training_is_watched_not_touched_and_can_be_copied():
    run = run_training(PRESETS["too-fast"].recipe)
    test = page(run=run.id)
    assert "key" not in test.query_params
    for label in ("Pause", "Step", "Reset", "New seed", "End run"):
        assert not enabled(test, label)
        click_disabled(test, label)
        assert test.session_state["run"] == run.id, label
        assert (run.snapshot.status, run.recipe) == ("diverged", PRESETS["too-fast"].recipe), label
    run = run_training(QUICK, whole=False)
    guest = settle(press(page(run=run.id), "Start my own copy"), "finished")
    assert current(guest).id != run.id
    assert current(guest).recipe == QUICK
    assert run.snapshot.state.count == 1


def test_look_inside_is_not_offered_where_the_learner_takes_no_step_apart_and_nothing_is_paused(monkeypatch):
    recipe = dataclasses.replace(ENDLESS, learner=PCD(batch_size=14))
    monkeypatch.setattr(opened_inside, "has_reference", lambda learner: not isinstance(learner, PCD))
    test = settle(press(opened(recipe), "Play"), "running")
    assert not enabled(test, "Look inside")
    click_disabled(test, "Look inside")
    assert current(test).snapshot.status == "running"
    press(test, "End run")
    assert enabled(after_one_step(QUICK), "Look inside")


def test_the_links_to_share_have_no_key_and_one_starts_playing_once(monkeypatch):
    test = after_one_step(QUICK)
    assert [Recipe.from_query(query) for query in links(test)] == [QUICK] * 4  # the first for a class
    assert [query.get("play") for query in links(test)] == [None, "1", None, None]
    assert [query.get("run") for query in links(test)] == [None, None, None, current(test).id]
    assert not any("key" in query or current(test).key in str(query) for query in links(test))
    assert links(page(preset="too-fast"))[1] == {"preset": "too-fast", "play": "1"}
    seeded = {"preset": "too-fast", "schedule.seed": "3", "play": "1"}
    assert links(page(preset="too-fast", **{"schedule.seed": "3"}))[1] == seeded
    changed = links(opened(PRESETS["too-fast"].recipe.changed(50, rate=0.01)))[0]
    assert Recipe.from_query(changed).changes == ((50, "rate", 0.01),)
    played = settle(page(**links(test)[1]), "finished")
    assert at(played)["run"] == current(played).id
    assert "play" not in played.query_params
    monkeypatch.setattr(address, "has_gone_back", lambda: True)
    assert not page(**links(test)[0]).session_state["run"]
    before = len(lab.engine().runs())
    assert page(preset="nosuch", play="1").warning
    assert len(lab.engine().runs()) == before  # what was not understood does not begin by itself


def test_a_link_is_shown_as_a_code_unless_it_leads_nowhere_or_is_too_long(monkeypatch):
    def codes_of(test) -> list[str]:
        bodies = [each.proto.body for each in test.button("code play").click().run().get("html")]
        return [body for body in bodies if "lab-code" in body]

    test = page(preset="too-fast")
    (shown,) = codes_of(test)
    assert "?preset=too-fast&amp;play=1" in shown
    assert test.session_state["share"] is False  # it would lie on the code
    assert not codes_of(opened(dataclasses.replace(QUICK, changes=[(at, "rate", 0.1 + at / 1e4) for at in range(40)])))
    monkeypatch.setattr(qr, "is_local", lambda link: True)
    assert not codes_of(page(preset="too-fast"))


def test_the_python_that_is_offered_repeats_the_training(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # it saves the model
    test = trained(QUICK)
    code = next(code.value for code in test.code if code.value.startswith("from boltzcore"))
    names: dict = {}
    exec(code, names)
    assert (tmp_path / "model.npz").exists()
    assert (names["step"].state.model.W == current(test).snapshot.state.model.W).all()


def test_the_last_and_the_best_model_are_files():
    run = current(trained(QUICK))
    last, best = (RBM.load(io.BytesIO(model_of(run, name))) for name in ("state", "best"))
    assert (last.W == run.snapshot.state.model.W).all()
    assert (best.W == run.snapshot.best.model.W).all()


@pytest.mark.parametrize("recipe", [FAST, dataclasses.replace(FAST, learner=PCD(), before=FAST)])
def test_too_fast_diverges_and_goes_on_from_the_best_state_or_with_a_tenth_of_the_rate(recipe):
    test = trained(recipe)
    best = current(test).snapshot.best.count
    slower = button(test, "Continue with").label
    test = settle(press(test, "Back to the best state"), "paused")
    assert current(test).snapshot.state.count == best
    test = press(settle(press(test, "Play"), "diverged"), slower)
    assert current(test).recipe.stages[0].changes[-1][2] == pytest.approx(0.05)
    assert "Diagnose" in labels(test.run())  # as for settings that are the run's
    press(test, "Pause")


DEAD = Recipe(FVBMSetup(), "shifting-bar", BSLM(), Schedule(length=5))  # without a maximiser of its likelihood


def test_what_a_learner_says_of_its_data_is_shown_before_anything_is_fitted():
    test = opened(DEAD)
    assert test.info
    assert enabled(test, "Play")
    assert not opened(dataclasses.replace(DEAD, data="parity")).info


@pytest.mark.parametrize(
    "query",
    [
        dataclasses.replace(DEAD, learner=PseudoLikelihoodLBFGS()).to_query(),
        {"model": "log-linear", "data": "bayes-net", "learner": "GreedyMDL", "bayes-net.nodes": "30"},
        {"data": "own"},
    ],
    ids=["no maximiser", "too many states", "not uploaded"],
)
def test_what_cannot_be_trained_is_refused_in_a_sentence(query):
    test = page(**query)
    assert test.error
    assert not enabled(test, "Play")


def test_back_from_another_page_and_without_its_address_the_setting_and_the_training_are_still_there():
    before = after_one_step(QUICK)
    own = current(before).id
    kept = {key: before.session_state[key] for key in ("settings", "run", "run_keys")}
    back = [visit(name, kept) for name in ("train", "start")]
    del before.query_params["run"], before.query_params["key"]
    for test in (*back, before.run()):
        assert (at(test)["run"], setting(test)) == (own, QUICK.to_query())
        assert enabled(test, "Step")


def test_speed_is_the_pace_of_the_run_and_of_the_next_one_and_viewers_cannot_change_it():
    test = opened(ENDLESS)
    test.select_slider("speed").set_value(10.0).run()
    run = current(press(test, "Play"))
    assert run.pace == 10.0
    field(test, "live CD.rate").input("-1").run()
    again = current(press(test, "New seed"))
    assert not test.error
    assert again is not run
    assert again.pace == run.pace
    run = again
    test.select_slider("speed").set_value(3.0).run()
    assert run.pace == 3.0
    watcher = page(run=run.id)
    watcher.select_slider("speed").proto.disabled = False  # as a client of one's own
    watcher.select_slider("speed").set_value(1.0).run()
    assert watcher.select_slider("speed").value == run.pace == 3.0
    test.select_slider("speed").set_value(FASTEST).run()
    assert run.pace is None
    press(test, "Pause")


def test_a_preset_that_would_be_over_at_once_is_slow_until_the_speed_is_moved():
    test = press(page(preset="senate"), "Play")
    run = current(test)
    assert run.pace == PRESETS["senate"].pace
    test.select_slider("speed").set_value(FASTEST).run()
    assert run.pace is None
    press(test, "Reset")
    assert current(test) is not run
    assert current(test).pace is None
    assert current(press(page(preset="parity-term"), "Step")).pace is None
    field(test, "choose preset").select("everything-looks-right").run()  # asks for a speed of its own
    run = current(press(test, "Play"))
    assert run.pace == PRESETS["everything-looks-right"].pace
    press(test, "Pause")
    back = visit("train", {"speed_preset": "senate"}, preset="senate")  # another page has forgotten the slider
    assert current(press(back, "Play")).pace == PRESETS["senate"].pace


def test_a_training_that_stops_early_is_not_trained_on_and_offers_its_best_state():
    recipe = dataclasses.replace(
        RESTORING, learner=ConditionalCD(batch_size=0, rate=1e-6), schedule=Schedule(length=500, patience=2)
    )
    test = trained(recipe)
    assert not enabled(test, "Train longer")
    assert "Back to the best state" not in labels(settle(press(test, "Back to the best state"), "paused"))


def test_a_link_keeps_the_recipe_that_is_trained_before():
    recipe = dataclasses.replace(QUICK, before=dataclasses.replace(QUICK, schedule=Schedule(length=3)))
    test = opened(recipe)
    assert setting(test) == recipe.to_query()
    play(test)
    assert current(test).recipe == recipe
    assert current(test).snapshot.state.count == 2003
    rows = Digits(threshold=100)  # the data's options are of both
    other = dataclasses.replace(recipe, data=rows, before=dataclasses.replace(recipe.before, data=rows)).to_query()
    test = page(**other)
    assert setting(test) == other
    field(test, "digits.threshold").input("110").run()
    assert Recipe.from_query(setting(test)).before.data.threshold == 110
    field(test, "choose learner").select("PCD").run()
    assert Recipe.from_query(setting(test)).before.data.threshold == 110
    wrong = page(**recipe.to_query() | {"before.CD.rate": "70"})
    assert wrong.warning
    assert not any(key.startswith("before.") for key in setting(wrong))
