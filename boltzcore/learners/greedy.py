"""Greedy search for the shortest description of data by a log-linear model (Takabatake and Akaho, Algorithm 1)."""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import spectrum as kernels
from boltzcore.kernels.elementwise import atanh_in_double, log_in_double, tanh_in_double
from boltzcore.learners.base import First, Learner, State, carried, check_advance
from boltzcore.learners.dissection import Dissection, Phase
from boltzcore.models import spectrum
from boltzcore.models.base import FEW_ROWS
from boltzcore.models.log_linear import MOST_TERMS, LogLinear, check_columns
from boltzcore.models.spectrum import Layout, Table
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle, portion

MARGIN = 1e-9  # duals are kept so far from -1 and 1: what never occurs gets a probability of some 1e-9 of its like
RENEWED = 64  # steps after which the duals are computed anew from the parameters
_LOST = 1e-8  # of their precision: they are computed anew before less than this is left
_LOW = 1024  # numbers of a row that is searched at once
_FILLED = 1 << 22  # numbers that are set between two ticks
_PART = 16_384  # numbers that a thread searches at a time: each part by itself, on any number of threads
_PARTS = 256  # of them between two ticks
TOLD, TOLD_CANDIDATES = 4096, 20  # duals, and candidates, of a step that is taken apart
KL, COST, TERMS = "kl_to_data", "cost", "terms"


