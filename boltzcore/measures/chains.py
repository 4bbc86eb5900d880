"""The autocorrelation of Gibbs chains of a model."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference.gibbs import gibbs, gibbs_path
from boltzcore.measures.measure import Figures, MeasureContext, measure
from boltzcore.models import RBM

CHAINS, BURN_IN, STEPS, LAGS = 40, 100, 400, 200
WINDOW = 5.0


def autocorrelation(chains: ArrayLike, lags: int) -> NDArray[np.float64]:
    """(lags + 1,) autocorrelation of chains (n_chains, time, n_visible), 1 at lag 0.

    At each lag the autocovariance is summed over visible units and averaged over chains, and divided by
    the same at lag 0. All chains are of one model, so that deviations are from one mean over chains and
    time: chains that stay apart from each other count as correlated, which a mean of each chain would hide.
    1 at every lag where nothing moves.
    """
    x = np.asarray(chains, np.float32)
    x = x - x.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)
    products = np.zeros((x.shape[1], x.shape[1]))
    for chain in x:
        products += chain @ chain.T
    covariance = np.array([np.diagonal(products, lag).mean() for lag in range(lags + 1)])
    return covariance / covariance[0] if covariance[0] > 0 else np.ones(lags + 1)


def autocorrelation_time(rho: ArrayLike) -> float | None:
    """Integrated autocorrelation time 1 + 2 (rho_1 + ... + rho_M) in steps, at least 1.

    M is the first lag of at least `WINDOW` times the sum so far (Sokal 1997, section 3). None where the lags given do
    not reach that far: the time is then too long to be estimated from them.
    """
    times = 2 * np.cumsum(np.asarray(rho, np.float64)) - 1
    reached = np.flatnonzero(np.arange(len(times)) >= WINDOW * times)
    return max(1.0, float(times[reached[0]])) if len(reached) else None


@measure(
    {"autocorrelation_time": "Gibbs transitions"},
    about="The autocorrelation time of Gibbs chains that start at training rows. Omitted if it is too long to "
    "estimate.",
)
def chain_autocorrelation(model: RBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Integrated autocorrelation time of 40 Gibbs chains that begin at training rows; left out where it is longer than
    40 steps or so.
    """
    seed, step, tick = context.seed, 2 * context.step, context.tick
    start = gibbs(model, rows.train.spread(CHAINS).v, BURN_IN, seed=seed, step=step, tick=tick)
    path = gibbs_path(model, start, STEPS, seed=seed, step=step + 1, tick=tick)
    time = autocorrelation_time(autocorrelation(path, LAGS))
    return {} if time is None else {"autocorrelation_time": time}
