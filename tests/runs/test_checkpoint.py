"""States on disk: all of them back, nothing foreign taken."""

import dataclasses
import json
from itertools import islice

import numpy as np
import pytest

from boltzcore import arrays
from boltzcore.learners import PCD
from boltzcore.models import RBM, RBMSetup
from boltzcore.training import checkpoint
from boltzcore.training.checkpoint import arrays_of, load_state
from boltzcore.training.loop import Progress, run_fit, train
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from boltzcore.training.stopping import CAUSES
from tests.runs.test_stages import staged
from tests.runs.test_stopping import overfitting, waiting
from tests.runs.toys import SMALL, cd, records, steps_of, walk

PERSISTENT = Recipe(RBMSetup(hidden=4), SMALL, PCD(rate=0.1, batch_size=5), Schedule(length=30, seed=1))
IN_BETWEEN = cd().schedule.changed(length=70, every=30, between=12)
RECIPES = {
    "CD": cd,
    "toy": walk,
    "chains": lambda: PERSISTENT,
    "two stages": staged,
    "patience": waiting,
    "gap": overfitting,
    "records in between": lambda: dataclasses.replace(cd(), schedule=IN_BETWEEN),
    "records in between, by updates": lambda: dataclasses.replace(cd(), schedule=IN_BETWEEN.changed(unit="updates")),
}


@pytest.fixture
def saved(tmp_path):
    """(file, State, recipe) of a training under way."""
    file, state = tmp_path / "state.npz", next(islice(train(PERSISTENT), 3, None)).state
    np.savez(file, **arrays_of(state))
    return file, state, PERSISTENT


@pytest.mark.parametrize("name", RECIPES)
def test_a_training_has_the_same_records_however_it_is_cut_and_resumed_from_disk(tmp_path, name):
    recipe = RECIPES[name]()
    steps = steps_of(recipe)
    assert records(train(recipe, seconds=1e-9)) == records(steps)
    for at in {*range(min(7, len(steps))), len(steps) - 2, len(steps) - 1}:
        np.savez(tmp_path / "state.npz", **arrays_of(steps[at].state))
        state, best = load_state(tmp_path / "state.npz", recipe), ()
        assert state.progress == steps[at].state.progress
        if recipe.before and not state.progress.stage:
            key = "train_log_likelihood"
            judged = max(steps[: at + 1], key=lambda step: step.record.values[key])
            best = judged.state, judged.record.values[key]
        progress = Progress(recipe, state, *best, ignored=CAUSES)
        rest = [each for each in run_fit(progress) if not each.ended]
        assert records(steps[: at + 1]) + records(rest) == records(steps)
    assert (rest or steps)[-1].state.count == steps[-1].state.count


@pytest.mark.parametrize(
    "others",
    [
        {"model.W": np.zeros((9, 4))},  # float64
        {"model.W": np.zeros((4, 9), np.float32)},
        {"model.W": np.full((9, 4), np.nan, np.float32)},
        {"state": np.array("{")},
        {"state": np.array('{"layout": {"model.W": ["O", [9, 4]]}, "values": {}}')},
        {"state": np.array('{"layout": {"model.W": ["<f4", [1e999, 4]]}, "values": {}}')},
        {"state": np.array('{"layout": {"model.W": ["(1,,2)f4", [9, 4]]}, "values": {}}')},
        {"state": np.array('{"layout": {}, "values": {"count": 1, "work": 1, "seed": 1}}')},
        {"state": np.zeros(3)},
        *(("count", value) for value in (-1, 1.5, True)),  # of a value in its notes
        *(("figures", value) for value in ([1], {"a": "b"})),
        *(("operations", value) for value in (None, -1, 1.0)),
        *(("progress.stage", value) for value in (-1, 1, 0.0, False)),
        *(("progress.seconds", value) for value in (-1.0, float("inf"), float("nan"), 1, None)),
        *(("progress.from_epoch", value) for value in (-1.0, float("inf"), "a")),
        *(("progress.from_count", value) for value in (-1, 10**6, 1.5)),
        *(("progress.stale_records", value) for value in (-1, 1e3)),
        *(("progress.best", value) for value in (None, 1)),
        *(
            (f"progress.{name}", value)
            for name, value in (("gap_exceeded", -1), ("record_pending", 1), ("stranger", 1))
        ),
        ("done", 1),
        ("stranger", 1),
    ],
)
def test_foreign_content_is_refused(saved, others):
    file, _, recipe = saved
    with np.load(file) as old:
        arrays = dict(old)
    if isinstance(others, tuple):
        head = json.loads(str(arrays["state"]))
        head["values"] |= [others]
        others = {"state": np.array(json.dumps(head))}
    np.savez(file, **arrays | others)
    with pytest.raises(ValueError, match=r"state\.npz"):
        load_state(file, recipe)


def test_another_recipes_state_is_refused(saved):
    file, _, recipe = saved
    for other in (dataclasses.replace(recipe, schedule=Schedule(seed=2)), walk(seed=1)):
        with pytest.raises(ValueError, match=r"state\.npz|seed"):
            load_state(file, other)


def test_missing_cut_and_flipped_files_are_refused_by_their_name(saved, tmp_path):
    file, state, recipe = saved
    with pytest.raises(ValueError, match=r"nothing\.npz"):
        load_state(tmp_path / "nothing.npz", recipe)
    content = file.read_bytes()
    flipped = bytearray(content)
    flipped[content.find(state.model.W.tobytes()) + 6] ^= 1
    for damaged in (*(content[:cut] for cut in (0, 10, len(content) // 2, len(content) - 1)), flipped):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"state\.npz"):
            load_state(file, recipe)


def test_a_checkpoint_larger_than_what_may_be_uploaded_is_read(saved, monkeypatch):
    file, state, recipe = saved
    monkeypatch.setattr(checkpoint, "LIMIT_BYTES", 1000, raising=False)
    monkeypatch.setattr(arrays.read_arrays, "__kwdefaults__", {"limit_bytes": 1000, "finite": True})
    assert file.stat().st_size > 1000
    np.testing.assert_array_equal(load_state(file, recipe).model.W, state.model.W)
    with file.open("rb") as upload, pytest.raises(ValueError, match="1,000"):
        RBM.load(upload)


def test_a_checkpoint_does_not_unpack_to_more_than_its_own_size(saved, monkeypatch):
    file, _, recipe = saved
    with np.load(file) as old:
        head = json.loads(str(old["state"]))
        head["layout"]["model.W"] = ["<f4", [9, 4000]]
        held = dict(old) | {"model.W": np.zeros((9, 4000), np.float32), "state": np.array(json.dumps(head))}
    np.savez_compressed(file, **held)
    monkeypatch.setattr(checkpoint, "LIMIT_BYTES", 1000, raising=False)
    with pytest.raises(ValueError, match=r"state\.npz.*144,128"):
        load_state(file, recipe)
