"""A recipe that starts from the best model of another: one training in two stages."""

import dataclasses
import json

import numpy as np
import pytest

from boltzcore import Recipe, train
from boltzcore.learners import CD, PCD, ConditionalLR, MeanFieldMLE
from boltzcore.models import RBMSetup
from boltzcore.observations import observe_update
from boltzcore.training.prepared import PreparedData
from boltzcore.training.schedule import Schedule
from tests.runs.toys import cd, records, refused, steps_of

KEY = "train_log_likelihood"
FVBM = Recipe("fvbm", "bars-and-stripes", "BSLM")


def staged(first: int = 6, second: int = 8) -> Recipe:
    before = cd(first, every=2, rate=1.5)  # so large a rate that the best model is not the last
    schedule = Schedule(seed=2, length=second, every=4)
    return Recipe(RBMSetup(hidden=9), before.data, PCD(rate=0.1, batch_size=7), schedule, before=before)


def test_records_of_the_first_stage_come_first_and_counts_work_and_epochs_go_on():
    recipe = staged()
    steps = list(train(recipe))
    alone = list(train(recipe.before))
    n = len(alone)
    assert records(steps[:n]) == records(alone)
    assert [step.state.progress.stage for step in steps] == [0] * n + [1] * (len(steps) - n)
    last = alone[-1].record
    assert [step.record.epoch for step in steps[n:]] == [last.epoch, last.epoch + 4, last.epoch + 8]
    assert [step.record.count - last.count for step in steps[n:]] == [0, 8, 16]  # two batches of 7 in an epoch
    assert steps[n].record.work == last.work
    assert steps[-1].record.work > last.work
    seconds = [step.record.seconds for step in steps]
    assert seconds == sorted(seconds)
    assert PreparedData.from_recipe(recipe).budget(recipe) == steps[-1].state.count


def test_the_second_stage_starts_from_the_best_model_of_the_first():
    recipe = staged(20)
    steps = steps_of(recipe)
    first = [step for step in steps if step.state.progress.stage == 0]
    best = max(first, key=lambda step: step.record.values[KEY])
    assert best is not first[-1]
    start = steps[len(first)].state.model
    assert all(np.array_equal(getattr(start, name), getattr(best.state.model, name)) for name in "Wbc")
    assert start.n_hidden == 4  # the handed model, and not the size that the setup asks for


def test_a_conditional_stage_counts_its_epochs_on_and_has_different_hidden_units():
    before = Recipe("crbm", "bars-and-stripes", ConditionalLR(batch_size=8), Schedule(length=3))
    learner = MeanFieldMLE(batch_size=5, iterations=7, tolerance=0.0)
    steps = steps_of(Recipe("crbm", before.data, learner, Schedule(length=2), before=before))
    n = steps[-1].state.model.n_hidden
    assert [len(np.unique(step.state.model.W, axis=1).T) for step in steps] == [1] * 4 + [n] * 3
    assert [step.record.work for step in steps[4:]] == [0, 3 * (7 + 4), 3 * (7 + 4) + 3 * (7 + 5)]  # three batches


def test_the_first_state_of_a_stage_has_a_batch_and_no_update():
    recipe = staged()
    first = next(step.state for step in steps_of(recipe) if step.state.progress.stage == 1)
    rows = PreparedData.from_recipe(recipe).dataset.train
    assert set(observe_update(recipe.learner, first, rows)) == {"batch"}


def test_links_and_files_hold_all_stages():
    recipe = dataclasses.replace(cd(3), before=staged())
    assert len(recipe.stages) == 3
    assert Recipe.from_query(recipe.to_query()) == Recipe.from_json(recipe.to_json()) == recipe
    assert recipe.to_query()["before.before.CD.rate"] == "1.5"


def test_what_cannot_be_before_is_refused():
    with refused("before"):
        dataclasses.replace(cd(3), before=Recipe())
    with pytest.raises(TypeError, match=r"^before "):
        dataclasses.replace(cd(3), before="rbm")
    deep = cd(3)
    for _ in range(3):
        deep = dataclasses.replace(cd(3), before=deep)
    with refused("before"):
        dataclasses.replace(cd(3), before=deep)
    deeper = {f"before.before.before.before.{key}": text for key, text in cd(3).to_query().items()}
    with refused("before"):
        Recipe.from_json(json.dumps(deep.to_query() | deeper))
    for model, learner, before in (("crbm", "ConditionalLR", cd(2)), ("infinite-rbm", "FrankWolfe", FVBM)):
        with refused("before"):
            Recipe(model, "bars-and-stripes", learner, Schedule(length=1), before=before)


def test_the_command_line_takes_a_recipe_before(tmp_path, run_json):
    recipe = staged(4, 4)
    (tmp_path / "first.json").write_text(recipe.before.to_json(), encoding="utf-8")
    command = "train --data bars-and-stripes --learner PCD --epochs 4 --set hidden=9 --set rate=0.1 --set batch_size=7"
    reply = run_json(*command.split(), "--before", tmp_path / "first.json", "--out", tmp_path / "model.npz")
    assert Recipe.from_json(json.dumps(reply["recipe"])).before == recipe.before
    assert reply["record"]["epoch"] == 8
    assert reply["recipe"]["before.learner"] == CD.__name__
