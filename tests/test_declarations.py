"""Declarations say for people what they are: each model, learner, measure and field in words, with its source."""

import pytest

from boltzcore.data.source import Source
from boltzcore.measures import MEASURES
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS
from boltzcore.runs.schedule import Schedule

OWNERS = {
    **{name: model.setup for name, model in MODELS.items()},
    **LEARNERS,
    **DATASETS,
    **{name: part.kind for name, part in OPTIONAL_PARTS.items()},
    "schedule": Schedule,
}


def is_sentence(text: str) -> bool:
    return len(text.split()) > 3 and (text[0].isupper() or text[0].isdigit()) and text.endswith(".")


@pytest.mark.parametrize("name", OWNERS)
def test_every_field_says_what_it_is(name):
    assert all(each.label and each.help.endswith(".") for each in OWNERS[name].parameters())


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_says_what_it_does_what_it_costs_and_where_it_is_from(name):
    learner = LEARNERS[name]()
    assert is_sentence(learner.about)
    assert len(learner.about.split()) <= 60
    assert is_sentence(learner.cost)
    assert is_sentence(learner.counted)
    assert learner.source
    assert "about" in vars(LEARNERS[name])  # and not what another learner does


@pytest.mark.parametrize("name", MODELS)
def test_a_model_says_what_its_distribution_is_and_where_it_is_from(name):
    kind = MODELS[name].kind
    assert next(iter(kind.EQUATIONS)) == "Distribution"
    assert kind.SOURCE
    assert MODELS[name].about.endswith(".")


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_says_what_its_figures_are(name):
    assert is_sentence(MEASURES[name].about)


def test_a_data_set_says_where_it_is_from():
    assert all(issubclass(kind, Source) and is_sentence(kind.about) for kind in DATASETS.values())
