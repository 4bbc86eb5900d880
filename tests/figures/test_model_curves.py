"""Curves of conditional, log-linear and fully visible models."""

from typing import Any

import pytest

from boltzcore.data import load
from boltzcore.data.corruption import Corruption
from boltzcore.learners.pseudo_likelihood import INCREASE
from boltzcore.measures.measure import rows_to_measure
from boltzcore.training.loop import Record
from pages.figures import model_curves, naming
from pages.figures.curves import TrainingCurves
from pages.figures.time_axis import Along
from tests.figures.checks import check_figure, line


def records(*shares: float, split: str = "validation") -> list[Record]:
    values = [
        {f"{split}_error": y, f"{split}_changed_error": 3 * y, "test_error": y, "test_converged": 0.9, "converged": 0.8}
        for y in shares
    ]
    return [Record(90 * i, float(i), 7 * i, 0.5 * i, each) for i, each in enumerate(values)]


FALLING = records(0.21, 0.09, 0.07, 0.06, 0.05, 0.055)


def drawn(known: list[Record] = FALLING, **more: Any) -> TrainingCurves:
    return TrainingCurves(naming.Curve(known, "BP", "solid", "MLE-BP, η 0.05"), along=Along(budget=900), **more)


FIGURES = {
    "error": model_curves.pixel_error(drawn(changes=((180, "rate", 0.1),), best=360), 0.1),
    "before the first record": model_curves.pixel_error(drawn([]), 0.1),
    "one record": model_curves.pixel_error(drawn(records(0.21), best=0), 0.1),
    "changed": model_curves.changed_error(drawn()),
    "changed, before the first record": model_curves.changed_error(drawn([])),
    "convergence": model_curves.convergence(drawn()),
}


def test_the_error_is_drawn_in_percent_under_its_split():
    assert line(FIGURES["error"], "validation")["y"] == pytest.approx([21, 9, 7, 6, 5, 5.5])
    of_test = model_curves.pixel_error(drawn(records(0.2, 0.1, split="test")))
    assert line(of_test, "test")["y"] == pytest.approx([20, 10])


def test_doing_nothing_is_a_level_and_the_best_state_ringed():
    figure = FIGURES["error"]
    assert any(shape["y0"] == shape["y1"] == 10.0 for shape in figure["layout"]["shapes"])
    assert (line(figure, "best")["x"], line(figure, "best")["y"]) == ([4.0], [5.0])


def test_a_change_after_the_last_record_is_marked_at_its_update():
    figure = model_curves.pixel_error(drawn(records(0.21, 0.09), changes=((180, "rate", 0.1),)))
    assert any(shape["x0"] == shape["x1"] == 2.0 for shape in figure["layout"]["shapes"])


def test_doing_nothing_leaves_what_the_damage_changed():
    noisy, hidden = (
        model_curves.input_error(rows_to_measure(load("digits").corrupted(corruption), 0))
        for corruption in (Corruption(rate=0.1), Corruption(kind="upper half"))
    )
    assert noisy == pytest.approx(0.1, abs=0.01)
    assert hidden == pytest.approx(load("digits").validation.v[:, :32].mean() / 2)


def description(name: str = "MDL", **lines: list[float]) -> naming.Curve:
    values = [dict(zip(lines, each, strict=True)) for each in zip(*lines.values(), strict=True)]
    return naming.Curve([Record(i, float(i), i, float(i), each) for i, each in enumerate(values)], "MDL", "solid", name)


FIRST = description(cost=[2.0, 1.5, 1.2], kl_to_data=[2.0, 1.2, 0.8], kl_to_truth=[1.9, 0.9, 0.3])


def by_name(figure) -> dict[str, list[float]]:
    return {trace["name"]: trace["y"] for trace in figure["data"]}


def test_what_is_known_is_drawn_and_named():
    figure = model_curves.description_length(TrainingCurves(FIRST, along=Along("updates")))
    assert by_name(figure) == {"cost": [2.0, 1.5, 1.2], "KL data": [2.0, 1.2, 0.8], "KL truth": [1.9, 0.9, 0.3]}
    assert figure["layout"]["yaxis"]["range"][0] == 0


def test_of_a_pinned_training_the_cost_is_drawn_or_where_it_has_none_its_divergence():
    pairs = description("BM-DI", kl_to_data=[2.0, 0.9])
    bought = description("MDL, price 2", cost=[2.0, 1.9], kl_to_data=[2.0, 1.0])
    figure = model_curves.description_length(TrainingCurves(FIRST, [pairs, bought], Along("updates")))
    lines = by_name(figure)
    assert lines["BM-DI"] == [2.0, 0.9]
    assert lines["MDL, price 2"] == [2.0, 1.9]
    assert lines["MDL, cost"] == [2.0, 1.5, 1.2]


def sweeps(*increases: float) -> TrainingCurves:
    first = Record(0, 0.0, 0, 0.0, {"train_log_pseudo_likelihood": -3.0})
    rest = [Record(i, float(i), i, 0.0, {INCREASE: value}) for i, value in enumerate(increases, 1)]
    curve = naming.Curve([first, *rest], "PL", "solid", "BSLM")
    return TrainingCurves(curve, along=Along("updates", "Sweeps", 10, 1))


def test_the_line_is_of_what_was_measured_and_its_axis_of_whole_powers_of_ten():
    figure = model_curves.increase(sweeps(3.0, 0.2, 0.04))
    check_figure(figure)
    (line,) = figure["data"]
    assert (line["x"], line["y"]) == ([1.0, 2.0, 3.0], [3.0, 0.2, 0.04])
    axis = figure["layout"]["yaxis"]
    assert (axis["type"], axis["range"]) == ("log", [-2.0, 1.0])
    assert figure["layout"]["xaxis"]["range"] == [0.0, 10.0]


def test_where_the_objective_fell_the_line_has_a_gap_and_a_cross_tells_by_how_much():
    line, crosses = model_curves.increase(sweeps(3.0, -0.5, 0.2, 0.0, 0.1, 0.1))["data"]
    assert line["y"] == [3.0, None, 0.2, None, 0.1, 0.1]
    assert not line["connectgaps"]
    assert "markers" in line["mode"]
    assert (crosses["x"], crosses["y"], crosses["name"]) == ([2.0], [0.5], "BSLM fell by")
