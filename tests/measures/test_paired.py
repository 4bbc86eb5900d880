"""Paired differences are judged by Student's intervals, exact sign flips and Holm's correction."""

import math

import numpy as np
import pytest
from scipy import stats

from boltzcore.measures.paired import least_p, paired_differences, sign_flip_p

REFERENCE = (1.0, 2.0, 3.0, 4.0, 5.0)


def test_the_interval_is_student_s_of_the_differences():
    ours = (1.5, 2.2, 3.9, 4.1, 5.8)
    found = paired_differences({"a": REFERENCE, "b": ours}, "a")["b"]
    expected = stats.ttest_rel(ours, REFERENCE).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert (found.better_in, found.n, found.claimed) == (5, 5, True)
    assert found.mean == pytest.approx(0.5)


def test_sign_flips_are_counted_exactly():
    differences = np.array([1.0, 2.0, -0.5, 3.0])
    means = [abs(np.dot(signs, differences)) for signs in np.ndindex(2, 2, 2, 2) for signs in [1 - 2 * np.array(signs)]]
    share = np.mean([mean >= abs(differences.sum()) - 1e-12 for mean in means])
    assert sign_flip_p(differences) == pytest.approx(share)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_no_test_of_few_trials_gets_below_its_least_p(n):
    assert sign_flip_p(np.linspace(1.0, 2.0, n)) == pytest.approx(least_p(n))
    assert (least_p(n) > 0.05) == (n <= 5)


def test_holm_gives_the_strictest_level_to_the_surest_and_ends_at_the_first_that_is_not_shown():
    rng = np.random.default_rng(0)
    shifts = {"none": 0.0, "small": 0.8, "large": 5.0}
    figures = {"reference": np.zeros(8)} | {name: shift + rng.normal(size=8) for name, shift in shifts.items()}
    found = paired_differences(figures, "reference")
    order = sorted(shifts, key=lambda name: stats.ttest_1samp(figures[name], 0).pvalue)
    for name in order:
        interval = stats.ttest_1samp(figures[name], 0).confidence_interval(1 - 0.05 / 3)
        assert (found[name].low, found[name].high) == pytest.approx((interval.low, interval.high))
    claims = [found[name].claimed for name in order]
    assert claims == sorted(claims, reverse=True)
    assert found["large"].claimed
    assert not found["none"].claimed


def test_a_reference_that_was_chosen_by_the_figures_is_compared_at_the_level_of_all_pairs():
    rng = np.random.default_rng(3)
    figures = {name: rng.normal(size=8) for name in "abcde"}
    found = paired_differences(figures, "a", pairs=True)
    order = sorted("bcde", key=lambda name: stats.ttest_rel(figures[name], figures["a"]).pvalue)
    for name in order:
        interval = stats.ttest_rel(figures[name], figures["a"]).confidence_interval(1 - 0.05 / 10)
        assert (found[name].low, found[name].high) == pytest.approx((interval.low, interval.high))


def test_the_best_of_equals_is_seldom_claimed_to_be_better():
    """Of 300 comparisons of five equal contenders with the best of them."""
    rng, claims = np.random.default_rng(4), 0
    for _ in range(300):
        figures = {name: rng.normal(size=17) for name in "abcde"}  # so many trials have no exact test, which takes time
        best = max(figures, key=lambda name: figures[name].mean())
        claims += any(each.claimed for each in paired_differences(figures, best, pairs=True).values())
    assert stats.binomtest(claims, 300, 0.05, alternative="greater").pvalue > 0.01


def test_the_second_of_two_is_claimed_at_the_whole_level_and_its_interval_is_as_wide_as_the_first_s():
    differences = {"far": np.array([5.0, 5.1, 4.9, 5.2, 4.8]), "near": np.array([1.2, 0.1, 0.9, 0.3, 0.8])}
    assert 0.025 < stats.ttest_1samp(differences["near"], 0).pvalue < 0.05
    found = paired_differences({"a": np.zeros(5)} | differences, "a")
    assert found["far"].claimed
    assert found["near"].claimed
    assert found["near"].low < 0 < found["near"].mean


def test_intervals_of_those_who_all_differ_hold_together():
    """Of 600 comparisons of six contenders that differ by far, the share in which an interval misses its difference."""
    rng, missed = np.random.default_rng(5), 0
    shifts = {name: 20.0 * place for place, name in enumerate("abcdef")}
    for _ in range(600):
        figures = {name: shift + rng.normal(size=17) for name, shift in shifts.items()}
        found = paired_differences(figures, "a")
        assert all(each.claimed for each in found.values())
        missed += any(not each.low <= shifts[name] <= each.high for name, each in found.items())
    assert stats.binomtest(missed, 600, 0.05, alternative="greater").pvalue > 0.01


def test_an_estimate_that_may_be_off_has_a_wider_interval():
    found = paired_differences({"a": REFERENCE, "b": (3.5, 4.2, 5.9, 6.1, 7.8)}, "a")["b"]
    wider = found.within(0.5)
    assert (wider.low, wider.high, wider.claimed) == (found.low - 0.5, found.high + 0.5, True)
    assert not found.within(3.0).claimed


def test_what_does_not_vary_has_neither_interval_nor_p_and_claims_nothing():
    found = paired_differences({"a": REFERENCE, "same": [x + 0.1 for x in REFERENCE], "b": (2, 1, 3, 4, 9)}, "a")
    assert (found["same"].low, found["same"].p, found["same"].claimed) == (None, None, False)
    assert found["same"].mean == pytest.approx(0.1)
    assert found["b"].p is not None
    once = paired_differences({"a": (1.0,), "b": (2.0,)}, "a")["b"]
    assert (once.mean, once.low, once.p, once.n) == (1.0, None, None, 1)


def test_beyond_16_trials_there_is_an_interval_and_no_exact_test():
    rng = np.random.default_rng(1)
    found = paired_differences({"a": np.zeros(17), "b": rng.normal(size=17)}, "a")["b"]
    assert found.p is None
    assert found.low is not None


@pytest.mark.parametrize(
    ("values", "sentence"),
    [((1.0, 2.0), "b must have as many trials as a, 5, not 2."), ((*REFERENCE[:4], math.inf), "finite figure")],
)
def test_trials_that_cannot_be_paired_are_refused(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        paired_differences({"a": REFERENCE, "b": values}, "a")


def test_those_who_do_not_differ_are_seldom_claimed_to():
    """Of 400 comparisons of three equal contenders the share of claims is not shown to be above 5 %."""
    rng = np.random.default_rng(2)
    claims = 0
    for _ in range(400):
        figures = {name: rng.normal(size=17) for name in "abc"}  # as many as have no exact test
        claims += any(each.claimed for each in paired_differences(figures, "a").values())
    assert stats.binomtest(claims, 400, 0.05, alternative="greater").pvalue > 0.01
