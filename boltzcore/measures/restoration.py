"""Pixel errors of a conditional model on corrupted images."""

import math

from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.measures.measure import SHARE, Figures, MeasureContext, measure
from boltzcore.measures.pixels import pixel_errors as errors_of
from boltzcore.models import CRBM

MERIT = ("validation_error", "test_error")  # figures that may judge a model, best first
_ERRORS = ("validation_error", "validation_changed_error", "test_error", "test_changed_error")


@measure(
    dict.fromkeys((*_ERRORS, "test_converged"), SHARE),
    uses=("inference",),
    lower=True,
    about="The share of pixels that are wrong after restoration, of all and of those that the corruption changed, and "
    "the share of test rows on which inference converged.",
)
def pixel_errors(model: CRBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Return the shares of wrong pixels, predicting those with a belief above 1/2 as on: among all (`..._error`) and
    among the corrupted (`..._changed_error`).

    They are for validation rows, if there are any, and for test rows; `test_converged` is the share of test rows on
    which the inference converged. Inputs that are no images of 0 and 1 have no changed pixels.
    """
    inference = context.inference or Inference()
    found: Figures = {}
    for name, split in rows.splits.items():
        if name != "train" and split.x is not None:
            beliefs = inference.infer(model, split.x, tick=context.tick)
            seen = split.x if split.x.shape == split.v.shape and ((split.x == 0) | (split.x == 1)).all() else split.v
            errors = errors_of(split.v, seen, beliefs.v > 0.5, split.weight)
            found[f"{name}_error"] = errors.all
            if not math.isnan(errors.changed):  # nan if no pixel was changed
                found[f"{name}_changed_error"] = errors.changed
            if name == "test":
                found["test_converged"] = split.average(beliefs.converged)
    return found
