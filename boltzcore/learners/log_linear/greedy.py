"""Greedy search for the shortest description of data by a log-linear model (Takabatake and Akaho, Algorithm 1).

The model is p(x) ∝ exp(sum_y theta_y Phi_y(x)) over a set of terms y. A step appends, adjusts or removes the one term
that shortens KL(data || model) + price of the terms most. A term's best value makes its dual, the expectation of Phi_y,
that of the data; a lower bound of the resulting KL divergence (eq. 21) rules out most candidates. `tables` holds the
duals of all terms and updates them after each step.

Rows with gaps are learnt by expectation maximisation: their completions are weighted by the model from which the duals
were last recomputed. Once no step helps this is repeated, until the distribution no longer changes.
"""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import greedy_mdl as kernels
from boltzcore.kernels.elementwise import atanh_in_double, log_in_double, tanh_in_double
from boltzcore.learners.base import Learner, State, cache_field, repeat_update
from boltzcore.learners.log_linear.tables import KL, Tables, data_duals
from boltzcore.learners.operations import transform
from boltzcore.models.log_linear import MOST_TERMS, LogLinear, check_columns
from boltzcore.models.spectrum import Layout
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle, portion

CHANGE = 10  # operations of eq. 20: 1 + d, 1 + t, quotient, product; the same of 1 - d, 1 - t; a sum, the price
STEP = 3  # operations of Algorithm 3 for one state: a product, a sum, a quotient
RENEWED = 64  # steps after which the duals are recomputed from the parameters
COST, TERMS = "cost", "terms"
CLOSE = 1e-3  # change of the largest probability below which completions of rows with gaps are not updated
_ROUNDING = 1e-6  # nats by which a KL divergence from sums over steps may differ from that of the tables
_LOW = 1024  # largest size of the table of the lower part
MARGIN = 1e-9  # margin of duals from -1 and 1: values that never occur get a relative probability of some 1e-9
_PART = 16_384  # numbers that a thread searches at a time; the result does not depend on the number of threads
_PARTS = 256  # parts between two ticks


@dataclass(frozen=True, eq=False, kw_only=True)
class GreedyState(State):
    """A State with the origin of its tables: the terms when they were last recomputed, and the steps since.

    kl, cost : KL(data || model), and its sum with the prices of the terms, nats per example
    bought, gains : (terms of the model,) the update that appended each term, and the fall of the KL since
    base_terms, base_values : terms and parameters when the tables were last recomputed; step_terms, steps : steps since
    """

    kl: float
    cost: float
    bought: NDArray[np.int64]
    gains: NDArray[np.float64]
    base_terms: NDArray[np.int64]
    base_values: NDArray[np.float64]
    step_terms: NDArray[np.int64]
    steps: NDArray[np.float64]
    tables: Tables | None = cache_field()


@dataclass(frozen=True)
class GreedyMDL(Learner):
    """Greedy learner that appends, adjusts or removes one term at a time, the one that shortens the description most.

    The length of a description, minus the entropy of the rows, is KL(data || model) plus, for each term, ln N / 2N for
    its value and ln(n (|X_i| - 1)) / N for each variable i that it depends on (eq. 7), with N rows and n variables, all
    in nats per row. In a model with 10,000 terms, the maximum, it only adjusts and removes terms.
    """

    state_type: ClassVar[type[State]] = GreedyState
    random: ClassVar[bool] = False
    takes_gaps: ClassVar[bool] = True

    threshold: float = parameter(
        1e-4,
        low=1e-9,
        high=1.0,
        scale="log",
        symbol="\N{GREEK SMALL LETTER EPSILON}",
        help="The search ends once no step shortens the description by more than this, in nats per example.",
    )
    price: float = parameter(
        1.0,
        low=0.0,
        high=100.0,
        help="Price of a term, as a multiple of its description length: 0 fits the data as closely as possible.",
    )

    def start(self, model: LogLinear, data: Examples | NDArray, *, seed: int) -> GreedyState:
        check_weights(self, data)
        state = GreedyState(
            model,
            0,
            0,
            seed,
            kl=0.0,
            cost=0.0,
            bought=np.zeros(model.n_terms, np.int64),
            gains=np.zeros(model.n_terms),
            **_base_fields(model),
        )
        tables, prices = _rebuild_tables(state, data, idle), prices_on(self, model.layout, examples(data))
        return _with_cost(dataclasses.replace(state, tables=tables), prices, tables.kl_to_data(model.theta))

    def _advance(self, state: GreedyState, data: Examples | NDArray, updates: int, tick: Tick) -> GreedyState:
        rows, tables = examples(data), state.tables
        if tables is None or tables.given is not data or tables.count != state.count:
            tables = _rebuild_tables(state, data, tick)
            kl = tables.kl_to_data(state.model.theta)
            if abs(kl - state.kl) > _ROUNDING:  # the State comes from other data
                state = dataclasses.replace(state, kl=kl)
        prices, state = prices_on(self, state.model.layout, rows), dataclasses.replace(state, tables=tables)
        return repeat_update(state, updates, lambda one, part: self._update(one, prices, part), tick)

    def _update(self, state: GreedyState, prices: kernels.Prices, tick: Tick) -> GreedyState:
        """Return the State after the best step, if it shortens the description by the threshold or more."""
        tables, theta, count, kl = state.tables, state.model.theta, state.count + 1, state.kl
        layout = state.model.layout
        assert tables is not None
        found = best_step(tables, theta, prices, tick)
        if found is not None and -found.change < self.threshold:
            found = None
        # operations of the paper's algorithms, even those that the kernels save: to adjust, remove or append each term
        operations = transform(layout.cardinalities) + CHANGE * (layout.size + len(theta))
        operations += STEP * layout.size * (found is not None)
        state = dataclasses.replace(
            state,
            count=count,
            work=state.work + 1,
            operations=state.operations + operations,
            done=state.done or found is None,
        )
        if found is not None:
            state = _apply(state, found)
            tables.step(found.term, found.step, portion(tick, 0.5, 0.5))
            kl += found.kl
        if found is None or tables.needs_refresh or len(state.steps) == RENEWED:  # the last State must not drift
            theta = state.model.theta
            tables.renew(theta, tick)
            law, state = _base(state), dataclasses.replace(state, **_base_fields(state.model))
            if examples(tables.given).gaps is not None:
                tables.rows = rows_of(state, tables.given, portion(tick, 0.5, 0.5))
                tables.data = data_duals(layout, tables.rows, tick)
                moved = np.abs(law.probabilities() - state.model.probabilities()).max()
                state = dataclasses.replace(state, done=state.done and moved < CLOSE)
            kl = tables.kl_to_data(theta)
        tables.count = count
        return _with_cost(state, prices, kl)


