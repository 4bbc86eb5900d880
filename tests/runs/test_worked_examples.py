"""Worked examples: each is the update of the training that it names."""

import dataclasses
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from boltzcore import train
from boltzcore.parameters import Refusal
from boltzcore.registry import MODELS
from boltzcore.runs import worked_step
from boltzcore.runs.worked_examples import STEPS, step_named
from boltzcore.runs.worked_step import state_of


def test_every_model_has_an_example():
    assert {step.recipe.model.name for step in STEPS.values()} == set(MODELS)


@pytest.mark.parametrize("name", ["cd", "mle-bp", "bslm", "greedy"])
def test_the_state_is_that_of_the_recipes_training_at_that_update(name):
    example = STEPS[name]
    _, state, dataset = state_of(example)
    worked_step._state_at.cache_clear()
    _, again, _ = state_of(example)
    recipe = replace(example.recipe, measures=(), schedule=example.recipe.schedule.changed(every=1))
    trained = next(step.state for step in train(recipe) if step.state.count == example.update)
    for field in dataclasses.fields(state.model):
        if isinstance(value := getattr(state.model, field.name), np.ndarray):
            assert_array_equal(value, getattr(trained.model, field.name))
            assert_array_equal(value, getattr(again.model, field.name))
    assert again.count == trained.count == example.update
    assert len(dataset.train)


def test_an_update_that_the_training_never_reaches_is_refused():
    with pytest.raises(ValueError, match="150"):
        state_of(replace(STEPS["greedy"], update=150))


@pytest.mark.parametrize("name", ["", "none", "../cd", "<b>"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(Refusal):
        step_named(name)
