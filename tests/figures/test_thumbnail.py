"""The stamp of a training: where its line runs, what its words say."""

import re
from xml.etree import ElementTree

import pytest

from boltzcore.plotting import palette
from boltzcore.training.trace import Curve
from pages.figures import thumbnail
from pages.figures.thumbnail import HEIGHT, WIDTH

LIKELIHOOD, ERROR = "test_log_likelihood", "test_error"


def line(svg: str) -> list[tuple[float, float]]:
    (points,) = re.findall(r'points="([^"]*)"', svg)
    return [tuple(map(float, point.split(","))) for point in points.split()]


def test_a_likelihood_rises_and_an_error_falls():
    values = (-30.0, -20.0, -10.0, -12.0)
    rises = thumbnail.stamp(Curve(LIKELIHOOD, (0, 10, 20, 30), values), "CD")
    x, y = zip(*line(rises), strict=True)
    assert list(x) == sorted(x)
    assert y[0] > y[1] > y[3] > y[2]  # pixels count from the top
    crashed = line(thumbnail.stamp(Curve(LIKELIHOOD, tuple(range(21)), (*range(-30, -10), -1e9)), "CD"))
    assert crashed[0][1] - crashed[19][1] > HEIGHT / 4  # the crash does not flatten the climb
    falls = thumbnail.stamp(Curve(ERROR, (0, 10, 20), (0.2, 0.1, 0.05)), "BP")
    assert line(falls)[0][1] < line(falls)[2][1]
    assert palette.hue("CD") in rises
    assert palette.hue("BP") in falls


@pytest.mark.parametrize(
    "values",
    [(1.0,), (2.0, 2.0, 2.0), (-10.0, *(-9.0,) * 900, -1e300), (-1e6, -3.0, -2.9, -2.8), (1.7e308, -1.7e308, 1.7e308)],
)
@pytest.mark.parametrize("name", [LIKELIHOOD, ERROR])
def test_any_line_stays_in_its_frame_with_few_points(name, values):
    svg = thumbnail.stamp(Curve(name, tuple(range(len(values))), values), "")
    ElementTree.fromstring(svg)
    places = line(svg)
    assert len(places) <= 103
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in places)
