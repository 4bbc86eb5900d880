"""Rows of a script as the data of a recipe, and tables loaded from files with what is chosen of them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from boltzcore import Comparison, Recipe, compare, fit
from boltzcore.comparison.trials import TrialStore
from boltzcore.data import Dataset, Examples, load
from boltzcore.data.corruption import Corruption
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.training.schedule import Schedule
from tests.runs.toys import refused

X = (np.random.default_rng(0).random((100, 4)) < 0.3).astype(float)
TABLE = pd.DataFrame({"id": range(100), "age": np.arange(100) % 70, "vote": np.where(X[:, 0] > 0, "yes", "no")})


def recipe(data) -> Recipe:
    return Recipe(RBMSetup(hidden=2), data, CD(0.1, 0), Schedule(length=4))


def test_equal_rows_are_equal_data_and_what_becomes_of_the_array_does_not_matter():
    mine = X.copy()
    made = recipe(mine)
    mine[:] = 1
    assert made == recipe(X.astype(bool)) != recipe(1 - X)
    assert hash(made) == hash(recipe(X))
    assert [len(split) for split in made.dataset().splits.values()] == [60, 20, 20]
    weight = np.ones(len(X))
    recipe(Examples(mine, weight=weight)).dataset()
    assert mine.flags.writeable
    assert weight.flags.writeable
    assert recipe(pd.DataFrame(X.astype(int), columns=list("abcd"))) != made  # whose columns have names


def test_a_recipe_takes_a_table_and_splits_of_one_s_own():
    assert len(load(pd.DataFrame({0: [0, 1] * 5, 1: [0, 0] * 5})).train) == 10  # names that may be values
    votes = Recipe("log-linear", TABLE[["vote"]], "GreedyMDL")
    found = fit(votes).chosen.model
    assert found.probabilities()[1] == pytest.approx(votes.dataset().train.v.mean())
    splits = Dataset(Examples(X[:60].astype(int)), Examples(X[60:80].astype(int)), Examples(X[80:].astype(int)))
    assert "validation_log_likelihood" in fit(recipe(splits)).records[-1].values
    assert len(recipe(Examples(X.astype(int))).dataset().test) == 100
    patch, noise = (Examples(X).corrupted(each, (2, 2)) for each in (Corruption("patch", size=1), Corruption(rate=0.3)))
    damaged = [Recipe("crbm", rows, "BeliefPropagationMLE") for rows in (patch, noise)]
    assert [each.dataset().train.corruption for each in damaged] == [patch.corruption, noise.corruption]
    of_levels = [fit(Recipe("log-linear", Examples(X > 0, levels=n), "GreedyMDL")).chosen.model for n in (2, 3)]
    assert [model.n_states for model in of_levels] == [2**4, 3**4]


def test_contenders_share_rows_in_memory_which_leave_neither_as_text_nor_to_a_store_or_an_executor(tmp_path):
    comparison, store = Comparison(recipe(X), {"CD-1": {}, "CD-2": {"CD.K": 2}}, trials=2), TrialStore(tmp_path)
    assert all(each.data == recipe(X).data for each in comparison.recipes)
    assert compare(comparison, store=store).table()["trials"].tolist() == [2, 2]
    assert not list(tmp_path.rglob("*.npz"))
    for written in (recipe(X).to_query, recipe(X).to_json, comparison.to_json):
        with refused("data"):
            written()
    with refused("data"), ThreadPoolExecutor(1) as pool:
        compare(comparison, executor=pool)
    with refused("contenders"):
        Comparison(recipe(X), {"CD-1": {}, "digits": {"data": "digits"}})


def test_a_table_is_loaded_with_what_is_chosen_of_it(tmp_path):
    TABLE.to_csv(tmp_path / "people.csv", index=False)
    for table in (tmp_path / "people.csv", str(tmp_path / "people.csv"), TABLE):
        found = load(table, leave_out="id", bins=2, validation=0, test=0)
        assert found.names.columns == ("age", "vote")
        assert [len(each) for each in found.names.categories] == [2, 2]
        assert len(found.train) == 100
    with refused("bins"):
        load(TABLE)
    with refused("rows"):
        load(TABLE, rows=5)
    for nothing in (X[0], [["a"]], np.array([[object()]])):
        with refused("data"):
            recipe(nothing)
    for nothing in (X[:0], TABLE[:0], np.zeros((2, 5_000))):
        with pytest.raises(ValueError, match=r"^data "):
            recipe(nothing)
