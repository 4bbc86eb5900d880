"""Rows drawn from a model itself, and its pixels' marginals: by listing the states of a small layer, else by annealing.

Chains that start anywhere and take any number of Gibbs steps need not come to where a model is. States that are listed
are drawn by their probability; where none can be, chains are annealed from independent pixels to the model and drawn by
their importance weights (Neal 2001), of which the effective sample size says how many count.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.annealing import (
    AnnealingSettings,
    LogPartition,
    Particles,
    annealed,
    inverse_temperatures,
    log_partition_of,
)
from boltzcore.inference.gibbs import gibbs
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double, softplus_in_double
from boltzcore.models import FVBM, RBM, InfiniteRBM, enumeration
from boltzcore.models.rbm import base_rate_odds
from boltzcore.models.spectrum import Layout
from boltzcore.models.state_probabilities import PART, draw, marginals_of
from boltzcore.parameters import whole
from boltzcore.ticks import Tick, idle, portion

Sampled = RBM | InfiniteRBM | FVBM
MOST = 10_000_000  # rows
CHAINS = 100, 1_000  # that are annealed, at least and at most
EFFORTS = 1_000, 4_000  # temperatures, the more where few chains count
ENOUGH, LEAST = 0.3, 0.1  # share of the chains that count: enough to be content with; below which it is said
STEPS = 20  # of Gibbs sampling that part rows which come from one chain
COMPLETED = 16  # units of which all states are compared
LISTED, FACTORS = 20, 2**26  # units of a layer, and factors, that marginals are summed over: a second at most
TEMPERATURES, PATH = 200, 100  # of the annealing, and steps of each chain, that marginals are estimated by
NEGLIGIBLE = 1e-6  # probability of all states together that a sum leaves out


@dataclass(frozen=True, eq=False)
class Samples:
    """Rows drawn from a model.

    v : (n, n_visible) uint8
    effective : as how many independent rows they count; n where they are `exact`
    reliable : whether they are exact, or a tenth of the annealed chains count
    log_z : log Z in nats, as exact as they are
    """

    v: NDArray[np.uint8]
    effective: float
    exact: bool
    reliable: bool
    log_z: LogPartition


def draw_samples(
    model: Sampled, n: int = 1, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> Samples:
    """Draw rows from a model: exactly and independently where it is `enumerable` (a layer of at most 25 units), in up
    to 0.3 GB; else from chains annealed through 1,000 temperatures, 4,000 where less than 0.3 of them count.
    That they are `reliable` is no guarantee: annealing may miss a narrow mode altogether, and most chains count then.

    mean : (n_visible,) how often each pixel is on where annealing begins, as in the training rows; None for halves
    Raises Refusal naming the argument, its value and what is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import draw_samples
    >>> from boltzcore.models import RBM
    >>> two_modes = RBM(np.full((12, 4), 4.0), np.full(12, -8.0), np.full(4, -24.0))
    >>> found = draw_samples(two_modes, 1000)
    >>> found.exact, bool(0.4 < found.v.mean() < 0.6)
    (True, True)
    """
    n, seed = whole("n", n, 1, MOST), whole("seed", seed, 0, 2**63 - 1)
    if model.enumerable:
        log_z = model.log_partition(tick=portion(tick, 0.0, 0.5))
        v = _listed(model, n, seed, portion(tick, 0.5, 0.5))
        return Samples(v, float(n), True, True, LogPartition(log_z, log_z, log_z, np.array([log_z])))
    chains = min(max(n, CHAINS[0]), CHAINS[1])
    for k, temperatures in enumerate(EFFORTS):
        part = portion(tick, 0.1 * k, 0.1 + 0.7 * k)
        found = annealed(model, _settings(chains, temperatures, mean, seed, k), part)
        if found.log_z.effective_sample_size >= ENOUGH * chains:
            break
    effective = found.log_z.effective_sample_size
    v = gibbs(model, _by_weight(found, n, seed), STEPS, seed=seed, step=1, tick=portion(tick, 0.9, 0.1))
    return Samples((v > 0).astype(np.uint8), min(effective, n), False, effective >= LEAST * chains, found.log_z)


def exact_rows(model: RBM, n: int, seed: int) -> NDArray[np.uint8]:
    """(n, n_visible) rows drawn from a small RBM, exactly: hidden states by enumeration, then pixels given them."""
    states = np.arange(2**model.n_hidden)
    h = (states[:, None] >> np.arange(model.n_hidden) & 1).astype(np.float64)
    fields = h @ model.W.T.astype(np.float64) + model.b
    weights = h @ model.c + np.logaddexp(0, fields).sum(axis=1)
    p = np.exp(weights - weights.max())
    generator = streams.generator(seed, streams.TRUTH)
    chosen = generator.choice(len(p), n, p=p / p.sum())
    return (generator.random((n, model.n_visible)) < 1 / (1 + np.exp(-fields[chosen]))).astype(np.uint8)


def conditional(model: Sampled, values: NDArray, known: NDArray[np.bool_]) -> Sampled:
    """The model of the pixels that are not known, given those that are (0/1)."""
    held = values[known].astype(np.float64)
    if isinstance(model, FVBM):
        return FVBM(model.M[np.ix_(~known, ~known)], model.b[~known] + model.M[np.ix_(~known, known)] @ (2 * held - 1))
    if isinstance(model, RBM):
        return RBM(model.W[~known], model.b[~known], (model.c + held @ model.W[known]).astype(np.float32))
    pixels, bias = model.units[:, :-1], model.units[:, -1]
    units = np.column_stack([pixels[:, ~known], bias + pixels[:, known] @ held])
    return InfiniteRBM(units, model.counts, model.b[~known])


def marginals(
    model: Sampled, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> NDArray[np.float64]:
    """(n_visible,) p(v_i = 1): exact where `sums_over_states`, else the mean over 100 Gibbs steps of each of 100 chains
    that are annealed through 200 temperatures, with a standard error of .05 at most where all of them count.
    mean : as of `draw_samples`
    """
    if sums_over_states(model):
        p, bits, hidden = _states(model, tick)
        p /= p.sum()
        if hidden is None:
            return np.array([each[1] for each in marginals_of(p, bits)])
        likely = np.flatnonzero(p > NEGLIGIBLE / len(p))
        parts = np.array_split(likely, 1 + len(likely) * model.n_visible // PART)
        return np.sum([(p[few, None] * _given(hidden, bits.digits(few))).sum(axis=0) for few in parts], axis=0)
    v = _chains(model, mean, seed, tick)
    total = np.zeros(v.shape)
    for step in range(PATH):
        v = gibbs(model, v, 1, seed=seed, step=step + 1)
        total += v > 0
    return total.mean(axis=0) / PATH


def most_likely(
    model: Sampled, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> NDArray[np.uint8]:
    """(n_visible,) the most probable row: exact up to 16 units, of an FVBM up to 25. Beyond that a local maximum by
    coordinate ascent, which changes the one unit that raises p(v) the most until none does, from the most probable of
    100 draws and of their majority vote; draws are exact if `sums_over_states`, else from annealed chains.
    mean : as of `draw_samples`
    """
    if model.n_visible <= COMPLETED or (isinstance(model, FVBM) and model.enumerable):
        p, units, _ = _states(model, tick, visible=True)
        return units.digits(np.array([p.argmax()]))[0].astype(np.uint8)
    exact = sums_over_states(model)
    draws = _listed(model, CHAINS[0], seed, tick) if exact else _chains(model, mean, seed, tick) > 0
    found = min(np.vstack([draws, draws.mean(axis=0) > 0.5]).astype(np.uint8), key=lambda v: _energies(model, v[None]))
    flips = np.eye(model.n_visible + 1, model.n_visible, k=-1, dtype=np.uint8)  # the first one changes nothing
    while best := _energies(model, found ^ flips).argmin():
        found = found ^ flips[best]
    return found


def _energies(model: Sampled, v: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(n,) -log p(v) of each row, but for a constant."""
    if not isinstance(model, FVBM):
        return model.free_energy(v)
    x = 2.0 * v - 1.0
    return -0.5 * (x * (model.field(x) + model.b)).sum(axis=1)


