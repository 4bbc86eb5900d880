"""The phases of a greedy step: present terms, candidates, the chosen step, and the duals that it moves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import greedy_mdl as kernels
from boltzcore.kernels.elementwise import atanh_in_double, log_in_double, tanh_in_double
from boltzcore.learners.log_linear.prices import Prices
from boltzcore.learners.log_linear.steps import MARGIN, Step, inside, present_terms
from boltzcore.learners.log_linear.tables import FILLED, Tables
from boltzcore.models.log_linear import MOST_TERMS, LogLinear
from boltzcore.models.spectrum import Layout
from boltzcore.ticks import Tick

MOST_DUALS, CANDIDATES = 4096, 20  # duals, and candidates, of a step that are recorded

Arrays = dict[str, Any]


def present(tables: Tables, model: LogLinear, prices: Prices) -> Arrays:
    """By name: the terms, where adjusting takes each, and what adjusting and removing it changes; `kl` (2, terms) is
    the part of that of the KL divergence.
    """
    terms = present_terms(tables, model.layout, model.theta, prices)
    arrays: Arrays = {"term": terms.terms, "value": terms.values, "adjusted": terms.new[0]}
    arrays |= {"dual": terms.dual, "data": terms.data, "price": terms.price, "kl": np.array(terms.kl)}
    return {**arrays, "adjusting": terms.change[0], "removing": terms.change[1]}


def candidates(tables: Tables, model: LogLinear, prices: Prices, tick: Tick) -> Arrays:
    """The best terms to append, at most `CANDIDATES`, and how many the bound leaves to be computed;
    none where there are as many terms as there may be.

    term, gain, price : (k,) of each; size : the part of its price for the size of its parameter
    dual, data : (k,) of the model, and of the data; bound : (k,) on the gain (eq. 21)
    parts : (2, k) of the gain, of states where Phi_y is +1, and -1
    value_price, variable_prices : () and (variables,) what prices are made of beside `size`
    """
    there = model.layout.place(model.terms)
    low, best = prices.kernels.low.size, np.empty((3, 0))
    looked, skipped, end = 0, 0, tables.dual.size if model.n_terms < MOST_TERMS else 0
    for first in range(0, end, FILLED):
        tick(first / end)
        place = np.arange(first, min(first + FILLED, end))
        dual, data, price = tables.dual[place], tables.data[place], prices.at(place)
        order = prices.kernels.low_order[place % low] + prices.kernels.high_order[place // low]
        allowed = (order > 0) & (order <= prices.kernels.most) & ~np.isin(place, there)
        hopeful = allowed & ((dual - data) ** 2 > price * (1.0 - dual**2))  # eq. 21
        looked, skipped = looked + int(hopeful.sum()), skipped + int((allowed & ~hopeful).sum())
        place, near, data = place[hopeful], inside(dual[hopeful]), data[hopeful]
        aim, kl = np.empty(len(place)), np.empty(len(place))
        kernels.aims(near, data, prices.kernels.slope, MARGIN, aim)
        kernels.kl_changes(near, aim, data, kl)
        size = prices.kernels.slope * np.abs(atanh_in_double(aim) - atanh_in_double(near))
        best = np.concatenate([best, [place, -kl, size]], axis=1)
        best = best[:, np.argsort(prices.at(best[0].astype(np.int64)) + best[2] - best[1], kind="stable")]
        best = best[:, :CANDIDATES]
    places, gain, size = best[0].astype(np.int64), *best[1:]
    dual, data, aim = inside(tables.dual[places]), tables.data[places], np.empty(len(places))
    kernels.aims(dual, data, prices.kernels.slope, MARGIN, aim)
    each = {"term": model.layout.at(places), "gain": gain, "price": prices.at(places) + size, "size": size}
    bound = (dual - data) ** 2 / (1.0 - dual**2)
    each |= {"dual": dual, "data": data, "bound": bound, "parts": _gain_parts(dual, aim, data)}
    made_of = {"value_price": np.array(prices.of_value), "variable_prices": np.array(prices.of_variables)}
    return {**each, **made_of, "looked": np.array(looked), "skipped": np.array(skipped)}


def chosen(tables: Tables, layout: Layout, found: Step, pairs: "Pairs", before: Any, after: Any) -> Arrays:
    """The step, the costs and KL divergences of the States before and after it, and its term's duals before."""
    here = layout.place(np.array([found.term]))[0]
    step = {**vars(found), "costs": [before.cost, after.cost], "kls": [before.kl, after.kl]}
    return {**step, "dual": pairs.of_term, "data": tables.data[here]}


@dataclass(frozen=True)
class Pairs:
    """Some duals before a step, and those that they move together with.

    variables : the term's own, and others from the first on, as far as the terms of these are at most `MOST_DUALS`
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
    def from_step(cls, tables: Tables, layout: Layout, found: Step) -> "Pairs":
        own = layout.digits(np.array([found.term]))[0] != 0
        variables, size = [], 1
        for i in sorted(range(len(own)), key=lambda i: not own[i]):
            if size * layout.cardinalities[i] <= MOST_DUALS:
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
