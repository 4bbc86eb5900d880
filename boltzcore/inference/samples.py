"""Samples of a model, and marginals of its columns, by enumerating a small layer or a table of states, or by annealing.

Chains from arbitrary starts need not reach the model's distribution in any number of Gibbs steps. Enumerated states are
drawn by their probability; otherwise chains are annealed from independent pixels to the model and drawn by their
importance weights (Neal 2001), whose effective sample size is reported.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.inference.annealing import (
    AnnealingSettings,
    LogPartition,
    Particles,
    anneal,
    base_odds,
    inverse_temperatures,
    log_partition_of,
)
from boltzcore.inference.gibbs import gibbs
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double, log_in_double, softplus_in_double
from boltzcore.models import FVBM, RBM, InfiniteRBM, LogLinear, Potts, enumeration
from boltzcore.models.base import Model
from boltzcore.models.rbm import base_rate_odds
from boltzcore.models.spectrum import Layout
from boltzcore.models.state_probabilities import PART, draw, marginals_of
from boltzcore.parameters import check_arguments, whole
from boltzcore.ticks import Tick, idle, portion

Sampled = RBM | InfiniteRBM | FVBM | LogLinear | Potts
MOST = 10_000_000  # largest number of rows
CHAINS = 100, 1_000  # smallest and largest number of annealed chains
EFFORTS = 1_000, 4_000  # temperatures, and those of a second attempt if too few chains are effective
ENOUGH, LEAST = 0.3, 0.1  # effective share of the chains that suffices, and below which samples are unreliable
STEPS = 20  # Gibbs steps between rows from one chain
COMPLETED = 16  # largest number of units whose states are all compared
LISTED, FACTORS = 20, 2**26  # largest layer, and number of factors, in sums for marginals: at most a second
TEMPERATURES, PATH = 200, 100  # temperatures of the annealing, and steps of each chain, for estimated marginals
NEGLIGIBLE = 1e-6  # total probability of the states that a sum leaves out


@dataclass(frozen=True, eq=False)
class Samples:
    """Rows drawn from a model.

    v : (n, n_visible) codes, uint8 if no column has more than 256 values
    effective : effective number of independent rows; n if they are `exact`
    reliable : True if they are exact, or a tenth of the annealed chains is effective
    log_z : log Z in nats, exact if they are
    """

    v: NDArray[np.unsignedinteger]
    effective: float
    exact: bool
    reliable: bool
    log_z: LogPartition


@check_arguments
def draw_samples(
    model: Sampled, n: int = 1, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> Samples:
    """Draw rows from a model: exactly and independently if it is `enumerable` (a layer of at most 25 units), in up to
    0.3 GB; else from chains annealed through 1,000 temperatures, or 4,000 if less than 0.3 of them are effective.
    `reliable` is no guarantee: annealing may miss a narrow mode altogether, and most chains are effective then.

    mean : (n_visible,) mean of each pixel at the start of annealing, as in the training rows; for a Potts model
        (n_values,) share of each value in its column; None for equal shares
    Raises Refusal naming the argument, its value and what is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import draw_samples
    >>> from boltzcore.models import RBM
    >>> two_modes = RBM(np.full((12, 4), 4.0), np.full(12, -8.0), np.full(4, -24.0))
    >>> found = draw_samples(two_modes, 1000)
    >>> found.exact, bool(0.4 < found.v.mean() < 0.6)
    (True, True)
    """
    n = whole("n", n, 1, MOST)
    if model.enumerable:
        log_z = model.log_partition(tick=portion(tick, 0.0, 0.5))
        v = _listed(model, n, seed, portion(tick, 0.5, 0.5))
        return Samples(v, float(n), True, True, LogPartition(log_z, log_z, log_z, np.array([log_z])))
    chains = min(max(n, CHAINS[0]), CHAINS[1])
    for k, temperatures in enumerate(EFFORTS):
        part = portion(tick, 0.45 * k, 0.45)  # a second attempt takes four times as long, but most need none
        found = anneal(model, _settings(model, chains, temperatures, mean, seed, k), part)
        if found.log_z.effective_sample_size >= ENOUGH * chains:
            break
    effective = found.log_z.effective_sample_size
    v = gibbs(model, _by_weight(found, n, seed), STEPS, seed=seed, step=1, tick=portion(tick, 0.9, 0.1))
    return Samples(_codes(model, v), min(effective, n), False, effective >= LEAST * chains, found.log_z)


def exact_rows(model: RBM, n: int, seed: int) -> NDArray[np.uint8]:
    """Return rows (n, n_visible) drawn exactly from a small RBM: hidden states first, then pixels given them."""
    states = np.arange(2**model.n_hidden)
    h = (states[:, None] >> np.arange(model.n_hidden) & 1).astype(np.float64)
    fields = h @ model.W.T.astype(np.float64) + model.b
    weights = h @ model.c + np.logaddexp(0, fields).sum(axis=1)
    p = np.exp(weights - weights.max())
    generator = streams.generator(seed, streams.TRUTH)
    chosen = generator.choice(len(p), n, p=p / p.sum())
    return (generator.random((n, model.n_visible)) < 1 / (1 + np.exp(-fields[chosen]))).astype(np.uint8)


def conditional(model: Sampled, values: NDArray, known: NDArray[np.bool_]) -> Sampled:
    """Return the model of the unknown columns, given the codes of the known ones."""
    if isinstance(model, LogLinear | Potts):
        return model.conditioned({i: int(values[i]) for i in np.flatnonzero(known).tolist()})
    held = values[known].astype(np.float64)
    if isinstance(model, FVBM):
        return FVBM(model.M[np.ix_(~known, ~known)], model.b[~known] + model.M[np.ix_(~known, known)] @ (2 * held - 1))
    if isinstance(model, RBM):
        return RBM(model.W[~known], model.b[~known], (model.c + held @ model.W[known]).astype(np.float32))
    pixels, bias = model.units[:, :-1], model.units[:, -1]
    units = np.column_stack([pixels[:, ~known], bias + pixels[:, known] @ held])
    return InfiniteRBM(units, model.counts, model.b[~known])


def law_of(model: Model) -> LogLinear | None:
    """Return the log-linear model with a model's distribution, for exact answers; None if the model is of another kind,
    or has too many states.
    """
    return model.law if isinstance(model, LogLinear | Potts) and model.enumerable else None


def sizes_of(model: Model) -> tuple[int, ...]:
    """Return the number of values of each column of a model."""
    if isinstance(model, Potts):
        return tuple(model.levels.tolist())
    return model.layout.cardinalities if isinstance(model, LogLinear) else (2,) * model.n_visible


def marginals(
    model: Sampled, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> list[NDArray[np.float64]]:
    """Return P(v_i) of each column, (values,): exact if `sums_over_states`, else the mean over 100 Gibbs steps of each
    of 100 chains annealed through 200 temperatures, with a standard error of at most .05 if all of them are effective.
    mean : as in `draw_samples`
    """
    if sums_over_states(model):
        p, bits, hidden = _states(model, tick)
        if hidden is None:
            return marginals_of(p, bits)
        p /= p.sum()
        likely = np.flatnonzero(p > NEGLIGIBLE / len(p))
        parts = np.array_split(likely, 1 + len(likely) * model.n_visible // PART)
        on = np.sum([(p[few, None] * _given(hidden, bits.digits(few))).sum(axis=0) for few in parts], axis=0)
        return list(np.column_stack([1 - on, on]))
    v, total = _chains(model, mean, seed, tick), np.zeros(sum(sizes_of(model)))
    for step in range(PATH):
        v = _codes(model, gibbs(model, v, 1, seed=seed, step=step + 1))
        total += _counts(model, v)
    return np.split(total / len(v) / PATH, np.cumsum(sizes_of(model))[:-1])


def most_likely(
    model: Sampled, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> NDArray[np.unsignedinteger]:
    """Return the most probable row, (n_visible,): exact up to 16 units, for an FVBM up to 25, for a model of codes if
    it is `enumerable`. Otherwise a local maximum by coordinate ascent, which changes the one column that raises p(v)
    most until none does, from the most probable of 100 samples and of the most frequent value of each column in them;
    samples are exact if `sums_over_states`, else from annealed chains.
    mean : as in `draw_samples`
    """
    visible_alone = isinstance(model, FVBM | LogLinear | Potts)
    if model.enumerable if visible_alone else model.n_visible <= COMPLETED:
        p, units, _ = _states(model, tick, visible=True)
        return units.digits(np.array([p.argmax()]))[0].astype(_type(model))
    exact, sizes = sums_over_states(model), np.array(sizes_of(model))
    draws = _listed(model, CHAINS[0], seed, tick) if exact else _chains(model, mean, seed, tick)
    usual = [counts.argmax() for counts in np.split(_counts(model, draws), np.cumsum(sizes)[:-1])]
    found = min(np.vstack([draws, np.array(usual, draws.dtype)]), key=lambda v: _energies(model, v[None]))
    column = np.repeat(np.arange(len(sizes)), sizes - 1)
    shifts = np.zeros((len(column) + 1, len(sizes)), np.int64)  # the first shift changes nothing
    shifts[1 + np.arange(len(column)), column] = np.concatenate([np.arange(1, size) for size in sizes])
    while best := _energies(model, ((found + shifts) % sizes).astype(draws.dtype)).argmin():
        found = ((found + shifts[best]) % sizes).astype(draws.dtype)
    return found


def _energies(model: Sampled, v: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return -log p(v) of each row, (n,), up to a constant."""
    if isinstance(model, LogLinear | Potts):
        return -model.log_weight(v)
    if not isinstance(model, FVBM):
        return model.free_energy(v)
    x = 2.0 * v - 1.0
    return -0.5 * (x * (model.field(x) + model.b)).sum(axis=1)


