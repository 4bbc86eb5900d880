"""Signs of a divergence."""

import dataclasses
import math

import numpy as np
import pytest

from boltzcore.learners import CD, SSD
from boltzcore.learners.base import State
from boltzcore.models import RBM
from boltzcore.training.recipe import Recipe
from boltzcore.training.stopping import allowed_below_base, allowed_drop, divergence

SOUND = State(RBM(np.zeros((2, 1)), np.zeros(2), np.zeros(1)), 1500, 1500, 0)


def found(value=None, *, best=-30.0, base_rate=None, learner=None, **others):
    """The divergence of a record with this likelihood, and with other figures."""
    values = others if value is None else {"train_log_likelihood": value, **others}
    return divergence(SOUND, values, Recipe(), best=best, base_rate=base_rate, learner=learner or CD(rate=0.5))


def test_a_fall_under_the_best_is_reported_with_its_figures_and_what_may_help():
    verdict = found(-33.5)
    assert verdict.cause == "likelihood"
    for part in ("33.5 nats", "1,500", "3.5 nats", "0.5", "K = 1"):
        assert part in verdict.reason
    assert "20 rows" in found(-40.0, learner=SSD(batch_size=20)).reason
    assert "0 rows" not in found(-40.0, learner=SSD(batch_size=0)).reason


ESTIMATE = "train_log_likelihood_ais"


@pytest.mark.parametrize(
    ("fields", "diverged"),
    [
        ({"value": -32.9}, False),  # within a tenth of the best
        ({"value": -math.inf}, True),
        ({"value": -31.2, "base_rate": -30.5}, True),
        ({"value": -30.9, "base_rate": -30.5}, False),  # within the margin
        ({"value": -31.2, "best": -30.6, "base_rate": -30.5}, True),  # a start at the base rate, but for small weights
        ({"value": -31.6, "best": -31.2, "base_rate": -30.5}, False),  # it is still on its way up
        ({"value": -1e9, "best": None}, False),  # the first record
        ({"free_energy_gap": 3.0, "best": None, "base_rate": -20.0}, False),  # no likelihood
        # an estimate once its whole interval is too low
        ({ESTIMATE: -40.0, f"{ESTIMATE}_low": -41.0, f"{ESTIMATE}_high": -30.9, "base_rate": -30.5}, False),
        ({ESTIMATE: -40.0, f"{ESTIMATE}_low": -41.0, "base_rate": -30.5}, False),  # it may be as high as it likes
        ({ESTIMATE: -40.0, f"{ESTIMATE}_low": -41.0, f"{ESTIMATE}_high": -39.0, "base_rate": -30.5}, True),
        ({"value": -30.0, "low": -math.inf}, False),
    ],
)
def test_a_likelihood_that_has_fallen_too_low_is_a_divergence(fields, diverged):
    verdict = found(**fields)
    assert (verdict is not None) is diverged
    assert verdict is None or verdict.cause == "likelihood"


def test_the_allowed_fall_is_a_share_of_the_likelihood_but_not_less_than_some_nats():
    assert (allowed_drop(-3.0), allowed_drop(-50.0)) == (1.0, 5.0)
    assert (allowed_below_base(-3.0), allowed_below_base(-100.0)) == (0.5, 2.0)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_figures_have_to_be_finite(value):
    assert found(-30.0, free_energy_gap=value).cause == "figures"


def test_parameters_have_to_be_finite():
    def judged(state):
        return divergence(state, None, Recipe(), best=-1.0, base_rate=-20.0, learner=CD())

    assert judged(SOUND) is None
    bad = RBM(np.zeros((2, 1)), np.zeros(2), np.zeros(1))
    bad.b[1] = np.nan
    assert judged(dataclasses.replace(SOUND, model=bad)).cause == "parameters"
