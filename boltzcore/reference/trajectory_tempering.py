"""Parallel trajectory tempering in plain numpy (Bereux, Decelle, Furtlehner and Seoane 2026)."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from boltzcore.kernels.exchange import autocorrelation, pair
from boltzcore.kernels.random import EXCHANGE, GIBBS, PAIR, RESTART, Stream
from boltzcore.learners.base import flat_fields
from boltzcore.reference.draws import Array, Draws, parameters
from boltzcore.reference.rbm import (
    Phases,
    PhasesThen,
    Step,
    difference,
    free_energy,
    gibbs_steps,
    hidden_given_visible,
)
from boltzcore.reference.tempering import bennett, swap_neighbours

ANNEAL, TRAIN, WARM, COLLECT = range(4)
FAMILIES = 10  # chains s, s + 10, s + 20, ... are exchanged with samples of the same numbers, to estimate errors
SWEEPS, LONGEST = 20, 2_000  # sweeps of an update that warms up or collects, and of the longest warm-up


def trajectory_of(state: Any, settings: Any, length: int) -> SimpleNamespace:
    """Return the data of an update: chains x of the model p, and samples y of the frozen model q.

    Parameters
    ----------
    state : TrajectoryState
        State before the update; it is not changed.
    length : int
        Number of updates in an epoch.

    Returns
    -------
    at : SimpleNamespace
        The fields of the state and of its groups: `chains` are x, `samples` are those of q as collected, `reservoir`
        the same after exchanges, y. Also, as W (n, m), b (n,) and c (m,), `model` and `frozen_model`: the model under
        training (in annealing the first model) and q; `settings`; `sweep`, the number of sweeps so far; `step`, the
        options of a step.
    """
    fields = {name.rpartition(".")[2]: value for name, value in flat_fields(state).items()}
    own = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in fields.items()}
    at = SimpleNamespace(**own, settings=settings, sweep=0)
    at.model, at.frozen_model = parameters(state.model), parameters(state.rung.model)
    at.base, at.step = state.base.astype(float), Step.of_update(settings, state, length)
    return at


def trajectory_update(at: Any, minibatch: Array) -> Phases:
    """Yield the phases of one update, which changes `at`.

    The expected share of accepted exchanges decides the next phase. It is an average over the chains, weighted by p(x)
    now over p(x) when they were drawn:

        alpha or more      exchange, Gibbs steps, a step of the parameters
        below alpha        exchange, and freeze: p is fixed while chains warm up and samples are collected
        below alpha_min    p goes back to q, and the rate is halved

    In annealing p moves from independent units to the first model, and is frozen at each step.

    Parameters
    ----------
    at : SimpleNamespace
        As `trajectory_of` returns it.
    minibatch : array (rows, n) of 0 and 1

    Phases: "decide", "rungs", "swap", "gibbs", "freeze", "frozen", "back", "data", "difference", "options", "new".
    """
    if at.phase in (WARM, COLLECT):
        yield from _freeze(at)
        return
    alpha, alpha_min, annealing = at.settings.alpha, at.settings.alpha_min, at.phase == ANNEAL
    if annealing:
        at.heading = min(1.0, at.reached + at.stride)
    log_w = at.energies - free_energy(at.chains, *_p(at))
    w = np.exp(log_w - np.logaddexp.reduce(log_w))
    at.acceptance = acceptance = w @ np.exp(np.minimum(_log_ratios(at, _partners(at, PAIR)), 0))
    yield "decide", {"acceptance": np.array([acceptance])}

    if acceptance < alpha_min or (not annealing and acceptance < alpha and at.since <= 1):
        yield from _go_back(at)
        return
    if annealing and acceptance > 0.6:
        at.stride = min(1.0, 2 * at.stride)
    yield from _exchange(at)
    if annealing or acceptance < alpha:
        at.phase = WARM
        _refill(at)  # after exchanges some chains in the reservoir lag behind their model
        yield "freeze", {}
        return

    data, end = (hidden_given_visible(v, _p(at)[0], _p(at)[2]) for v in (minibatch, at.chains))
    yield "data", data
    G = difference(data, end)
    yield "difference", G
    at.step.rate *= at.factor
    at.model = tuple((yield from at.step.ascend(_p(at), G)).values())
    at.since += 1
    if bound := at.settings.step_bound:  # lower the rate if the log ratios of p(x) now and then spread more
        at.factor = min(1.0, 1.02 * at.factor, at.factor * bound / max(log_w.std(), 1e-9))


def _p(at: Any) -> tuple[Array, Array, Array]:
    """Return the model of the chains: in annealing at the fraction `heading` of the way from independent units."""
    W, b, c = at.model
    return at.heading * W, at.base + at.heading * (b - at.base), at.heading * c


def _exchange(at: Any) -> PhasesThen[Array]:
    """Yield a sweep: each chain x is exchanged with a sample y or not, then takes Gibbs steps.

    Returns a boolean array (C,), True for exchanged chains.
    """
    partners = _partners(at, PAIR)
    v, states = np.stack([at.reservoir[partners], at.chains]), np.repeat([[0], [1]], len(partners), axis=1)
    yield "rungs", {"v": v, "states": states}

    u = Draws(at.seed, EXCHANGE, at.count).uniforms(len(partners), 1, at.sweep).T
    swap = swap_neighbours(v, states, np.zeros(1, int), _log_ratios(at, partners)[None], u)
    yield "swap", swap
    (y, x), on = swap["v"], swap["accepted"][0]
    at.reservoir[partners] = y
    at.reservoir_energies[partners[on]] = free_energy(y[on], *at.frozen_model)

    steps = range(at.sweep * at.settings.K, (at.sweep + 1) * at.settings.K)
    *_, (_, end) = gibbs_steps(x, *_p(at), Draws(at.seed, GIBBS, at.count), steps)
    at.chains, at.energies = end["v"], free_energy(end["v"], *_p(at))
    at.sweep += 1
    yield "gibbs", {"v": at.chains[None]}
    return on


def _log_ratios(at: Any, partners: Array) -> Array:
    """Return D = log p(y) q(x) / (p(x) q(y)) of each chain and its partner, (C,)."""
    of_x = free_energy(at.chains, *_p(at)) - free_energy(at.chains, *at.frozen_model)
    of_y = free_energy(at.reservoir[partners], *_p(at)) - at.reservoir_energies[partners]
    return of_x - of_y


def _freeze(at: Any) -> Phases:
    """Yield up to 20 sweeps in which the chains warm up for 20 autocorrelation times, or samples are collected.

    Samples are two integrated autocorrelation times apart.
    """
    while at.sweep < SWEEPS and at.phase in (WARM, COLLECT):
        accepted = yield from _exchange(at)
        if at.phase == WARM:
            at.swaps = np.vstack([at.swaps, accepted])
            n = len(at.swaps)
            if n == LONGEST or n in SWEEPS * 2 ** np.arange(7):
                integrated, exponential = autocorrelation(at.swaps)
                late, warm = at.swaps[n // 2 :].mean(), n >= 20 * max(integrated, exponential)
                if late < at.settings.alpha_min or (n == LONGEST and not warm):
                    yield from _go_back(at)
                elif warm:
                    at.phase, at.wait, at.waited = COLLECT, math.ceil(2 * integrated), 0
                    at.swaps = at.swaps[:0]
            continue
        at.waited += 1
        if at.waited >= at.wait:
            at.pending, at.waited = np.vstack([at.pending, at.chains]), 0
        if len(at.pending) == len(at.samples):
            yield from _keep(at)


def _keep(at: Any) -> Phases:
    """Yield the end of a freeze: p becomes q, with the samples collected and log Z by Bennett's ratio."""
    energies = free_energy(at.pending, *_p(at))
    forward = free_energy(at.samples, *_p(at)) - at.samples_energies
    backward = free_energy(at.pending, *at.frozen_model) - energies
    at.log_z += bennett(forward, backward)
    at.frozen_model, at.samples, at.samples_energies = _p(at), at.pending, energies
    _refill(at)
    at.pending = at.pending[:0]
    at.reached, at.since, at.frozen = at.heading, 0, at.frozen + 1
    at.phase = TRAIN if at.reached == 1 else ANNEAL
    yield "frozen", {"log_z": np.array([at.log_z])}


