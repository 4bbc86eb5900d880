"""Rules of early stopping, divergence, and the choice of the best State."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from boltzcore.learners.base import Learner, StageProgress, State, flat_fields
from boltzcore.measures.measure import NATS
from boltzcore.measures.merit import in_full, judging, merit, title_of
from boltzcore.quoting import number
from boltzcore.registry import divergence_advice, info_of, unit_of
from boltzcore.training.recipe import GAP, Recipe
from boltzcore.training.schedule import Schedule

Values = Mapping[str, float]

GAP_PATIENCE = 3  # number of consecutive measurements
HUGE = 1e25  # beyond it float32 cannot sum the inputs of a unit
CAUSES = frozenset(("parameters", "figures", "likelihood"))  # causes of a divergence
HARMLESS = CAUSES - {"parameters"}  # causes after which a training may continue


def update_early_stopping(recipe: Recipe, state: State, values: Values) -> State:
    """Return the State with its progress after its record was taken. Quick estimates are ignored."""
    progress, schedule = dataclasses.replace(state.progress, record_pending=False), recipe.schedule
    if in_full(values):
        value = merit(values, recipe.entry.merit)
        if schedule.patience and value is not None:
            stale = 0 if value > progress.best else progress.stale_records + 1
            progress = dataclasses.replace(progress, best=max(value, progress.best), stale_records=stale)
        if schedule.gap_limit and GAP in values:
            lowest = min(values[GAP], progress.lowest_gap)
            exceeded = progress.gap_exceeded + 1 if values[GAP] > lowest + schedule.gap_limit else 0
            progress = dataclasses.replace(progress, lowest_gap=lowest, gap_exceeded=exceeded)
    return dataclasses.replace(state, progress=progress)


def cost(schedule: Schedule, state: State) -> float:
    """Return the cost of a training so far, in the unit of its schedule's limit."""
    if schedule.limit_unit == "seconds":
        return state.progress.seconds
    return state.work if schedule.limit_unit == "work" else state.operations


def limit_reached(schedule: Schedule, state: State) -> bool:
    """Return True if a training has reached the limit of its schedule."""
    return 0 < schedule.limit <= cost(schedule, state)


def has_ended(schedule: Schedule, state: State) -> bool:
    """Return True if a rule of the learner or the schedule ends the training at this State."""
    return state.done or bool(early_reason(schedule, state))


def replayed_over(recipe: Recipe, state: State, values: Iterable[Values]) -> State:
    """Return the State with the progress that these records of its stage would give."""
    now = state.progress
    state = dataclasses.replace(state, progress=StageProgress(now.seconds, now.stage, now.from_count, now.from_epoch))
    for each in values:
        state = update_early_stopping(recipe, state, each)
    return state


def new_best(recipe: Recipe, state: State, values: Values, best: float | None) -> float | None:
    """Return the merit of a State that is the best of its stage so far; None if another is, or no figure judges it, as
    in a quick estimate.

    If a risen gap ends a training, and no validation rows judge it, the best is the last State before the gap rose.
    best : merit of the best State before it; None before the first
    """
    if not in_full(values):
        return None
    value = merit(values, recipe.entry.merit)
    judge = judging(values, recipe.entry.merit)
    if recipe.schedule.gap_limit and GAP in values and not (judge and judge.startswith("validation_")):
        return None if state.progress.gap_exceeded else (-values[GAP] if value is None else value)
    return value if value is not None and (best is None or value > best) else None


def early_reason(schedule: Schedule, state: State) -> str:
    """Return the fulfilled rule of a schedule, as the beginning of a sentence; "" if there is none."""
    if 0 < schedule.patience <= state.progress.stale_records:
        return f"{_measurements(schedule.patience)} without a new best"
    if schedule.gap_limit and state.progress.gap_exceeded >= GAP_PATIENCE:
        lowest = number(state.progress.lowest_gap, ".3g")
        above = f"more than {schedule.gap_limit:g} nats above its smallest value, {lowest}"
        return f"At {_measurements(GAP_PATIENCE)} the free-energy gap was {above}: the model overfits"
    if limit_reached(schedule, state):
        return f"The cost limit of {schedule.limit:,} {schedule.limit_unit} is reached"
    return ""


