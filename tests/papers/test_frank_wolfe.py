"""The experiments of the paper on Frank-Wolfe, at a size that takes seconds."""

import dataclasses
import math

import numpy as np
import pytest

from boltzcore.learners import FrankWolfe
from boltzcore.measures import classification_error
from boltzcore.measures.measure import all_rows
from boltzcore.papers import STUDIES, frank_wolfe
from boltzcore.papers.frank_wolfe import AFTER, FULL, FW, RANDOM, SCALES, TEMPERATURES, growth_recipe
from boltzcore.papers.study import images
from boltzcore.ticks import idle
from boltzcore.training.loop import train

SMALL = dataclasses.replace(SCALES["quick"], sizes={"digits": (2, 4)}, every=2, classified=4, epochs=2, chains=20)
QUICK = {"samples": 100, "K": 2, "restarts": 1}
DIGITS = images("digits", 0)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(frank_wolfe, "SCALES", {"quick": SMALL})
    learners = {
        FW: FrankWolfe(correction="none", lambda_=0.05, steps=20, **QUICK),
        FULL: FrankWolfe(correction="full", ball=50.0, rounds=3, **QUICK),
    }
    monkeypatch.setattr(frank_wolfe, "LEARNERS", learners)
    monkeypatch.setattr(frank_wolfe, "TEMPERATURES", np.linspace(0, 1, 300))


def rows_of(name, kept=()):
    return list(STUDIES[name].rows("quick", idle, kept))


def test_every_method_is_measured_at_every_size_and_frank_wolfe_by_the_training_of_that_length():
    rows = rows_of("fw-figure-1")
    assert [(row["method"], row["units"]) for row in rows] == [
        *((FW, 2), (FW, 4)),
        *((AFTER, 2), (RANDOM, 2), (AFTER, 4), (RANDOM, 4)),
    ]
    rows += rows_of("fw-corrected")
    assert [(row["method"], row["units"]) for row in rows[6:]] == [(FULL, 2), (FULL, 4)]
    for row in rows:
        assert row["test_low"] <= row["test"] <= row.get("test_high", math.inf)
        assert row["test"] < 0
        assert row["seconds"] > 0
    assert rows[0]["seconds"] < rows[1]["seconds"]
    *_, last = train(growth_recipe(DIGITS, frank_wolfe.LEARNERS[FW], 2, 2))
    exact = last.state.model.to_rbm().log_likelihood(all_rows(DIGITS.load(), 0).test.v).mean()
    assert rows[0]["test"] == pytest.approx(exact, abs=0.3)
    assert rows[0]["gap"] == last.record.values["free_energy_gap"]
    again = rows_of("fw-figure-1", [*rows[:1], *rows[3:6]])
    assert [{**row, "seconds": 0} for row in again] == [{**row, "seconds": 0} for row in rows[1:3]]


def test_cd_from_frank_wolfe_is_the_recipe_with_that_stage_before_it(monkeypatch):
    """The training by Frank-Wolfe is not repeated for each size, and nothing of that shows."""
    monkeypatch.setattr(frank_wolfe, "likelihood", lambda model, rows, scale, tick: {"model": model, "validation": 0.0})
    study = frank_wolfe.figure((FW,), lambda scale: scale.sizes, frank_wolfe.likelihood, title="", source="", scales={})
    models = {(row["method"], row["units"]): row["model"] for row in study.rows("quick", idle)}
    before = growth_recipe(DIGITS, frank_wolfe.LEARNERS[FW], 2, 2)
    (recipe,) = frank_wolfe.refinements("digits", 2, 1, SMALL, before)
    *_, last = train(recipe)
    assert np.array_equal(models[AFTER, 2].W, last.state.model.W)
    assert (models[AFTER, 2].n_hidden, models[AFTER, 4].n_hidden) == (2, 4)


def test_the_best_start_by_the_validation_rows_is_kept(monkeypatch):
    found = iter([0.0, 1.0])
    monkeypatch.setattr(frank_wolfe, "likelihood", lambda *_: {"validation": next(found)})
    (cell,) = (
        (data, method, units) for data, method, units in STUDIES["fw-figure-2"].cells("quick") if method == RANDOM
    )
    (row,) = STUDIES["fw-figure-2"].make("quick", [cell], idle)
    assert row["seed"] == 1


def test_the_gap_rule_selects_a_size_and_the_training_goes_on(monkeypatch):
    monkeypatch.setattr(frank_wolfe, "GAP_LIMIT", 0.3)
    recipe = growth_recipe(DIGITS, FrankWolfe(correction="none", lambda_=0.03, steps=60, rate=0.1, **QUICK), 8, 1)
    rows = [row for _, row in frank_wolfe.grow(recipe, idle)]
    assert len(rows) == 9
    gaps = [row["gap"] for row in rows]
    risen = [gap > min(gaps[: k + 1]) + 0.3 for k, gap in enumerate(gaps)]
    assert [row["risen"] for row in rows] == risen
    assert 0 < risen.index(True) <= 8


def test_the_temperatures_are_the_papers():
    assert len(TEMPERATURES) == 14_500
    assert [int((beta > TEMPERATURES).sum()) for beta in (0.5, 0.9)] == [500, 4_500]
    assert (TEMPERATURES[0], TEMPERATURES[-1]) == (0.0, 1.0)
    assert (np.diff(TEMPERATURES) > 0).all()


@pytest.mark.nightly
def test_the_second_figure_is_the_error_of_the_same_models():
    rows = rows_of("fw-figure-2")
    assert [(row["method"], row["units"]) for row in rows] == [(FW, 2), (FW, 4), (AFTER, 4), (RANDOM, 4)]
    *_, last = train(growth_recipe(DIGITS, frank_wolfe.LEARNERS[FW], 4, 2))
    wanted = 100 * classification_error(last.state.model, all_rows(DIGITS.load(), 0))["test_classification_error"]
    assert rows[1]["error"] == pytest.approx(wanted)


def test_each_start_has_as_many_tries(monkeypatch):
    monkeypatch.setattr(frank_wolfe, "IMAGES", "digits")
    monkeypatch.setattr(frank_wolfe, "SIZES", {"quick": ("quick", 2, 2, 1)})
    rows = rows_of("fw-starts")
    assert [(row["start"], row["rate"], row["seed"]) for row in rows] == frank_wolfe.start_cells("quick")
    assert len(STUDIES["fw-starts"].parts("quick")) == len(rows) == 6
    assert len({row["test"] for row in rows}) == 6
    assert rows_of("fw-starts", rows) == []
    (again,) = rows_of("fw-starts", rows[1:])
    assert again["test"] == rows[0]["test"]


def test_starts_differ_in_what_they_start_from_alone(monkeypatch):
    monkeypatch.setattr(frank_wolfe, "SCALES", SCALES)
    after, base, zero = (frank_wolfe.start_recipe("paper", start, 0.05, 1) for start in frank_wolfe.STARTS)
    assert (after.model, base.model.visible_bias, zero.model.visible_bias) == (base.model, "base rate", "zero")
    assert after.before.learner.correction == "none"
    assert base.before is zero.before is None
    assert (after.schedule, after.learner, after.data) == (zero.schedule, zero.learner, zero.data)
