"""How well a conditional model restores the corrupted copies of images."""

import math

from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.measures.pixels import pixel_errors
from boltzcore.models import CRBM
from boltzcore.ticks import Tick, idle


def restoration_errors(
    model: CRBM,
    rows: Dataset,
    *,
    seed: int = 0,
    step: int = 0,
    annealing: Annealing = USUAL,
    inference: Inference | None = None,
    tick: Tick = idle,
) -> dict[str, float]:
    """Shares of wrong pixels where those with a belief above 1/2 are on: among all (`..._error`) and among the
    corrupted (`..._changed_error`).

    Of validation rows, where there are any, and of test rows; with `test_converged`, the share of test rows on which
    the inference converged.
    """
    how = inference or Inference()
    found: dict[str, float] = {}
    for name, split in (("validation", rows.validation), ("test", rows.test)):
        if split is not None and split.x is not None:
            beliefs = how.infer(model, split.x, tick=tick)
            errors = pixel_errors(split.v, split.x, beliefs.v > 0.5)
            found[f"{name}_error"] = errors.all
            if not math.isnan(errors.changed):  # nothing was changed
                found[f"{name}_changed_error"] = errors.changed
            if name == "test":
                found["test_converged"] = float(beliefs.converged.mean())  # type: ignore[union-attr]
    return found
