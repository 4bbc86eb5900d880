"""Measures of a conditional model, the figure that compares models, and its first record at 90 % of the climb."""

import numpy as np
import pytest

from boltzcore.data import Dataset, Examples
from boltzcore.inference import Inference
from boltzcore.measures import MeasureContext
from boltzcore.measures.merit import climb, merit
from boltzcore.measures.restoration import pixel_errors
from boltzcore.models import CRBM
from boltzcore.registry import MODELS

TRUTH = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]], np.uint8)
SEEN = np.array([[1, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]], np.uint8)
SPLITS = Dataset(Examples(TRUTH), Examples(TRUTH[:1], SEEN[:1]), Examples(TRUTH, SEEN))


def test_errors_are_shares_of_wrong_pixels():
    # the model believes its input, but takes the first unit for on whatever it sees
    b = np.array([20.0, -5, -5, -5])
    sent = pixel_errors(CRBM(np.zeros((4, 2)), 10 * np.eye(4), np.zeros((2, 4)), b, np.zeros(2)), SPLITS)
    # the first row keeps its one flipped pixel; the second both of its, and the third turns its first pixel on
    assert sent == pytest.approx(
        {
            "validation_error": 1 / 4,
            "validation_changed_error": 1,
            "test_error": 4 / 12,
            "test_changed_error": 1,
            "test_converged": 1,
        }
    )


def test_the_inference_is_the_one_asked_for():
    rng = np.random.default_rng(0)
    model = CRBM(rng.normal(0, 3, (4, 6)), rng.normal(0, 1, (4, 4)), rng.normal(0, 1, (6, 4)), np.zeros(4), np.zeros(6))
    short, long = (
        pixel_errors(model, SPLITS, MeasureContext(inference=Inference(iterations=n, tolerance=tolerance)))
        for n, tolerance in ((1, 0.0), (500, 0.5))
    )
    assert short["test_converged"] == 0
    assert long["test_converged"] == 1


def test_held_out_rows_judge_before_those_that_are_learnt_from_and_an_error_counts_negative():
    rbm, crbm = MODELS["rbm"].merit, MODELS["crbm"].merit
    assert merit({"train_log_likelihood_ais": -2.0, "train_log_likelihood": -1.0}, rbm) == -1.0
    assert merit({"train_log_likelihood_ais": -2.0, "validation_log_likelihood_ais": -3.0}, rbm) == -3.0
    assert merit({"free_energy_gap": 1.0}, rbm) is None
    assert merit({"test_error": 0.2}, crbm) == -0.2
    assert merit({"test_error": 0.2, "validation_error": 0.1, "train_log_likelihood": -1.0}, crbm) == -0.1
    assert merit({"test_changed_error": 0.2}, crbm) is None


@pytest.mark.parametrize(
    ("values", "at"),
    [
        ([-10.0, -5.0, -1.0, 0.0], 2),  # -10 + 0.9 * 10 is -1
        ([-10.0, -5.0, -1.1, 0.0], 3),
        ([-4.0, -2.0, -3.0, -2.0], 1),  # the first at the best, though it falls later
        ([-10.0, -1.0, -20.0, 0.0, -9.0], 1),
        ([-3.0, -2.0], 1),
        ([-3.0, -3.0], None),
        ([-3.0, -4.0, -5.0], None),
        ([-3.0], None),
        ([], None),
    ],
)
def test_the_first_value_at_nine_tenths_of_the_climb(values, at):
    assert climb(values) == at
