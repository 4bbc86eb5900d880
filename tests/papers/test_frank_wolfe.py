"""The experiments of the paper on Frank-Wolfe, at a size that takes seconds."""

import dataclasses
import math

import numpy as np
import pytest

from boltzcore.learners import FrankWolfe
from boltzcore.measures import classification_error
from boltzcore.papers import frank_wolfe
from boltzcore.papers.frank_wolfe import AFTER, FULL, FW, RANDOM, SCALES, TEMPERATURES, Done, MethodsOn, growing
from boltzcore.ticks import idle
from boltzcore.training.loop import train

SMALL = dataclasses.replace(
    SCALES["quick"],
    last={"digits": 4},
    every=2,
    sizes={"digits": (2, 4)},
    classified={"digits": (4,)},
    epochs={"digits": 2},
    chains=20,
)
QUICK = {"samples": 100, "K": 2, "restarts": 1}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(frank_wolfe, "SCALES", {"quick": SMALL})
    monkeypatch.setattr(frank_wolfe, "DATA", {"digits": "Digits"})
    monkeypatch.setattr(frank_wolfe, "SELECTED", {"digits": 7})
    learners = {
        FW: FrankWolfe(correction="none", lambda_=0.05, steps=20, **QUICK),
        FULL: FrankWolfe(correction="full", ball=50.0, rounds=3, **QUICK),
    }
    monkeypatch.setattr(frank_wolfe, "LEARNERS", learners)
    monkeypatch.setattr(frank_wolfe, "TEMPERATURES", np.linspace(0, 1, 300))


def test_every_method_is_measured_at_every_size_and_frank_wolfe_by_the_training_of_that_length():
    rows = list(frank_wolfe.figure_1("quick", idle))
    assert [(row["method"], row["units"]) for row in rows] == [
        *((FW, 2), (FW, 4)),
        *((AFTER, 2), (RANDOM, 2), (AFTER, 4), (RANDOM, 4)),
    ]
    rows += frank_wolfe.corrected("quick", idle)
    assert [(row["method"], row["units"]) for row in rows[6:]] == [(FULL, 2), (FULL, 4)]
    for row in rows:
        assert row["test_low"] <= row["test"] <= row.get("test_high", math.inf)
        assert row["test"] < 0
        assert row["seconds"] > 0
    assert rows[0]["seconds"] < rows[1]["seconds"]
    *_, last = train(growing(frank_wolfe.data_of("digits", SMALL), frank_wolfe.LEARNERS[FW], 2, 2))
    exact = last.state.model.to_rbm().log_likelihood(MethodsOn.from_name("digits", SMALL).rows.test.v).mean()
    assert rows[0]["test"] == pytest.approx(exact, abs=0.3)
    assert rows[0]["gap"] == last.record.values["free_energy_gap"]


def test_cd_from_frank_wolfe_is_the_recipe_with_that_stage_before_it():
    """The training by Frank-Wolfe is not repeated for each size, and nothing of that shows."""
    data, learner = frank_wolfe.data_of("digits", SMALL), frank_wolfe.LEARNERS[FW]
    found = {
        trained.units: trained
        for trained in MethodsOn.from_name("digits", SMALL).trained({FW: learner}, (2, 4), Done(idle, 10))
        if trained.method == AFTER
    }
    recipe = frank_wolfe.contrastive(data, 2, 0.05, 0, 2, growing(data, learner, 2, 2))
    *_, last = train(recipe)
    assert found[2].fields["epoch"] == 2
    assert np.array_equal(found[2].model.W, last.state.model.W)
    assert found[2].model.n_hidden == 2
    assert found[4].model.n_hidden == 4


def test_the_best_start_by_the_validation_rows_is_kept(monkeypatch):
    monkeypatch.setattr(
        MethodsOn, "likelihood", lambda self, trained, tick: {"validation": float(trained.fields["seed"] == 1)}
    )
    found = MethodsOn.from_name("digits", SMALL).trained({FW: frank_wolfe.LEARNERS[FW]}, (2,), Done(idle, 10))
    assert [trained.fields["seed"] for trained in found if trained.method == RANDOM] == [1]


def test_the_gap_rule_selects_a_size_and_the_training_goes_on(monkeypatch):
    monkeypatch.setattr(frank_wolfe, "GAP_LIMIT", 0.3)
    data = frank_wolfe.data_of("digits", SMALL)
    recipe = growing(data, FrankWolfe(correction="none", lambda_=0.03, steps=60, rate=0.1, **QUICK), 8, 1)
    found = [trained for _, trained in frank_wolfe.grown(recipe, FW, Done(idle, 1))]
    assert [trained.units for trained in found] == list(range(9))
    gaps = [trained.fields["gap"] for trained in found]
    risen = [gap > min(gaps[: k + 1]) + 0.3 for k, gap in enumerate(gaps)]
    assert [trained.fields["risen"] for trained in found] == risen
    kept = max(units for units, each in enumerate(found) if not each.fields["risen"])
    assert 0 < kept < 8


def test_the_temperatures_are_the_papers():
    assert len(TEMPERATURES) == 14_500
    assert [int((beta > TEMPERATURES).sum()) for beta in (0.5, 0.9)] == [500, 4_500]
    assert (TEMPERATURES[0], TEMPERATURES[-1]) == (0.0, 1.0)
    assert (np.diff(TEMPERATURES) > 0).all()


@pytest.mark.nightly
def test_the_second_figure_is_the_error_of_the_same_models():
    rows = list(frank_wolfe.figure_2("quick", idle))
    assert [(row["method"], row["units"]) for row in rows] == [(FW, 2), (FW, 4), (AFTER, 4), (RANDOM, 4)]
    *_, last = train(growing(frank_wolfe.data_of("digits", SMALL), frank_wolfe.LEARNERS[FW], 4, 2))
    comparison = MethodsOn.from_name("digits", SMALL)
    wanted = 100 * classification_error(last.state.model, comparison.rows)["test_classification_error"]
    assert rows[1]["error"] == pytest.approx(wanted)
