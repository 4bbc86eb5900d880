"""The experiments of the paper on conditional RBMs, at a size that takes seconds."""

import dataclasses

import pytest

from boltzcore.data import Corruption
from boltzcore.learners import BeliefPropagationMLE, ConditionalLR
from boltzcore.models import CRBMSetup
from boltzcore.papers import conditional
from boltzcore.papers.conditional_tasks import METHODS, NOTHING, TASKS, Method, Task
from boltzcore.runs.training import train
from boltzcore.ticks import idle

TASK = Task("digits", Corruption(rate=0.1), {"LR": (1.0, 2.0), "MLE-BP": (3.0, 4.0)})
FEW = {"LR": Method(ConditionalLR(), long=True), "MLE-BP": Method(BeliefPropagationMLE())}


def shrunk(patch: pytest.MonkeyPatch) -> None:
    """Few methods, and the quick scale a tiny one."""
    patch.setattr(conditional, "METHODS", FEW)
    few = dataclasses.replace(conditional.SCALES["quick"], hidden=4, epochs=3, long=4, rates=(0.2, 1e-6))
    patch.setitem(conditional.SCALES, "quick", few)


@pytest.fixture
def small(monkeypatch):
    shrunk(monkeypatch)


@pytest.fixture(scope="module")
def made():
    with pytest.MonkeyPatch.context() as patch:
        shrunk(patch)
        return tuple(conditional.table_rows((TASK,), tuple(FEW), "quick", idle))


@pytest.fixture
def rows(small, made):
    return [dict(row) for row in made]


def test_every_table_has_a_figure_of_the_paper_for_every_method():
    for name, task in TASKS.items():
        assert task.reported.keys() == METHODS.keys()
        best = min(task.reported, key=lambda method: task.reported[method][0])
        assert best == ("MSSVM" if name == "crbm-caltech-occlusion" else "MLE-BP")


def test_doing_nothing_leaves_every_changed_pixel_wrong(rows):
    assert rows[0]["method"] == NOTHING
    assert rows[0]["changed"] == 100
    pixels = conditional.data_of(TASK, conditional.SCALES["quick"]).load().test.v.size
    assert rows[0]["all"] == pytest.approx(10, abs=5 * 30 / pixels**0.5)  # five standard deviations of a share of 10 %


def test_each_method_is_better_than_doing_nothing(rows):
    assert [row["method"] for row in rows[1:]] == list(FEW)
    assert all(row["all"] < rows[0]["all"] for row in rows[1:])
    assert all(row["seconds_per_epoch"] > 0 for row in rows[1:])


def test_the_rate_with_the_lowest_validation_error_is_chosen(rows):
    assert [row["rate"] for row in rows[1:]] == [0.2, 0.2]  # a millionth learns nothing


def test_the_model_with_the_lowest_validation_error_is_the_one_that_is_tested(small, rows):
    told = conditional.recipe_of(TASK, FEW["MLE-BP"], 0.2, conditional.SCALES["quick"])
    errors = {
        step.record.epoch: 100 * step.record.values["validation_error"] for step in train(told) if step.record.count
    }
    best = min(errors, key=errors.__getitem__)
    assert (rows[2]["epoch"], rows[2]["validation_all"]) == (best, pytest.approx(errors[best]))


def test_convergence_is_told_epoch_by_epoch(rows):
    assert rows[1]["converged"] is None  # nothing to infer in a logistic regression
    assert len(rows[2]["converged"]) == 3
    assert all(0 <= share <= 100 for share in rows[2]["converged"])


def test_the_recipe_is_that_of_the_paper():
    told = conditional.recipe_of(TASKS["crbm-noise-10"], METHODS["MLE-BP"], 0.05, conditional.SCALES["paper"])
    assert told.model == CRBMSetup(hidden=256, hidden_bias=0.0)
    assert (
        told.data.values() | {"binarise": "threshold", "threshold": 127, "split": "50000/10000/10000", "rows": 0}
        == told.data.values()
    )
    assert (told.schedule.length, told.learner.iterations, told.learner.tolerance) == (50, 7, 1e-3)
    assert told.corruption == Corruption(rate=0.1, redrawn="once")
    assert told.changes == ()  # a fixed rate
