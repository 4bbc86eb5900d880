"""Estimates how long a likelihood takes, so that it can be refused before it is begun."""

from boltzcore.data.examples import Dataset
from boltzcore.inference.annealing import ROW, UNIT, USUAL, Annealing
from boltzcore.models import FVBM, RBM, InfiniteRBM, LogLinear, Model
from boltzcore.models.enumeration import LIMIT

# Operations of one core a second (AMD EPYC Zen 5): weights of annealed chains, and of chains of fractional units; terms
# of enumerated states, and of states with counted units or in tables; terms and products of rows.
ANNEALED, FRACTIONAL, ENUMERATED, COUNTED, TERMS, PRODUCTS = 3e10, 4e9, 3e9, 3e8, 2e8, 4e9


def likelihood_seconds(model: Model, dataset: Dataset, annealing: Annealing = USUAL) -> float:
    """Return about how many seconds of one core the likelihood of a model takes; 0 for a model that has none.

    >>> import numpy as np
    >>> from boltzcore.data import load
    >>> from boltzcore.measures.duration import likelihood_seconds
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.zeros((784, 5_000)), np.zeros(784), np.zeros(5_000))
    >>> 5 < likelihood_seconds(rbm, load("mnist-small")) < 60
    True
    """
    rows, n = sum(map(len, dataset.splits.values())), model.n_visible
    if isinstance(model, LogLinear):
        return model.n_states * n / COUNTED + rows * model.n_terms * n / TERMS
    if isinstance(model, FVBM):
        return model.enumerable * 2.0**n * n / ENUMERATED + rows * n * n / PRODUCTS
    if not isinstance(model, RBM | InfiniteRBM):
        return 0.0
    infinite = isinstance(model, InfiniteRBM)
    hidden = max(model.n_units, model.alpha) if isinstance(model, InfiniteRBM) else model.n_hidden
    if model.enumerable:
        low = n if infinite and n <= LIMIT else min(n, hidden)
        return float(2.0**low * max(n, hidden) / (COUNTED if infinite else ENUMERATED))
    steps = annealing.chains * annealing.temperatures * (n * hidden + UNIT * (n + hidden) + ROW)
    return float(steps / (FRACTIONAL if isinstance(model, InfiniteRBM) and not model.whole else ANNEALED))
