"""What each sweep adds, on a logarithmic scale."""

import json

import plotly.graph_objects as go

from boltzcore.figures import sweeps
from boltzcore.figures.drawing import Along
from boltzcore.figures.naming import Curve
from boltzcore.learners.pseudo_likelihood.sweeping import INCREASE
from boltzcore.runs.training import Record

UPDATES = Along("updates", "Sweeps", 10, 1)


def curve(*increases: float, name: str = "BSLM") -> Curve:
    first = Record(0, 0.0, 0, 0.0, {"train_log_pseudo_likelihood": -3.0})
    rest = [Record(i, float(i), i, 0.0, {INCREASE: value}) for i, value in enumerate(increases, 1)]
    return Curve([first, *rest], "PL", "solid", name)


def test_the_line_is_of_what_was_measured_and_its_axis_of_whole_powers_of_ten():
    figure = sweeps.increase(curve(3.0, 0.2, 0.04), along=UPDATES)
    go.Figure(figure)
    json.dumps(figure, allow_nan=False)
    (line,) = figure["data"]
    assert (line["x"], line["y"]) == ([1.0, 2.0, 3.0], [3.0, 0.2, 0.04])
    axis = figure["layout"]["yaxis"]
    assert (axis["type"], axis["range"]) == ("log", [-2.0, 1.0])
    assert figure["layout"]["xaxis"]["range"] == [0.0, 10.0]


def test_where_the_objective_fell_the_line_has_a_gap_and_a_cross_tells_by_how_much():
    line, crosses = sweeps.increase(curve(3.0, -0.5, 0.2, 0.0, 0.1, 0.1), along=UPDATES)["data"]
    assert line["y"] == [3.0, None, 0.2, None, 0.1, 0.1]
    assert not line["connectgaps"]
    assert [size > 0 for size in line["marker"]["size"]] == [True, False, True, False, False, False]
    assert (crosses["x"], crosses["y"], crosses["name"]) == ([2.0], [0.5], "BSLM fell by")


def test_pinned_trainings_stand_beside_it_under_their_names():
    pinned = (curve(1.0, 0.1, name="seed 1"), curve(5.0, 1e-4, name="seed 2"))
    figure = sweeps.increase(curve(2.0, 0.2, name="seed 3"), pinned=pinned, along=UPDATES)
    assert [trace["name"] for trace in figure["data"]] == ["seed 1", "seed 2", "seed 3"]
    assert figure["layout"]["yaxis"]["range"] == [-4.0, 1.0]


def test_tolerance_and_live_changes_are_marked():
    figure = sweeps.increase(curve(2.0, 0.2), along=UPDATES, tolerance=1e-5, changes=((1, "mu", 2.5),))
    assert {note["text"] for note in figure["layout"]["annotations"]} == {"tolerance 1e-05", "mu 2.5"}
    assert figure["layout"]["yaxis"]["range"] == [-5.0, 1.0]


def test_before_the_first_sweep_there_is_nothing_to_draw_or_say():
    assert sweeps.increase(curve(), along=UPDATES)["data"] == []
    assert sweeps.sentence(curve().records) == ""


def test_how_often_it_fell_is_told():
    assert sweeps.sentence(curve(1.0, 0.5).records) == "It fell in none of the 2 sweeps that were measured."
    told = sweeps.sentence(curve(1.0, -0.5, -0.25, 0.0).records)
    assert told == "It fell in 2 of the 4 sweeps that were measured, by 0.5 nats at most."
