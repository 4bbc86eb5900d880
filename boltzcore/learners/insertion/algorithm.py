"""One update of Frank-Wolfe learning of infinite RBMs (Ping, Liu and Ihler 2016, Algorithm 1).

The model is p(v) ~ exp(b'v + sum_i c_i log(1 + e**(w_i'v))), counts c = alpha q for a distribution q over hidden units.
An update inserts the unit w* that minimises the inner objective f (eq. 9),

    q <- (1 - 1/t) q + 1/t delta(w*),    alpha <- t,

and then moves the visible biases (eq. 10), or corrects all counts with them. `search` finds w*, `correction` has the
concave problem in counts and biases, `working_model` the rows that stand for the model.
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
from boltzcore.learners.operations import added, product
from boltzcore.learners.walkthrough import insertion as phases
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.models import InfiniteRBM
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.ticks import Tick, idle, portion

if TYPE_CHECKING:
    from boltzcore.learners.insertion.frank_wolfe import FrankWolfe

NOTHING = 1e-6  # nats: a unit whose inner objective is not below minus this is none
NEAR = 0.1  # standard deviation of a unit's field up to which chance alone may have found it
LEFT = 5  # units in a row that leave as they come: then none is worth inserting
GAP, UNITS, ALPHA, INNER, OBJECTIVE = "duality_gap", "hidden_units", "alpha", "inner_objective", "objective"
EFFECTIVE, ACCEPTED = "effective_samples", "acceptance"


@dataclass(frozen=True, eq=False, kw_only=True)
class FrankWolfeState(State):
    """A State with what the newest unit is, and where all of them came from.

    unit : (n_visible + 1,) float32 the unit that was inserted last, its hidden bias last; empty before the first
    before, after : the inner objective (eq. 9) at the start that led to the last search's unit, and at it, nats
    arrived : (n_units,) the update at which each unit of the model came; those of the start count up to 0, in order
    gone, gone_arrived, gone_left : units that were removed, when they came and when they went
    mean_before, mean_after : (n_visible,) float32 the model's mean as the last update found it, and as it left it
    answers : (n_units,) the mean of log(1 + e**(w'v)) of each unit over the data
    chains : (samples, n_visible) uint8, persistent; none where all states are summed over
    """

    unit: NDArray[np.float32]
    before: float
    after: float
    arrived: NDArray[np.int64]
    gone: NDArray[np.float32]
    gone_arrived: NDArray[np.int64]
    gone_left: NDArray[np.int64]
    mean_before: NDArray[np.float32]
    mean_after: NDArray[np.float32]
    answers: NDArray[np.float64]
    chains: NDArray[np.uint8]
    rows: WeightedRows | None = carried()


def counted(model: InfiniteRBM) -> dict[str, float]:
    """The figures of a model's units."""
    return {UNITS: float((model.counts > 0).sum()), ALPHA: model.alpha}


def ready(state: FrankWolfeState, given: Examples) -> FrankWolfeState:
    """The State with the rows that the next update learns from, and their mean answers to each unit."""
    if given.gray or state.rows is None:  # gray rows are drawn afresh for each unit
        state = dataclasses.replace(state, rows=WeightedRows.from_examples(given.epoch(state.count, state.seed)))
    assert state.rows is not None
    if given.gray or len(state.answers) != state.model.n_units:
        units = state.model.units
        operations = added(state.operations, product(state.rows.count, given.n_visible + 1, len(units)))
        state = dataclasses.replace(state, answers=state.rows.answers(units), operations=operations)
    return state


@dataclass(frozen=True)
class Away:
    """An away step: from the `worst` unit, which has `returned` if it came last."""

    worst: int
    returned: bool


class Update:
    """One update: the unit that comes or goes, and what counts and biases do then.

    learner, state : the hyper-parameters, and where the update begins
    recorder : that its phases are reported to
    """

    def __init__(
        self, learner: "FrankWolfe", state: FrankWolfeState, tick: Tick, recorder: Recorder = NOT_RECORDING
    ) -> None:
        assert state.rows is not None
        self.learner, self.state, self.tick, self.recorder = learner, state, tick, recorder
        self.penalty = 0.0 if learner.ball else learner.lambda_
        self.working = WorkingModel(
            state.model,
            state.rows,
            state.answers,
            state.chains,
            penalty=self.penalty,
            seed=state.seed,
            update=state.count,
            tick=tick,
            recorder=recorder,
        )

    def run(self) -> FrankWolfeState:
        """Algorithm 1, one round: sample the model, find the unit along which the likelihood rises fastest, insert it,
        and move counts and biases.
        """
        learner, state, working = self.learner, self.state, self.working
        working.let_go_on(learner.K, tick=portion(self.tick, 0.0, 0.3))
        pool = working.pool()  # stands for the model: E_model is a mean over it
        mean_before = pool.mean

        # the linear oracle: w* = argmin f, the objective of eq. 9, from several random starts
        inner = Inner(pool, working.data, self.penalty, portion(self.tick, 0.3, 0.1))
        ends = search_units(inner, self.starts(), learner.iterations, learner.ball, self.recorder)
        found = best_of(ends)
        working.operations += 2 * product(sum(each.evaluations for each in ends) * inner.rows, len(found.unit), 1)

        # the duality gap, alpha (-f(w*) - sum_i q_i dJ/dc_i) with q_i = c_i / alpha
        model, slopes = working.model, working.slopes(pool)
        mean_slope = math.fsum((model.counts / model.alpha if model.alpha else model.counts) * slopes)
        gap = model.alpha * (-found.after - mean_slope) if model.alpha else None
        info = {INNER: found.after} | ({} if gap is None else {GAP: gap})
        self.record_search(inner, ends, pool, slopes, gap)

        if (away := self.away_step(found, slopes, mean_slope)) is not None:
            self.shrink(away.worst)
            return self.state_after(found, state.arrived, mean_before, info, end="returned" if away.returned else "")
        if self.worthless(found, pool):
            return self.state_after(found, state.arrived, mean_before, info, end="worthless")
        if model.alpha >= MOST_UNITS - 1:
            return self.state_after(found, state.arrived, mean_before, info, end="many")
        self.insert(found)
        arrived = np.append(state.arrived, state.count + 1)
        return self.state_after(found, arrived, mean_before, info, inserted=True)

    def starts(self) -> NDArray[np.float64]:
        """(restarts, n_visible + 1) where the search for a unit starts."""
        learner, state = self.learner, self.state
        first, width = state.count * learner.restarts, state.model.n_visible + 1
        drawn = (
            streams.normal_in_double(width, learner.sigma, state.seed, streams.UNIT, first + k)
            for k in range(learner.restarts)
        )
        return np.stack(list(drawn))

    def away_step(self, found: Found, slopes: NDArray[np.float64], mean_slope: float) -> "Away | None":
        """The away step, where it gains more than an insertion; None where it does not, or the learner takes none."""
        learner, state = self.learner, self.state
        if not learner.away or learner.correction == "full" or not len(slopes):
            return None
        # how far the worst unit's slope lies below what it is measured by: the mean under q, or J's rest, nought
        level = mean_slope if learner.correction == "none" else 0.0
        worst = int(slopes.argmin())
        lead, rival = level - slopes[worst], -found.after - level
        self.recorder.record("away", worst=worst, lead=lead, rival=rival, taken=lead > rival)
        if lead <= rival:
            return None
        return Away(worst, learner.correction == "none" and state.arrived[worst] == state.count > 0)

    def worthless(self, found: Found, pool: WeightedRows) -> bool:
        """Whether the inner objective is not below nought at the unit, or only by chance."""
        value, bound, again = self.judged(found, pool)
        self.recorder.record("worth", value=value, bound=bound, again=again, worthless=value > bound)
        return value > bound

    def judged(self, found: Found, pool: WeightedRows) -> tuple[float, float, bool]:
        """(inner objective at the unit, what it must not be above, whether it was measured once more).

        The search makes small what the samples say, and finds a unit where nothing is to be learnt: one so near w = 0
        is measured once more, on where the chains are some steps later, and has to be below nought there by three
        standard errors.
        """
        if self.working.exact or found.after > -NOTHING:
            return found.after, -NOTHING, False
        variances = np.maximum(pool.mean * (1.0 - pool.mean), 0.0)
        if math.sqrt(float((variances * found.unit[:-1].astype(np.float64) ** 2).sum())) >= NEAR:
            return found.after, -NOTHING, False
        again = self.working.elsewhere(self.learner.K)
        inner = Inner(again, self.working.data, self.penalty, idle)
        self.working.operations += 2 * product(inner.rows, len(found.unit), 1)
        value, _ = inner(found.unit.astype(np.float64))
        return value, -3.0 * float(again.softplus(found.unit[None]).std()) / math.sqrt(len(again.v)), True

    def insert(self, found: Found) -> None:
        """Take the unit in, and move counts and biases."""
        model, learner = self.working.model, self.learner
        counts, new = model.counts, 0.0
        if learner.correction == "none":  # q <- (1 - 1/t) q + (1/t) delta, and alpha <- t, or as it is
            t = model.n_units + 1
            alpha = float(t) if learner.temperature == "units" else model.alpha or 1.0
            counts = counts * np.float32(alpha * (t - 1) / (t * model.alpha)) if model.alpha else counts
            new = alpha / t
        self.working.take_in(found.unit, np.append(counts, np.float32(new)))
        self.recorder.set_model(self.working.model)
        self.recorder.record("insert", before=model.counts, after=self.working.model.counts)
        self.follow(model.n_units)

    def shrink(self, worst: int) -> None:
        """An away step: the worst unit counts less, or is gone."""
        if self.learner.correction == "none":
            model = self.working.model
            counts = model.counts.copy()
            counts[worst] = 0.0
            if self.learner.temperature == "gradient" and counts.any():  # alpha is not the step's to change
                counts *= np.float32(model.alpha / counts.sum(dtype=np.float64))
            self.working.set(counts, model.b)
            self.recorder.set_model(self.working.model)
            self.recorder.record("shrink", before=model.counts, after=self.working.model.counts)
        self.follow(worst)

    def follow(self, moved: int) -> None:
        """Move counts and biases after the count of one unit has been set, or is to be."""
        learner = self.learner
        if learner.correction == "none":
            follow = self.working.ascend if learner.temperature == "gradient" else self.working.descend
            follow(learner.steps, learner.M, learner.rate)
        else:
            self.working.rise(learner.rounds, moved if learner.correction == "line" else None)

    def record_search(
        self, inner: Inner, ends: list[Found], pool: WeightedRows, slopes: NDArray[np.float64], gap: float | None
    ) -> None:
        """Report what stands for the model, the units there are, and the search for another."""
        state, working, recorder = self.state, self.working, self.recorder
        data = working.data
        recorder.record("samples", phases.samples, data, recorder.row, pool, state.chains, working.exact)
        recorder.record("present", count=working.model.counts, slope=slopes)
        recorder.record_each(phases.searched, inner, ends, recorder.paths, data, pool, gap)

    def record_end(self, model: InfiniteRBM, pool: WeightedRows, left: NDArray[np.bool_], end: str) -> None:
        """Report what the update has come to."""
        if left.any():
            self.recorder.record("leave", units=np.flatnonzero(left))
        self.recorder.set_model(model)
        self.recorder.record("new", phases.new, self.working.data, model, pool)
        if end:
            self.recorder.record("over", why=end)

    def state_after(
        self,
        found: Found,
        arrived: NDArray[np.int64],
        mean_before: NDArray,
        info: dict[str, float],
        *,
        inserted: bool = False,
        end: str = "",
    ) -> FrankWolfeState:
        """The State after what was done; `end` says why nothing is to follow."""
        state, working, count = self.state, self.working, self.state.count + 1
        left = working.model.counts <= 0
        gone_arrived = np.concatenate([state.gone_arrived, arrived[left]])
        gone_left = np.concatenate([state.gone_left, np.full(left.sum(), count)])
        at_once = gone_arrived[gone_arrived == gone_left]
        if not working.exact and (at_once > count - LEFT).sum() == LEFT:
            end = end or "chance"
        gone = working.model.units[left]
        working.let_leave(left)
        pool, model = working.pool(), working.model
        self.record_end(model, pool, left, end)
        info |= counted(model)
        if working.exact:
            price = 0.5 * self.penalty * math.fsum(model.counts * squares(model.units))
            info[OBJECTIVE] = math.fsum(working.data.weight * model.log_likelihood(working.data.v)) - price
        else:
            info[ACCEPTED] = working.accepted
            if self.learner.correction != "none":
                info[EFFECTIVE] = working.effective
        return dataclasses.replace(
            state,
            model=model,
            count=count,
            work=state.work + working.gibbs_steps,
            operations=added(state.operations, working.operations),
            info={**state.info, **info},
            done=bool(end),
            unit=found.unit if inserted else state.unit,
            before=found.before,
            after=found.after,
            arrived=arrived[~left],
            mean_before=mean_before.astype(np.float32),
            mean_after=pool.mean.astype(np.float32),
            answers=working.answers,
            chains=working.chains,
            gone=np.concatenate([state.gone, gone]),
            gone_arrived=gone_arrived,
            gone_left=gone_left,
        )