@dataclass(eq=False)
class Tables:
    """What is known of every term, in the kernels' layout.

    given : the data; None while `dual` is being changed, and ever after where that was broken off
    data, dual : duals of the data and of the model
    count : the update after which `dual` is that of the model
    log_partition : log Z of the parameters that `dual` was last computed from
    precision : what the steps since have left of that of `dual` at least, 1 being all of it
    """

    given: Any
    data: Table
    dual: Table
    count: int
    log_partition: float = 0.0
    precision: float = 1.0

    @property
    def worn(self) -> bool:
        """Whether `dual` has to be computed anew: steps have lost too much of it, and the last was not made."""
        return self.precision < _LOST

    def are_of(self, state: "GreedyState", data: Any) -> bool:
        """Whether they are of this State and these data: a call that was broken off leaves them behind, or ahead."""
        return self.given is data and self.count == state.count

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A block that changes `dual`: without its end the tables are of no State."""
        given, self.given = self.given, None
        yield
        self.given = given

    def renew(self, layout: Layout, theta: Mapping[int, float], tick: Tick) -> None:
        """Compute `dual` from these parameters."""
        with self.changing():
            for first in range(0, layout.size, _FILLED):
                tick(0.0)
                self.dual[first : first + _FILLED] = 0.0
            self.dual[layout.place(np.array(list(theta), np.int64))] = list(theta.values())
            spectrum.log_weights(layout, self.dual, tick)
            self.log_partition = spectrum.normalise(self.dual, tick)
            spectrum.expectations(layout, self.dual, tick)
        self.precision = 1.0

    def step(self, layout: Layout, y: int, step: float, tick: Tick) -> None:
        """Move one parameter: `dual` follows, unless it is worn by then.

        An error of rounding becomes up to (1 + |t|) / (1 + t of_term) times as large by a step, `spectrum.step`: a
        step away from -1 or 1 loses all, and steps that go back and forth half of the precision each.
        """
        place = int(layout.place(np.array([y]))[0])
        tanh_step, of_term = float(tanh_in_double(np.array([step]))[0]), float(self.dual[place])
        self.precision *= (1.0 + tanh_step * of_term) / (1.0 + abs(tanh_step))
        if not self.worn:
            with self.changing():
                spectrum.step(layout, self.dual, place, tanh_step, of_term, tick)


@dataclass(frozen=True, eq=False, kw_only=True)
class GreedyState(State):
    """A State with what its tables are rebuilt from: the terms when they were last computed anew, and the steps since.

    kl, cost : KL(data || model) and the whole description, nats per example
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

    A description is KL(data || model) plus, for each term, ln N / 2N for its value and ln(n (|X_i| - 1)) / N for each
    variable i that it depends on (eq. 7), N the number of rows and n that of variables. All nats per row. Of a model of
    10,000 terms, which has no place for more, it adjusts and removes what there is.
    """

    title: ClassVar[str] = "Greedy description length (MDL)"
    family: ClassVar[str] = "MDL"
    models: ClassVar[tuple[str, ...]] = ("log-linear",)
    source: ClassVar[str] = "Takabatake and Akaho, Algorithms 1 to 3"
    state_type: ClassVar[type[State]] = GreedyState
    random: ClassVar[bool] = False
    length: ClassVar[tuple[int, str]] = (10_000, "updates")
    tells: ClassVar[Mapping[str, str]] = MappingProxyType({KL: "nats per example", COST: "nats per example", TERMS: ""})

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
        help="A further price of each parameter's size (L1), in nats; 0 is the paper's.",
        label="L1 penalty",
    )
    order: int = parameter(
        0, low=0, high=64, help="At most so many variables in a term; 0 allows any number.", label="Highest order"
    )

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """What a first training takes: a few rows, which the price of a single term may outweigh, pay a tenth of it."""
        return First(cls(price=0.1) if rows < FEW_ROWS else cls(), 100)

    @property
    def cost(self) -> str:
        """What an update costs, in a sentence."""
        return "An update is one greedy step: a term is appended, adjusted or removed."

    def check(self, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> None:
        """Refusal of weights that add up to less than a row: what a term costs would be negative."""
        if (total := examples(data).total) < 1:
            raise Refusal(f"weight must add up to 1 or more, as they count the rows, not to {total:g}.", "data")

    @property
    def ending(self) -> str:
        return f"No step shortens the description by more than {self.threshold:g} nats per example: the search is over."

    def start(self, model: LogLinear, data: Examples | NDArray, *, seed: int) -> GreedyState:
        """The State before the first step. Raises ValueError as `check` does, and where model and data do not fit."""
        self.check(data)
        rows = examples(data)
        check_columns(model, rows)
        tables = _tables(model, data, rows, model.theta, 0)
        kl = _kl(model, rows, tables, model.theta)
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
        return self._told(state, _Prices.of(self, model.layout, rows), kl)

    def advance(
        self, state: GreedyState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> GreedyState:
        """The State `updates` steps later, or where none is worth taking."""
        check_advance(self, state, updates)
        rows, layout = examples(data), state.model.layout
        tables = state.tables if state.tables and state.tables.are_of(state, data) else None
        if tables is None:
            tables = _rebuilt(state, data, rows, tick)
        prices, beyond = _Prices.of(self, layout, rows), state.done
        state = dataclasses.replace(state, tables=tables)
        for update in range(updates):
            if state.done and not beyond:
                break
            state = self._step(state, prices, rows, portion(tick, update / updates, 1 / updates))
        return state

    def dissect(self, state: GreedyState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle) -> Dissection:
        """The next step: what each term there is could gain by moving or leaving, what those that are not could gain
        and cost, and what is done; a step regards all rows, `row` tells nothing.
        """
        check_advance(self, state, 1)
        rows, layout, theta = examples(data), state.model.layout, state.model.theta
        tables = _rebuilt(state, data, rows, portion(tick, 0.0, 0.3))
        prices = _Prices.of(self, layout, rows)
        phases = []
        if theta:
            of_present = _present(tables, layout, theta, prices)
            phases.append(Phase("present", 0, of_present.told))
        offers = self._candidates(tables, state.model, prices, portion(tick, 0.3, 0.4))
        phases.append(Phase("candidates", 0, offers))
        state = dataclasses.replace(state, tables=tables)
        found = self._sought(state, prices, portion(tick, 0.7, 0.3))
        pairs = None if found is None else _Pairs.of(tables, layout, found)
        after = self._taken(state, found, prices, rows, idle)
        if found is None or pairs is None:
            phases.append(Phase("over", 0, {"threshold": np.array(self.threshold)}))
        else:
            step = {name: np.array(value) for name, value in vars(found).items()}
            step |= {"costs": np.array([state.cost, after.cost]), "kls": np.array([state.kl, after.kl])}
            here = layout.place(np.array([found.term]))[0]
            step |= {"dual": pairs.of_term, "data": np.array(tables.data[here])}
            phases.append(Phase("chosen", 0, step))
            phases.append(Phase("pairs", 1, {**vars(pairs), "after": tables.dual[layout.place(pairs.term)]}))
        return Dissection("greedy", tuple(phases), (state.model, after.model), after)

    def _candidates(self, tables: Tables, model: LogLinear, prices: "_Prices", tick: Tick) -> dict[str, NDArray[Any]]:
        """The best terms to append, at most `TOLD_CANDIDATES`, and how many the lower bound leaves to be looked at;
        none where there are as many terms as there may be.

        term, gain, price : (k,) of each; size : the part of its price for the size of its parameter
        dual, data : (k,) of the model, and of the data; bound : (k,) on the gain (eq. 21)
        parts : (2, k) of the gain, of states where Phi_y is +1, and -1
        value_price, variable_prices : () and (variables,) what prices are made of beside `size`
        """
        there = model.layout.place(model.terms)
        low, best = prices.kernels.low.size, np.empty((3, 0))
        looked, skipped, end = 0, 0, tables.dual.size if model.n_terms < MOST_TERMS else 0
        for first in range(0, end, _FILLED):
            tick(first / end)
            place = np.arange(first, min(first + _FILLED, end))
            dual, data, price = tables.dual[place], tables.data[place], prices.at(place)
            order = prices.kernels.low_order[place % low] + prices.kernels.high_order[place // low]
            allowed = (order > 0) & (order <= prices.kernels.most) & ~np.isin(place, there)
            hopeful = allowed & ((dual - data) ** 2 > price * (1.0 - dual**2))  # eq. 21
            looked, skipped = looked + int(hopeful.sum()), skipped + int((allowed & ~hopeful).sum())
            place, near, data = place[hopeful], _near(dual[hopeful]), data[hopeful]
            aim, kl = np.empty(len(place)), np.empty(len(place))
            kernels.aims(near, data, prices.kernels.slope, MARGIN, aim)
            kernels.kl_changes(near, aim, data, kl)
            size = prices.kernels.slope * np.abs(atanh_in_double(aim) - atanh_in_double(near))
            best = np.concatenate([best, [place, -kl, size]], axis=1)
            best = best[:, np.argsort(prices.at(best[0].astype(np.int64)) + best[2] - best[1], kind="stable")]
            best = best[:, :TOLD_CANDIDATES]
        places, gain, size = best[0].astype(np.int64), *best[1:]
        dual, data, aim = _near(tables.dual[places]), tables.data[places], np.empty(len(places))
        kernels.aims(dual, data, prices.kernels.slope, MARGIN, aim)
        each = {"term": model.layout.at(places), "gain": gain, "price": prices.at(places) + size, "size": size}
        bound = (dual - data) ** 2 / (1.0 - dual**2)
        each |= {"dual": dual, "data": data, "bound": bound, "parts": _gain_parts(dual, aim, data)}
        made_of = {"value_price": np.array(prices.of_value), "variable_prices": np.array(prices.of_variables)}
        return {**each, **made_of, "looked": np.array(looked), "skipped": np.array(skipped)}

    def _step(self, state: GreedyState, prices: "_Prices", rows: Examples, tick: Tick) -> GreedyState:
        return self._taken(state, self._sought(state, prices, tick), prices, rows, tick)

    def _sought(self, state: GreedyState, prices: "_Prices", tick: Tick) -> "_Found | None":
        """The best step; None where none is worth taking."""
        assert state.tables is not None
        found = _best(state.tables, state.model.layout, state.model.theta, prices, tick)
        return None if found is None or -found.change < self.threshold else found

    def _taken(
        self, state: GreedyState, found: "_Found | None", prices: "_Prices", rows: Examples, tick: Tick
    ) -> GreedyState:
        tables, layout, theta = state.tables, state.model.layout, state.model.theta
        assert tables is not None
        count = state.count + 1
        if found is None:
            tables.renew(layout, theta, tick)  # what the last State tells has no drift
            tables.count = count
            kl = _kl(state.model, rows, tables, theta)
            state = dataclasses.replace(state, count=count, work=state.work + 1, done=True)
            return self._told(_renewed(state, tables), prices, kl)
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
            bought=np.array([bought[y] for y in theta], np.int64),
            gains=np.array([gains[y] for y in theta]),
            step_terms=np.append(state.step_terms, y),
            steps=np.append(state.steps, found.step),
        )
        kl = state.kl + found.kl
        if tables.worn or len(state.steps) == RENEWED:
            tables.renew(layout, theta, tick)
            kl = _kl(model, rows, tables, theta)
            state = _renewed(state, tables)
        return self._told(state, prices, kl)

    def _told(self, state: GreedyState, prices: "_Prices", kl: float) -> GreedyState:
        cost = kl + prices.total(state.model)
        info = {**state.info, KL: kl, COST: cost, TERMS: float(state.model.n_terms)}
        return dataclasses.replace(state, kl=kl, cost=cost, info=info)


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


@dataclass(frozen=True)
class _Found:
    """The step that shortens the description most: of which term, by how much its parameter moves, and what changes."""

    term: int
    step: float
    kl: float
    change: float
    removed: bool = False


@dataclass(frozen=True)
class _Prices:
    """What terms cost on these data: for their value, and for each variable that they depend on."""

    kernels: kernels.Prices
    of_value: float
    of_variables: tuple[float, ...]

    @classmethod
    def of(cls, learner: GreedyMDL, layout: Layout, rows: Examples) -> "_Prices":
        total, n = rows.total, len(layout.cardinalities)
        logs = log_in_double(np.array([total, *(max(1, n * (size - 1)) for size in layout.cardinalities)]))
        of_value, *of_variables = (learner.price * logs / total * [0.5, *[1.0] * n]).tolist()
        low, high, before = np.zeros(1), np.zeros(1), 1
        low_order, high_order = np.zeros(1, np.int64), np.zeros(1, np.int64)
        for i in layout.order:
            size = layout.cardinalities[i]
            costs = np.full(size, of_variables[i])
            orders = np.ones(size, np.int64)
            costs[0], orders[0] = 0.0, 0
            if before * size <= _LOW:
                low = (costs[:, None] + low).reshape(-1)
                low_order = (orders[:, None] + low_order).reshape(-1)
                before *= size
            else:
                before = _LOW + 1  # all further variables are of the higher part
                high = (costs[:, None] + high).reshape(-1)
                high_order = (orders[:, None] + high_order).reshape(-1)
        most = learner.order or n
        found = kernels.Prices(low + of_value, high, low_order, high_order, most, learner.penalty)
        return cls(found, of_value, tuple(of_variables))

    def at(self, place: NDArray[np.int64]) -> NDArray[np.float64]:
        """What the terms that lie there cost."""
        high, low = np.divmod(place, self.kernels.low.size)
        each: NDArray[np.float64] = self.kernels.low[low] + self.kernels.high[high]
        return each

    def total(self, model: LogLinear) -> float:
        """The price of all terms, and of the size of their values."""
        each = self.at(model.layout.place(model.terms))
        return math.fsum(each) + self.kernels.slope * math.fsum(np.abs(model.values))


def prices_of(learner: GreedyMDL, model: LogLinear, data: Examples | NDArray) -> NDArray[np.float64]:
    """(terms,) what each term of a model costs on these rows (eq. 7), nats per row; without the L1 penalty."""
    return _Prices.of(learner, model.layout, examples(data)).at(model.layout.place(model.terms))


def _best(tables: Tables, layout: Layout, theta: Mapping[int, float], prices: _Prices, tick: Tick) -> _Found | None:
    best = _best_of_present(tables, layout, theta, prices)
    if len(theta) == MOST_TERMS:
        return best
    least = best.change if best else 0.0
    rows = tables.dual.size // prices.kernels.low.size
    part = max(1, _PART // prices.kernels.low.size)
    parts = -(-rows // part)
    places, changes = np.empty(parts, np.int64), np.empty(parts)
    search = partial(
        kernels.best_of_parts, tables.dual, tables.data, prices.kernels, MARGIN, part, least, places, changes
    )
    for first in range(0, parts, _PARTS):
        tick(0.5 * first / parts)
        share(lambda a, b, first=first: search(first + a, first + b), min(_PARTS, parts - first), 4)  # type: ignore[misc]
    k = int(changes.argmin())
    place, change = places[k], float(changes[k])
    if place < 0:
        return best
    y = int(layout.at(np.array([place]))[0])
    dual, data = tables.dual[[place]], tables.data[[place]]
    near, aim, kl = _near(dual), np.empty(1), np.empty(1)
    kernels.aims(dual, data, prices.kernels.slope, MARGIN, aim)
    kernels.kl_changes(near, aim, data, kl)
    return _Found(y, float((atanh_in_double(aim) - atanh_in_double(near))[0]), float(kl[0]), change)


@dataclass(frozen=True)
class _Pairs:
    """Some duals as a step begins, and those that they move together with.

    variables : the term's own, and others from the first on, as far as the terms of these are at most `TOLD`
    term, before : (k,) every term of these variables, and its dual
    data : (k,) duals of the data
    partner, mixed : (k,) the term that the step's own makes of this one, and its dual; -1, and nan, where that is no
    single one, as the step's term is of a variable whose number of values is no power of two
    t, of_term : () tanh of the step, and the dual of its term
    """

    variables: NDArray[np.int64]
    term: NDArray[np.int64]
    before: NDArray[np.float64]
    data: NDArray[np.float64]
    partner: NDArray[np.int64]
    mixed: NDArray[np.float64]
    t: NDArray[np.float64]
    of_term: NDArray[np.float64]

    @classmethod
    def of(cls, tables: Tables, layout: Layout, found: _Found) -> "_Pairs":
        own = layout.digits(np.array([found.term]))[0] != 0
        variables, size = [], 1
        for i in sorted(range(len(own)), key=lambda i: not own[i]):
            if size * layout.cardinalities[i] <= TOLD:
                variables.append(i)
                size *= layout.cardinalities[i]
        variables.sort()
        few = Layout(tuple(layout.cardinalities[i] for i in variables))
        digits = np.zeros((size, len(own)), np.int64)
        digits[:, variables] = few.digits(np.arange(size))
        term = layout.index(digits)
        place, flip = layout.place(term), int(layout.place(np.array([found.term]))[0])
        partner = place ^ flip if flip < layout.bits else place
        return cls(
            np.array(variables),
            term,
            tables.dual[place],
            tables.data[place],
            layout.at(partner) if flip < layout.bits else np.full(size, -1),
            tables.dual[partner] if flip < layout.bits else np.full(size, np.nan),
            tanh_in_double(np.array(found.step)),
            np.array(tables.dual[flip]),
        )


def _gain_parts(dual: NDArray[np.float64], aim: NDArray[np.float64], data: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, terms) what steps from `dual` to `aim` take off the KL divergence (eq. 19): on states where the term is +1,
    and on those where it is -1.
    """
    signs = np.array([[1.0], [-1.0]])
    parts: NDArray[np.float64] = 0.5 * (1.0 + signs * data) * log_in_double((1.0 + signs * aim) / (1.0 + signs * dual))
    return parts


