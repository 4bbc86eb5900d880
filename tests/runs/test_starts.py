"""From what forms write out every model is seen to learn; where one has not learnt, that is said."""

import dataclasses

import pytest

from boltzcore.data import DATASETS, Dataset, Source, upload
from boltzcore.learners import CD
from boltzcore.registry import MODELS, learners_of
from boltzcore.runs.learnt import Gain, gain, offers
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.starts import start_for
from boltzcore.runs.training import train

TABLE = "".join(f"{i % 2},{i // 2 % 2},{(i // 3) % 2},{i % 2}\n" for i in range(60)).encode()
SMALL = ("bars-and-stripes", "shifting-bar", "parity", "senate", "random-fvbm", "ising", "bayes-net", "digits")
PAIRWISE = ("BSLM", "GradientAscent", "PseudoLikelihoodLBFGS", "PairwiseExact", "PairwisePCD")  # see no parity
REFERENCE = "ScikitLearn"  # each of its updates costs a call


def fits(recipe: Recipe) -> bool:
    try:
        PreparedData.from_recipe(recipe)
    except ValueError:
        return False
    return True


def soon(recipe: Recipe) -> Gain:
    """The first record that shows that the model has learnt, or the last."""
    prepared, found = PreparedData.from_recipe(recipe), None
    for step in train(recipe, prepared=prepared):
        if step.record is not None and (found := gain(recipe, prepared, step.record.values)) and found.learnt:
            break
    assert found is not None
    return found


@pytest.fixture(params=[*SMALL, "own"])
def source(request) -> Source:
    return upload(TABLE) if request.param == "own" else DATASETS[request.param]()


@pytest.mark.parametrize("model", MODELS)
def test_every_learner_is_seen_to_learn_from_its_start(source, model):
    ours = [name for name, kind in learners_of(model).items() if kind.__module__.startswith("boltzcore.")]
    for recipe in filter(fits, [start_for(model, source, name) for name in ours if name != REFERENCE]):
        name = type(recipe.learner).__name__
        assert soon(recipe).learnt is not (source.name == "parity" and name in PAIRWISE), name


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


def plain() -> tuple[Recipe, list]:
    """Shifting Bar with what is declared: 50 updates, and no better than the base rate."""
    recipe = Recipe(model="rbm", data="shifting-bar", learner="CD")
    return recipe, [step.record for step in train(recipe)]


def test_a_training_that_has_not_learnt_is_told_with_both_figures():
    recipe, records = plain()
    found = gain(recipe, PreparedData.from_recipe(recipe), records[-1].values)
    assert found.sentence == (
        "It has not learnt: the log-likelihood of the training rows is \N{MINUS SIGN}3.142 nats, and the base rate, "
        "each column on its own, gives \N{MINUS SIGN}3.139."
    )


def test_an_error_is_compared_with_doing_nothing():
    recipe = dataclasses.replace(
        start_for("crbm", DATASETS["digits"](), "ConditionalLR"), schedule=Schedule(length=1, unit="updates")
    )
    prepared = PreparedData.from_recipe(recipe)
    seen: Dataset = prepared.rows
    wrong = (seen.validation.v != seen.validation.x).mean()
    found = gain(recipe, prepared, {"validation_error": wrong, "test_error": 0.0})
    assert (found.baseline, found.margin) == (pytest.approx(wrong), pytest.approx(0))
    assert "leaving the images as they are gives" in found.sentence
    assert gain(recipe, prepared, {"validation_error": wrong / 2}).learnt
    assert gain(recipe, prepared, {"test_converged": 1.0}) is None


def test_what_is_offered_learns():
    recipe, records = plain()
    offered = list(offers(recipe, records).values())
    assert offered[0] == start_for("rbm", recipe.data, "CD")
    assert offered[1] == dataclasses.replace(recipe, learner=CD(rate=0.017))  # it has become worse than it was
    assert soon(offered[0]).learnt


def test_a_start_is_not_offered_again():
    start = start_for("rbm", DATASETS["shifting-bar"](), "CD")
    short = list(train(dataclasses.replace(start, schedule=Schedule(length=1))))
    assert all(recipe.learner != start.learner for recipe in offers(start, [s.record for s in short]).values())