def _chains(model: Sampled, mean: ArrayLike | None, seed: int, tick: Tick) -> NDArray:
    """(100, n_visible) rows of annealed chains, by their weights."""
    return _by_weight(annealed(model, _settings(CHAINS[0], TEMPERATURES, mean, seed, 0), tick), CHAINS[0], seed)


def sums_over_states(model: Sampled) -> bool:
    """Return whether `marginals` are exact: a layer has at most 20 units, and the sum over its states 2**26 factors or
    less; of an FVBM up to 25 units.
    """
    if isinstance(model, FVBM):
        return model.enumerable
    width = model.n_hidden if isinstance(model, RBM) else model.n_units
    hidden = width if isinstance(model, RBM) else model.alpha if model.whole else math.inf
    few = min(model.n_visible, hidden)
    return few <= LISTED and 2**few * max(model.n_visible, width) <= FACTORS


def _settings(chains: int, temperatures: int, mean: ArrayLike | None, seed: int, step: int) -> AnnealingSettings:
    base = None if mean is None else base_rate_odds(np.asarray(mean, np.float64))
    return AnnealingSettings(chains, temperatures, base, seed, step)


def _by_weight(found: Particles, n: int, seed: int) -> NDArray[np.uint8]:
    """(n, n_visible) chains, each as often as it weighs but for rounding (systematic resampling), in random order."""
    log_weights, generator = found.log_z.log_weights, streams.generator(seed, streams.SAMPLE)
    ends = np.cumsum(exp_in_double(log_weights - log_weights.max()))
    at = np.searchsorted(ends, (np.arange(n) + generator.random()) / n * ends[-1], side="right")
    return found.v[generator.permutation(np.minimum(at, len(ends) - 1))]


