"""RBMs, with a fixed number of hidden units or one found by Frank-Wolfe."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from boltzcore.data.examples import Examples
from boltzcore.estimators.base import hidden_units
from boltzcore.estimators.density import Density
from boltzcore.inference.annealing import Annealing, LogPartition
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.base import State
from boltzcore.models import RBMSetup
from boltzcore.models.base import Setup


class _Restricted(TransformerMixin, ClassNamePrefixFeaturesOutMixin, Density):
    """Base of the estimators of both kinds of RBM."""

    @property
    def log_partition_(self) -> LogPartition:
        """log Z in nats, with an interval: exact if one layer has at most 25 units, else estimated by annealed
        importance sampling with the seed of the training, so that it is always the same.
        """
        check_is_fitted(self)
        if not hasattr(self, "_log_partition"):
            model = self.model_
            if model.enumerable or model.weightless:
                value = model.log_partition()
                self._log_partition = LogPartition(value, value, value, np.array([value]))
            else:
                self._log_partition = Annealing().log_partition(model, self._mean, seed=self._seed_)
        return self._log_partition

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return log p of each row, (n_samples,), nats: exact if `log_partition_` is, else an estimate."""
        found: NDArray[np.float64] = -self.model_.free_energy(self._checked(X)) - self.log_partition_.value
        return found

    def _fit_attributes(self, state: State, data: Examples, length: int) -> dict[str, Any]:
        self.__dict__.pop("_log_partition", None)
        return super()._fit_attributes(state, data, length) | {"_mean": data.mean()}

    @property
    def _n_features_out(self) -> int:
        return len(self._hidden()[1])

    def _hidden(self) -> tuple[NDArray, NDArray]:
        """Return (weights (n_features, hidden units), hidden biases)."""
        return self.model_.W, self.model_.c

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return p(h = 1 | row) of each hidden unit, (n_samples, hidden units)."""
        rows = self._checked(X)
        W, c = self._hidden()
        found: NDArray[np.float64] = 1 / (1 + exp_in_double(-(rows.astype(np.float64) @ W.astype(np.float64) + c)))
        return found


@dataclass(kw_only=True, eq=False, repr=False)
class RestrictedBoltzmann(_Restricted):
    """A restricted Boltzmann machine (`boltzcore.models.RBM`), learnt by any of its learners.

    Parameters: n_hidden, the number of hidden units; sigma, the standard deviation of the weights at the start; and
    those of `Estimator`. The usual learner is `PCD()`.

    >>> from boltzcore.data import load
    >>> from boltzcore.estimators import RestrictedBoltzmann
    >>> X = load("bars-and-stripes").train.v
    >>> rbm = RestrictedBoltzmann(8, learner="PCD", max_iter=2000, random_state=0).fit(X)
    >>> bool(rbm.score(X) > -6)
    True
    >>> rbm.transform(X).shape
    (14, 8)
    >>> rbm.sample(3, random_state=0).shape
    (3, 9)
    """

    NAME: ClassVar[str] = "rbm"
    USUAL: ClassVar[str] = "PCD"

    n_hidden: int = field(default=64, kw_only=False)
    sigma: float = 0.01

    def _setup(self) -> Setup:
        return RBMSetup(hidden=hidden_units(self.n_hidden, RBMSetup), sigma=self.sigma)


class InfiniteRestrictedBoltzmann(_Restricted):
    """An infinite RBM (`boltzcore.models.InfiniteRBM`), whose hidden units Frank-Wolfe inserts one at a time.

    Parameters: those of `Estimator`; max_iter is the number of insertions at most. The usual learner is
    `FrankWolfe()`.

    >>> from boltzcore.data import load
    >>> from boltzcore.estimators import InfiniteRestrictedBoltzmann
    >>> X = load("bars-and-stripes").train.v
    >>> machine = InfiniteRestrictedBoltzmann(max_iter=6, random_state=0).fit(X)
    >>> machine.transform(X).shape[1] <= 6
    True
    """

    NAME: ClassVar[str] = "infinite-rbm"
    USUAL: ClassVar[str] = "FrankWolfe"

    def _hidden(self) -> tuple[NDArray, NDArray]:
        units = self.model_.units
        return units[:, :-1].T, units[:, -1]