@dataclass(frozen=True)
class Step:
    """A greedy step: append, adjust or remove a term.

    term : its index; step : change of its parameter
    kl, change : change of the KL divergence, and of the whole description length, nats per row
    """

    term: int
    step: float
    kl: float
    change: float
    removed: bool = False


def best_step(tables: Tables, theta: Mapping[int, float], prices: kernels.Prices, tick: Tick) -> Step | None:
    """Return the step, over all terms, that shortens the description most; None if none shortens it."""
    best = _best_of_present(tables, theta, prices) if theta else None
    if len(theta) == MOST_TERMS:
        return best
    least = best.change if best else 0.0
    rows = tables.dual.size // prices.low.size
    part = max(1, _PART // prices.low.size)
    parts = -(-rows // part)
    places, changes = np.empty(parts, np.int64), np.empty(parts)
    search = partial(kernels.best_of_parts, tables.dual, tables.data, prices, MARGIN, part, least, places, changes)
    for first in range(0, parts, _PARTS):
        tick(0.5 * first / parts)
        share(lambda a, b, first=first: search(first + a, first + b), min(_PARTS, parts - first), 4)  # type: ignore[misc]
    k = int(changes.argmin())
    place = places[[k]]
    if place[0] < 0:
        return best
    data = tables.data[place]
    near, aim = _inside(tables.dual[place]), _inside(data)
    step, kl = atanh_in_double(aim) - atanh_in_double(near), kernels.kl_changes(near, aim, data)
    return Step(int(tables.layout.at(place)[0]), float(step[0]), float(kl[0]), float(changes[k]))


def _best_of_present(tables: Tables, theta: Mapping[int, float], prices: kernels.Prices) -> Step | None:
    """Return the best step that adjusts or removes a term of the model; None if none shortens the description."""
    terms, values = np.array(list(theta), np.int64), np.array(list(theta.values()))
    place = tables.layout.place(terms)
    dual, data = _inside(tables.dual[place]), tables.data[place]
    at_0 = atanh_in_double(dual) - values  # eq. 16: the dual is tanh(theta + at_0)
    adjusted = atanh_in_double(_inside(data)) - at_0  # the best value makes its dual that of the data
    found = None
    for new, saved in ((adjusted, 0.0), (np.zeros(len(terms)), price_at(prices, place))):
        kl = kernels.kl_changes(dual, _inside(tanh_in_double(new + at_0)), data)
        change = kl - saved
        k = int(change.argmin())
        if change[k] < (found.change if found else 0.0):
            is_removed = new is not adjusted
            found = Step(int(terms[k]), float(new[k] - values[k]), float(kl[k]), float(change[k]), is_removed)
    return found


def price_at(prices: kernels.Prices, place: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the prices of the terms at these places in the kernels' layout."""
    high, low = np.divmod(place, prices.low.size)
    each: NDArray[np.float64] = prices.low[low] + prices.high[high]
    return each


def _inside(dual: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the duals clipped to a margin from -1 and 1."""
    return np.clip(dual, MARGIN - 1, 1 - MARGIN)


def _apply(state: GreedyState, found: Step) -> GreedyState:
    """Return the State with the parameters after a step."""
    theta, y = state.model.theta, found.term
    bought, gains = dict(zip(theta, state.bought, strict=True)), dict(zip(theta, state.gains, strict=True))
    gains[y] = gains.get(y, 0.0) - found.kl
    bought.setdefault(y, state.count)
    theta[y] = theta.get(y, 0.0) + found.step
    if found.removed:
        for each in (theta, bought, gains):
            each.pop(y)
    return dataclasses.replace(
        state,
        model=LogLinear(state.model.cardinalities, theta),
        bought=np.array([bought[y] for y in theta], np.int64),
        gains=np.array([gains[y] for y in theta]),
        step_terms=np.append(state.step_terms, y),
        steps=np.append(state.steps, found.step),
    )


def _with_cost(state: GreedyState, prices: kernels.Prices, kl: float) -> GreedyState:
    """Return the State with its KL divergence, and its cost."""
    model = state.model
    cost = kl + math.fsum(price_at(prices, model.layout.place(model.terms)))
    return dataclasses.replace(state, kl=kl, cost=cost, figures={KL: kl, COST: cost, TERMS: float(model.n_terms)})


def rows_of(state: GreedyState, data: Examples | NDArray, tick: Tick = idle) -> Examples:
    """Return the rows that the next update learns from: those with gaps are replaced by their completions, weighted by
    the model from which the duals were last recomputed.
    """
    rows = examples(data)
    if rows.gaps is None:
        return rows
    v, weight = _base(state).completions(rows.gaps, tick=tick)
    weight = np.concatenate([np.ones(len(rows)) if rows.weight is None else rows.weight, weight])
    return Examples(np.concatenate([rows.v, v.astype(rows.v.dtype)]), weight=weight, levels=rows.levels)


def _base(state: GreedyState) -> LogLinear:
    """Return the model from which the duals were last recomputed."""
    theta = dict(zip(state.base_terms.tolist(), state.base_values.tolist(), strict=True))
    return LogLinear(state.model.cardinalities, theta)


def _base_fields(model: LogLinear) -> dict[str, Any]:
    """Return the fields of a State whose tables have been recomputed from its model."""
    return dict(base_terms=model.terms, base_values=model.values, step_terms=model.terms[:0], steps=model.values[:0])


def _rebuild_tables(state: GreedyState, given: Any, tick: Tick) -> Tables:
    """Return the missing tables of a State, bit for bit: computed from its base, followed by the steps since."""
    check_columns(state.model.cardinalities, examples(given))
    rows = rows_of(state, given, portion(tick, 0.0, 0.2))
    layout, data_tick = state.model.layout, portion(tick, 0.2, 0.3)
    tables = Tables(layout, given, rows, data_duals(layout, rows, data_tick), np.empty(layout.size))
    tables.renew(_base(state).theta, portion(tick, 0.5, 0.5))
    for y, step in zip(state.step_terms.tolist(), state.steps.tolist(), strict=True):
        tables.step(y, step, tick)
    tables.count = state.count
    return tables


def prices_on(learner: GreedyMDL, layout: Layout, rows: Examples) -> kernels.Prices:
    """Return the prices of terms on these rows (eq. 7): for their value, and for each variable that they depend on."""
    total, n = rows.total + (0 if rows.gaps is None else len(rows.gaps)), len(layout.cardinalities)
    logs = log_in_double(np.array([total, *(max(1, n * (size - 1)) for size in layout.cardinalities)]))
    of_value, *of_variables = (learner.price * logs / total * [0.5, *[1.0] * n]).tolist()
    costs = [of_variables[i] * np.minimum(np.arange(layout.cardinalities[i]), 1) for i in layout.order]
    low = int((np.cumprod([len(each) for each in costs]) <= _LOW).sum())  # variables of the lower part
    return kernels.Prices(_sums(costs[:low]) + of_value, _sums(costs[low:]))


def _sums(parts: list[NDArray]) -> NDArray[np.float64]:
    """Return the sums over all combinations of one number from each part, the first part varying fastest."""
    total = np.zeros(1)
    for part in parts:
        total = (part[:, None] + total).reshape(-1)
    return total


def prices_of(learner: GreedyMDL, model: LogLinear, data: Examples | NDArray) -> NDArray[np.float64]:
    """Return the price (terms,) of each term of a model on these rows (eq. 7), nats per row."""
    return price_at(prices_on(learner, model.layout, examples(data)), model.layout.place(model.terms))


def check_weights(learner: GreedyMDL, data: Examples | NDArray, **_context: Any) -> None:
    """Raise Refusal if the weights sum to less than a row: the price of a term would be negative."""
    if (total := examples(data).total) < 1:
        raise Refusal(f"weight must sum to 1 or more, because it counts the rows, not to {total:g}.", "data")
