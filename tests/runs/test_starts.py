"""From what forms write out every model is seen to learn; a model that has not learnt is named."""

import dataclasses

import pytest

from boltzcore.data import DATASETS, Dataset, upload
from boltzcore.registry import MODELS, learners_of
from boltzcore.training.baseline_gain import Gain, gain
from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from boltzcore.training.starts import other_start, start_for

TABLE = "".join(f"{i % 2},{i // 2 % 2},{(i // 3) % 2},{i % 2}\n" for i in range(60)).encode()
SMALL = ("bars-and-stripes", "shifting-bar", "parity", "senate", "random-fvbm", "ising", "bayes-net", "digits")
PAIRWISE = ("BSLM", "GradientAscent", "PseudoLikelihoodLBFGS", "PairwiseExact", "PairwisePCD")  # see no parity
PAIRWISE += ("PottsPseudoLikelihood", "PottsPCD")
STORING = "Hebbian"  # recalls a few patterns, and models no law


def fits(recipe: Recipe) -> bool:
    try:
        return bool(PreparedData.from_recipe(recipe))
    except ValueError:
        return False


def soon(recipe: Recipe) -> Gain:
    """The first record that shows that the model has learnt, or the last."""
    prepared, found = PreparedData.from_recipe(recipe), None
    for step in train(recipe, prepared=prepared):
        if step.record is not None and (found := gain(recipe, prepared, step.record.values)) and found.has_learnt:
            break
    assert found is not None
    return found


SLOW = {("rbm", data) for data in ("parity", "shifting-bar", "random-fvbm", "bayes-net", "senate")}  # many learners
SLOW |= {("crbm", "ising"), ("log-linear", "ising"), ("log-linear", "bayes-net")}


@pytest.mark.parametrize(
    ("model", "data"),
    [
        pytest.param(model, data, marks=[pytest.mark.nightly] * ((model, data) in SLOW))
        for model in MODELS
        for data in (*SMALL, "own")
    ],
)
def test_every_learner_is_seen_to_learn_from_its_start(model, data):
    source = upload(TABLE) if data == "own" else DATASETS[data]()
    for name, info in learners_of(model).items():
        recipe = start_for(model, source, name)
        if info.learner.__module__.startswith("boltzcore.") and name != STORING and fits(recipe):
            assert soon(recipe).has_learnt is not (data == "parity" and name in PAIRWISE), name


@pytest.mark.parametrize("learner", ["CD", "PCD", "CenteredGradient", "SDCP", "CSDCP", "SSD"])
def test_shifting_bar_ends_well_above_the_base_rate(learner):
    recipe = start_for("rbm", DATASETS["shifting-bar"](), learner)
    prepared, (*_, last) = PreparedData.from_recipe(recipe), train(recipe)
    found = gain(recipe, prepared, last.record.values)
    assert found.figure == "train_log_likelihood"
    assert found.baseline == pytest.approx(prepared.base_rate)
    assert found.margin > 0.3
    assert found.sentence == ""


def test_a_start_changes_no_default():
    for data in SMALL:
        for model in MODELS:
            for learner in learners_of(model):
                link = Recipe.from_query({"model": model, "data": data, "learner": learner})
                assert link == Recipe(model=model, data=data, learner=learner, schedule=Schedule())
                start = start_for(model, DATASETS[data](), learner)
                assert Recipe.from_query(start.to_query()) == start


def test_data_that_are_not_at_hand_have_a_start(monkeypatch):
    monkeypatch.setattr(DATASETS["mnist"], "at_hand", lambda self: False)
    monkeypatch.setattr(DATASETS["mnist"], "load", lambda self: pytest.fail("was fetched"))
    assert start_for("rbm", DATASETS["mnist"](), "CD").learner.batch_size == 20


def test_an_error_is_compared_with_doing_nothing():
    recipe = dataclasses.replace(
        start_for("crbm", DATASETS["digits"](), "ConditionalLR"), schedule=Schedule(length=1, unit="updates")
    )
    prepared = PreparedData.from_recipe(recipe)
    seen: Dataset = prepared.rows
    wrong = (seen.validation.v != seen.validation.x).mean()
    found = gain(recipe, prepared, {"validation_error": wrong, "test_error": 0.0})
    assert (found.baseline, found.margin) == (pytest.approx(wrong), pytest.approx(0))
    assert found.sentence
    assert gain(recipe, prepared, {"validation_error": wrong / 2}).has_learnt
    assert gain(recipe, prepared, {"test_converged": 1.0}) is None


def test_a_training_that_has_not_learnt_is_reported_with_both_figures_and_what_is_offered_learns():
    recipe = Recipe(
        model="rbm", data="shifting-bar", learner="CD"
    )  # with what is declared: no better than the base rate
    records = [step.record for step in train(recipe)]
    found = gain(recipe, PreparedData.from_recipe(recipe), records[-1].values)
    assert not found.has_learnt
    assert all(figure in found.sentence for figure in ("3.142", "3.139"))
    assert other_start(recipe) == start_for("rbm", recipe.data, "CD")
    assert soon(other_start(recipe)).has_learnt


def test_a_start_is_not_offered_again():
    start = start_for("rbm", DATASETS["shifting-bar"](), "CD")
    assert other_start(start) is None
    assert other_start(dataclasses.replace(start, schedule=Schedule(length=1))) == start