def _go_back(at: Any) -> Phases:
    """Yield a rejection: p returns to q, and chains to its samples; halve the rate, or the next annealing step."""
    _refill(at)
    chosen = _partners(at, RESTART)
    at.chains, at.energies = at.samples[chosen], at.samples_energies[chosen]
    at.swaps, at.pending = at.swaps[:0], at.pending[:0]
    at.since, at.heading, at.rejected = 0, at.reached, at.rejected + 1
    if at.reached == 1:
        at.phase, at.model, at.factor = TRAIN, at.frozen_model, at.factor / 2
        for velocity in at.step.velocity.values():
            velocity[:] = 0
    else:
        at.phase, at.stride = ANNEAL, at.stride / 2
    yield "back", dict(zip("Wbc", at.model, strict=True))


def _refill(at: Any) -> None:
    """Reset the reservoir to the samples of q."""
    at.reservoir, at.reservoir_energies = at.samples.copy(), at.samples_energies.copy()


def _partners(at: Any, purpose: int) -> Array:
    """Return a random sample for each chain, (C,), all distinct."""
    n, stream = len(at.chains), Stream(np.uint64(at.seed), purpose, at.count, 0)
    partners = np.empty(n, np.int64)
    pair(n, len(at.samples), FAMILIES, stream, at.sweep * n, partners)
    return partners
