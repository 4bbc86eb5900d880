"""Declarations say for people what they are: each model, learner, measure and field in words, with its source."""

from boltzcore.measures import MEASURES
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS
from boltzcore.training.schedule import Schedule

OWNERS = {
    **{name: model.setup for name, model in MODELS.items()},
    **{name: info.learner for name, info in LEARNERS.items()},
    **DATASETS,
    **{name: part.kind for name, part in OPTIONAL_PARTS.items()},
    "schedule": Schedule,
}


def test_all_that_is_declared_is_described():
    assert all(each.label and each.help for owner in OWNERS.values() for each in owner.parameters())
    assert all(each.about for each in (*MEASURES.values(), *DATASETS.values()))
    for info in LEARNERS.values():
        assert all((info.title, info.about, info.cost, info.operations, info.source))
    for model in MODELS.values():
        assert all((model.about, model.kind.SOURCE, model.kind.EQUATIONS["Distribution"]))
