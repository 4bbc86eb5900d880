"""The next insertion of Frank-Wolfe by its reference."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boltzcore.data.examples import Examples, examples
from boltzcore.learners import FrankWolfe
from boltzcore.learners.batches import evenly_spaced
from boltzcore.learners.insertion.frank_wolfe import FrankWolfeState
from boltzcore.models import InfiniteRBM
from boltzcore.reference.draws import Array
from boltzcore.reference.fractional import Chains, FractionalRBM, WeightedStates
from boltzcore.reference.frank_wolfe import frank_wolfe_update
from boltzcore.reference.trace import UpdateTrace, check_size, follow
from boltzcore.reference.unit_search import random_starts
from boltzcore.ticks import Tick

PICTURES = 12  # rows of the data and of the model to show
SEARCH_POINTS = 32  # points of the search's path
REPEATED = ("biases", "counts")  # phases of many steps, of which only the last is shown


@follow.register(FrankWolfe)
def _(learner: FrankWolfe, state: FrankWolfeState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    """Return the trace; `row` counts the distinct rows, in the order of `Examples.distinct`."""
    rows = examples(data).epoch(state.count, state.seed).distinct()
    taken = UpdateTrace("insertion", [state.model], row, len(rows))
    _check_size(learner, state, rows)
    observed = WeightedStates.from_rows(*rows.shares())
    model = FractionalRBM(*(getattr(state.model, name).astype(float) for name in FractionalRBM._fields))
    chains = Chains(state.chains, state.seed, state.count)
    starts = random_starts(state.model.n_visible, learner, state.seed, state.count)
    newest = (state.arrived == state.count) & (state.arrived > 0)
    for kind, arrays in frank_wolfe_update(model, observed, chains, starts, learner, newest):
        tick(0.0)
        if kind in REPEATED:
            taken.phases = [phase for phase in taken.phases if phase.kind != kind]
        if kind == "samples":
            states = WeightedStates.from_rows(arrays["v"], arrays["weight"])
            pictures = _samples(rows.v, row, arrays, chains.exact)
            taken.add(kind, pictures | _means(observed.mean, arrays["model_mean"]))
        elif kind == "found":
            # share of states in which the unit is on, or off, with a probability of at least 3/4
            p = (expit(each.v @ arrays["unit"]) for each in (observed, states))
            clear = [of.weight @ (np.abs(on - 0.5) >= 0.25) for of, on in zip((observed, states), p, strict=True)]
            taken.add(kind, arrays | {"sure": clear})
        elif kind == "new":
            after = InfiniteRBM(*(arrays[name] for name in FractionalRBM._fields))
            means = _means(observed.mean, arrays["model_mean"])
            taken.add(kind, {"counts": arrays["counts"], **means}, after)
        else:
            taken.add(kind, arrays)
    path = [phase for phase in taken.phases if phase.kind == "search"]
    drawn = [path[k] for k in evenly_spaced(len(path), SEARCH_POINTS)]
    taken.phases = [phase for phase in taken.phases if phase.kind != "search" or phase in drawn]
    return taken


def _check_size(learner: FrankWolfe, state: FrankWolfeState, rows: Examples) -> None:
    """Raise Refusal if plain numpy would need more than some seconds or 200 MB for an update."""
    n, chains, model = state.model.n_visible, len(state.chains), state.model
    after = learner.steps * min(chains, learner.M) if learner.correction == "none" else learner.rounds * chains
    drawn = (chains * learner.K + after) * (n + model.n_units + model.alpha)
    check_size(int(6 * len(rows) * (n + 1) + drawn), f"An insertion on {len(rows):,} rows by {chains:,} chains")


def _samples(v: Array, row: int, states: dict[str, Array], exact: bool) -> dict[str, Array]:
    """Return a few rows of the data, starting with the chosen one, and of the model: chains, or the most probable."""
    few = [row, *(k for k in evenly_spaced(len(v), PICTURES) if k != row)][:PICTURES]
    weight = states["weight"]
    chosen = np.argsort(-weight, kind="stable")[:PICTURES] if exact else evenly_spaced(len(weight), PICTURES)
    pictures = {"data": v[few], "model": states["v"][chosen].astype(np.uint8)}
    return {**pictures, "states": np.array(len(weight)), "exact": np.array(exact)}


def _means(data: Array, model: Array) -> dict[str, Array]:
    """Return the means of data and model, and their difference, without rounding errors."""
    return {"data_mean": data, "model_mean": model, "missing": np.round(data - model, 5)}