@dataclass(frozen=True)
class _Present:
    """What the terms that there are could do: (terms,) each, and by what the cost would change.

    dual, data, price : of the model, of the data, and what each costs without the size of its parameter
    new, kl, change : where adjusting takes a parameter; removing takes it to 0
    """

    terms: NDArray[np.int64]
    values: NDArray[np.float64]
    dual: NDArray[np.float64]
    data: NDArray[np.float64]
    price: NDArray[np.float64]
    new: tuple[NDArray[np.float64], ...]
    kl: tuple[NDArray[np.float64], ...]
    change: tuple[NDArray[np.float64], ...]

    @property
    def told(self) -> dict[str, NDArray[Any]]:
        """By name: the terms, where adjusting takes each, and what adjusting and removing it changes; `kl` (2, terms)
        is the part of that of the KL divergence.
        """
        there = {"term": self.terms, "value": self.values, "adjusted": self.new[0]}
        there |= {"dual": self.dual, "data": self.data, "price": self.price, "kl": np.array(self.kl)}
        return {**there, "adjusting": self.change[0], "removing": self.change[1]}


def _present(tables: Tables, layout: Layout, theta: Mapping[int, float], prices: _Prices) -> _Present:
    """What adjusting and removing each term would do."""
    terms, values = np.array(list(theta), np.int64), np.array(list(theta.values()))
    place = layout.place(terms)
    dual, data, slope = _near(tables.dual[place]), tables.data[place], prices.kernels.slope
    nought = atanh_in_double(dual) - values  # where the dual is 0 lies theta = -nought
    each, found = prices.at(place), []
    for removed in (False, True):
        new = np.zeros(len(terms)) if removed else _adjusted(nought, data, slope)
        aim, kl = tanh_in_double(new + nought), np.empty(len(terms))
        kernels.kl_changes(dual, _near(aim), data, kl)
        found.append((new, kl, kl + slope * (np.abs(new) - np.abs(values)) - (each if removed else 0.0)))
    return _Present(terms, values, dual, data, each, *zip(*found, strict=True))


