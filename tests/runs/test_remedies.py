"""Recipes that remedies make of a training."""

import dataclasses

import pytest

from boltzcore.data import Senate
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import CD, PCD, CenteredGradient, TrajectoryTempering
from boltzcore.measures.diagnosis import Remedy
from boltzcore.models import RBMSetup
from boltzcore.registry import LEARNERS
from boltzcore.training.recipe import Recipe
from boltzcore.training.remedies import apply_remedy, describe, live_changes

RECIPE = Recipe(RBMSetup(hidden=8, visible_bias="zero"), "digits", PCD(rate=0.2, batch_size=30))


def remedy(live=False, **fields):
    return Remedy("Try it.", {key.replace("__", "."): value for key, value in fields.items()}, live)


def test_a_live_field_is_changed_where_the_training_is():
    assert live_changes(RECIPE, remedy(live=True, learner__rate=0.02), 0) == {"rate": 0.02}
    assert live_changes(RECIPE.changed(at=9, rate=0.02), remedy(live=True, learner__rate=0.02), 9) == {}
    assert live_changes(RECIPE, remedy(learner__rate=0.02), 0) == {}
    assert live_changes(RECIPE, remedy(live=True, learner__batch_size=50), 0) == {}


def test_a_new_training_has_the_fields_and_the_live_changes_so_far():
    made = apply_remedy(RECIPE.changed(40, rate=0.1).changed(90, rate=1), remedy(model__visible_bias="base rate"), 40)
    assert made == Recipe(RBMSetup(hidden=8), "digits", PCD(rate=0.1, batch_size=30))
    assert "base rate" in describe(made, {"model.visible_bias": "base rate"})


@pytest.mark.parametrize("learner", [CenteredGradient, TrajectoryTempering])
def test_another_learner_takes_over_rate_and_batch(learner):
    made = apply_remedy(RECIPE, remedy(learner=learner.__name__), 0)
    assert made.learner == learner(rate=0.2, batch_size=30)
    assert describe(made, {"learner": learner.__name__}) == LEARNERS[learner.__name__].title


def test_columns_are_left_out_beside_those_that_are_and_an_estimate_gets_more_temperatures():
    made = apply_remedy(Recipe("rbm", Senate(leave_out="Govt"), CD()), remedy(data__leave_out=("one", "another")), 0)
    assert made.data.leave_out == "Govt,one,another"
    assert apply_remedy(RECIPE, remedy(annealing__temperatures=10_000), 0).annealing == Annealing(temperatures=10_000)


@pytest.mark.parametrize(
    "fields",
    [{}, {"data__leave_out": ("x",)}, {"model__hidden": 8}, {"learner__chains_per_row": 10**9}, {"learner": "BSLM"}],
)
def test_what_a_recipe_has_not_or_does_not_take_is_not_offered(fields):
    assert apply_remedy(RECIPE, remedy(**fields), 0) is None
    two_stages = dataclasses.replace(RECIPE, before=RECIPE)
    assert apply_remedy(two_stages, remedy(learner__rate=0.01), 0) is None
