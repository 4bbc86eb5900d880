"""What the form writes out where nothing was set by hand, and what is offered after a training that has not learnt."""

import dataclasses

from boltzcore.data import DATASETS
from boltzcore.learners import SDCP
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.starts import start_for
from tests.pages.train import current, field, opened, page, press, said, setting, settle

BARS = DATASETS["shifting-bar"]()


def chosen(test) -> Recipe:
    return Recipe.from_query(setting(test))


def test_other_data_begin_with_what_suits_them():
    test = page()
    field(test, "choose data").select("shifting-bar").run()
    assert not test.exception
    assert chosen(test) == start_for("rbm", BARS, "PCD")
    field(test, "choose model").select("fvbm").run()
    assert chosen(test) == start_for("fvbm", BARS, "BSLM")
    field(test, "choose data").select("digits").run()
    assert chosen(test) == start_for("fvbm", DATASETS["digits"](), "BSLM")


def test_a_start_leads_to_the_start_of_another_learner():
    test = opened(start_for("rbm", BARS, "CD"))
    field(test, "choose learner").select("SSD").run()
    assert chosen(test) == start_for("rbm", BARS, "SSD")


def test_what_was_set_by_hand_is_kept_and_nothing_else():
    test = page()
    field(test, "rbm.hidden").input("7").run()
    field(test, "choose data").select("shifting-bar").run()
    start = start_for("rbm", BARS, "PCD")
    assert chosen(test) == dataclasses.replace(start, model=start.model.changed(hidden=7))
    field(test, "PCD.K").input("1").run()  # as declared, though not as the start has it
    field(test, "choose data").select("digits").run()
    start = start_for("rbm", DATASETS["digits"](), "PCD")
    expected = dataclasses.replace(start, model=start.model.changed(hidden=7), learner=start.learner.changed(K=1))
    assert chosen(test) == expected


def test_what_the_data_refuse_is_not_kept():
    test = page()
    field(test, "PCD.batch_size").input("200").run()
    field(test, "choose data").select("shifting-bar").run()
    assert chosen(test) == start_for("rbm", BARS, "PCD")


def test_another_learner_leaves_a_preset_as_it_is():
    test = page(preset="plateau")
    field(test, "choose learner").select("CD").run()
    recipe = PRESETS["plateau"].recipe
    assert chosen(test) == dataclasses.replace(recipe, learner=type(chosen(test).learner)(rate=0.3, K=12, batch_size=0))


def test_a_link_means_what_it_meant():
    test = page(model="rbm", data="shifting-bar", learner="SDCP")
    assert chosen(test) == Recipe(model="rbm", data="shifting-bar", learner=SDCP())


def test_a_training_that_has_not_learnt_says_so_and_what_may_help():
    test = settle(press(page(model="rbm", data="shifting-bar", learner="CD"), "Play"), "finished")
    assert "It has not learnt: the log-likelihood of the training rows is" in said(test)
    test = settle(press(test, "Train on to epoch 500"), "finished")
    assert current(test).recipe.schedule.length == 500
    test = settle(press(test, "Start with what suits these data"), "finished")
    assert current(test).recipe == start_for("rbm", BARS, "CD")
    assert "It has not learnt" not in said(test)


def test_a_training_that_is_over_by_its_own_rule_is_not_to_be_trained_on():
    test = settle(press(opened(start_for("fvbm", DATASETS["parity"](), "BSLM")), "Play"), "finished")
    assert "It has not learnt: the log-pseudo-likelihood" in said(test)
    assert not any(button.label.startswith("Train on to") for button in test.button)
