"""Frank-Wolfe learning of infinite RBMs: one hidden unit at a time (Ping, Liu and Ihler 2016, Algorithm 1).

The model is p(v) ∝ exp(b'v + sum_i c_i log(1 + e**(w_i'v))), counts c = alpha q for a distribution q over hidden units.
An update inserts the unit w* that minimises f (eq. 9),

    q <- (1 - 1/t) q + 1/t delta(w*),    alpha <- t,

and then moves the visible biases (eq. 10), or corrects all counts and biases. Module `search` finds w*, `sampler` draws
states of the model, `correction` moves counts and biases. `boltzcore.reference.frank_wolfe` is the same update in plain
numpy.
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import Learner, State, cache_field, gibbs_steps_field, rate_field, repeat_update
from boltzcore.learners.insertion.correction import (
    ascend_alpha_and_biases,
    ascend_biases,
    correct_counts,
    with_parameters,
)
from boltzcore.learners.insertion.sampler import Sampler, Vector, WeightedRows, squares
from boltzcore.learners.insertion.search import Found, Inner, search_unit
from boltzcore.learners.operations import product
from boltzcore.models import InfiniteRBM
from boltzcore.models.base import check_binary, check_width
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle, portion

EXACT = 16  # largest number of visible units for sums over all states: 2**16 rows times units, in float64
NO_GAIN = 1e-6  # nats: a unit with f above minus this is not inserted
NEAR = 0.1  # a unit whose field has a smaller standard deviation may be an effect of sampling noise
USELESS = 5  # consecutive units removed as soon as they are inserted, after which training ends
LARGE = 1_000.0  # weights beyond this show that the penalty is too small to bound the unit
GAP, UNITS, ALPHA, INNER, OBJECTIVE = "duality_gap", "hidden_units", "alpha", "inner_objective", "objective"
EFFECTIVE, ACCEPTED = "effective_samples", "acceptance"


@dataclass(frozen=True, eq=False, kw_only=True)
class FrankWolfeState(State):
    """A State with the history of the units.

    arrived : (n_units,) the update that inserted each unit; units of the initial model count up to 0, in order
    removed, removed_arrived, removed_at : removed units, and the updates that inserted and removed them
    mean_before, mean_after : (n_visible,) float32 the model's mean at the start and at the end of the last update
    mean_softplus : (n_units,) the mean of log(1 + e**(w'v)) of each unit over the data
    chains : (samples, n_visible) uint8, persistent; empty if expectations are sums over all states
    """

    arrived: NDArray[np.int64]
    removed: NDArray[np.float32]
    removed_arrived: NDArray[np.int64]
    removed_at: NDArray[np.int64]
    mean_before: NDArray[np.float32]
    mean_after: NDArray[np.float32]
    mean_softplus: NDArray[np.float64]
    chains: NDArray[np.uint8]
    rows: WeightedRows | None = cache_field()


@dataclass(frozen=True)
class FrankWolfe(Learner):
    """Frank-Wolfe: an update inserts the hidden unit along which the likelihood rises fastest, then moves the others.

    With correction 'none' it is the paper's Algorithm 1; with temperature 'units' every unit then counts once, and the
    model is an RBM. 'full', the default, is not in the paper: it is fully corrective Frank-Wolfe, which maximises J = E
    log p - lambda/2 sum_i c_i |w_i|**2 in all counts c_i and visible biases after each insertion. J is concave in
    these, and with exact expectations never falls. Units whose count falls to 0 are removed, which replaces away steps
    (section 3.2, after Guelat and Marcotte 1986). The penalty is alpha times that of eq. 6, as in eq. 9; steps on alpha
    have none.

    Expectations under the model are sums over all states up to 16 visible units. With more, they come from persistent
    chains, because a correction evaluates each unit on each state many times.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False
    state_type: ClassVar[type[State]] = FrankWolfeState

    lambda_: float = parameter(
        0.001,
        low=0.0,
        high=100.0,
        symbol="\N{GREEK SMALL LETTER LAMDA}",
        live=True,
        help=(
            "Penalty on a unit's squared weights: if too large, no unit is worth inserting; if too small, weights "
            "explode."
        ),
        label="Penalty",
    )
    correction: str = parameter(
        "full",
        choices=("none", "full"),
        help="After an insertion: none (as in the paper, all counts are equal), or full (optimise all counts and "
        "biases; units whose count falls to 0 are removed).",
    )
    ball: float = parameter(
        0.0,
        low=0.0,
        high=1e6,
        symbol="C",
        help="Limit on the squared length of a unit's weights, instead of the penalty. 0 uses the penalty.",
        label="Norm ball",
    )
    temperature: str = parameter(
        "units",
        choices=("units", "gradient"),
        symbol="\N{GREEK SMALL LETTER ALPHA}",
        help="Without correction: alpha is the number of units, which gives an RBM, or follows its gradient, with the "
        "biases, as long as the likelihood rises.",
    )
    away: bool = parameter(
        False,
        help="Without correction: remove the worst unit by an away step if that gains more than an insertion.",
        label="Away steps",
    )
    samples: int = parameter(1_000, low=10, high=100_000, scale="log", symbol="S", help="Number of persistent chains.")
    K: int = gibbs_steps_field(10, "Gibbs steps of each chain before an insertion.", high=10_000, live=False)
    steps: int = parameter(
        200,
        low=0,
        high=10_000,
        help="Without correction: steps on the visible biases after an insertion, each after a Gibbs step of a batch.",
        label="Bias steps",
    )
    M: int = parameter(
        1_000,
        low=1,
        high=100_000,
        scale="log",
        symbol="M",
        help="Chains used in a step on the visible biases, in turn.",
        label="Chains per bias step",
    )
    rounds: int = parameter(
        20,
        low=1,
        high=1_000,
        help="With correction: rounds of adjusting counts and biases as far as the chains represent the model, each "
        "followed by a Gibbs step. Small models, which are enumerated, need one.",
        label="Correction rounds",
    )
    rate: float = rate_field(0.1, "Without correction: step size of the biases, and of alpha by its gradient.")
    restarts: int = parameter(
        3,
        low=1,
        high=100,
        help="Random starts of the search for a unit; the best unit is inserted.",
        label="Random starts",
    )
    sigma: float = parameter(
        0.1,
        low=1e-4,
        high=10.0,
        scale="log",
        symbol="\N{GREEK SMALL LETTER SIGMA}",
        help="Standard deviation of a unit's weights at the start of the search; at 0 the gradient almost vanishes.",
    )
    iterations: int = parameter(
        100, low=1, high=10_000, scale="log", help="Maximum iterations of a search.", label="L-BFGS iterations"
    )

    def start(self, model: InfiniteRBM, data: Examples | NDArray, *, seed: int) -> FrankWolfeState:
        """Return the State before the first unit is inserted."""
        rows = _check_data(model, data)
        chains = np.zeros((0, model.n_visible), np.uint8)
        if model.n_visible > EXACT:
            drawn = rows.epoch(0, seed).v  # chains start at the data
            chance = None if rows.weight is None else rows.weight / rows.total
            few = streams.generator(seed, streams.UNIT).choice(len(rows), self.samples, p=chance)
            chains = np.ascontiguousarray(drawn[few], np.uint8)
        none, mean = np.zeros(0, np.int64), np.zeros(model.n_visible, np.float32)
        return FrankWolfeState(
            model,
            0,
            0,
            seed,
            figures=_figures_of_units(model),
            arrived=np.arange(1 - model.n_units, 1),
            removed=np.zeros((0, model.n_visible + 1), np.float32),
            removed_arrived=none,
            removed_at=none,
            mean_before=mean,
            mean_after=mean,
            mean_softplus=np.zeros(0),
            chains=chains,
        )

    def _advance(self, state: FrankWolfeState, data: Examples | NDArray, updates: int, tick: Tick) -> FrankWolfeState:
        given = _check_data(state.model, data)
        if state.rows is not None and state.rows.data is not data:
            state = dataclasses.replace(state, rows=None)
        return repeat_update(state, updates, lambda one, part: self._update(_with_rows(one, given, data), part), tick)

    def _update(self, state: FrankWolfeState, tick: Tick) -> FrankWolfeState:
        """Return the State after one round of Algorithm 1."""
        model, data, count, penalty = state.model, state.rows, state.count + 1, 0.0 if self.ball else self.lambda_
        assert data is not None
        sampler = Sampler(state.chains, state.seed, state.count, tick)
        sampler.run(model, self.K, tick=portion(tick, 0.0, 0.3))
        states = sampler.states(model)  # E_model is a weighted mean of its rows

        # linear oracle: w* = argmin f, the objective of eq. 9, from several random starts
        inner, first = Inner(states, data, penalty, portion(tick, 0.3, 0.1)), state.count * self.restarts
        starts = [
            streams.normal_in_double(model.n_visible + 1, self.sigma, state.seed, streams.UNIT, first + k)
            for k in range(self.restarts)
        ]
        found = search_unit(inner, np.stack(starts), self.iterations, self.ball)
        sampler.operations += 2 * product(found.evaluations * inner.rows, len(found.unit), 1)

        # dJ/dc_i, and the duality gap, alpha (-f(w*) - sum_i q_i dJ/dc_i) with q_i = c_i / alpha
        slopes = state.mean_softplus - states.mean_softplus(model.units) - 0.5 * penalty * squares(model.units)
        sampler.operations += product(len(states.v), model.n_visible + 1, model.n_units)
        mean_slope = math.fsum((model.counts / model.alpha if model.alpha else model.counts) * slopes)
        figures = {INNER: found.value}
        if model.alpha:
            figures[GAP] = model.alpha * (-found.value - mean_slope)

        arrived, mean_softplus = state.arrived, state.mean_softplus
        worst = self._find_away_unit(model, found, slopes, mean_slope)
        if worst is not None:
            done = bool(arrived[worst] == state.count > 0)  # it would be inserted again
            model = self._shrink(model, worst)
        elif not (done := self._is_worthless(found, inner, model, sampler) or model.alpha >= MOST_UNITS - 1):
            arrived = np.append(arrived, count)
            model = self._insert(model, found.unit)
            mean_softplus = np.append(mean_softplus, data.mean_softplus(found.unit[None]))
            sampler.operations += product(data.count, len(found.unit), 1)
        if worst is not None or not done:
            model = self._adjust_parameters(model, np.concatenate([mean_softplus, data.mean]), sampler)

        gone = model.counts <= 0
        removed_arrived = np.concatenate([state.removed_arrived, arrived[gone]])
        removed_at = np.concatenate([state.removed_at, np.full(gone.sum(), count)])
        at_once = removed_arrived[removed_arrived == removed_at]
        useless = not sampler.exact and (at_once > count - USELESS).sum() == USELESS
        removed = np.concatenate([state.removed, model.units[gone]])
        model = InfiniteRBM(model.units[~gone], model.counts[~gone], model.b)
        mean_after = sampler.states(model).mean
        figures |= _figures_of_units(model)
        if sampler.exact:
            price = 0.5 * penalty * math.fsum(model.counts * squares(model.units))
            figures[OBJECTIVE] = math.fsum(data.weight * model.log_likelihood(data.v)) - price
        else:
            figures[ACCEPTED] = sampler.accepted / sampler.moved
            if self.correction != "none":
                figures[EFFECTIVE] = sampler.effective * len(state.chains)
        return dataclasses.replace(
            state,
            model=model,
            count=count,
            work=state.work + sampler.moved // max(1, len(state.chains)),
            operations=state.operations + sampler.operations,
            figures=figures,
            done=bool(state.done or done or useless),
            arrived=arrived[~gone],
            removed=removed,
            removed_arrived=removed_arrived,
            removed_at=removed_at,
            mean_before=states.mean.astype(np.float32),
            mean_after=mean_after.astype(np.float32),
            mean_softplus=mean_softplus[~gone],
            chains=sampler.chains,
        )

    def _find_away_unit(self, model: InfiniteRBM, found: Found, slopes: Vector, mean_slope: float) -> int | None:
        """Return the worst unit if an away step, which lowers its share, gains more than an insertion."""
        if not self.away or self.correction != "none" or np.count_nonzero(model.counts) < 2:
            return None
        worst = int(slopes.argmin())
        return worst if mean_slope - slopes[worst] > -found.value - mean_slope else None

    def _is_worthless(self, found: Found, inner: Inner, model: InfiniteRBM, sampler: Sampler) -> bool:
        """Return True if f is not below 0 at the unit, or is below 0 only by chance.

        The search fits the noise of the chains, so a unit near w = 0 is evaluated again on the states of the chains
        some steps later, and must be below 0 there by three standard errors.
        """
        if sampler.exact or found.value > -NO_GAIN:
            return found.value > -NO_GAIN
        mean = inner.model.mean
        variances = np.maximum(mean * (1.0 - mean), 0.0)
        if math.sqrt(float((variances * found.unit[:-1].astype(np.float64) ** 2).sum())) >= NEAR:
            return False
        again = sampler.advanced(model, self.K)
        inner = Inner(again, inner.data, inner.penalty, idle)
        sampler.operations += 2 * product(inner.rows, len(found.unit), 1)
        value, _ = inner(found.unit.astype(np.float64))
        return value > -3.0 * float(again.softplus(found.unit[None]).std()) / math.sqrt(len(again.v))

    def _insert(self, model: InfiniteRBM, unit: NDArray[np.float32]) -> InfiniteRBM:
        """Return the model with another unit, whose count is 0 before a correction."""
        counts, new = model.counts, 0.0
        if self.correction == "none":  # q <- (1 - 1/t) q + (1/t) delta, and alpha <- t, or unchanged
            t = model.n_units + 1
            alpha = float(t) if self.temperature == "units" else model.alpha or 1.0
            counts = counts * np.float32(alpha * (t - 1) / (t * model.alpha)) if model.alpha else counts
            new = alpha / t
        return InfiniteRBM(np.concatenate([model.units, unit[None]]), np.append(counts, np.float32(new)), model.b)

    def _shrink(self, model: InfiniteRBM, worst: int) -> InfiniteRBM:
        """Return the model after an away step of maximal length: the count of the worst unit is 0."""
        counts = model.counts.copy()
        counts[worst] = 0.0
        if self.temperature == "gradient":  # only gradient steps change alpha
            counts *= np.float32(model.alpha / counts.sum(dtype=np.float64))
        return with_parameters(model, counts, model.b)

    def _adjust_parameters(self, model: InfiniteRBM, of_data: Vector, sampler: Sampler) -> InfiniteRBM:
        """Return the model after the steps of counts and biases that follow an insertion or an away step."""
        if self.correction == "full":
            penalty = 0.0 if self.ball else self.lambda_
            return correct_counts(model, of_data, sampler, penalty=penalty, rounds=self.rounds)
        if self.temperature == "gradient":
            return ascend_alpha_and_biases(model, of_data, sampler, steps=self.steps, batch=self.M, rate=self.rate)
        target = of_data[model.n_units :]
        return ascend_biases(model, target, sampler, steps=self.steps, batch=self.M, rate=self.rate)


def _figures_of_units(model: InfiniteRBM) -> dict[str, float]:
    return {UNITS: float((model.counts > 0).sum()), ALPHA: model.alpha}


def _check_data(model: InfiniteRBM, data: Examples | NDArray) -> Examples:
    """Return the data. Raises Refusal unless a unit can have their codes and their width is the model's."""
    rows = examples(data)
    check_binary(rows, "this learner")
    check_width(model, rows.n_visible)
    return rows


def _with_rows(state: FrankWolfeState, given: Examples, data: Examples | NDArray) -> FrankWolfeState:
    """Return the State with the rows of the next update, and the mean softplus of each unit over them."""
    if state.rows is not None and not given.gray:  # gray rows are redrawn for each unit
        return state
    rows, units = WeightedRows.from_examples(given.epoch(state.count, state.seed), data), state.model.units
    is_new = given.gray or len(state.mean_softplus) != len(units)
    operations = state.operations + is_new * product(rows.count, given.n_visible + 1, len(units))
    return dataclasses.replace(state, rows=rows, mean_softplus=rows.mean_softplus(units), operations=operations)


def divergence_sign(learner: FrankWolfe, state: FrankWolfeState) -> str:
    """Return the beginning of a sentence on parameters that are finite but far too large; "" if there are none."""
    largest = float(np.abs(state.model.units).max(initial=0.0))
    if largest > LARGE:
        return f"A unit's weights reach {largest:,.4g}"
    return f"Counts come to {MOST_UNITS:,} together" if state.model.alpha > 0.99 * MOST_UNITS else ""


def larger_penalty(learner: FrankWolfe) -> tuple[str, float] | None:
    """Return the field and value with which to continue after a divergence; None within a ball."""
    declared = learner.named("lambda_")
    larger = min(max(10 * learner.lambda_, declared.default), declared.high or math.inf)
    return None if learner.ball else ("lambda_", larger)


def max_new_units(learner: FrankWolfe, updates: int) -> float:
    """Return the largest number of hidden units that a training inserts; inf if counts may be fractional."""
    return float(updates) if learner.correction == "none" and learner.temperature == "units" else math.inf
