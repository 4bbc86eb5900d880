"""What each sweep adds, on a logarithmic scale."""

from boltzcore.learners.pseudo_likelihood import INCREASE
from boltzcore.training.loop import Record
from pages.figures import model_curves
from pages.figures.curves import TrainingCurves
from pages.figures.naming import Curve
from pages.figures.time_axis import Along
from tests.figures.checks import check_figure

UPDATES = Along("updates", "Sweeps", 10, 1)


def curve(*increases: float) -> Curve:
    first = Record(0, 0.0, 0, 0.0, {"train_log_pseudo_likelihood": -3.0})
    rest = [Record(i, float(i), i, 0.0, {INCREASE: value}) for i, value in enumerate(increases, 1)]
    return Curve([first, *rest], "PL", "solid", "BSLM")


def test_the_line_is_of_what_was_measured_and_its_axis_of_whole_powers_of_ten():
    figure = model_curves.increase(TrainingCurves(curve(3.0, 0.2, 0.04), along=UPDATES))
    check_figure(figure)
    (line,) = figure["data"]
    assert (line["x"], line["y"]) == ([1.0, 2.0, 3.0], [3.0, 0.2, 0.04])
    axis = figure["layout"]["yaxis"]
    assert (axis["type"], axis["range"]) == ("log", [-2.0, 1.0])
    assert figure["layout"]["xaxis"]["range"] == [0.0, 10.0]


def test_where_the_objective_fell_the_line_has_a_gap_and_a_cross_tells_by_how_much():
    line, crosses = model_curves.increase(TrainingCurves(curve(3.0, -0.5, 0.2, 0.0, 0.1, 0.1), along=UPDATES))["data"]
    assert line["y"] == [3.0, None, 0.2, None, 0.1, 0.1]
    assert not line["connectgaps"]
    assert "markers" in line["mode"]
    assert (crosses["x"], crosses["y"], crosses["name"]) == ([2.0], [0.5], "BSLM fell by")
