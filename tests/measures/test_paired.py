"""Paired differences: Student's intervals that hold together, and what is claimed by them alone."""

import math

import numpy as np
import pytest
from scipy import stats

from boltzcore.measures.paired import FEWEST, LEVEL, paired_difference

REFERENCE = (1.0, 2.0, 3.0, 4.0, 5.0)
OURS = (1.5, 2.2, 3.9, 4.1, 5.8)


@pytest.mark.parametrize("family", [1, 3, 15])
def test_interval_and_p_are_student_s_at_the_level_of_the_family(family):
    found = paired_difference(OURS, REFERENCE, family)
    expected = stats.ttest_rel(OURS, REFERENCE)
    interval = expected.confidence_interval(1 - LEVEL / family)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.p == pytest.approx(min(1.0, family * expected.pvalue))
    assert (found.better_in, found.worse_in, found.n) == (5, 0, 5)
    assert found.mean == pytest.approx(0.5)


def test_a_difference_is_claimed_exactly_where_its_interval_excludes_0_and_its_p_is_below_the_level():
    """Of differences about as large as what can be claimed, in both directions, of exact figures and of estimates."""
    rng, claims = np.random.default_rng(0), 0
    for _ in range(500):
        n, family, spread = rng.integers(2, 12), rng.integers(1, 16), rng.choice([0.0, 0.5, math.inf])
        ours, theirs = rng.normal(rng.normal(scale=2), size=n), rng.normal(size=n)
        one = paired_difference(ours, theirs, family, spread=spread)
        other = paired_difference(theirs, ours, family, spread=spread)
        assert one.claimed == other.claimed == (one.p is not None and one.p < LEVEL)
        assert one.claimed == (one.low is not None and (one.low > 0 or one.high < 0))
        assert not one.claimed or n >= FEWEST
        claims += one.claimed
    assert 20 < claims < 480


def test_an_estimate_that_may_be_off_has_a_wider_interval():
    found, wider = (paired_difference(OURS, REFERENCE, 1, spread=spread) for spread in (0.0, 0.5))
    assert (wider.low, wider.high) == pytest.approx((found.low - 0.5, found.high + 0.5))
    assert (found.claimed, wider.claimed, wider.p) == (True, False, 1.0)


def test_random_trials_that_do_not_vary_claim_nothing_and_those_without_randomness_differ_exactly():
    shifted = [x + 0.1 for x in REFERENCE]
    same = paired_difference(shifted, REFERENCE, 3)
    assert (same.low, same.p, same.claimed) == (None, None, False)
    assert same.mean == pytest.approx(0.1)
    once = paired_difference((2.0,), (1.0,), 3, fixed=True)
    assert (once.low, once.high, once.p, once.claimed, once.exact) == (1.0, 1.0, 0.0, True, True)
    assert not paired_difference((1.0,), (1.0,), 3, fixed=True).claimed
    assert not paired_difference((2.0,), (1.0,), 3, spread=1.5, fixed=True).claimed


@pytest.mark.parametrize("fixed", [False, True])
def test_figures_are_equal_only_where_they_are_exact(fixed):
    for ours, spread, equal in ((REFERENCE, 0.0, True), (REFERENCE, 5.0, False), (OURS, 0.0, False)):
        assert paired_difference(ours, REFERENCE, 3, spread=spread, fixed=fixed).equal == equal


@pytest.mark.parametrize("values", [(1.0, 2.0), (*REFERENCE[:4], math.inf)])
def test_trials_that_cannot_be_paired_are_refused(values):
    with pytest.raises(ValueError, match="Paired trials"):
        paired_difference(values, REFERENCE, 1)
