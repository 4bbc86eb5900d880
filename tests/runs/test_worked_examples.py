"""Worked examples: each shows the same numbers as ever, and is the training that it says."""

import dataclasses
import hashlib
import json
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from boltzcore import train
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.parameters import Refusal
from boltzcore.registry import LEARNERS
from boltzcore.runs import worked_step
from boltzcore.runs.worked_examples import EXAMPLES, PAIRS, SIDES, STEPS, step_named
from boltzcore.runs.worked_step import Pair, state_of

GOLDEN = json.loads(Path(__file__).with_name("worked_examples.json").read_text(encoding="utf-8"))
# Their searches go by what BLAS adds up, in an order that differs between processors: other points, the same phases.
SEARCHING = ("FrankWolfe", "PairwiseExact", "PseudoLikelihoodLBFGS")
NAMES = [*STEPS, *(f"{pair}.{side}" for pair in PAIRS for side in SIDES)]


def taken_apart(name: str) -> UpdateTrace:
    step = step_named(name)
    learner, state, dataset = state_of(step)
    return learner.trace_update(state, dataset.train, row=step.row)


def digest(name: str) -> str:
    """Of the phases of a step in their order, with their numbers to single precision."""
    taken, hashed = taken_apart(name), hashlib.sha256()
    if type(step_named(name).learner).__name__ in SEARCHING:
        hashed.update(" ".join(kind for kind, _ in groupby(phase.kind for phase in taken.phases)).encode())
        return hashed.hexdigest()[:16]
    for phase in taken.phases:
        hashed.update(f"{phase.kind} {phase.at} ".encode())
        for key, array in sorted(phase.arrays.items()):
            numbers = np.asarray(array)
            plain = np.ascontiguousarray(numbers, np.float32 if numbers.dtype.kind == "f" else np.int64)
            hashed.update(f"{key} {numbers.dtype.kind} {plain.shape} ".encode() + plain.tobytes())
    return hashed.hexdigest()[:16]


def test_each_example_shows_what_it_has_always_shown():
    assert {name: digest(name) for name in NAMES} == GOLDEN


@pytest.mark.parametrize("name", STEPS)
def test_an_example_is_a_question_about_a_step_of_its_family(name):
    assert STEPS[name].title.endswith("?")
    assert taken_apart(name).family == STEPS[name].family


def test_the_unit_to_look_at_is_the_one_that_leaves_or_the_one_that_comes():
    (leaving,) = (phase.arrays["units"] for phase in taken_apart("fw").phases if phase.kind == "leave")
    assert leaving.tolist() == [STEPS["fw"].choose["unit"]]
    coming = taken_apart("fw-digits")
    assert STEPS["fw-digits"].choose["unit"] == coming.models[0].n_units == coming.models[-1].n_units - 1


def test_every_learner_that_takes_updates_apart_has_an_example():
    apart = {name for name, learner in LEARNERS.items() if learner().traces_updates}
    assert {type(example.learner).__name__ for example in STEPS.values()} == apart


@pytest.mark.parametrize("name", ["cd", "mle-bp", "ga", "greedy"])
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


def test_examples_are_small_and_soon_there():
    for example in EXAMPLES.values():
        first = example.first if isinstance(example, Pair) else example
        assert first.update <= 500
        assert len(first.recipe.dataset().train) <= 16_000


def test_an_update_that_the_training_never_reaches_is_refused():
    over = replace(STEPS["greedy"], update=150)
    with pytest.raises(ValueError, match=r"ends after \d+ updates, before update 150"):
        state_of(over)


@pytest.mark.parametrize("name", PAIRS)
def test_both_of_a_pair_go_on_from_one_state_with_one_row_and_the_same_numbers(name):
    pair = PAIRS[name]
    (one, state, dataset), (other, same, _) = state_of(pair.first), state_of(pair.second)
    assert state is same
    assert one != other
    first, second = (learner.trace_update(state, dataset.train) for learner in (one, other))
    assert_array_equal(first.phases[0].arrays["v"], second.phases[0].arrays["v"])
    drawn = [[phase.arrays["u"] for phase in taken.phases if "u" in phase.arrays] for taken in (first, second)]
    for u, v in zip(*drawn, strict=False):
        assert_array_equal(u, v)
    for side, told in (("first", pair.first), ("second", pair.second)):
        assert step_named(f"{name}.{side}") is told


@pytest.mark.parametrize("name", ["", "none", "cd.first", "cd-and-pcd", "cd-and-pcd.third", "../cd", "<b>"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(Refusal, match="example must be one of cd, "):
        step_named(name)
