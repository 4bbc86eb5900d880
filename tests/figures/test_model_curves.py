"""Curves of a conditional model."""

from typing import Any

import pytest

from boltzcore.data import load
from boltzcore.data.corruption import Corruption
from boltzcore.measures import rows_to_measure
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


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_a_figure_is_valid_for_plotly_and_json(figure):
    check_figure(figure)


def test_the_error_is_drawn_in_percent_under_its_split():
    assert line(FIGURES["error"], "validation")["y"] == pytest.approx([21, 9, 7, 6, 5, 5.5])
    of_test = model_curves.pixel_error(drawn(records(0.2, 0.1, split="test")))
    assert line(of_test, "test")["y"] == pytest.approx([20, 10])


def test_doing_nothing_is_a_level_and_the_best_state_ringed():
    figure = FIGURES["error"]
    assert any(shape["y0"] == shape["y1"] == 10.0 for shape in figure["layout"]["shapes"])
    assert (line(figure, "best")["x"], line(figure, "best")["y"]) == ([4.0], [5.0])


def test_doing_nothing_leaves_what_the_damage_changed():
    noisy, hidden = (
        model_curves.doing_nothing(rows_to_measure(load("digits").corrupted(corruption), 0))
        for corruption in (Corruption(rate=0.1), Corruption(kind="upper half"))
    )
    assert noisy == pytest.approx(0.1, abs=0.01)
    assert hidden == pytest.approx(load("digits").validation.v[:, :32].mean() / 2)
