"""Explanation of a pixel's marginal, as plain values for a browser: only what is asked for, of one inference."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore import restoration
from boltzcore.inference.history import History
from boltzcore.restoration import Damaged
from pages.figures import restoration as figures
from pages.figures.packing import base64_of

MOST = 6  # terms that are listed one by one
DIGITS = 6  # of a log-odds after the point: with some ten terms, their sum is within 1e-5
STEPS = 127  # of a weight's strength, either way


def head(history: History, damaged: Damaged, clean: ArrayLike | None, *, amber: bool) -> dict[str, Any]:
    """Values of all pixels: `pictures`, iteration by iteration as places among the `colours`; the `pixel` to
    begin with; and the `last` iteration.

    clean : the digit before, where it is known; amber : whether pixels in doubt are drawn in amber
    """
    drawn = [figures.levels(p, restoration.in_doubt(p) if amber else None) for p in history.v.astype(np.float64)]
    return {
        "last": history.iterations,
        "pixel": restoration.decisive_pixel(history, damaged, clean),
        "pictures": base64_of(drawn, "u1"),
        "colours": base64_of(figures.colours(), "u1"),
    }


def pixel(history: History, i: int) -> dict[str, Any]:
    """Log-odds of one pixel in each iteration: their terms, of the messages the strongest and all others by their sign;
    `p`, its marginal; `start`, what that was before the first, and `kept`, which share of the one before it keeps.
    """
    terms = history.visible(i)
    return {
        "bias": _rounded(terms.bias),
        "own": None if terms.own is None else _rounded(terms.own),
        "others": None if terms.others is None else _rounded(terms.others),
        **_strongest(terms.messages),
        "p": _rounded(history.v[:, i]),
        "start": _rounded(history.start[i]),
        "kept": history.kept,
    }


def _strongest(terms: NDArray[np.float64]) -> dict[str, Any]:
    """Of terms (iterations, n) in each iteration the `units` of the strongest and their `terms`; of all others by their
    sign how `many` there are, and the sums, `rest`.
    """
    order = np.argsort(-np.abs(terms), axis=1, kind="stable")
    units, others = order[:, :MOST], np.take_along_axis(terms, order[:, MOST:], axis=1)
    return {
        "units": units.tolist(),
        "terms": _rounded(np.take_along_axis(terms, units, axis=1)),
        "many": np.stack([(others > 0).sum(axis=1), (others < 0).sum(axis=1)], axis=1).tolist(),
        "rest": _rounded(np.stack([np.maximum(others, 0).sum(axis=1), np.minimum(others, 0).sum(axis=1)], axis=1)),
    }


def weights(history: History, units: Sequence[int]) -> dict[str, str]:
    """{hidden unit: its weights, in `STEPS` of the model's largest}, to be drawn small."""
    limit = max(float(np.abs(history.model.W).max()), 1e-9)
    return {str(j): base64_of(np.rint(history.model.W[:, j] / limit * STEPS), "i1") for j in units}


def _rounded(values: ArrayLike) -> Any:
    return np.round(np.asarray(values, np.float64), DIGITS).tolist()
