"""Suggested settings in the form, and the offer after a training that has not learnt."""

import dataclasses

from boltzcore.data import DATASETS
from boltzcore.models import RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.starts import start_for
from tests.pages.train import current, field, opened, page, page_of, play, setting
from tests.pages.visit import labels, press

BARS = DATASETS["shifting-bar"]()


def chosen(test) -> Recipe:
    return Recipe.from_query(setting(test))


def test_other_data_begin_with_what_suits_them():
    test = page()
    field(test, "rbm.hidden").input("7").run()
    field(test, "PCD.batch_size").input("many").run()
    field(test, "choose data").select("shifting-bar").run()
    assert chosen(test) == start_for("rbm", BARS, "PCD")
    field(test, "choose model").select("fvbm").run()
    assert chosen(test) == start_for("fvbm", BARS, "BSLM")
    field(test, "choose data").select("digits").run()
    assert chosen(test) == start_for("fvbm", DATASETS["digits"](), "BSLM")


def test_another_learner_begins_with_what_suits_it_on_the_same_model_and_data():
    test = page(data="shifting-bar", **{"shifting-bar.N": "8", "rbm.hidden": "7", "CD.rate": "0.3", "CD.K": "0"})
    field(test, "choose learner").select("SSD").run()
    start = start_for("rbm", DATASETS["shifting-bar"](N=8), "SSD")
    assert chosen(test) == dataclasses.replace(start, model=RBMSetup(hidden=7))


def test_a_training_that_has_not_learnt_is_offered_what_may_help():
    test = play(page(model="rbm", data="shifting-bar", learner="CD"))
    poor = current(test)
    begun = current(press(test, "Start with suitable settings"))
    assert begun.recipe == start_for("rbm", BARS, "CD")
    begun.stop()
    assert current(press(page_of(poor), "Continue to epoch 500")) is poor
    assert poor.recipe.schedule.length == 500
    poor.stop()


def test_a_training_that_is_over_by_its_own_rule_is_not_to_be_trained_on():
    test = play(opened(start_for("fvbm", DATASETS["parity"](), "BSLM")))
    assert not any(label.startswith("Continue to") for label in labels(test))
