"""What is measured of a conditional model, and which figure says how good a model is."""

import numpy as np
import pytest

from boltzcore.data import Dataset, Examples
from boltzcore.inference import Inference
from boltzcore.measures import MEASURES, measures_of
from boltzcore.measures.merit import merit, watched
from boltzcore.measures.restoration import restoration_errors
from boltzcore.models import CRBM, RBM
from boltzcore.ticks import Stopped

TRUTH = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]], np.uint8)
SEEN = np.array([[1, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]], np.uint8)


def copying(n=4, hidden=2):
    """A model that believes its input, but takes the first unit for on whatever it sees."""
    b = np.full(n, -5.0)
    b[0] = 20
    return CRBM(np.zeros((n, hidden)), 10 * np.eye(n), np.zeros((hidden, n)), b, np.zeros(hidden))


def splits(validation=True, seen=SEEN):
    return Dataset(Examples(TRUTH), Examples(TRUTH[:1], seen[:1]) if validation else None, Examples(TRUTH, seen))


def test_errors_are_shares_of_wrong_pixels():
    told = restoration_errors(copying(), splits())
    # the first row keeps its one flipped pixel; the second both of its, and the third turns its first pixel on
    assert told == pytest.approx(
        {
            "validation_error": 1 / 4,
            "validation_changed_error": 1,
            "test_error": 4 / 12,
            "test_changed_error": 1,
            "test_converged": 1,
        }
    )


def test_figures_that_cannot_be_had_are_left_out():
    assert set(restoration_errors(copying(), splits(validation=False))) == {
        "test_error",
        "test_changed_error",
        "test_converged",
    }
    assert set(restoration_errors(copying(), splits(seen=TRUTH))) == {
        "validation_error",
        "test_error",
        "test_converged",
    }
    assert not restoration_errors(copying(), Dataset(Examples(TRUTH), None, Examples(TRUTH)))


def test_the_inference_is_the_one_asked_for():
    rng = np.random.default_rng(0)
    model = CRBM(rng.normal(0, 3, (4, 6)), rng.normal(0, 1, (4, 4)), rng.normal(0, 1, (6, 4)), np.zeros(4), np.zeros(6))
    short, long = (
        restoration_errors(model, splits(), inference=Inference(iterations=n, tolerance=tolerance))
        for n, tolerance in ((1, 0.0), (500, 0.5))
    )
    assert short["test_converged"] == 0
    assert long["test_converged"] == 1


def test_it_can_be_stopped():
    def stop(fraction):
        raise Stopped

    with pytest.raises(Stopped):
        restoration_errors(copying(), splits(), tick=stop)


def test_the_likelihood_is_watched_and_the_error_of_a_conditional_model_counts_before_it():
    assert watched({"train_log_likelihood_ais": -2.0, "train_log_likelihood": -1.0}) == -1.0
    assert watched({"train_log_likelihood_ais": -2.0}) == -2.0
    assert watched({"free_energy_gap": 1.0}) is None
    assert merit({"train_log_likelihood": -1.0}) == -1.0
    assert merit({"test_error": 0.2}) == -0.2
    assert merit({"test_error": 0.2, "validation_error": 0.1, "train_log_likelihood": -1.0}) == -0.1
    assert merit({"test_changed_error": 0.2}) is None


def test_each_measure_is_of_one_kind_of_model():
    assert set(measures_of(CRBM)) == {"pixel_errors"}
    assert set(measures_of(RBM)) | set(measures_of(CRBM)) == set(MEASURES)