def _measurements(n: int) -> str:
    return f"{n:,} measurement{'s' * (n > 1)} in a row"


# -- divergence ------------------------------------------------------------------------------------


class Divergence(NamedTuple):
    """Cause of a divergence, one of `CAUSES`, and a sentence with the reason."""

    cause: str
    reason: str


def allowed_drop(best: float) -> float:
    """Return the allowed drop of the likelihood below its best, in nats: 1, or a tenth of it if that is more."""
    return max(1.0, 0.1 * abs(best))


def allowed_below_base(base_rate: float) -> float:
    """Return the allowed drop below the base-rate model's likelihood, in nats, once a training has come that near."""
    return max(0.5, 0.02 * abs(base_rate))


def train_likelihood(values: Values, recipe: Recipe) -> tuple[str, float] | None:
    """Return the name and value of the training rows' likelihood, exact or estimated; None if it is not measured in
    full.

    The likelihood of held-out rows is not used, even if it judges the model: its fall is overfitting, not divergence.
    """
    likelihoods = [name for name in recipe.entry.merit if name.startswith("train_") and unit_of(name) == NATS]
    name = judging(values, likelihoods)
    return None if name is None or not in_full(values) else (name, values[name])


def overflow(learner: Learner, state: State) -> str:
    """Return the evidence that values are not finite or, by size or the learner's own sign, soon will not be; or ""."""
    for field, value in flat_fields(state).items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and not (abs(value) < HUGE).all():
            return f"{field.rpartition('.')[2]} is too large or not finite at update {state.count:,}"
    divergence_sign = info_of(learner).divergence_sign
    sign = divergence_sign(learner, state) if divergence_sign else ""
    return f"{sign} at update {state.count:,}" if sign else ""


def divergence(
    state: State,
    values: Values | None,
    recipe: Recipe,
    *,
    best: float | None,
    base_rate: float | None,
    learner: Learner,
) -> Divergence | None:
    """Return the divergence of the newest State of a training, or of the figures of its record, if there is one.

    recipe : recipe of the training, or of its stage
    best : highest likelihood of the training rows in earlier records, None before the first
    base_rate : mean log-likelihood of the same rows under the base-rate model (independent units)
    learner : the current learner, whose rate is named in the reason
    """
    if wrong := overflow(learner, state):
        return Divergence("parameters", f"{wrong}. {_advice(learner)}")
    if values is None:
        return None
    for figure, value in values.items():
        if math.isnan(value) or value == math.inf:  # an interval may start at minus infinity
            wrong = f"The {title_of(figure)} is no longer finite at update {state.count:,}."
            return Divergence("figures", f"{wrong} {_advice(learner)}")
    measured = train_likelihood(values, recipe)
    if measured is None or best is None:
        return None
    name, value = measured
    estimated = name.endswith("_ais")
    top = values.get(f"{name}_high", math.inf) if estimated else value  # noise alone must not end a training
    floor = -math.inf if base_rate is None else base_rate - allowed_below_base(base_rate)
    if base_rate is not None and top < floor <= best:
        lower = (
            f"{base_rate - value:.3g} nats below the {number(base_rate)} of the base-rate model (independent units), "
            f"after {number(best)} at best"
        )
    elif top < best - allowed_drop(best):
        lower = f"{best - value:.3g} nats below its best, {number(best)}"
    else:
        return None
    fall = f"to an estimated {number(value)} (at most {number(top)})" if estimated else f"to {number(value)}"
    fallen = title_of(name).removesuffix(", estimated")
    reason = f"The {fallen} fell {fall} nats at update {state.count:,}, {lower}. {_advice(learner)}"
    return Divergence("likelihood", reason)


def _advice(learner: Learner) -> str:
    return f"Try {divergence_advice(learner)}, from the best state or from the start."
