"""Numbers cut into bins."""

import re

import numpy as np
import pytest

from boltzcore.data.table import bin_texts, cut_points


@pytest.mark.parametrize("bins", [2, 3, 7, 16])
def test_bins_of_different_numbers_hold_as_many_rows_up_to_one(bins):
    values = np.random.default_rng(1).normal(size=1_000) * 1e4
    counts = np.bincount(np.searchsorted(cut_points(values, bins), values), minlength=bins)
    assert len(counts) == bins
    assert counts.max() - counts.min() <= 1


def test_equal_numbers_share_a_bin_and_none_is_empty():
    values = np.array([0.0] * 60 + [1, 2, 3] + [9] * 40)
    points = cut_points(values, 4)
    assert points.tolist() == [0, 3]
    assert np.bincount(np.searchsorted(points, values)).tolist() == [60, 3, 40]
    assert cut_points(np.array([1.0, 2, 3] + [9] * 90), 2).tolist() == [3]
    assert cut_points(np.array([9.0] * 90 + [10, 11]), 2).tolist() == [9]
    assert cut_points(np.zeros(5), 3).tolist() == []
    assert bin_texts(np.array([])) == ("any number",)


def test_points_are_rounded_as_far_as_they_cut_alike():
    values = np.array([0.123456, 0.127, 31_245.37, 31_260.1, 1 / 3, 2e300, -5.55, -5.5])
    points = cut_points(values, 8)
    assert np.searchsorted(points, np.sort(values)).tolist() == list(range(8))
    assert points.tolist() == [-5.55, -5, 0.124, 0.2, 0.4, 31_250, 40_000]
    limits = [re.findall(r"-?[\d.]+", text) for text in bin_texts(points[:3])]
    assert limits == [["-5.55"], ["-5.55", "-5"], ["-5", "0.124"], ["0.124"]]
