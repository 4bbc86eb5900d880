"""Curves of a conditional model."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from boltzcore.data import load
from boltzcore.data.corruption import Corruption
from boltzcore.figures import drawing, errors, naming, palette
from boltzcore.figures.drawing import Along
from boltzcore.measures import rows_to_measure
from boltzcore.registry import MODELS
from boltzcore.runs.training import Record


def records(*shares: float, split: str = "validation") -> list[Record]:
    values = [
        {f"{split}_error": y, f"{split}_changed_error": 3 * y, "test_error": y, "test_converged": 0.9, "converged": 0.8}
        for y in shares
    ]
    return [Record(90 * i, float(i), 7 * i, 0.5 * i, each) for i, each in enumerate(values)]


FALLING = records(0.21, 0.09, 0.07, 0.06, 0.05, 0.055)


def drawn(
    known: list[Record] = FALLING, *, family: str = "BP", dash: str = "solid", name: str = "MLE-BP, η 0.05"
) -> naming.Curve:
    return naming.Curve(known, family, dash, name)


def line(figure: drawing.Figure, name: str) -> dict:
    return next(trace for trace in figure["data"] if trace["name"] == name)


def texts(figure: drawing.Figure) -> list[str]:
    return [note["text"] for note in figure["layout"]["annotations"]]


RESIDUALS = np.array([[0.5, 0.1, 0.01, 0.0005], [0.5, 0.0, np.nan, np.nan]], np.float32)
FIGURES = {
    "error": errors.pixel_error(drawn(), along=Along(budget=900), nothing=0.1, changes=((180, "rate", 0.1),), best=360),
    "test error": errors.pixel_error(drawn(records(0.2, 0.1, split="test")), along=Along(budget=900)),
    "before the first record": errors.pixel_error(drawn([]), along=Along(budget=900), nothing=0.1),
    "one record": errors.pixel_error(drawn(records(0.21)), along=Along(budget=900), nothing=0.1, best=0),
    "pinned": errors.pixel_error(
        drawn(family="CD", dash="dash", name="CD-1"), pinned=[drawn(records(0.2, 0.08))], nothing=0.1
    ),
    "changed": errors.changed_error(FALLING, family="BP", along=Along(budget=900)),
    "changed, before the first record": errors.changed_error([], family="BP"),
    "convergence": errors.convergence(FALLING, family="BP", along=Along(budget=900)),
    "residuals": errors.residuals(RESIDUALS, 1e-3, family="BP"),
    "residuals without a tolerance": errors.residuals(RESIDUALS, 0.0, family="max-margin"),
}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_plotly_takes_every_figure_and_json_holds_it(figure):
    go.Figure(json.loads(json.dumps(figure, allow_nan=False)))


def test_the_error_is_drawn_thick_in_percent_under_its_split():
    error = line(FIGURES["error"], "validation")
    assert error["y"] == pytest.approx([21, 9, 7, 6, 5, 5.5])
    assert (error["line"]["color"], error["line"]["width"]) == (palette.hue("BP"), 3.5)
    assert line(FIGURES["test error"], "test")["y"] == pytest.approx([20, 10])


def test_doing_nothing_is_a_dashed_level_and_the_best_state_ringed():
    figure = FIGURES["error"]
    assert "doing nothing 10.00 %" in texts(figure)
    assert any(
        shape["y0"] == shape["y1"] == 10.0 and shape["line"]["dash"] == "dash" for shape in figure["layout"]["shapes"]
    )
    assert (line(figure, "best")["x"], line(figure, "best")["y"]) == ([4.0], [5.0])
    assert "rate 0.1" in texts(figure)


def test_the_start_is_cut_off_once_there_is_more():
    assert FIGURES["one record"]["layout"]["yaxis"]["range"][1] >= 21
    low, high = FIGURES["error"]["layout"]["yaxis"]["range"]
    assert low < 5
    assert 10 < high < 20


def test_small_gains_are_told_from_doing_nothing():
    low, high = errors.pixel_error(drawn(records(0.13, 0.0147, 0.0133)), nothing=0.018)["layout"]["yaxis"]["range"]
    assert low < 1.33
    assert 1.8 < high < 3


def test_limits_hold_an_error_that_gets_worse_than_doing_nothing():
    _, high = errors.pixel_error(drawn(records(0.2, 0.15, 0.3)), nothing=0.1)["layout"]["yaxis"]["range"]
    assert high > 10


def test_two_trainings_are_drawn_under_their_names_and_hues():
    figure = FIGURES["pinned"]
    pinned, new = line(figure, "MLE-BP, η 0.05"), line(figure, "CD-1")
    assert (pinned["line"]["color"], new["line"]["color"]) == (palette.hue("BP"), palette.hue("CD"))
    assert pinned["line"]["width"] < new["line"]["width"]
    assert new["line"]["dash"] == "dash"


def test_work_is_named_for_what_these_learners_do():
    work = MODELS["crbm"].work
    figure = errors.pixel_error(drawn(), along=Along("work", work))
    assert figure["layout"]["xaxis"]["title"]["text"] == work == "Gibbs transitions, or iterations of inference"
    assert line(figure, "validation")["x"][-1] == 35.0


def test_convergence_is_drawn_of_training_and_test_images():
    figure = FIGURES["convergence"]
    thin, thick = line(figure, "training"), line(figure, "test")
    assert (thin["y"][0], thick["y"][0]) == (pytest.approx(80), pytest.approx(90))
    assert thin["line"]["width"] < thick["line"]["width"]


def test_residuals_end_where_the_inference_stopped_and_the_tolerance_is_a_level():
    figure = FIGURES["residuals"]
    assert [len(trace["y"]) for trace in figure["data"]] == [4, 2]
    assert figure["layout"]["yaxis"]["type"] == "log"
    assert figure["layout"]["shapes"][0]["y0"] == pytest.approx(1e-3)
    assert min(min(trace["y"]) for trace in figure["data"]) > 0
    assert not FIGURES["residuals without a tolerance"]["layout"]["shapes"]


def test_doing_nothing_leaves_what_the_damage_changed():
    noisy, hidden = (
        errors.doing_nothing(rows_to_measure(load("digits").corrupted(corruption), 0))
        for corruption in (Corruption(rate=0.1), Corruption(kind="upper half"))
    )
    assert noisy == pytest.approx(0.1, abs=0.01)
    assert hidden == pytest.approx(load("digits").validation.v[:, :32].mean() / 2)
