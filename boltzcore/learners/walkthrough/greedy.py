"""The phases of a greedy step: present terms, candidates, and the chosen step."""

from typing import Any

import numpy as np

from boltzcore.kernels import greedy_mdl as kernels
from boltzcore.kernels.elementwise import atanh_in_double
from boltzcore.learners.log_linear.prices import Prices
from boltzcore.learners.log_linear.steps import MARGIN, Step, inside, present_terms
from boltzcore.learners.log_linear.tables import FILLED, Tables
from boltzcore.models.log_linear import MOST_TERMS, LogLinear
from boltzcore.models.spectrum import Layout
from boltzcore.ticks import Tick

CANDIDATES = 10  # of a step, recorded at most

Arrays = dict[str, Any]


def present(tables: Tables, model: LogLinear, prices: Prices) -> Arrays:
    """The terms by index, their values, and the change of the description by adjusting and by removing each."""
    terms = present_terms(tables, model.layout, model.theta, prices)
    return {"term": terms.terms, "value": terms.values, "adjusting": terms.change[0], "removing": terms.change[1]}


def candidates(tables: Tables, model: LogLinear, prices: Prices, tick: Tick) -> Arrays:
    """The best terms to append, at most `CANDIDATES`, and how many the bound leaves to be computed;
    none where there are as many terms as there may be.

    term, gain, price : (k,) of each
    dual, data : (k,) of the model, and of the data
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
    each = {"term": model.layout.at(places), "gain": gain, "price": prices.at(places) + size}
    each |= {"dual": inside(tables.dual[places]), "data": tables.data[places]}
    return {**each, "looked": np.array(looked), "skipped": np.array(skipped)}


def chosen(tables: Tables, layout: Layout, found: Step) -> Arrays:
    """The step, and its term's duals of the model and of the data before it."""
    here = layout.place(np.array([found.term]))[0]
    return {**vars(found), "dual": tables.dual[here], "data": tables.data[here]}
