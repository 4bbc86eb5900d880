"""The Train page with a conditional model: what of its setting is kept, shown and refused."""

import dataclasses

from boltzcore.data.corruption import Corruption
from boltzcore.learners import BeliefPropagationMLE
from boltzcore.plotting import palette
from boltzcore.registry import learners_of
from boltzcore.training.recipe import Recipe
from tests.figures.checks import pixels
from tests.pages.train import QUICK, RESTORING, after_one_step, field, opened, page, panels, setting


def test_another_model_keeps_the_data_takes_its_first_learner_and_the_part_of_the_recipe_that_it_needs():
    assert setting(page(model="crbm"))["learner"] == "BeliefPropagationMLE"
    test = opened(QUICK)
    field(test, "choose model").select("crbm").run()
    chosen = Recipe.from_query(setting(test))
    assert (chosen.data, type(chosen.learner)) == (QUICK.data, BeliefPropagationMLE)
    assert set(field(test, "choose learner").options) == {learner.title for learner in learners_of("crbm").values()}
    field(test, "corruption.rate").input("0.3").run()
    assert Recipe.from_query(setting(test)).corruption == Corruption(rate=0.3)
    assert not any(widget.key.startswith("annealing.") for widget in test.text_input)
    field(test, "choose model").select("rbm").run()
    assert not any(key.startswith("corruption.") for key in (*setting(test), *(each.key for each in test.text_input)))


def test_pixels_that_the_damage_hid_are_hatched_in_training_too():
    hidden = dataclasses.replace(RESTORING, corruption=Corruption(kind="lower half"))
    for recipe, stripes in ((RESTORING, False), (hidden, True)):
        drawn = [pixels(each.png) for each in panels(after_one_step(recipe))["restored"].content]
        lost = [bool((each == palette.parts(palette.LOST)).all(axis=2).any()) for each in drawn]
        assert lost == [False, stripes, False]
