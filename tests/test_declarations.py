"""Declarations say for people what they are: each model, learner, measure and field in words, with its source."""

import pytest

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


def test_every_field_says_what_it_is():
    assert all(each.label and each.help.endswith(".") for owner in OWNERS.values() for each in owner.parameters())


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_says_what_it_does_what_it_costs_and_where_it_is_from(name):
    learner = LEARNERS[name]()
    assert all(map(is_sentence, (learner.about, learner.cost, learner.counted)))
    assert learner.source
    assert "about" in vars(LEARNERS[name])  # and not what another learner does


def test_models_measures_and_data_sets_say_what_they_are():
    assert all(next(iter(model.kind.EQUATIONS)) == "Distribution" and model.kind.SOURCE for model in MODELS.values())
    assert all(is_sentence(each.about) for each in (*MEASURES.values(), *DATASETS.values()))
    assert all(model.about.endswith(".") for model in MODELS.values())
