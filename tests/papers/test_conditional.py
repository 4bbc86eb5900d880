"""The experiments of the paper on conditional RBMs, at a size that takes seconds."""

import dataclasses
from unittest.mock import ANY

import pytest

from boltzcore.data import Corruption
from boltzcore.learners import BeliefPropagationMLE, ConditionalLR
from boltzcore.models import CRBMSetup
from boltzcore.papers import STUDIES, conditional
from boltzcore.papers.conditional import METHODS, NOTHING, TASKS, Task
from boltzcore.papers.study import images
from boltzcore.ticks import idle
from boltzcore.training.loop import train

TASK = Task("Denoising digits", "digits", Corruption(rate=0.1), input_weight=4.0)
FEW = {"LR": ConditionalLR(), "MLE-BP": BeliefPropagationMLE()}


def shrunk(patch: pytest.MonkeyPatch) -> None:
    """Few methods, and the quick scale a tiny one."""
    patch.setattr(conditional, "METHODS", FEW)
    few = dataclasses.replace(conditional.SCALES["quick"], hidden=4, epochs=3, long=4, rates=(0.2, 1e-6))
    patch.setitem(conditional.SCALES, "quick", few)


@pytest.fixture(scope="module")
def rows():
    with pytest.MonkeyPatch.context() as patch:
        shrunk(patch)
        return list(conditional.table_study((TASK,), tuple(FEW)).rows("quick", idle))


def test_each_method_is_better_than_doing_nothing_at_the_rate_with_the_lowest_validation_error(rows):
    nothing, *learnt = rows
    assert (nothing["method"], nothing["changed"]) == (NOTHING, 100)
    pixels = images("digits", 0).load().test.v.size
    assert nothing["all"] == pytest.approx(10, abs=5 * 30 / pixels**0.5)  # five standard deviations of a share of 10 %
    assert [(row["method"], row["rate"]) for row in learnt] == [(method, 0.2) for method in FEW]
    assert all(row["all"] < nothing["all"] and row["seconds_per_epoch"] > 0 for row in learnt)
    assert learnt[0]["converged"] is None  # nothing to infer in a logistic regression
    assert len(learnt[1]["converged"]) == 3
    assert all(0 <= share <= 100 for share in learnt[1]["converged"])


def test_the_model_with_the_lowest_validation_error_is_tested(rows, monkeypatch):
    shrunk(monkeypatch)
    recipe = conditional.recipe_of(TASK, "MLE-BP", 0.2, conditional.SCALES["quick"])
    records = [step.record for step in train(recipe) if step.record.count]
    best = min(records, key=lambda record: record.values["validation_error"])
    expected = best.epoch, pytest.approx(100 * best.values["validation_error"])
    assert (rows[2]["epoch"], rows[2]["validation_all"]) == expected


def test_the_recipe_is_that_of_the_paper():
    recipe = conditional.recipe_of(TASKS["crbm-noise-10"], "MLE-BP", 0.05, conditional.SCALES["paper"])
    assert recipe.model == CRBMSetup(hidden=256, hidden_bias=0.0)
    assert (
        recipe.data.values() | {"binarise": "threshold", "threshold": 127, "split": "50000/10000/10000", "rows": 0}
        == recipe.data.values()
    )
    assert (recipe.schedule.length, recipe.learner.iterations, recipe.learner.tolerance) == (50, 7, 1e-3)
    assert recipe.corruption == Corruption(rate=0.1, redrawn="once")
    assert recipe.changes == ()  # a fixed rate
    assert conditional.start_recipe("paper", "crbm-noise-10", 0.0).model == recipe.model.changed(input_weight=0.0)
    assert all(errors.keys() == METHODS.keys() for task in TASKS.values() for errors in task.errors.values())
    silhouettes = STUDIES["crbm-caltech-noise"].parts("paper")
    assert {part.learner.rate for part in silhouettes} == {0.05, 0.02, 0.01, 0.005}
    assert {(part.model.input_weight, part.schedule.length) for part in silhouettes} == {(0.0, 50), (0.0, 200)}


def test_the_scale_of_the_sample_needs_no_download():
    for name in (*TASKS, "crbm-sizes"):
        found = {part.data.name for part in STUDIES[name].parts("sample")}
        assert found == ({"caltech101"} if "caltech" in name else {"mnist-small"})


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["crbm-seeds", "crbm-convergence"])
def test_an_open_question_has_a_row_of_each_training_and_makes_none_twice(monkeypatch, name):
    study = STUDIES[name]
    few = dataclasses.replace(conditional.SCALES["sample"], hidden=2)
    monkeypatch.setitem(conditional.SCALES, "sample", few)
    rows = list(study.rows("quick", idle))
    assert [study.cell_of(row) for row in rows] == study.cells("quick")
    assert len(rows) == len(study.parts("quick"))
    assert list(study.rows("quick", idle, rows)) == []
    assert list(study.rows("quick", idle, rows[:-1])) in ([rows[-1]], [{**rows[-1], "seconds_per_epoch": ANY}])
