"""Suggested settings of a data set."""

from dataclasses import replace

import numpy as np
import pytest

from boltzcore.data import DATASETS, Dataset, Examples, load
from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.clusters import Clusters
from boltzcore.data.digit_pictures import NONE, read_digits
from boltzcore.data.ising import Ising
from boltzcore.data.patterns import BarsAndStripes, Parity
from boltzcore.learners.base import State
from boltzcore.measures import MeasureContext
from boltzcore.models import RBM
from boltzcore.observations import observe_rbm
from boltzcore.registry import suited
from boltzcore.training import presets
from boltzcore.training.prepared import PreparedData
from boltzcore.training.presets import PRESETS, first_on
from boltzcore.training.recipe import Recipe
from boltzcore.training.starts import start_for


def test_images_and_tables_and_more_than_two_values_have_a_model_of_their_own():
    def model(levels=2, shape=None, columns=6):
        rows = Examples(np.eye(columns, dtype=np.uint8), levels=levels)
        return suited(Dataset(rows, None, rows, shape=shape))

    assert (model(shape=(2, 3)), model()) == ("rbm", "fvbm")
    assert model((2, 2, 3, 2, 2, 2)) == model(3, shape=(2, 3)) == "log-linear"
    assert model(3, columns=40) == "potts"  # of too many states for a table of all


@pytest.mark.parametrize(
    ("source", "preset"),
    [
        (BarsAndStripes(), "bars-and-stripes"),
        (DATASETS["senate"](leave_out="LDP"), "senate"),
        (Ising(n=200), "ising-terms"),  # images, but of a law that terms tell
        (Parity(n=5, copies=2), "parity-term"),
    ],
)
def test_what_to_try_first_is_a_preset_on_these_data(source, preset):
    dataset = source.load()
    recipe, like = first_on(source, dataset), PRESETS[preset].recipe
    assert (recipe.data, recipe.before, recipe.changes) == (source, None, ())
    assert (recipe.model, recipe.learner, recipe.schedule) == (like.model, like.learner, like.schedule)
    assert PreparedData.from_recipe(recipe).dataset is dataset


def test_data_without_a_preset_have_a_start():
    source = BayesNet(nodes=30, n=200)  # of too many states for the table of a log-linear model
    assert first_on(source, source.load()) == start_for("fvbm", source, "BSLM")


def test_a_model_without_a_preset_starts_with_its_first_learner(monkeypatch):
    monkeypatch.setattr(presets, "PRESETS", {})
    recipe = first_on(Parity(), Parity().load())
    assert (recipe.model.name, type(recipe.learner).__name__) == ("fvbm", "BSLM")


@pytest.mark.nightly
def test_the_first_preset_soon_dreams_of_digits_of_many_kinds():
    recipe = next(iter(PRESETS.values())).recipe
    train, seed = PreparedData.from_recipe(recipe).dataset.train, recipe.schedule.seed
    state, view = recipe.learner.start(recipe.model.initial(train, seed=seed), train, seed=seed), None
    for _ in range(6):  # as a page looks, some times a second
        state = recipe.learner.advance(state, train, updates=125)
        view = observe_rbm(state, view, None, MeasureContext(seed, state.count, gray=train.gray))
    dreamt = (view["expected"] > 0.5).astype(np.uint8)
    read = read_digits(dreamt)
    assert np.mean(read != NONE) > 0.9
    assert len(set(read) - {NONE}) >= 6
    assert len(np.unique(dreamt, axis=0)) == len(dreamt)  # none is a copy of another, nor of a digit that was learnt
    learnt = load("mnist-small", binarise="threshold").train.v
    assert len(np.unique(np.concatenate([dreamt, learnt]), axis=0)) == len(dreamt) + len(np.unique(learnt, axis=0))


def test_a_link_of_a_preset_leads_to_it_whatever_its_seed():
    for name, preset in PRESETS.items():
        query = Recipe.from_query(preset.recipe.to_query())
        assert presets.preset_of(replace(query, schedule=query.schedule.changed(seed=9))) == name


def test_as_many_rows_of_the_model_are_of_each_cluster_as_it_makes_probable():
    source = Clusters()
    rows = source.load().train
    means = source.truth().patterns * 0.9 + 0.05
    b, W = np.log(means[0] / (1 - means[0])), np.zeros((100, 1))
    other = np.log(means[1] / (1 - means[1]))
    W[:, 0] = other - b
    # log p of the first less that of the second: the second is three times as probable
    c = np.logaddexp(0, b).sum() - np.logaddexp(0, other).sum() + np.log(3)
    state = State(RBM(W, b, np.array([c])), 0, 0, 0)
    context = MeasureContext(chains=rows.v[:100])
    found = observe_rbm(state, None, source.load(), context)["shares"]
    np.testing.assert_allclose(found[0], [0.35, 0.25, 0.2, 0.12, 0.08, 0], atol=0.03)
    np.testing.assert_allclose(found[1], source.truth().shares_of(rows.v[:100]))
    np.testing.assert_allclose(found[2], [0.25, 0.75, 0, 0, 0, 0], atol=0.06)
    assert np.isnan(observe_rbm(state, None, source.load(), MeasureContext())["shares"][1]).all()
