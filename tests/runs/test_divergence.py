"""What counts as diverged, and what is said of it."""

import math

import numpy as np
import pytest

from boltzcore.learners import CD, SSD
from boltzcore.learners.base import State
from boltzcore.models import RBM
from boltzcore.runs.divergence import allowed_below_base, allowed_drop, divergence
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import Record

SOUND = State(RBM(np.zeros((2, 1)), np.zeros(2), np.zeros(1)), 1500, 1500, 0)


def found(value, *, best=-30.0, base_rate=None, **others):
    record = Record(1500, 2.5, 1500, 0.0, {"train_log_likelihood": value, **others})
    return divergence(SOUND, record, Recipe(), best=best, base_rate=base_rate, learner=CD(rate=0.5))


def test_the_drop_under_the_best_is_stated():
    assert (allowed_drop(-3.0), allowed_drop(-50.0)) == (1.0, 5.0)
    assert found(-32.9) is None
    told = found(-33.5)
    assert told.cause == "likelihood"
    for part in (
        "fell to −33.5 nats at update 1,500",
        "3.5 nats under its best, −30",
        "a smaller rate than 0.5",
        "more Gibbs steps than K = 1",
    ):
        assert part in told.reason


def test_spectral_descent_is_told_to_take_larger_batches():
    record = Record(1500, 2.5, 1500, 0.0, {"train_log_likelihood": -40.0})
    for batch_size, told in ((20, True), (0, False)):
        reason = divergence(
            SOUND, record, Recipe(), best=-30.0, base_rate=None, learner=SSD(batch_size=batch_size)
        ).reason
        assert ("larger batches than 20 rows" in reason) is told


def test_falling_under_the_base_rate_counts_once_the_training_was_above_it():
    assert allowed_below_base(-100.0) == 2.0
    assert "base-rate model" in found(-31.2, base_rate=-30.5).reason
    assert found(-30.9, base_rate=-30.5) is None  # within the margin
    assert found(-31.2, best=-30.6, base_rate=-30.5)  # a start at the base rate, but for its small weights
    assert found(-31.6, best=-31.2, base_rate=-30.5) is None  # it is still on its way up


def test_the_first_record_and_models_without_a_likelihood_are_sound():
    assert found(-1e9, best=None) is None
    record = Record(0, 0.0, 0, 0.0, {"free_energy_gap": 3.0})
    assert divergence(SOUND, record, Recipe(), best=None, base_rate=-20.0, learner=CD()) is None
    assert divergence(SOUND, None, Recipe(), best=-1.0, base_rate=-20.0, learner=CD()) is None


def estimated(value, **ends):
    record = Record(
        1500,
        2.5,
        1500,
        0.0,
        {"train_log_likelihood_ais": value, **{f"train_log_likelihood_ais_{end}": at for end, at in ends.items()}},
    )
    return divergence(SOUND, record, Recipe(), best=-30.0, base_rate=-30.5, learner=CD(rate=0.5))


def test_an_estimate_counts_once_its_whole_interval_is_too_low():
    assert estimated(-40.0, low=-41.0, high=-30.9) is None
    assert estimated(-40.0, low=-41.0) is None  # no upper end: it may be as high as it likes
    told = estimated(-40.0, low=-41.0, high=-39.0)
    assert told.cause == "likelihood"
    assert "fell to an estimated −40 (at most −39) nats at update 1,500" in told.reason


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_figures_have_to_be_finite(value):
    told = found(-30.0, free_energy_gap=value)
    assert told.cause == "figures"
    assert told.reason.startswith("Free energy gap is no longer finite at update 1,500.")
    assert found(-30.0, low=-math.inf) is None


def test_a_likelihood_of_minus_infinity_is_a_fall():
    assert found(-math.inf).cause == "likelihood"


def test_parameters_have_to_be_finite():
    model = RBM(np.zeros((2, 1)), np.zeros(2), np.zeros(1))
    model.b[1] = np.nan
    told = divergence(State(model, 7, 7, 0), None, Recipe(), best=None, base_rate=None, learner=CD())
    assert (told.cause, told.reason.split(".")[0]) == ("parameters", "b is no longer finite at update 7")
