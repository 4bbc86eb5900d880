"""Examples that tell: each still does, is the training that it says, and was found by the search that is there."""

import dataclasses
import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from boltzcore import train
from boltzcore.__main__ import main
from boltzcore.learners import CD, BeliefPropagationMLE, GreedyMDL
from boltzcore.models import RBMSetup
from boltzcore.parameters import Refusal
from boltzcore.registry import LEARNERS
from boltzcore.runs import seeking, telling
from boltzcore.runs.seeking import GRIDS, Grid, seek, told_of
from boltzcore.runs.stories import STORIES
from boltzcore.runs.telling import EXAMPLES, PAIRS, TELLING, Pair, state_of

ENOUGH = 0.5  # of a pair


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_tells_its_story_by_what_it_chooses(name):
    example = EXAMPLES[name]
    told = told_of(example)
    first = example.first if isinstance(example, Pair) else example
    enough = ENOUGH if isinstance(example, Pair) else STORIES[example.story].enough
    assert told.score >= enough, told.parts
    assert dict(first.choose) == dict(told.choose)
    assert example.title.endswith("?")
    learner, state, dataset = state_of(first)
    assert learner.dissect(state, dataset.train, row=first.row).family == example.family
    assert name in GRIDS


def test_every_learner_that_takes_updates_apart_has_an_example():
    apart = {name for name, learner in LEARNERS.items() if learner().apart}
    assert {type(example.learner).__name__ for example in TELLING.values()} == apart


@pytest.mark.parametrize("name", ["cd", "mle-bp", "ga", "greedy"])
def test_the_state_is_that_of_the_recipes_training_at_that_update(name):
    example = TELLING[name]
    _, state, dataset = state_of(example)
    telling._state_at.cache_clear()
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
    over = replace(TELLING["greedy"], update=150)
    with pytest.raises(ValueError, match=r"ends after \d+ updates, before update 150"):
        state_of(over)


@pytest.mark.parametrize("name", PAIRS)
def test_both_of_a_pair_go_on_from_one_state_with_one_row_and_the_same_numbers(name):
    pair = PAIRS[name]
    (one, state, dataset), (other, same, _) = state_of(pair.first), state_of(pair.second)
    assert state is same
    assert one != other
    first, second = (learner.dissect(state, dataset.train) for learner in (one, other))
    assert_array_equal(first.phases[0].arrays["v"], second.phases[0].arrays["v"])
    drawn = [[phase.arrays["u"] for phase in taken.phases if "u" in phase.arrays] for taken in (first, second)]
    for u, v in zip(*drawn, strict=False):
        assert_array_equal(u, v)
    for side, told in (("first", pair.first), ("second", pair.second)):
        assert telling.telling(f"{name}.{side}") is told


@pytest.mark.parametrize("name", ["", "none", "cd.first", "cd-and-pcd", "cd-and-pcd.third", "../cd", "<b>"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(Refusal, match="example must be one of cd, "):
        telling.telling(name)


@pytest.mark.parametrize(
    ("story", "name", "learner"),
    [
        ("chain", "cd", CD(rate=0.2, batch_size=1)),
        ("beliefs", "mle-bp", BeliefPropagationMLE(rate=0.001, batch_size=1)),
        ("bought", "greedy", GreedyMDL(order=1)),
    ],
)
def test_a_dull_step_tells_little(story, name, learner):
    example = replace(TELLING[name], recipe=replace(TELLING[name].recipe, learner=learner), update=0)
    if story == "chain":
        example = replace(example, recipe=replace(example.recipe, model=RBMSetup(hidden=4)))
    assert told_of(example).score < STORIES[story].enough


def test_the_search_comes_upon_the_example(monkeypatch):
    example = TELLING["lssvm"]
    seed, update = example.recipe.schedule.seed, example.update
    monkeypatch.setitem(GRIDS, "lssvm", Grid(seed + 1, update, update))
    found = list(seek("lssvm"))
    assert [(one.seed, one.update) for one in found] == [(s, u) for s in range(seed + 1) for u in (0, update)]
    best = max(found, key=lambda one: one.told.rank)
    assert (best.seed, best.update, best.row) == (seed, update, example.row)
    assert best.told == told_of(example)


def test_rows_and_the_datas_own_seed_are_searched(monkeypatch):
    monkeypatch.setitem(GRIDS, "bslm", Grid(2, 1, 1, rows=3, first=1))
    assert [(one.seed, one.update, one.row) for one in seek("bslm")] == [(s, 1, r) for s in (0, 1) for r in range(3)]
    recipes = [seeking._seeded(TELLING["bslm"].recipe, seed) for seed in (0, 1)]
    assert [recipe.data.seed for recipe in recipes] == [0, 1]


def test_the_command_lists_and_searches(monkeypatch, capsys):
    assert main(["telling", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert list(listed) == list(EXAMPLES)
    assert listed["cd"]["score"] >= ENOUGH
    monkeypatch.setitem(GRIDS, "lr", Grid(2, 34, 17, first=17))
    assert main(["telling", "lr", "--best", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["looked"] == 4
    assert len(told["best"]) == 2
    assert told["best"][0]["score"] >= told["best"][1]["score"]
    assert main(["telling", "nothing"]) == 2
    assert "NAME must be one of cd, " in capsys.readouterr().err