def _best_of_present(tables: Tables, layout: Layout, theta: Mapping[int, float], prices: _Prices) -> _Found | None:
    """The best term to adjust or to remove."""
    if not theta:
        return None
    present, found = _present(tables, layout, theta, prices), None
    for removed, new, kl, change in zip((False, True), present.new, present.kl, present.change, strict=True):
        k = int(change.argmin())
        if change[k] < (found.change if found else 0.0):
            step = float(new[k] - present.values[k])
            found = _Found(int(present.terms[k]), step, float(kl[k]), float(change[k]), removed)
    return found


def _adjusted(nought: NDArray[np.float64], data: NDArray[np.float64], slope: float) -> NDArray[np.float64]:
    """The best value of each parameter: its dual is that of the data, drawn to nought by the price of its size."""
    above = atanh_in_double(_near(data - slope)) - nought
    below = atanh_in_double(_near(data + slope)) - nought
    return np.where(above > 0, above, np.where(below < 0, below, 0.0))


def _near(dual: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(dual, MARGIN - 1, 1 - MARGIN)


def _tables(
    model: LogLinear, given: Any, rows: Examples, theta: Mapping[int, float], count: int, tick: Tick = idle
) -> Tables:
    """The duals of the data, and those of a model with these parameters, computed from them."""
    layout = model.layout
    data = data_duals(layout, rows, portion(tick, 0.0, 0.5))
    tables = Tables(given, data, np.empty(layout.size), count)
    tables.renew(layout, theta, portion(tick, 0.5, 0.5))
    return tables


def data_duals(layout: Layout, rows: Examples, tick: Tick = idle) -> Table:
    """The expectation of every term under the rows, in the kernels' layout."""
    data = np.zeros(layout.size)
    few = rows.distinct()
    assert few.weight is not None
    data[layout.place(layout.index(few.v))] = few.weight / few.total
    spectrum.expectations(layout, data, tick)
    return data


def _rebuilt(state: GreedyState, given: Any, rows: Examples, tick: Tick) -> Tables:
    """The tables of a State that has lost them, bit for bit: those of its base, and the steps since."""
    layout = state.model.layout
    base = dict(zip(state.base_terms.tolist(), state.base_values.tolist(), strict=True))
    tables = _tables(state.model, given, rows, base, state.count, tick)
    for y, step in zip(state.step_terms.tolist(), state.steps.tolist(), strict=True):
        tables.step(layout, y, step, tick)
    return tables


def _kl(model: LogLinear, rows: Examples, tables: Tables, theta: Mapping[int, float]) -> float:
    """KL(data || model), nats, of the parameters that the tables were computed from.

    It is minus the entropy of the rows, less the mean log-weight, plus log Z.
    """
    few = rows.distinct()
    assert few.weight is not None
    share_of = few.weight[few.weight > 0] / few.total
    place = model.layout.place(np.array(list(theta), np.int64))
    mean = math.fsum(tables.data[place] * np.array(list(theta.values())))
    return math.fsum(share_of * log_in_double(share_of)) - mean + tables.log_partition
