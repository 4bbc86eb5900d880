"""What former commits have made still opens: links, the folders of trainings, and names that scripts hold."""

import gzip
import json
import zipfile
from typing import Any

import numpy as np
import pytest

from boltzcore.models import load
from boltzcore.runs.engine import Engine
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.store import Store
from tests.former.frozen import frozen
from tests.former.stored import HOME, LINKS, NAMES
from tests.runs.toys import until

# `telling` searched for worked examples, which are a fixed list since.
GONE = {("commands", "telling")}


def test_no_frozen_name_and_no_default_behind_one_has_changed():
    now, lost = frozen(), []
    for part, named in json.loads(NAMES.read_text(encoding="utf-8")).items():
        for name, inner in named.items():
            there = now[part].get(name)
            if isinstance(inner, dict):
                lost += [(part, name, field) for field, text in inner.items() if (there or {}).get(field) != text]
            elif (part, name) not in GONE:
                lost += [(part, name, each) for each in inner if each not in (there or ())]
    assert not lost


def test_a_link_of_a_former_commit_is_the_same_recipe():
    for each in json.loads(LINKS.read_text(encoding="utf-8")):
        recipe = Recipe.from_query(each["query"])
        assert recipe == Recipe.from_json(each["recipe"])
        assert is_part(json.loads(each["recipe"]), json.loads(recipe.to_json()))


def is_part(former: Any, now: Any) -> bool:
    """Whether all of a former JSON document is in one of now, which may have fields more."""
    if isinstance(former, dict):
        return isinstance(now, dict) and all(key in now and is_part(each, now[key]) for key, each in former.items())
    return former == now


@pytest.fixture
def store(tmp_path):
    with zipfile.ZipFile(HOME) as kept:
        kept.extractall(tmp_path)
    return Store(tmp_path)


def test_trainings_of_a_former_commit_open_whole(store):
    listed = store.list()
    assert len(listed) == 7
    assert {entry.recipe.model.name for entry in listed} == {"rbm", "crbm", "fvbm", "infinite-rbm", "log-linear"}
    for entry in listed:
        run = store.load(entry.id)
        assert (run.damage, entry.damage) == ("", "")
        assert run.state.count == entry.count > 0
        assert run.best is not None
        assert len(run.records) > 1
        history = store.frame_history(entry.id)
        assert history.counts
        assert not history.damage
        assert json.loads(gzip.decompress(history.frame(history.counts[-1])))


def test_a_training_of_a_former_commit_goes_on(store):
    engine = Engine(store)
    try:
        for entry in store.list():
            if entry.status == "paused" and entry.recipe.before is None:
                run = engine.get(entry.id)
                run.step()
                until(lambda id=entry.id, after=entry.count + 1: store.load(id).state.count == after)
    finally:
        engine.shutdown()


def test_the_best_model_of_a_former_training_is_a_model_file(store, tmp_path):
    for entry in store.list():
        best = store.load(entry.id).best
        best.model.save(tmp_path / "model.npz")
        again = load(tmp_path / "model.npz")
        for name in type(best.model).ARRAYS:
            np.testing.assert_array_equal(getattr(again, name), getattr(best.model, name))
