"""Fully visible Boltzmann machine."""

from typing import Any, ClassVar

import numpy as np
import pandas
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from boltzcore.data.examples import Examples
from boltzcore.estimators.density import Density
from boltzcore.measures.estimates import estimates
from boltzcore.models import FVBM, states
from boltzcore.names import Names


class FullyVisibleBoltzmann(Density):
    """A fully visible Boltzmann machine (`boltzcore.models.FVBM`): a bias for each column, a coupling for each pair.

    Parameters: those of `Estimator`. The usual learner is `BSLM()`. Rows of 0 and 1 stand for -1 and +1.

    >>> from boltzcore.data import load
    >>> from boltzcore.estimators import FullyVisibleBoltzmann
    >>> X = load("senate").train.v
    >>> machine = FullyVisibleBoltzmann(learner="PseudoLikelihoodLBFGS").fit(X)
    >>> machine.estimates_.columns[:6].tolist()
    ['parameter', 'kind', 'first', 'second', 'estimate', 'standard_error']
    """

    NAME: ClassVar[str] = "fvbm"
    USUAL: ClassVar[str] = "BSLM"

    model_: FVBM

    def _keep(self, fitted: dict[str, Any], data: Examples) -> None:
        super()._keep(fitted, data)
        columns = getattr(self, "feature_names_in_", None)
        names = None if columns is None else Names(tuple(columns))
        try:
            self._estimates: pandas.DataFrame | str = estimates(self.model_, data, names=names)
        except ValueError as refusal:
            self._estimates = str(refusal)

    @property
    def estimates_(self) -> pandas.DataFrame:
        """A line for each bias and coupling: estimate, standard error, interval, z and p
        (`boltzcore.measures.estimates`). Raises ValueError if there are no estimates for the rows.
        """
        check_is_fitted(self)
        if isinstance(self._estimates, str):
            raise ValueError(self._estimates)
        return self._estimates

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return log p of each row, (n_samples,), nats, exact. Raises ValueError for more than 25 columns; use
        `log_pseudo_likelihood` then.
        """
        rows = self._checked(X)
        if not self.model_.enumerable:
            raise ValueError(
                f"score_samples sums over all states of at most {states.LIMIT} columns, not of {self.n_features_in_}: "
                "use log_pseudo_likelihood, such as scoring=lambda machine, X, y=None: "
                "machine.log_pseudo_likelihood(X).mean()."
            )
        return self.model_.log_likelihood(rows)

    def log_pseudo_likelihood(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the log-pseudo-likelihood of each row, (n_samples,), nats, for any number of columns."""
        return self.model_.log_pseudo_likelihood(self._checked(X))
