"""Sentences and settings that entries of several kinds of learners share."""

from typing import Any

from boltzcore import observations
from boltzcore.learners.base import lower_rate
from boltzcore.models.base import FEW_ROWS
from boltzcore.registry.info import Suggestion

SMALLER_RATE = "a smaller rate than {rate:.6g}"
OF_CHAINS = "Products of units with the weights (two in each Gibbs step of a chain), outer products of the terms of "
FEW_PIXELS = 100  # columns up to which an image is small, and a sweep takes well below a second


def _minibatches(**fields: Any) -> tuple[Suggestion, ...]:
    """Return the first trainings by mini-batches: few rows, whose updates cost next to nothing, get more of them."""
    return Suggestion(10_000, 100, fields, rows=FEW_ROWS), Suggestion(3_000, 30, fields)


# What learners of a family share.
MINIBATCHES: dict[str, Any] = {
    "models": ("rbm",),
    "advice": (SMALLER_RATE,),
    "divergence_fix": lower_rate,
    "suggested": _minibatches(),
}
CONTRASTIVE: dict[str, Any] = MINIBATCHES | {
    "operations": f"{OF_CHAINS}the gradient, and steps of the weights.",
    "observe": observations.observe_update,
}
CD: dict[str, Any] = CONTRASTIVE | {
    "family": "CD",
    "cost": "Gibbs steps of each chain in an update: {K}; terms of the gradient: 2.",
    "advice": (SMALLER_RATE, "more Gibbs steps than K = {K}"),
    "suggested": _minibatches(K=12),  # as in Upadhya and Sastry's small experiments
    "gibbs_steps": ("K",),
}
