"""Annealed importance sampling: log Z of models that are too large to enumerate, with an interval.

Neal 2001, Annealed importance sampling; Salakhutdinov and Murray 2008, On the quantitative analysis of
deep belief networks; Burda, Grosse and Salakhutdinov 2015, Accurate and conservative estimates of MRF
log-likelihood using reverse annealing.
"""

import math
from dataclasses import dataclass
from functools import partial, singledispatch
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.kernels import annealing as kernels
from boltzcore.kernels import dense, rows
from boltzcore.kernels.elementwise import exp_in_double, log_in_double, softplus_in_double
from boltzcore.kernels.random import ANNEALING, Stream
from boltzcore.models import RBM
from boltzcore.models.base import Model
from boltzcore.models.rbm import base_rate_odds
from boltzcore.parameters import MOST_SEED, Parameters, check_arguments, parameter, whole
from boltzcore.quoting import Refusal, quoted
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle

BLOCK, LEAST = 256, 32  # chains processed together, and fewer for a large model
COST_A_CALL = 600_000_000  # cost of a compiled call, some 10 to 20 milliseconds, in weights per step of a chain
TABLES = 32  # cost of the tables of sums, in chains
UNIT, ROW = 100, 10_000  # cost of a unit, and of a step of a chain, in weights
CHAINS, TEMPERATURES = 1_000_000, 10_000_000  # largest numbers allowed
QUICK_CHAINS = 64  # largest number of chains of a quick estimate
LARGEST = 1e30  # largest field of a unit, so that sums stay within float32
STEEPEST = 1e5  # largest log-odds of a base unit: beyond it, float32 cannot distinguish the likelihoods of its rows


@dataclass(frozen=True, eq=False)
class LogPartition:
    """An estimate of log Z in nats.

    value : the estimate
    low, high : the estimate if the mean weight is three of its standard errors smaller or larger;
        an end is infinite if that reaches zero, and both ends are for a single chain
    log_weights : (chains,) log importance weight of each chain: its exponential alone estimates Z, in reverse 1 / Z
    """

    value: float
    low: float
    high: float
    log_weights: NDArray[np.float64]

    @property
    def effective_sample_size(self) -> float:
        """Effective sample size (sum of weights)**2 / sum of squared weights: the number of equal weights with the same
        information, from 1 to the number of chains.
        """
        weights = exp_in_double(self.log_weights - self.log_weights.max())
        return float(weights.sum() ** 2 / np.square(weights).sum())


