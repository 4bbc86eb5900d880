"""A comparison as it is drawn."""

import math
from itertools import groupby

from boltzcore.comparison.result import Result
from boltzcore.plotting import comparison_curves
from boltzcore.training.status import Status
from pages.figures.race_table import cautions
from tests.runs import test_result


def made(status: str = "running", /, **values: list[list[float]]) -> Result:
    return test_result.made(values, status=status, budget=30)


def test_each_trial_is_a_line_of_its_own_and_the_median_goes_through_all():
    curves = [[-9, -8, -7], [-9, -6, -5], [-9, -7]]
    thin, thick, *others = comparison_curves.plot(made(Status.FINISHED, one=curves, two=[[], [], []]))["data"]
    points = zip(thin["x"], thin["y"], strict=True)
    lines = [list(group) for there, group in groupby(points, lambda point: point[0] is not None) if there]
    assert lines == [[(0, -9), (10, -8), (20, -7)], [(0, -9), (10, -6), (20, -5)], [(0, -9), (10, -7)]]
    assert list(zip(thick["x"], thick["y"], strict=True)) == [(0, -9), (10, -7), (20, -7)]
    assert not others
    _, thick, *_ = comparison_curves.plot(made(one=curves, two=[[], [], []]))["data"]  # as far as the slowest trial
    assert list(zip(thick["x"], thick["y"], strict=True)) == [(0, -9), (10, -7)]


def test_a_long_trial_is_drawn_by_some_of_its_points_and_its_last():
    thin = comparison_curves.plot(made(one=[[-math.inf, *range(-1, -1001, -1)]], two=[[-5.0]]))["data"][0]
    assert len(thin["x"]) <= comparison_curves.FEW + 3  # the last, a gap and the other's
    assert thin["x"][-1] == 10_000


def test_a_race_warns_of_contenders_that_stood_still_fell_or_were_still_gaining():
    still, gaining = [-9, -9, -9, -9, -9, -8.9], [-9, -8, -7, -6, -5, -4]
    fallen, done = [-9, -10, -12, -14, -15, -19], [-9, -4, -3, -3, -3, -3]
    warnings = cautions(made(Status.FINISHED, still=[still], gaining=[gaining], fallen=[fallen], done=[done]))
    assert sorted(each.split()[0] for each in warnings) == ["fallen", "gaining", "still"]


def test_a_race_warns_of_a_late_gain_that_is_larger_than_what_its_differences_are_unsure_by():
    shifts = [0.01 * k for k in range(6)]
    late = [[-30 + shift, -9, -8, -7, -6, -5.5 + shift] for shift in shifts]  # 2 % of its gain
    done = [[-30, -9, -8, -7, -6.01, -6 - shift] for shift in shifts]
    (warning,) = cautions(made(Status.FINISHED, late=late, done=done))
    assert warning.split()[0] == "late"
    unsure = [[-30, -9, -8, -7, -6.01, -6 + 2 * (-1) ** k] for k in range(6)]
    assert not cautions(made(Status.FINISHED, late=late, done=unsure))
