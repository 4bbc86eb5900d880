"""Greedy search for the shortest description of data by a log-linear model (Takabatake and Akaho, Algorithm 1).

The model is p(x) ~ exp(sum_y theta_y Phi_y(x)) over a set of terms y. A step appends, adjusts or removes the one term
that shortens KL(data || model) + price of the terms most. A term's best value makes its dual, the expectation of Phi_y,
that of the data; a lower bound of the KL divergence after it (eq. 21) spares computing most candidates. `steps` has
the search for the best step, `prices` eq. 7, `tables` the duals of all terms, which follow each step.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.learners.base import Learner, State, carried, check_advance
from boltzcore.learners.log_linear.prices import Prices
from boltzcore.learners.log_linear.steps import Step, best_step
from boltzcore.learners.log_linear.tables import KL, Tables, kl_to_data, tables_of
from boltzcore.learners.operations import transform
from boltzcore.models.log_linear import LogLinear, check_columns
from boltzcore.models.spectrum import Layout
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter
from boltzcore.ticks import Tick, idle, portion

CHANGE = 10  # operations of eq. 20: 1 + d, 1 + t, their quotient, a product; the same of 1 - d, 1 - t; a sum, the price
PENALTY = 3  # operations of an L1 price beside it: the dual that it moves, a product, a sum
STEP = 3  # operations of Algorithm 3 for one state: a product, a sum, a quotient
RENEWED = 64  # steps after which the duals are computed anew from the parameters
COST, TERMS = "cost", "terms"


@dataclass(frozen=True, eq=False, kw_only=True)
class GreedyState(State):
    """A State with what its tables are rebuilt from: the terms when they were last computed anew, and the steps since.

    kl, cost : KL(data || model), and with the prices of the terms, nats per example
    bought, gains : (terms of the model,) the update at which each was appended, and what the KL fell by
    base_terms, base_values; step_terms, steps : as said
    """

    kl: float
    cost: float
    bought: NDArray[np.int64]
    gains: NDArray[np.float64]
    base_terms: NDArray[np.int64]
    base_values: NDArray[np.float64]
    step_terms: NDArray[np.int64]
    steps: NDArray[np.float64]
    tables: Tables | None = carried()


@dataclass(frozen=True)
class GreedyMDL(Learner):
    """Appends, adjusts or removes one term at a time, whatever shortens the description of data and model most.

    A description, less the entropy of the rows, is KL(data || model) plus, for each term, ln N / 2N for its value and
    ln(n (|X_i| - 1)) / N for each variable i that it depends on (eq. 7), N the number of rows and n that of variables.
    All nats per row. Of a model of 10,000 terms, which has no place for more, it adjusts and removes what there is.
    """

    state_type: ClassVar[type[State]] = GreedyState
    random: ClassVar[bool] = False

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
        help="What a term costs, as a multiple of its description: 0 fits the data as closely as can be.",
    )
    penalty: float = parameter(
        0.0,
        low=0.0,
        high=1.0,
        symbol="\N{GREEK SMALL LETTER LAMDA}",
        help="A further penalty on each parameter's absolute value (L1), in nats; the paper has none, 0.",
        label="L1 penalty",
    )
    order: int = parameter(
        0, low=0, high=64, help="At most this many variables in a term; 0 allows any number.", label="Highest order"
    )

    def operations_of_step(self, layout: Layout, present: int, *, taken: bool) -> int:
        """Multiplications and additions of a step from a model with `present` terms: each of them
        may be adjusted or removed, each other of at most `order` variables appended. It is the count of the paper's
        algorithms, whatever the kernels spare: the transform and, in a model with no place for more, the search for
        terms to append.
        """
        of_order = [1]  # terms of 0, 1, 2, ... variables
        for size in layout.cardinalities:
            of_order = [a + (size - 1) * b for a, b in zip([*of_order, 0], [0, *of_order], strict=True)]
        candidates = sum(of_order[: (self.order or len(of_order)) + 1]) + present
        each = CHANGE + PENALTY * (self.penalty > 0)
        return transform(layout.cardinalities) + each * candidates + STEP * layout.size * taken

    def start(self, model: LogLinear, data: Examples | NDArray, *, seed: int) -> GreedyState:
        """Return the State before the first step. Raises ValueError if model and data do not fit."""
        check_weights(self, data)
        rows = examples(data)
        check_columns(model, rows)
        tables = tables_of(model, data, rows, model.theta, 0)
        kl = kl_to_data(model, rows, tables, model.theta)
        none, nothing = np.zeros(0, np.int64), np.zeros(0)
        bought, gains = np.zeros(model.n_terms, np.int64), np.zeros(model.n_terms)
        state = GreedyState(
            model,
            0,
            0,
            seed,
            kl=kl,
            cost=0.0,
            bought=bought,
            gains=gains,
            base_terms=model.terms,
            base_values=model.values,
            step_terms=none,
            steps=nothing,
            tables=tables,
        )
        return self._measured(state, Prices.from_rows(self, model.layout, rows), kl)

    def advance(
        self, state: GreedyState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> GreedyState:
        """The State `updates` steps later, or where none is worth taking."""
        check_advance(self, state, updates)
        rows, layout = examples(data), state.model.layout
        tables = state.tables if state.tables and state.tables.are_of(state, data) else None
        if tables is None:
            tables = rebuilt(state, data, rows, tick)
        prices, beyond = Prices.from_rows(self, layout, rows), state.done
        state = dataclasses.replace(state, tables=tables)
        for update in range(updates):
            if state.done and not beyond:
                break
            state = self._step(state, prices, rows, portion(tick, update / updates, 1 / updates))
        return state

    def _step(self, state: GreedyState, prices: Prices, rows: Examples, tick: Tick) -> GreedyState:
        assert state.tables is not None
        found = best_step(state.tables, state.model.layout, state.model.theta, prices, tick)
        is_worth_it = found is not None and -found.change >= self.threshold
        return self._apply(state, found if is_worth_it else None, prices, rows, tick)

    def _apply(self, state: GreedyState, found: Step | None, prices: Prices, rows: Examples, tick: Tick) -> GreedyState:
        """Return the State after a step, or after a search that found none."""
        tables, layout, theta = state.tables, state.model.layout, state.model.theta
        assert tables is not None
        count = state.count + 1
        operations = state.operations + self.operations_of_step(layout, len(theta), taken=found is not None)
        if found is None:
            tables.renew(layout, theta, tick)  # the figures of the last State have no drift
            tables.count = count
            kl = kl_to_data(state.model, rows, tables, theta)
            state = dataclasses.replace(state, count=count, work=state.work + 1, done=True, operations=operations)
            return self._measured(_renewed(state, tables), prices, kl)
        y = found.term
        tables.step(layout, y, found.step, portion(tick, 0.5, 0.5))
        tables.count = count
        bought, gains = dict(zip(theta, state.bought, strict=True)), dict(zip(theta, state.gains, strict=True))
        gains[y] = gains.get(y, 0.0) - found.kl
        bought.setdefault(y, count)
        theta[y] = theta.get(y, 0.0) + found.step
        if found.removed:
            for kept in (theta, bought, gains):
                kept.pop(y)
        model = LogLinear(state.model.cardinalities, theta)
        state = dataclasses.replace(
            state,
            model=model,
            count=count,
            work=state.work + 1,
            operations=operations,
            bought=np.array([bought[y] for y in theta], np.int64),
            gains=np.array([gains[y] for y in theta]),
            step_terms=np.append(state.step_terms, y),
            steps=np.append(state.steps, found.step),
        )
        kl = state.kl + found.kl
        if tables.needs_refresh or len(state.steps) == RENEWED:
            tables.renew(layout, theta, tick)
            kl = kl_to_data(model, rows, tables, theta)
            state = _renewed(state, tables)
        return self._measured(state, prices, kl)

    def _measured(self, state: GreedyState, prices: Prices, kl: float) -> GreedyState:
        """The State with its KL divergence and what follows from that."""
        cost = kl + prices.total(state.model)
        figures = {KL: kl, COST: cost, TERMS: float(state.model.n_terms)}
        return dataclasses.replace(state, kl=kl, cost=cost, figures=figures)


def _renewed(state: GreedyState, tables: Tables) -> GreedyState:
    """The State from whose parameters these tables were computed."""
    return dataclasses.replace(
        state,
        base_terms=state.model.terms,
        base_values=state.model.values,
        step_terms=np.zeros(0, np.int64),
        steps=np.zeros(0),
        tables=tables,
    )


def rebuilt(state: GreedyState, given: Any, rows: Examples, tick: Tick) -> Tables:
    """The tables of a State that has lost them, bit for bit: those of its base, and the steps since."""
    layout = state.model.layout
    base = dict(zip(state.base_terms.tolist(), state.base_values.tolist(), strict=True))
    tables = tables_of(state.model, given, rows, base, state.count, tick)
    for y, step in zip(state.step_terms.tolist(), state.steps.tolist(), strict=True):
        tables.step(layout, y, step, tick)
    return tables


def check_weights(
    learner: GreedyMDL, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle
) -> None:
    """Raise Refusal of weights that add up to less than a row: the cost of a term would be negative."""
    if (total := examples(data).total) < 1:
        raise Refusal(f"weight must add up to 1 or more, as they count the rows, not to {total:g}.", "data")