@dataclass(frozen=True)
class Annealing(Parameters):
    """Settings for estimates of the likelihood of a model that is too large to enumerate.

    >>> from boltzcore.data import load
    >>> from boltzcore.inference import Annealing
    >>> from boltzcore.models import RBMSetup
    >>> rows = load("bars-and-stripes").train
    >>> rbm = RBMSetup(hidden=8, sigma=1.0).initial(rows, seed=0)
    >>> found = Annealing(temperatures=200).log_partition(rbm, rows.mean())
    >>> found.low < rbm.log_partition() < found.high
    True
    """

    name: ClassVar[str] = "annealing"
    numerics: ClassVar[int] = 1
    chains: int = parameter(
        100,
        low=2,
        high=100_000,
        scale="log",
        help="Number of independent chains, with one importance weight each; their spread gives the interval.",
    )
    temperatures: int = parameter(
        1000,
        low=2,
        high=1_000_000,
        scale="log",
        help="Number of evenly spaced temperatures from the start to the model: more improve the estimate, at a cost.",
    )

    def quick(self) -> "Annealing":
        """Return the settings of quick estimates: at most 64 chains, and a fifth of the temperatures."""
        return self.changed(chains=min(QUICK_CHAINS, self.chains), temperatures=max(2, self.temperatures // 5))

    def log_partition(
        self, model: Model, mean: NDArray[np.float64], *, seed: int = 0, step: int = 0, tick: Tick = idle
    ) -> LogPartition:
        """Return log Z of a model; `mean` (n_visible,), that of the data, also gives the start of the chains."""
        settings = AnnealingSettings(self.chains, self.temperatures, base_rate_odds(mean), seed, step)
        return anneal(model, settings, tick).log_z


USUAL = Annealing()  # default of measures and recipes


def annealed_importance_sampling(
    model: Model,
    *,
    chains: int = 100,
    temperatures: int | ArrayLike = 1000,
    base: ArrayLike | None = None,
    seed: int = 0,
    step: int = 0,
    tick: Tick = idle,
) -> LogPartition:
    """Estimate log Z by annealed importance sampling (Salakhutdinov and Murray 2008): in expectation a lower bound.

    model : an RBM, an InfiniteRBM, an FVBM or a Potts
    chains : the number of chains, at least 1
    temperatures : the number of inverse temperatures, evenly spaced from 0 to 1, or an array of them that increases
        strictly from 0 to 1
    base : (n_visible,) log-odds of the independent units that the chains start from; for a Potts, (n_values,) fields of
        its values; None for 0
    seed, step : chain i uses the random stream (seed, ANNEALING, step, i)

    The mean of e**log_weights is an unbiased estimate of Z, so that its logarithm is too small on average.

    Raises Refusal naming the argument, its value and what is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import annealed_importance_sampling
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.full((6, 3), 0.5), np.zeros(6), np.zeros(3))
    >>> found = annealed_importance_sampling(rbm, temperatures=200)
    >>> found.low < rbm.log_partition() < found.high, found.effective_sample_size > 90  # of 100 chains
    (True, True)
    """
    whole("chains", chains, 1, CHAINS)
    _stream(seed, step)  # refuses what is not such a number, for every model
    return anneal(model, AnnealingSettings(chains, temperatures, base, seed, step), tick).log_z


class AnnealingSettings(NamedTuple):
    """Arguments of annealing, as in `annealed_importance_sampling`."""

    chains: int
    temperatures: int | ArrayLike = 1000
    base: ArrayLike | None = None
    seed: int = 0
    step: int = 0


class Particles(NamedTuple):
    """Annealing towards a model: log Z, and the final states of its weighted chains.

    v : (chains, n_visible) codes
    """

    log_z: LogPartition
    v: NDArray[np.unsignedinteger]


@singledispatch
def anneal(model: Model, settings: AnnealingSettings, tick: Tick) -> Particles:
    """Return the estimate of `annealed_importance_sampling` with the chains."""
    raise Refusal(f"model must be an RBM, an InfiniteRBM, an FVBM or a Potts, not a {type(model).__name__}.", "model")


@anneal.register
def _to_rbm(rbm: RBM, settings: AnnealingSettings, tick: Tick) -> Particles:
    betas, stream = inverse_temperatures(settings.temperatures), _stream(settings.seed, settings.step)
    base = _base(settings.base, rbm)
    log_weights = np.full(settings.chains, _log_base(base, rbm))
    v = np.empty((settings.chains, rbm.n_visible), np.uint8)
    kernels.start(base, stream, v)
    _anneal(rbm, base, betas, log_weights, v, stream, tick)
    return Particles(log_partition_of(log_weights), v)


@check_arguments
def reverse_annealed_importance_sampling(
    rbm: RBM, samples: ArrayLike, *, tick: Tick = idle, **settings: Any
) -> LogPartition:
    """Estimate log Z by annealing from the model to the base (Burda, Grosse and Salakhutdinov 2015): in expectation an
    upper bound.

    samples : (chains, n_visible) of 0/1; the bound holds if they are samples of the model
    settings : temperatures, base, seed and step, as in `annealed_importance_sampling`
    The mean of e**log_weights estimates 1 / Z without bias; so minus its logarithm is, on average, too large.
    Raises Refusal naming the argument, its value and what is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import gibbs, reverse_annealed_importance_sampling
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.full((6, 3), 0.5), np.zeros(6), np.zeros(3))
    >>> samples = gibbs(rbm, np.zeros((100, 6)), 100, seed=1)
    >>> found = reverse_annealed_importance_sampling(rbm, samples, temperatures=200)
    >>> found.low < rbm.log_partition() < found.high
    True
    """
    if not len(v := rbm.check_states(samples, "samples")):
        raise Refusal("samples must be at least one row.", "samples")
    _, temperatures, base, seed, step = AnnealingSettings(len(v), **settings)
    betas, odds, stream = inverse_temperatures(temperatures)[::-1].copy(), _base(base, rbm), _stream(seed, step)
    log_weights = np.full(len(v), -_log_base(odds, rbm))
    _anneal(rbm, odds, betas, log_weights, v, stream, tick)
    found = log_partition_of(log_weights)
    return LogPartition(-found.value, -found.high, -found.low, log_weights)


def log_partition_of(log_weights: NDArray[np.float64]) -> LogPartition:
    """Return the estimate for chains with these log importance weights, and three standard errors of their mean."""
    top = float(log_weights.max())
    weights = exp_in_double(log_weights - top)
    mean = float(weights.mean())
    if len(weights) == 1:
        return LogPartition(top, -math.inf, math.inf, log_weights)
    error = 3 * float(weights.std(ddof=1)) / math.sqrt(len(weights)) / mean
    value = top + float(log_in_double(mean))
    low = value + float(log_in_double(1 - error)) if error < 1 else -math.inf
    return LogPartition(value, low, value + float(log_in_double(1 + error)), log_weights)


def _anneal(
    rbm: RBM,
    base: NDArray[np.float32],
    betas: NDArray[np.float32],
    log_weights: NDArray[np.float64],
    v: NDArray[np.uint8],
    stream: Stream,
    tick: Tick,
) -> None:
    """Move chains v (n, n_visible) through all betas, in place, and add their log-weights to `log_weights`."""
    n, n_betas = len(log_weights), len(betas)
    machine = rows.RBMArrays(dense.whole(rbm.W), dense.whole(rbm.W.T), rbm.b, rbm.c)

    def work(chains: kernels.Chains, first: int, steps: range, low: int, high: int) -> None:
        part = kernels.Chains._make(array[low:high] for array in chains)
        mine = stream._replace(first_row=first + low)
        kernels.anneal(machine, base, betas, part, mine, steps.start, steps.stop)

    block = min(BLOCK, max(LEAST, 2 * COST_A_CALL // rbm.W.size))
    for first in range(0, n, block):
        size = min(block, n - first)
        part = slice(first, first + size)
        chains = kernels.Chains(v[part], rows.blank(size, rbm.n_hidden), log_weights[part])
        piece = max(1, COST_A_CALL // ((size + TABLES) * (rbm.W.size + UNIT * sum(rbm.W.shape) + ROW)))
        for k in range(1, n_betas, piece):
            tick((first + size * k / n_betas) / n)
            share(partial(work, chains, first, range(k, min(k + piece, n_betas))), size)


def _stream(seed: int, step: int) -> Stream:
    seed, step = whole("seed", seed, 0, MOST_SEED), whole("step", step, 0, MOST_SEED)
    return Stream(np.uint64(seed), ANNEALING, step, 0)


def _log_base(base: NDArray[np.float32], rbm: RBM) -> float:
    """Return log Z of the start: independent visible units, and hidden units with probability 1/2."""
    return rbm.n_hidden * math.log(2) + float(softplus_in_double(base).sum())


def inverse_temperatures(temperatures: int | ArrayLike, dtype: type[np.floating] = np.float32) -> NDArray[Any]:
    """Return the (n,) inverse temperatures from 0 to 1."""
    if np.isscalar(temperatures):
        return np.linspace(0, 1, whole("temperatures", temperatures, 2, TEMPERATURES), dtype=dtype)
    allowed = f"a whole number, or 2 to {TEMPERATURES:,} numbers that rise strictly from 0 to 1"
    given = as_numbers("temperatures", temperatures, (None,), allowed, "iuf", least=2).astype(np.float64)
    if len(given) > TEMPERATURES or given[0] != 0 or given[-1] != 1 or not (np.diff(given) > 0).all():
        raise Refusal(f"temperatures must be {allowed}, not {quoted(temperatures)}.", "temperatures")
    return given.astype(dtype)


def base_odds(base: ArrayLike | None, n: int) -> NDArray[np.float64]:
    """Return the log-odds, or fields, of the start, (n,), 0 for None; raise Refusal unless they are such numbers."""
    allowed = f"{n} numbers from {-STEEPEST:,.0f} to {STEEPEST:,.0f}"
    odds = as_numbers("base", np.zeros(n) if base is None else base, (n,), allowed, "iuf").astype(np.float64)
    if not (np.abs(odds) <= STEEPEST).all():
        raise Refusal(f"base must be {allowed}, not {quoted(base)}.", "base")
    return odds


def _base(base: ArrayLike | None, rbm: RBM) -> NDArray[np.float32]:
    """Return the log-odds of the start, (n_visible,); raise Refusal if float32 cannot sum them."""
    odds = base_odds(base, rbm.n_visible)
    size = np.abs(rbm.W.astype(np.float64))
    if max(size.sum(axis=0).max() + np.abs(rbm.c).max(), size.sum(axis=1).max() + np.abs(rbm.b).max()) > LARGEST:
        raise Refusal(
            "The parameters of the model are too large for its likelihood to be estimated: the sum of a unit's "
            f"weights must stay below {LARGEST:g}."
        )
    return odds.astype(np.float32)
