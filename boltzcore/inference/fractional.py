"""Sampling an infinite RBM with fractional counts: Gibbs steps of an approximating RBM, accepted or rejected.

Ping, Liu and Ihler 2016, section 3.3.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.annealing import (
    AnnealingSettings,
    Particles,
    anneal,
    inverse_temperatures,
    log_partition_of,
)
from boltzcore.inference.gibbs import MOST, gibbs, run_chains
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.kernels.random import Stream
from boltzcore.kernels.units import responses, side_by_side
from boltzcore.models import InfiniteRBM
from boltzcore.parameters import whole
from boltzcore.ticks import Tick, idle, portion


def log_excess(model: InfiniteRBM, v: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return log p of rows under the model minus log p under its `approximation`, (n,), in nats, up to a constant.

    Only the fractional parts f_i of the counts differ: sum_i f_i log(1 + e**(w_i'v)) - log(1 + e**(f_i w_i'v)).
    """
    rest = (model.counts - np.floor(model.counts)).astype(np.float64)
    units, parts = model.units[rest > 0], rest[rest > 0]
    small = (parts[:, None] * units).astype(np.float32)  # rounded as in the approximation
    blocks, total = side_by_side(v), np.zeros(len(v))
    softplus = np.empty(blocks.shape[::2], np.float32)
    for unit, count in zip((*units, *small), (*parts, *-np.ones(len(parts))), strict=True):
        responses(blocks, unit, softplus)
        total += count * softplus.reshape(-1)[: len(v)]
    return total


def metropolis(
    model: InfiniteRBM,
    v: ArrayLike,
    steps: int,
    *,
    seed: int,
    step: int = 0,
    purpose: int = streams.SAMPLE,
    share: float = 1.0,
    tick: Tick = idle,
) -> tuple[NDArray[np.uint8], float]:
    """Return (rows v after some Metropolis-Hastings steps, share of accepted proposals).

    A proposal is a Gibbs step of `model.approximation()`; it is accepted with probability min(1, A), A of section 3.3.
    share : position between the approximation, 0, and the model itself, 1: distributions proportional to
        approximation**(1 - share) * model**share
    Raises Refusal for invalid rows, steps or seeds.
    """
    steps, seed = whole("steps", steps, 0, MOST), whole("seed", seed, 0, MOST)
    rbm, v = model.approximation(), model.check_states(v)
    if model.whole or share == 0.0:
        return gibbs(rbm, v, steps, seed=seed, step=step, purpose=purpose, tick=tick), 1.0
    uniform, accepted = streams.generator(seed, streams.ACCEPT, step * 64 + purpose), 0
    now = log_excess(model, v)
    for k in range(steps):
        part = portion(tick, k / steps, 1 / steps)
        new = gibbs(rbm, v, 1, seed=seed, step=step + (k << 40), purpose=purpose, tick=part)
        then = log_excess(model, new)
        odds = exp_in_double(np.minimum(share * (then - now), 0.0))
        accept = uniform.random(len(v)) < odds
        v[accept], now[accept] = new[accept], then[accept]
        accepted += int(accept.sum())
    return v, accepted / (steps * len(v)) if steps and len(v) else math.nan


@run_chains.register
def _by_proposals(model: InfiniteRBM, v: ArrayLike, steps: int, stream: Stream, tick: Tick) -> NDArray[np.uint8]:
    seed, purpose, step, _ = stream
    return metropolis(model, v, steps, seed=int(seed), step=step, purpose=purpose, tick=tick)[0]


@anneal.register
def _to_fractional(model: InfiniteRBM, settings: AnnealingSettings, tick: Tick) -> Particles:
    """Anneal to the approximation, then from it to the model by a tenth as many steps of `metropolis`."""
    found, v = anneal(model.approximation(), settings, portion(tick, 0.0, 0.5))
    if not model.counts.any():  # the approximation has one unit of weight 0, which doubles Z
        return Particles(log_partition_of(found.log_weights - math.log(2)), v)
    if model.whole:
        return Particles(found, v)
    bridge = max(10, len(inverse_temperatures(settings.temperatures)) // 10)
    log_weights = found.log_weights.copy()
    for k in range(bridge):
        log_weights += log_excess(model, v) / bridge
        if k + 1 < bridge:
            v, _ = metropolis(
                model,
                v,
                1,
                seed=settings.seed,
                step=settings.step + (k << 40),
                purpose=streams.BRIDGE,
                share=(k + 1) / bridge,
                tick=portion(tick, 0.5 + 0.5 * k / bridge, 0.5 / bridge),
            )
    return Particles(log_partition_of(log_weights), v)