def _chains(model: Sampled, mean: ArrayLike | None, seed: int, tick: Tick) -> NDArray[np.unsignedinteger]:
    """Return codes of annealed chains, (100, n_visible), resampled by their weights."""
    return _by_weight(anneal(model, _settings(model, CHAINS[0], TEMPERATURES, mean, seed, 0), tick), CHAINS[0], seed)


def _type(model: Sampled) -> np.dtype:
    """Return the smallest type for the codes of the model."""
    return np.min_scalar_type(max(sizes_of(model)) - 1)


def _codes(model: Sampled, v: NDArray) -> NDArray[np.unsignedinteger]:
    """Return the codes of rows, (n, n_visible); rows of an FVBM are spins."""
    return (v > 0).astype(np.uint8) if isinstance(model, FVBM) else v


def _counts(model: Sampled, v: NDArray[np.unsignedinteger]) -> NDArray[np.int64]:
    """Return the number of rows with each value, (values of all columns,), column by column."""
    ends = np.cumsum(sizes_of(model))
    return np.bincount((np.append(0, ends[:-1]) + v).reshape(-1), minlength=ends[-1])


def sums_over_states(model: Sampled) -> bool:
    """Return True if `marginals` are exact: a layer has at most 20 units, and the sum over its states at most 2**26
    factors; for an FVBM up to 25 units, for models of codes if they are `enumerable`.
    """
    if isinstance(model, FVBM | LogLinear | Potts):
        return model.enumerable
    width = model.n_hidden if isinstance(model, RBM) else model.n_units
    hidden = width if isinstance(model, RBM) else model.alpha if model.whole else math.inf
    few = min(model.n_visible, hidden)
    return few <= LISTED and 2**few * max(model.n_visible, width) <= FACTORS


