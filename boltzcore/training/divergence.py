"""When a training has diverged, and how to say so."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boltzcore.learners.base import Learner, State, flat_fields
from boltzcore.measures.measure import NATS
from boltzcore.measures.merit import in_full, in_words, judging
from boltzcore.quoting import number
from boltzcore.registry import info_of, unit_of
from boltzcore.training.recipe import Recipe

CAUSES = frozenset(("parameters", "figures", "likelihood"))
HARMLESS = CAUSES - {"parameters"}  # after these a training may go on


@dataclass(frozen=True)
class Divergence:
    """Why a training is halted. `cause` is one of `CAUSES`: "parameters" or "figures" (not finite), or "likelihood"."""

    cause: str
    reason: str


def allowed_drop(best: float) -> float:
    """The allowed drop of the likelihood under its best, in nats: 1 nat, or a tenth of it where that is more."""
    return max(1.0, 0.1 * abs(best))


def allowed_below_base(base_rate: float) -> float:
    """The allowed drop under the base-rate model's likelihood, in nats, once it has been as near as that, or
    above.
    """
    return max(0.5, 0.02 * abs(base_rate))


def climbing(values: Mapping[str, float], recipe: Recipe) -> float | None:
    """The likelihood of the training rows, which a learner climbs, exact or estimated; None where it is not measured,
    or estimated with less than the full effort.

    Not that of held-out rows, even where it judges the model: to fall there is to overfit, and not to diverge.
    """
    name = judging(values, _likelihoods(recipe))
    return None if name is None or not in_full(values) else values[name]


def divergence(
    state: State,
    values: Mapping[str, float] | None,
    recipe: Recipe,
    *,
    best: float | None,
    base_rate: float | None,
    learner: Learner,
) -> Divergence | None:
    """What is wrong with the newest State of a training, and with the figures of its record if there is one; None if
    nothing is.

    recipe : of the training, or of its stage
    best : the highest likelihood of the training rows in earlier records, None before the first
    base_rate : mean log-likelihood of the same rows under the base-rate model (independent units)
    learner : as it is now; the reason names its rate
    """
    where = f"at update {state.count:,}"
    for field, value in flat_fields(state).items():
        if _overflown(value):
            wrong = field.rpartition(".")[2]
            return Divergence("parameters", f"{wrong} is no longer finite {where}. {_advice(learner)}")
    divergence_sign = info_of(learner).divergence_sign
    if divergence_sign and (sign := divergence_sign(learner, state)):
        return Divergence("parameters", f"{sign} {where}. {_advice(learner)}")
    if values is None:
        return None
    for figure, found in values.items():
        if math.isnan(found) or found == math.inf:  # an interval may begin at minus infinity
            return Divergence(
                "figures", f"{figure.replace('_', ' ').capitalize()} is no longer finite {where}. {_advice(learner)}"
            )
    name = judging(values, _likelihoods(recipe))
    if name is None or best is None or not in_full(values):
        return None
    value, estimated = values[name], name.endswith("_ais")
    top = values.get(f"{name}_high", math.inf) if estimated else value  # noise alone must not halt a training
    floor = -math.inf if base_rate is None else base_rate - allowed_below_base(base_rate)
    if base_rate is not None and top < floor <= best:
        lower = (
            f"{base_rate - value:.3g} nats under the {number(base_rate)} of the base-rate model (each unit on its "
            f"own), after {number(best)} at best"
        )
    elif top < best - allowed_drop(best):
        lower = f"{best - value:.3g} nats under its best, {number(best)}"
    else:
        return None
    what = f"to an estimated {number(value)} (at most {number(top)})" if estimated else f"to {number(value)}"
    fallen = in_words(name).removesuffix(", estimated")
    return Divergence("likelihood", f"The {fallen} fell {what} nats {where}, {lower}. {_advice(learner)}")


def _likelihoods(recipe: Recipe) -> list[str]:
    return [name for name in recipe.entry.merit if name.startswith("train_") and unit_of(name) == NATS]


def _overflown(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f" and not np.isfinite(value).all()


def _advice(learner: Learner) -> str:
    return f"Try {' or '.join(info_of(learner).advice) or 'other settings'}, from the best state or from the start."
