"""The Train page with a conditional model: what of its setting is kept, shown and refused."""

import dataclasses
import io

import numpy as np
import pytest
from PIL import Image

from boltzcore.data.corruption import Corruption
from boltzcore.figures import palette
from boltzcore.learners import BeliefPropagationMLE
from boltzcore.registry import learners_of
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from pages.parts import form
from tests.pages.train import (
    QUICK,
    RESTORING,
    enabled,
    field,
    opened,
    page,
    panels,
    press,
    said,
    setting,
    settle,
)


def test_another_model_keeps_the_data_and_takes_its_first_learner():
    test = opened(QUICK)
    field(test, "choose model").select("crbm").run()
    assert not test.exception
    chosen = Recipe.from_query(setting(test))
    assert (chosen.data, type(chosen.learner)) == (QUICK.data, BeliefPropagationMLE)
    assert set(field(test, "choose learner").options) == {learner.title for learner in learners_of("crbm").values()}


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


def test_what_to_look_for_is_told_of_no_other_model():
    test = settle(press(page(preset="hidden-patch"), "Step"), "paused")
    told = PRESETS["hidden-patch"].look_for
    test = press(test, "Pin this curve")
    field(test, "corruption.size").input("many").run()
    assert told in said(test)
    field(test, "choose model").select("rbm").run()
    assert told not in said(test)


def test_a_link_that_names_a_model_alone_takes_its_first_learner():
    assert setting(page(model="crbm"))["learner"] == "BeliefPropagationMLE"


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("corruption.rate", "2", "Rate must be a number from 0 to 1, not 2.0."),
        ("corruption.size", "0", "Patch size must be a whole number from 1 to 512, not 0."),
        ("corruption.value", "3", "Value must be a whole number from 0 to 1, not 3."),
        ("BeliefPropagationMLE.rate", "0", "Learning rate must be a number from 1e-06 to 10, not 0.0."),
        ("BeliefPropagationMLE.iterations", "0", "Iterations + epoch must be a whole number from 1 to"),
        (
            "BeliefPropagationMLE.batch_size",
            "5000",
            "Batch size must be a whole number from 0 (all rows) to 14, the rows there are, not 5000.",
        ),
    ],
)
def test_a_refused_value_of_a_conditional_model_has_its_sentence(key, text, sentence):
    test = opened(RESTORING)
    field(test, key).input(text).run()
    assert not test.exception
    assert any(each.value.startswith(sentence) for each in test.error)
    assert field(test, key).value == text
    assert not enabled(test, "Play")


def test_two_fields_of_one_name_are_told_apart():
    texts = RESTORING.to_query() | {"corruption.rate": "7"}
    assert list(form.read(texts).problems) == ["corruption.rate"]
    assert list(form.read(texts | {"corruption.rate": "0.1", "BeliefPropagationMLE.rate": "70"}).problems) == [
        "BeliefPropagationMLE.rate"
    ]
    patch = dataclasses.replace(RESTORING, data="digits", corruption=Corruption(kind="patch", size=9)).to_query()
    assert form.read(patch).problems == {"corruption.size": "Patch size must be a whole number from 1 to 8, not 9."}


def test_pixels_that_the_damage_hid_are_hatched_in_training_too():
    hidden = dataclasses.replace(RESTORING, corruption=Corruption(kind="lower half"))
    for recipe, stripes in ((RESTORING, False), (hidden, True)):
        test = settle(press(opened(recipe), "Step"), "paused")
        clean, damaged, restored = panels(test)["restored"].content
        assert damaged.caption.startswith("Damaged: what is hatched is lost, the model is given black") == stripes
        assert [striped(each.png) for each in (clean, damaged, restored)] == [False, stripes, False]


def striped(png: bytes) -> bool:
    """Whether lost pixels are drawn in a picture."""
    drawn = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))[..., :3]
    return bool((drawn == palette.parts(palette.LOST)).all(axis=2).any())
