"""Frank-Wolfe learning of infinite RBMs: one hidden unit at a time (Ping, Liu and Ihler 2016, Algorithm 1)."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import First, Learner, State, carried, check_advance
from boltzcore.learners.dissection import Dissection
from boltzcore.learners.insertion import Insertion
from boltzcore.learners.machine import Machine
from boltzcore.learners.units import Found, Inner, Rows, best_of, searches, squares
from boltzcore.models import InfiniteRBM
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.parameters import parameter, whole
from boltzcore.ticks import Tick, idle, portion

EXACT = 16  # visible units up to which expectations are sums over all states: 2**16 rows times units, in float64
NOTHING = 1e-6  # nats: a unit whose inner objective is not below minus this is none
NEAR = 0.1  # standard deviation of a unit's field up to which chance alone may have found it
LEFT = 5  # units in a row that leave as they come: then none is worth inserting
LARGE = 1_000.0  # a weight beyond: the unit has no price that holds it
LOST = 10.0  # times what coin tosses would say of the data, in nats: no steps on alpha bring a likelihood below back
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
    rows: Rows | None = carried()


@dataclass(frozen=True)
class FrankWolfe(Learner):
    """Inserts, at each update, the hidden unit along which the likelihood rises fastest; then counts and biases move.

    With correction 'none' it is the paper's: every unit counts once, so that the model is an RBM of as many. 'line' and
    'full' make J = E log p - lambda/2 sum_i c_i |w_i|**2 larger in the counts c_i and the visible biases, along one
    line after another or in all of them: for these it is concave, and with exact expectations it never falls.

    Expectations under the model are sums over all states up to 16 visible units; those of more, enumerable or not, come
    from persistent chains, for a correction looks at what each unit answers to each state again and again.
    """

    title: ClassVar[str] = "Frank-Wolfe (FW)"
    family: ClassVar[str] = "FW"
    models: ClassVar[tuple[str, ...]] = ("infinite-rbm",)
    source: ClassVar[str] = "Ping, Liu and Ihler 2016, Algorithm 1"
    state_type: ClassVar[type[State]] = FrankWolfeState
    length: ClassVar[tuple[int, str]] = (100, "updates")
    tells: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            GAP: "nats per example",
            INNER: "nats per example",
            OBJECTIVE: "nats per example",
            UNITS: "units",
            ALPHA: "units",
            EFFECTIVE: "samples",
            ACCEPTED: "share",
        }
    )

    lambda_: float = parameter(
        0.001,
        low=0.0,
        high=100.0,
        symbol="\N{GREEK SMALL LETTER LAMDA}",
        live=True,
        help="Price of a unit's squared weights. Large, no unit is worth inserting; too small, weights explode.",
        label="Penalty",
    )
    correction: str = parameter(
        "full",
        choices=("none", "line", "full"),
        help="After an insertion: none (the paper's, every unit counts once), line (the new count, then the biases, as "
        "far as each line rises), full (all counts and biases anew; units whose count falls to 0 leave).",
    )
    ball: float = parameter(
        0.0,
        low=0.0,
        high=1e6,
        symbol="C",
        help="Keep each unit within squared length C, in place of the penalty. 0 keeps the penalty.",
        label="Ball of weights",
    )
    temperature: str = parameter(
        "units",
        choices=("units", "gradient"),
        symbol="\N{GREEK SMALL LETTER ALPHA}",
        help="Without correction: alpha is the number of units, which makes an RBM, or goes by its gradient, with the "
        "biases, each step no farther than the likelihood rises.",
    )
    away: bool = parameter(
        False,
        help="Take an away step, which removes or shrinks the worst unit, where that gains more than inserting one. "
        "With the full correction units leave by themselves.",
        label="Away steps",
    )
    samples: int = parameter(
        1_000, low=10, high=100_000, scale="log", symbol="S", help="Persistent chains that stand for the model."
    )
    K: int = parameter(10, low=1, high=10_000, scale="log", help="Gibbs steps of each chain before an insertion.")
    steps: int = parameter(
        200,
        low=0,
        high=10_000,
        help="Without correction: steps on the visible biases after an insertion, each after a Gibbs step of a batch.",
        label="Steps on the biases",
    )
    M: int = parameter(
        1_000,
        low=1,
        high=100_000,
        scale="log",
        help="Chains that take part in a step on the visible biases, the next ones at each; all of them where they are "
        "fewer.",
        label="Chains of a step on the biases",
    )
    rounds: int = parameter(
        20,
        low=1,
        high=1_000,
        help="With a correction: how often counts and biases move as far as the chains stand for the model, which then "
        "take a Gibbs step. Small models, whose states are summed over, need one.",
        label="Rounds of correction",
    )
    rate: float = parameter(
        0.1,
        low=1e-6,
        high=10.0,
        scale="log",
        symbol="\N{GREEK SMALL LETTER ETA}",
        help="Step size on the biases.",
        live=True,
    )
    restarts: int = parameter(
        3,
        low=1,
        high=100,
        help="Random starts of the search for a unit; the best is inserted.",
        label="Starts of a unit",
    )
    sigma: float = parameter(
        0.1,
        low=1e-4,
        high=10.0,
        scale="log",
        symbol="\N{GREEK SMALL LETTER SIGMA}",
        help="Standard deviation of a unit's weights where its search starts; never nought, where nothing pulls.",
    )
    iterations: int = parameter(
        100, low=1, high=10_000, scale="log", help="L-BFGS iterations of a search at most.", label="L-BFGS iterations"
    )

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """What a first training takes: where all states are summed over, searches from many and wide starts; of wide
        rows the step that costs least.
        """
        if columns <= EXACT:
            return First(cls(sigma=1.0, restarts=10), 20)
        return First(cls(correction="none", lambda_=0.05, steps=300, M=100, rate=0.05), 15)

    @property
    def cost(self) -> str:
        """What an update costs, in a sentence."""
        return "An update is one inserted hidden unit, with all that follows it."

    def inserted(self, updates: int) -> float:
        return float(updates) if self.correction == "none" and self.temperature == "units" else math.inf

    @property
    def ending(self) -> str:
        if self.ball:
            return "No further hidden unit within the ball of weights would raise the likelihood."
        back = ", or the one that came last is the first to go" if self.away else ""
        return f"No further hidden unit is worth its penalty{back}."

    def advice(self) -> tuple[str, ...]:
        """What to try after a divergence."""
        tried = (f"a ball of weights below {self.ball:g}" if self.ball else f"a penalty above {self.lambda_:g}",)
        return tried if self.correction == "full" else (*tried, "the full correction")

    def exploded(self, state: State) -> str:
        assert isinstance(state, FrankWolfeState)
        largest = float(np.abs(state.unit).max(initial=0.0))
        if largest > LARGE:
            return f"The newest unit's weights reach {largest:,.4g}"
        if self.correction == "none" and self.temperature == "gradient":  # whole units may count too much, for a while
            if len(state.unit) and not state.model.alpha and not state.done:
                return "No hidden unit counts any longer"
            coins = state.model.n_visible * math.log(2.0)
            if (objective := state.info.get(OBJECTIVE, 0.0)) < -LOST * coins:
                return f"The objective has come to {objective:,.4g} nats, where coin tosses have {-coins:,.4g},"
        return f"Counts come to {MOST_UNITS:,} together" if state.model.alpha > 0.99 * MOST_UNITS else ""

    def remedy(self) -> tuple[str, float] | None:
        dearer = min(max(10 * self.lambda_, FrankWolfe().lambda_), self.named("lambda_").high or math.inf)
        return None if self.ball else ("lambda_", dearer)  # within a ball nothing is paid

    # -- the contract ------------------------------------------------------------------------------------

    def start(self, model: InfiniteRBM, data: Examples | NDArray, *, seed: int) -> FrankWolfeState:
        """The State before the first unit is inserted."""
        rows = examples(data)
        chains = np.zeros((0, model.n_visible), np.uint8)
        if model.n_visible > EXACT:
            drawn = rows.epoch(0, seed).v  # chains start at the data
            chance = None if rows.weight is None else rows.weight / rows.total
            few = streams.generator(seed, streams.UNIT).choice(len(rows), self.samples, p=chance)
            chains = np.ascontiguousarray(drawn[few], np.uint8)
        width = model.n_visible + 1
        none, nobody = np.zeros((0, width), np.float32), np.zeros(0, np.int64)
        return FrankWolfeState(
            model,
            0,
            0,
            seed,
            info=_counted(model),
            unit=np.zeros(0, np.float32),
            before=0.0,
            after=0.0,
            arrived=np.arange(1 - model.n_units, 1),
            gone=none,
            gone_arrived=nobody,
            gone_left=nobody,
            mean_before=np.zeros(model.n_visible, np.float32),
            mean_after=np.zeros(model.n_visible, np.float32),
            answers=np.zeros(0),
            chains=chains,
        )

    def advance(
        self, state: FrankWolfeState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> FrankWolfeState:
        """The State `updates` insertions later, or where no unit is worth one."""
        check_advance(self, state, updates)
        given, beyond = examples(data), state.done
        for update in range(updates):
            if state.done and not beyond:
                break
            state = _ready(state, given)
            state = _Update(self, state, portion(tick, update / updates, 1 / updates)).taken()
        return state

    def dissect(
        self, state: FrankWolfeState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
    ) -> Dissection:
        """The next insertion, as `Insertion` tells it; `row` is one of the distinct rows, in the order of
        `Examples.distinct`. Raises ValueError where there is no such row.
        """
        check_advance(self, state, 1)
        state = _ready(state, examples(data))
        assert state.rows is not None
        told = Insertion(
            state.model, state.rows, whole("row", row, 0, len(state.rows.v) - 1), exact=not len(state.chains)
        )
        after = _Update(self, state, tick, told).taken()
        return Dissection("insertion", told.phases, told.models, after, row, len(state.rows.v))


def _counted(model: InfiniteRBM) -> dict[str, float]:
    return {UNITS: float((model.counts > 0).sum()), ALPHA: model.alpha}


def _ready(state: FrankWolfeState, given: Examples) -> FrankWolfeState:
    """With the rows that the next update learns from, and what they answer to each unit."""
    if given.gray or state.rows is None:  # gray rows are drawn afresh for each unit
        state = dataclasses.replace(state, rows=Rows.of_examples(given.epoch(state.count, state.seed)))
    assert state.rows is not None
    if given.gray or len(state.answers) != state.model.n_units:
        state = dataclasses.replace(state, answers=state.rows.answers(state.model.units))
    return state


class _Update:
    """One update under way: which unit comes or goes, and the State after it."""

    def __init__(self, learner: FrankWolfe, state: FrankWolfeState, tick: Tick, told: Insertion | None = None) -> None:
        assert state.rows is not None
        self.learner, self.state, self.tick, self.told = learner, state, tick, told
        self.penalty = 0.0 if learner.ball else learner.lambda_
        self.machine = Machine(
            state.model,
            state.rows,
            state.answers,
            state.chains,
            penalty=self.penalty,
            seed=state.seed,
            update=state.count,
            tick=tick,
            told=told,
        )

    def taken(self) -> FrankWolfeState:
        """The State after it."""
        learner, state, machine = self.learner, self.state, self.machine
        machine.let_go_on(learner.K, tick=portion(self.tick, 0.0, 0.3))
        pool = machine.pool()
        mean_before = pool.mean
        inner = Inner(pool, machine.data, self.penalty, portion(self.tick, 0.3, 0.1))
        paths = None if self.told is None else self.told.paths
        ends = searches(inner, self.starts(), learner.iterations, learner.ball, paths)
        found = best_of(ends)
        model, slopes = machine.model, machine.slopes(pool)
        share = model.counts / model.alpha if model.alpha else model.counts
        mean = math.fsum(share * slopes)
        info = {INNER: found.after}
        if model.alpha:
            info[GAP] = model.alpha * (-found.after - mean)
        if self.told is not None:
            self.told.samples(pool, state.chains)
            self.told.present(model, state.answers, slopes, self.penalty)
            self.told.searched(inner, ends, pool, **({"gap": info[GAP]} if model.alpha else {}))
        if learner.away and learner.correction != "full" and len(slopes):
            # how far the worst unit's slope lies below what it is measured by: the mean under q, or J's rest, nought
            level = mean if learner.correction == "none" else 0.0
            worst = int(slopes.argmin())
            lead, rival = level - slopes[worst], -found.after - level
            if self.told is not None:
                self.told.note("away", worst=worst, lead=lead, rival=rival, taken=lead > rival)
            if lead > rival:
                back = learner.correction == "none" and state.arrived[worst] == state.count > 0
                self.shrink(worst)
                return self.state_after(found, state.arrived, mean_before, info, end="returned" if back else "")
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

    def worthless(self, found: Found, pool: Rows) -> bool:
        """Whether the inner objective is not below nought at the unit, or only by chance."""
        value, bound, again = self.judged(found, pool)
        if self.told is not None:
            self.told.note("worth", value=value, bound=bound, again=again, worthless=value > bound)
        return value > bound

    def judged(self, found: Found, pool: Rows) -> tuple[float, float, bool]:
        """(inner objective at the unit, what it must not be above, whether it was looked at once more).

        The search makes small what the samples say, and finds a unit where nothing is to be learnt: one so near w = 0
        is looked at once more, on where the chains are some steps later, and has to be below nought there by three
        standard errors.
        """
        if self.machine.exact or found.after > -NOTHING:
            return found.after, -NOTHING, False
        variances = np.maximum(pool.mean * (1.0 - pool.mean), 0.0)
        if math.sqrt(float((variances * found.unit[:-1].astype(np.float64) ** 2).sum())) >= NEAR:
            return found.after, -NOTHING, False
        again = self.machine.elsewhere(self.learner.K)
        value, _ = Inner(again, self.machine.data, self.penalty, idle)(found.unit.astype(np.float64))
        return value, -3.0 * float(again.softplus(found.unit[None]).std()) / math.sqrt(len(again.v)), True

    def insert(self, found: Found) -> None:
        """Take the unit in, and move counts and biases."""
        model, learner = self.machine.model, self.learner
        counts, new = model.counts, 0.0
        if learner.correction == "none":  # q <- (1 - 1/t) q + (1/t) delta, and alpha <- t, or as it is
            t = model.n_units + 1
            alpha = float(t) if learner.temperature == "units" else model.alpha or 1.0
            counts = counts * np.float32(alpha * (t - 1) / (t * model.alpha)) if model.alpha else counts
            new = alpha / t
        self.machine.take_in(found.unit, np.append(counts, np.float32(new)))
        if self.told is not None:
            self.told.changed(self.machine.model)
            self.told.note("insert", before=model.counts, after=self.machine.model.counts)
        self.follow(model.n_units)

    def shrink(self, worst: int) -> None:
        """An away step: the worst unit counts less, or is gone."""
        if self.learner.correction == "none":
            model = self.machine.model
            counts = model.counts.copy()
            counts[worst] = 0.0
            if self.learner.temperature == "gradient" and counts.any():  # alpha is not the step's to change
                counts *= np.float32(model.alpha / counts.sum(dtype=np.float64))
            self.machine.set(counts, model.b)
            if self.told is not None:
                self.told.changed(self.machine.model)
                self.told.note("shrink", before=model.counts, after=self.machine.model.counts)
        self.follow(worst)

    def follow(self, moved: int) -> None:
        """Move counts and biases after the count of one unit has been set, or is to be."""
        learner = self.learner
        if learner.correction == "none":
            follow = self.machine.ascend if learner.temperature == "gradient" else self.machine.descend
            follow(learner.steps, learner.M, learner.rate)
        else:
            self.machine.rise(learner.rounds, moved if learner.correction == "line" else None)

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
        state, machine, count = self.state, self.machine, self.state.count + 1
        left = machine.model.counts <= 0
        gone_arrived = np.concatenate([state.gone_arrived, arrived[left]])
        gone_left = np.concatenate([state.gone_left, np.full(left.sum(), count)])
        at_once = gone_arrived[gone_arrived == gone_left]
        if not machine.exact and (at_once > count - LEFT).sum() == LEFT:
            end = end or "chance"
        gone = machine.model.units[left]
        machine.let_leave(left)
        pool, model = machine.pool(), machine.model
        if self.told is not None:
            self.told.ended(model, pool, left, end)
        info |= _counted(model)
        if machine.exact:
            price = 0.5 * self.penalty * math.fsum(model.counts * squares(model.units))
            info[OBJECTIVE] = math.fsum(machine.data.weight * model.log_likelihood(machine.data.v)) - price
        else:
            info[ACCEPTED] = machine.accepted
            if self.learner.correction != "none":
                info[EFFECTIVE] = machine.effective
        return dataclasses.replace(
            state,
            model=model,
            count=count,
            work=state.work + machine.gibbs_steps,
            info={**state.info, **info},
            done=bool(end),
            unit=found.unit if inserted else state.unit,
            before=found.before,
            after=found.after,
            arrived=arrived[~left],
            mean_before=mean_before.astype(np.float32),
            mean_after=pool.mean.astype(np.float32),
            answers=machine.answers,
            chains=machine.chains,
            gone=np.concatenate([state.gone, gone]),
            gone_arrived=gone_arrived,
            gone_left=gone_left,
        )