def _listed(model: Sampled, n: int, seed: int, tick: Tick) -> NDArray[np.uint8]:
    p, bits, hidden = _states(model, tick)
    drawn = draw(p, bits, n, seed).astype(np.uint8)
    if hidden is None:
        return drawn
    v, generator = np.empty((n, model.n_visible), np.uint8), streams.generator(seed, streams.SAMPLE, 1)
    for rows in np.array_split(np.arange(n), 1 + n * model.n_visible // PART):
        v[rows] = generator.random((len(rows), model.n_visible)) < _given(hidden, drawn[rows])
    return v


def _states(model: Sampled, tick: Tick, *, visible: bool = False) -> tuple[NDArray[np.float64], Layout, RBM | None]:
    """(how probable each state of the smaller layer, or of the visible one, is, but for a factor; its units; the RBM
    whose hidden layer it is, None for a visible layer).
    """
    if isinstance(model, InfiniteRBM) and model.whole and model.alpha < model.n_visible and not visible:
        model = model.to_rbm()
    if isinstance(model, FVBM):
        return model.probabilities(tick=tick), Layout((2,) * model.n_visible), None
    if isinstance(model, InfiniteRBM):
        hidden, out = None, model.log_weights(tick=tick)
    else:
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
    """(n, n_visible) p(v = 1 | h)."""
    odds: NDArray[np.float64] = exp_in_double(-model.visible_field(h))
    return 1.0 / (1.0 + odds)


@annealed.register
def _to_fvbm(model: FVBM, settings: AnnealingSettings, tick: Tick) -> Particles:
    """From independent units, by a sweep of Gibbs sampling at each temperature."""
    b = np.zeros(model.n_visible) if settings.base is None else 0.5 * np.asarray(settings.base)
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
