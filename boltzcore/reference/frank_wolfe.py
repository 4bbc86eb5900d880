"""Frank-Wolfe learning of infinite RBMs in plain numpy (Ping, Liu and Ihler 2016, Algorithm 1).

The search for a unit is in `unit_search`, the chains of the model in `fractional`, counts and biases in `correction`.
Beyond the paper: starting without units and with biases of the data, sums over all states if there are few, persistent
chains, a correction of all counts (the default) instead of away steps, the form of the away steps, line searches for
alpha, and skipping a unit without gain. t is the number of units, which is the paper's iteration unless a unit was
removed.
"""

import numpy as np

from boltzcore.learners import FrankWolfe
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.reference.correction import adjust_parameters
from boltzcore.reference.draws import Array
from boltzcore.reference.fractional import Chains, FractionalRBM, WeightedStates
from boltzcore.reference.rbm import Phases
from boltzcore.reference.unit_search import InnerObjective, search_unit

NO_GAIN = 1e-6  # nats: a unit with f(w*) above minus this is not inserted
NEAR = 0.1  # a unit whose w'v has a smaller standard deviation may be an effect of chance


def frank_wolfe_update(
    model: FractionalRBM, data: WeightedStates, chains: Chains, starts: Array, settings: FrankWolfe, newest: Array
) -> Phases:
    """Yield the phases of one round of Algorithm 1; "new" has the new parameters.

    Parameters
    ----------
    model : FractionalRBM
        Model before the update.
    data : WeightedStates
        Distinct rows of the data.
    starts : array (restarts, n + 1)
        Weights at which the searches for w* start.
    newest : array (k,) of bool
        True for a unit that the last update inserted.

    Phases: "samples", "present", "start", "search", "found", "away", "shrink", "worth", "insert", "biases", "counts",
    "leave", "new", "over".
    """
    penalty = 0.0 if settings.ball else settings.lambda_
    chains.run(model, settings.K)
    states = chains.states(model)
    yield "samples", {"v": states.v[:, :-1], "weight": states.weight, "model_mean": states.mean}

    f = InnerObjective(data, states, penalty)
    alpha, slope = model.counts.sum(), -f.value(model.units)  # dJ/dc_i
    yield "present", {"count": model.counts, "slope": slope}

    found = yield from search_unit(f, starts, settings.iterations, settings.ball)
    unit, gain = found["unit"], -f.value(found["unit"])
    mean_slope = model.counts @ slope / (alpha or 1.0)
    yield "found", found | ({"gap": alpha * (gain - mean_slope)} if alpha else {})

    is_away = False
    if settings.away and settings.correction == "none" and np.count_nonzero(model.counts) > 1:
        worst = int(slope.argmin())
        lead, rival = mean_slope - slope[worst], gain - mean_slope
        is_away = bool(lead > rival)
        yield "away", {"worst": worst, "lead": lead, "rival": rival, "taken": is_away}
    if is_away:
        is_over = bool(newest[worst])  # it would be inserted again
        model = shrink(model, worst, settings)
        yield "shrink", {"after": model.counts}
    else:
        value, bound = reevaluate(unit, f, chains, model, settings.K)
        yield "worth", {"value": value, "bound": bound}
        is_over = bool(value > bound or alpha >= MOST_UNITS - 1)
        if not is_over:
            model = insert(model, unit, settings)
            yield "insert", {"after": model.counts}
    if is_away or not is_over:
        model = yield from adjust_parameters(model, data, chains, settings, penalty)

    alive = model.counts > 0
    if not alive.all():
        yield "leave", {"units": np.flatnonzero(~alive)}
    model = FractionalRBM(model.units[alive], model.counts[alive], model.b)
    yield "new", {**model._asdict(), "model_mean": chains.states(model).mean}
    if is_over:
        yield "over", {}


def insert(model: FractionalRBM, unit: Array, settings: FrankWolfe) -> FractionalRBM:
    """Return the model after q <- (1 - 1/t) q + 1/t delta(w*), alpha <- t; with a correction, the count is 0."""
    t, alpha, counts, new = len(model.counts) + 1, model.counts.sum(), model.counts, 0.0
    if settings.correction == "none":
        alpha_t = t if settings.temperature == "units" else alpha or 1.0
        counts, new = alpha_t * (1 - 1 / t) * counts / (alpha or 1.0), alpha_t / t
    return FractionalRBM(np.vstack([model.units, unit]), np.append(counts, new), model.b)


def shrink(model: FractionalRBM, worst: int, settings: FrankWolfe) -> FractionalRBM:
    """Return the model after an away step: c_worst <- 0; with temperature "gradient" alpha is unchanged."""
    counts = np.where(np.arange(len(model.counts)) == worst, 0.0, model.counts)
    if settings.temperature == "gradient":
        counts *= model.counts.sum() / counts.sum()
    return model._replace(counts=counts)


def reevaluate(unit: Array, f: InnerObjective, chains: Chains, model: FractionalRBM, steps: int) -> tuple[Array, float]:
    """Return f(w*) and the bound that it must not exceed.

    The search fits the noise of the chains, so a unit near w = 0 is evaluated again on their states some steps later,
    and must be below 0 there by three standard errors.
    """
    value, mean = f.value(unit), f.model.mean
    deviation = np.sqrt(np.maximum(mean * (1 - mean), 0) @ unit[:-1] ** 2)
    if chains.exact or value > -NO_GAIN or deviation >= NEAR:
        return value, -NO_GAIN
    again = chains.advanced(model, steps)
    error = np.logaddexp(0, again.v @ unit).std() / np.sqrt(len(again.v))
    return f._replace(model=again).value(unit), -3 * error
