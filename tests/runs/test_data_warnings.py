"""The warnings of learners about their data, shown before anything is fitted."""

import dataclasses

import pytest

from boltzcore.data import DATASETS, Examples
from boltzcore.learners import BSLM, GradientAscent, PseudoLikelihoodLBFGS
from boltzcore.models import FVBM, FVBMSetup
from boltzcore.names import Names
from boltzcore.parameters import Refusal
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.training import train
from tests.runs.toys import SMALL, Walk, cd, walk

# Of nine patterns in nine columns each column is settled by the others.
WITHOUT = DATASETS["shifting-bar"]()
WITH = DATASETS["random-fvbm"](d=3)


def fitting(learner, data) -> Recipe:
    return Recipe(FVBMSetup(), data, learner, Schedule(length=2, unit="updates"))


@pytest.mark.parametrize("learner", [BSLM(), GradientAscent()])
def test_sweeps_without_a_maximiser_go_on_and_it_is_said(learner):
    assert "no maximiser" in PreparedData.from_recipe(fitting(learner, WITHOUT)).data_warning()
    assert list(train(fitting(learner, WITHOUT)))[-1].state.count == 2
    assert PreparedData.from_recipe(fitting(learner, WITH)).data_warning() == ""


def test_a_quasi_newton_ascent_without_a_maximiser_is_refused():
    with pytest.raises(Refusal, match=r"no maximiser: .* take BSLM or GradientAscent"):
        PreparedData.from_recipe(fitting(PseudoLikelihoodLBFGS(), WITHOUT))
    data = WITHOUT.load().train
    with pytest.raises(Refusal, match="no maximiser"):
        PseudoLikelihoodLBFGS().start(FVBMSetup().initial(data, seed=0), data, seed=0)
    assert list(train(fitting(PseudoLikelihoodLBFGS(), WITH)))[-1].state.done


def test_columns_are_named_as_the_data_name_them():
    dataset = dataclasses.replace(SMALL.load(), names=Names(tuple("abcdefghi")))
    assert "columns a, b, c" in BSLM().data_warning(dataset.train, names=dataset.names)
    rows = Examples([[0, 1], [1, 1]])
    with pytest.raises(Refusal, match="column right has one value only"):
        PseudoLikelihoodLBFGS().check(rows, names=Names(("left", "right")))


def test_a_remark_is_worked_out_once_for_all_stages(monkeypatch):
    asked = []

    def data_warning(self, data, *, names=None, tick=None):
        asked.append(len(data))
        return "Mind the gap."

    monkeypatch.setattr(Walk, "data_warning", data_warning)
    prepared = PreparedData.from_recipe(dataclasses.replace(walk(), before=walk()))
    assert asked == []
    assert [prepared.data_warning(), prepared.data_warning()] == ["Mind the gap."] * 2
    assert asked == [14, 14]
    assert PreparedData.from_recipe(cd()).data_warning() == ""


def test_no_model_is_needed_to_be_refused():
    """The width of a model that does not fit is another sentence, from `start`."""
    rows = WITH.load().train
    PseudoLikelihoodLBFGS().check(rows)
    with pytest.raises(ValueError, match="2 visible units"):
        PseudoLikelihoodLBFGS().start(FVBM([[0, 0], [0, 0]], [0, 0]), rows, seed=0)
