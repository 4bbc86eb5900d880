"""One update of Frank-Wolfe learning of infinite RBMs (Ping, Liu and Ihler 2016, Algorithm 1).

The model is p(v) ~ exp(b'v + sum_i c_i log(1 + e**(w_i'v))), counts c = alpha q for a distribution q over hidden units.
An update inserts the unit w* that minimises f (eq. 9),

    q <- (1 - 1/t) q + 1/t delta(w*),    alpha <- t,

and then moves the visible biases (eq. 10), or corrects all counts with them. `search` finds w*, `correction` has the
concave problem in counts and biases, `working_model` the chains of the model. `boltzcore.reference.frank_wolfe` is the
same update in plain numpy.
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import State, carried
from boltzcore.learners.insertion.rows import WeightedRows, squares
from boltzcore.learners.insertion.search import Found, Inner, best_of, search_units
from boltzcore.learners.insertion.working_model import WorkingModel
from boltzcore.learners.operations import product
from boltzcore.models import InfiniteRBM
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.ticks import Tick, idle, portion

if TYPE_CHECKING:
    from boltzcore.learners.insertion.frank_wolfe import FrankWolfe

NO_GAIN = 1e-6  # nats: a unit with f above minus this is not inserted
NEAR = 0.1  # standard deviation of a unit's field up to which chance alone may have found it
USELESS = 5  # units in a row that are removed as soon as they are inserted: then the training ends
GAP, UNITS, ALPHA, INNER, OBJECTIVE = "duality_gap", "hidden_units", "alpha", "inner_objective", "objective"
EFFECTIVE, ACCEPTED = "effective_samples", "acceptance"


@dataclass(frozen=True, eq=False, kw_only=True)
class FrankWolfeState(State):
    """State with the units' history.

    unit : (n_visible + 1,) float32 the newest unit, its hidden bias last; empty before the first
    before, after : f (eq. 9) where the best search started and ended, in nats
    objective : J in nats, if all states are summed over; else 0
    arrived : (n_units,) the update that inserted each unit; those of the start count up to 0, in order
    removed, removed_arrived, removed_at : units that were removed, and the updates that inserted and removed them
    mean_before, mean_after : (n_visible,) float32 the model's mean at the start and at the end of the last update
    mean_softplus : (n_units,) the mean of log(1 + e**(w'v)) of each unit over the data
    chains : (samples, n_visible) uint8, persistent; none if all states are summed over
    """

    unit: NDArray[np.float32]
    before: float
    after: float
    objective: float = 0.0
    arrived: NDArray[np.int64]
    removed: NDArray[np.float32]
    removed_arrived: NDArray[np.int64]
    removed_at: NDArray[np.int64]
    mean_before: NDArray[np.float32]
    mean_after: NDArray[np.float32]
    mean_softplus: NDArray[np.float64]
    chains: NDArray[np.uint8]
    rows: WeightedRows | None = carried()


def unit_figures(model: InfiniteRBM) -> dict[str, float]:
    """Return the figures of a model's units."""
    return {UNITS: float((model.counts > 0).sum()), ALPHA: model.alpha}


def with_rows(state: FrankWolfeState, given: Examples) -> FrankWolfeState:
    """Return the State with the rows of the next update, and the mean softplus of each unit over them."""
    if given.gray or state.rows is None:  # gray rows are drawn afresh for each unit
        state = dataclasses.replace(state, rows=WeightedRows.from_examples(given.epoch(state.count, state.seed)))
    assert state.rows is not None
    if given.gray or len(state.mean_softplus) != state.model.n_units:
        units = state.model.units
        operations = state.operations + product(state.rows.count, given.n_visible + 1, len(units))
        state = dataclasses.replace(state, mean_softplus=state.rows.mean_softplus(units), operations=operations)
    return state


class Update:
    """One update of a State."""

    def __init__(self, learner: "FrankWolfe", state: FrankWolfeState, tick: Tick) -> None:
        assert state.rows is not None
        self.learner, self.state, self.tick = learner, state, tick
        self.penalty = 0.0 if learner.ball else learner.lambda_
        self.working = WorkingModel(
            state.model,
            state.rows,
            state.mean_softplus,
            state.chains,
            penalty=self.penalty,
            seed=state.seed,
            update=state.count,
            tick=tick,
        )

    def run(self) -> FrankWolfeState:
        """Return the State after one round of Algorithm 1."""
        learner, state, working = self.learner, self.state, self.working
        working.run_chains(learner.K, tick=portion(self.tick, 0.0, 0.3))
        pool = working.pool()  # E_model is a weighted mean of its rows
        mean_before = pool.mean

        # the linear oracle: w* = argmin f, the objective of eq. 9, from several random starts
        inner = Inner(pool, working.data, self.penalty, portion(self.tick, 0.3, 0.1))
        ends = search_units(inner, self.starts(), learner.iterations, learner.ball)
        found = best_of(ends)
        working.operations += 2 * product(sum(each.evaluations for each in ends) * inner.rows, len(found.unit), 1)

        # the duality gap, alpha (-f(w*) - sum_i q_i dJ/dc_i) with q_i = c_i / alpha
        model, slopes = working.model, working.slopes(pool)
        mean_slope = math.fsum((model.counts / model.alpha if model.alpha else model.counts) * slopes)
        gap = model.alpha * (-found.after - mean_slope) if model.alpha else None
        figures = {INNER: found.after} | ({} if gap is None else {GAP: gap})

        if (worst := self.away_unit(found, slopes, mean_slope)) is not None:
            self.shrink(worst)
            is_newest = learner.correction == "none" and state.arrived[worst] == state.count > 0
            return self.state_after(found, state.arrived, mean_before, figures, done=is_newest)
        if self.is_worthless(found, pool) or model.alpha >= MOST_UNITS - 1:
            return self.state_after(found, state.arrived, mean_before, figures, done=True)
        self.insert(found)
        arrived = np.append(state.arrived, state.count + 1)
        return self.state_after(found, arrived, mean_before, figures, inserted=True)

    def starts(self) -> NDArray[np.float64]:
        """Return the weights where the searches for a unit start, (restarts, n_visible + 1)."""
        learner, state = self.learner, self.state
        first, width = state.count * learner.restarts, state.model.n_visible + 1
        drawn = (
            streams.normal_in_double(width, learner.sigma, state.seed, streams.UNIT, first + k)
            for k in range(learner.restarts)
        )
        return np.stack(list(drawn))

    def away_unit(self, found: Found, slopes: NDArray[np.float64], mean_slope: float) -> int | None:
        """Return the worst unit if an away step from it gains more than an insertion."""
        learner = self.learner
        if not learner.away or learner.correction == "full" or not len(slopes):
            return None
        # slopes are relative to their mean under q if alpha is fixed, to 0 if all counts are free
        level = mean_slope if learner.correction == "none" else 0.0
        worst = int(slopes.argmin())
        return worst if level - slopes[worst] > -found.after - level else None

    def is_worthless(self, found: Found, pool: WeightedRows) -> bool:
        """Return True if f is not below 0 at the unit, or only by chance.

        The search fits the noise of the chains, so a unit near w = 0 is evaluated again where they are some steps
        later, and has to be below 0 there by three standard errors.
        """
        if self.working.exact or found.after > -NO_GAIN:
            return found.after > -NO_GAIN
        variances = np.maximum(pool.mean * (1.0 - pool.mean), 0.0)
        if math.sqrt(float((variances * found.unit[:-1].astype(np.float64) ** 2).sum())) >= NEAR:
            return False
        again = self.working.advanced_chains(self.learner.K)
        inner = Inner(again, self.working.data, self.penalty, idle)
        self.working.operations += 2 * product(inner.rows, len(found.unit), 1)
        value, _ = inner(found.unit.astype(np.float64))
        return value > -3.0 * float(again.softplus(found.unit[None]).std()) / math.sqrt(len(again.v))

    def insert(self, found: Found) -> None:
        """Insert the unit, and adjust counts and biases."""
        model, learner = self.working.model, self.learner
        counts, new = model.counts, 0.0
        if learner.correction == "none":  # q <- (1 - 1/t) q + (1/t) delta, and alpha <- t, or unchanged
            t = model.n_units + 1
            alpha = float(t) if learner.temperature == "units" else model.alpha or 1.0
            counts = counts * np.float32(alpha * (t - 1) / (t * model.alpha)) if model.alpha else counts
            new = alpha / t
        self.working.add_unit(found.unit, np.append(counts, np.float32(new)))
        self.adjust_parameters(model.n_units)

    def shrink(self, worst: int) -> None:
        """Take an away step from the worst unit, and adjust counts and biases."""
        if self.learner.correction == "none":
            model = self.working.model
            counts = model.counts.copy()
            counts[worst] = 0.0
            if self.learner.temperature == "gradient" and counts.any():  # only its gradient changes alpha
                counts *= np.float32(model.alpha / counts.sum(dtype=np.float64))
            self.working.set(counts, model.b)
        self.adjust_parameters(worst)

    def adjust_parameters(self, moved: int) -> None:
        """Adjust counts and biases after a step along the count of unit `moved`."""
        learner = self.learner
        if learner.correction == "none":
            by_gradient = learner.temperature == "gradient"
            ascend = self.working.ascend_alpha_and_biases if by_gradient else self.working.ascend_biases
            ascend(learner.steps, learner.M, learner.rate)
        else:
            self.working.correct_counts(learner.rounds, moved if learner.correction == "line" else None)

    def state_after(
        self,
        found: Found,
        arrived: NDArray[np.int64],
        mean_before: NDArray,
        figures: dict[str, float],
        *,
        inserted: bool = False,
        done: bool = False,
    ) -> FrankWolfeState:
        """Return the State after the update; `done` if no unit is to follow."""
        state, working, count = self.state, self.working, self.state.count + 1
        removed = working.model.counts <= 0
        removed_arrived = np.concatenate([state.removed_arrived, arrived[removed]])
        removed_at = np.concatenate([state.removed_at, np.full(removed.sum(), count)])
        at_once = removed_arrived[removed_arrived == removed_at]
        by_chance = not working.exact and (at_once > count - USELESS).sum() == USELESS
        removed_units = working.model.units[removed]
        working.remove_units(removed)
        pool, model = working.pool(), working.model
        figures |= unit_figures(model)
        objective = 0.0
        if working.exact:
            price = 0.5 * self.penalty * math.fsum(model.counts * squares(model.units))
            objective = math.fsum(working.data.weight * model.log_likelihood(working.data.v)) - price
            figures[OBJECTIVE] = objective
        else:
            figures[ACCEPTED] = working.accepted
            if self.learner.correction != "none":
                figures[EFFECTIVE] = working.effective
        return dataclasses.replace(
            state,
            model=model,
            count=count,
            work=state.work + working.gibbs_steps,
            operations=state.operations + working.operations,
            figures=figures,
            done=bool(done or by_chance),
            unit=found.unit if inserted else state.unit,
            before=found.before,
            after=found.after,
            objective=objective,
            arrived=arrived[~removed],
            mean_before=mean_before.astype(np.float32),
            mean_after=pool.mean.astype(np.float32),
            mean_softplus=working.mean_softplus,
            chains=working.chains,
            removed=np.concatenate([state.removed, removed_units]),
            removed_arrived=removed_arrived,
            removed_at=removed_at,
        )