def _settings(
    model: Sampled, chains: int, temperatures: int, mean: ArrayLike | None, seed: int, step: int
) -> AnnealingSettings:
    if mean is None:
        return AnnealingSettings(chains, temperatures, None, seed, step)
    n = model.n_values if isinstance(model, Potts) else model.n_visible
    shares = as_numbers("mean", mean, (n,), f"{n} numbers from 0 to 1").astype(np.float64)
    base = log_in_double(np.maximum(shares, 1e-3)) if isinstance(model, Potts) else base_rate_odds(shares)
    return AnnealingSettings(chains, temperatures, base, seed, step)


def _by_weight(found: Particles, n: int, seed: int) -> NDArray[np.unsignedinteger]:
    """Return chains (n, n_visible), resampled in proportion to weight (systematic resampling), in random order."""
    log_weights, generator = found.log_z.log_weights, streams.generator(seed, streams.SAMPLE)
    ends = np.cumsum(exp_in_double(log_weights - log_weights.max()))
    at = np.searchsorted(ends, (np.arange(n) + generator.random()) / n * ends[-1], side="right")
    return found.v[generator.permutation(np.minimum(at, len(ends) - 1))]


def _listed(model: Sampled, n: int, seed: int, tick: Tick) -> NDArray[np.unsignedinteger]:
    p, bits, hidden = _states(model, tick)
    drawn = draw(p, bits, n, seed).astype(_type(model))
    if hidden is None:
        return drawn
    v, generator = np.empty((n, model.n_visible), np.uint8), streams.generator(seed, streams.SAMPLE, 1)
    for rows in np.array_split(np.arange(n), 1 + n * model.n_visible // PART):
        v[rows] = generator.random((len(rows), model.n_visible)) < _given(hidden, drawn[rows])
    return v


def _states(model: Sampled, tick: Tick, *, visible: bool = False) -> tuple[NDArray[np.float64], Layout, RBM | None]:
    """Return (unnormalised probability of each state of the smaller layer, or of the visible one; its units; the RBM of
    that hidden layer, None for a visible layer).
    """
    if isinstance(model, InfiniteRBM) and model.whole and model.alpha < model.n_visible and not visible:
        model = model.to_rbm()
    if law := law_of(model):
        return law.probabilities(tick=tick), law.layout, None
    if isinstance(model, FVBM):
        return model.probabilities(tick=tick), Layout((2,) * model.n_visible), None
    if isinstance(model, InfiniteRBM):
        hidden, out = None, model.log_weights(tick=tick)
    else:
        assert isinstance(model, RBM)
        hidden = model if model.n_hidden < model.n_visible and not visible else None
        layers = (model.W, model.b, model.c) if hidden is None else (model.W.T, model.c, model.b)
        out, at = np.empty(1 << len(layers[1])), 0
        for block in enumeration.log_weights(*layers, tick):
            out[at : at + block.size] = block.reshape(-1)
            at += block.size
    top = out.max()
    for i in range(0, len(out), PART):
        out[i : i + PART] = exp_in_double(out[i : i + PART] - top)
    return out, Layout((2,) * (len(out).bit_length() - 1)), hidden


def _given(model: RBM, h: NDArray) -> NDArray[np.float64]:
    """Return p(v = 1 | h), (n, n_visible)."""
    odds: NDArray[np.float64] = exp_in_double(-model.visible_field(h))
    return 1.0 / (1.0 + odds)


@anneal.register
def _to_fvbm(model: FVBM, settings: AnnealingSettings, tick: Tick) -> Particles:
    """Anneal from independent units, by a sweep of Gibbs sampling at each temperature."""
    b = 0.5 * base_odds(settings.base, model.n_visible)
    uniforms = streams.generator(settings.seed, streams.ANNEALING, settings.step).random((settings.chains, len(b)))
    v = np.where(uniforms < exp_in_double(-softplus_in_double(-2 * b)), np.int8(1), np.int8(-1))
    log_weights = np.full(settings.chains, float((softplus_in_double(2 * b) - b).sum()))
    betas = inverse_temperatures(settings.temperatures, np.float64)
    for k, beta in enumerate(betas[1:]):
        tick(k / len(betas))
        log_weights += (beta - betas[k]) * (v * (0.5 * (model.field(v) + model.b) - b)).sum(axis=1)
        warmed = FVBM(beta * model.M, b + beta * (model.b - b))
        v = gibbs(warmed, v, 1, seed=settings.seed, step=settings.step + (k << 40), purpose=streams.ANNEALING)
    return Particles(log_partition_of(log_weights), (v > 0).astype(np.uint8))


@anneal.register
def _to_potts(model: Potts, settings: AnnealingSettings, tick: Tick) -> Particles:
    """Anneal from independent columns, whose values have fields `base`, by a Gibbs sweep at each temperature."""
    h = base_odds(settings.base, model.n_values)
    start = warmed = Potts(model.levels, h, np.zeros_like(model.J))
    v = np.zeros((settings.chains, model.n_visible), np.uint8)
    log_z = h[model.first].sum() - start.log_pseudo_likelihood(v[:1])  # independent columns: this is their likelihood
    log_weights, betas = np.repeat(log_z, len(v)), inverse_temperatures(settings.temperatures, np.float64)
    for k, beta in enumerate(betas):
        tick(k / len(betas))
        if k:
            log_weights += (beta - betas[k - 1]) * (model.log_weight(v) - h[model.first + v].sum(axis=1))
            warmed = Potts(model.levels, h + beta * (model.h - h), beta * model.J)
        v = gibbs(warmed, v, 1, seed=settings.seed, step=settings.step + (k << 40), purpose=streams.ANNEALING)
    return Particles(log_partition_of(log_weights), v)
