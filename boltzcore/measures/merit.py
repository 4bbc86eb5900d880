"""Which figure says how good a model is, of those that were measured."""

from collections.abc import Mapping

WATCHED, ESTIMATED = (
    "train_log_likelihood",
    "train_log_likelihood_ais",
)  # nats per example; the estimate where the exact one cannot be had
ERRORS = (
    "validation_error",
    "test_error",
)  # of a conditional model; the latter where the data have no validation split


def watched(values: Mapping[str, float]) -> float | None:
    """The mean log-likelihood of the training rows: exact where it was measured, else estimated, None without
    either.
    """
    return values.get(WATCHED, values.get(ESTIMATED))


def merit(values: Mapping[str, float]) -> float | None:
    """What is higher the better the model: `watched`, or minus the share of wrong validation pixels; None where
    neither was measured.
    """
    error = next((values[name] for name in ERRORS if name in values), None)
    return watched(values) if error is None else -error
