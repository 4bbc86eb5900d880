"""Worked examples: each is the update of the training that it names."""

from dataclasses import replace

import pytest
from numpy.testing import assert_equal

from boltzcore import train
from boltzcore.reference.trace import has_reference
from boltzcore.registry import LEARNERS, MODELS, learners_of
from pages.inside.worked_examples import STEPS
from pages.inside.worked_step import state_of


def test_every_model_whose_updates_can_be_followed_has_an_example():
    followed = {name for name in MODELS if any(has_reference(LEARNERS[each].learner()) for each in learners_of(name))}
    assert {step.recipe.model.name for step in STEPS.values()} == followed


@pytest.mark.parametrize("name", ["cd", "mle-bp", "bslm", "greedy"])
def test_the_state_is_that_of_the_recipes_training_at_that_update(name):
    example = STEPS[name]
    _, state, dataset = state_of(example)
    recipe = replace(example.recipe, measures=(), schedule=example.recipe.schedule.changed(every=1))
    trained = next(step.state for step in train(recipe) if step.state.count == example.update)
    assert_equal(vars(state.model), vars(trained.model))
    assert state.count == trained.count == example.update
    assert len(dataset.train)


def test_an_update_that_the_training_never_reaches_is_refused():
    with pytest.raises(ValueError, match="150"):
        state_of(replace(STEPS["greedy"], update=150))
