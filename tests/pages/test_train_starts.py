"""What the form writes out where nothing was set by hand, and what is offered after a training that has not learnt."""

import dataclasses

from boltzcore.data import DATASETS
from boltzcore.learners import SDCP
from boltzcore.models import RBMSetup
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.starts import start_for
from tests.pages.train import current, field, opened, page, press, said, setting, settle

BARS = DATASETS["shifting-bar"]()


def chosen(test) -> Recipe:
    return Recipe.from_query(setting(test))


def test_other_data_begin_with_what_suits_them():
    test = page()
    field(test, "rbm.hidden").input("7").run()
    field(test, "PCD.batch_size").input("many").run()
    field(test, "choose data").select("shifting-bar").run()
    assert not test.exception
    assert chosen(test) == start_for("rbm", BARS, "PCD")
    field(test, "choose model").select("fvbm").run()
    assert chosen(test) == start_for("fvbm", BARS, "BSLM")
    field(test, "choose data").select("digits").run()
    assert chosen(test) == start_for("fvbm", DATASETS["digits"](), "BSLM")


def test_another_learner_begins_with_what_suits_it_on_the_same_model_and_data():
    test = page(data="shifting-bar", **{"shifting-bar.N": "8", "rbm.hidden": "7", "CD.rate": "0.3", "CD.K": "9"})
    field(test, "choose learner").select("SSD").run()
    start = start_for("rbm", DATASETS["shifting-bar"](N=8), "SSD")
    assert chosen(test) == dataclasses.replace(start, model=RBMSetup(hidden=7))


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
