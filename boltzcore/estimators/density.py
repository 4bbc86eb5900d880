"""What estimators of a density share: scores, draws, and missing values."""

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from boltzcore.estimators.base import Estimator, drawn_seed
from boltzcore.inference.samples import conditional, draw_samples, marginals
from boltzcore.parameters import whole


class Density(Estimator):
    """An estimator whose model gives each row a probability."""

    @abstractmethod
    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """(n_samples,) log p of each row, nats."""

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """The mean of `score_samples`, nats; y is ignored."""
        return float(np.mean(self.score_samples(X)))

    def sample(
        self, n_samples: int = 1, *, given: ArrayLike | None = None, random_state: Any = None
    ) -> NDArray[np.int64]:
        """(n_samples, n_features) rows drawn from the model: exactly and independently where either layer of what is
        not given has at most 25 units (of an FVBM 25 columns; of a log-linear model always), else by annealed chains,
        with a ConvergenceWarning where fewer than a tenth of them count (`boltzcore.inference.draw_samples`).

        given : (n_features,) values that are held, NaN where a value is to be drawn; None holds none
        random_state : an int, a RandomState or None, as scikit-learn takes them
        """
        check_is_fitted(self)
        n = whole("n_samples", n_samples, 1, 10_000_000)
        d = self.n_features_in_
        row = np.full(d, np.nan) if given is None else np.asarray(given, np.float64)
        if row.shape != (d,):
            raise ValueError(f"given must be one value for each of {d} features, not of shape {row.shape}.")
        seed = drawn_seed(random_state)
        known = ~np.isnan(row)
        held = self._known(row, known, "given")
        if known.all():
            return np.tile(held.astype(np.int64), (n, 1))
        return self._draws(n, held, known, seed).astype(np.int64)

    def impute(self, X: ArrayLike, *, random_state: Any = 0) -> NDArray[np.int64]:
        """(n_samples, n_features) rows with the more probable value, given the others of the row, where X has NaN.

        The probabilities are exact where a row misses at most 20 values, or the model has at most 20 hidden units
        (`inference.samples.sums_over_states`, up to a second a row; log-linear: always; FVBM: up to 25 values). Others
        are means over 100 annealed chains and 100 Gibbs steps of each, whose standard error is .05 at most where all
        chains count: of 660 pixels of digits they were off by up to .02, and none was filled in wrong.
        random_state : of these chains
        """
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        known = ~np.isnan(rows)
        held = self._known(rows, known, "X")
        seed = drawn_seed(random_state)
        incomplete = ~known.all(axis=1)
        found = held.astype(np.int64)
        if incomplete.any():
            found[incomplete] = self._filled(held[incomplete], known[incomplete], seed)
        return found

    def _known(self, rows: NDArray, known: NDArray[np.bool_], name: str) -> NDArray[np.uint8]:
        """The known values as codes, 0 where a value is not known."""
        codes = np.zeros(rows.shape, np.uint8)
        codes[known] = self._on(rows[known], name)
        return codes

    def _draws(self, n: int, held: NDArray[np.uint8], known: NDArray[np.bool_], seed: int) -> NDArray:
        """(n, n_features) draws given the known values of a row."""
        drawn = draw_samples(conditional(self.model_, held, known), n, mean=self._base(known), seed=seed)
        if not drawn.reliable:
            warnings.warn(
                f"Chains do not mix: these {n:,} rows are equivalent to {drawn.effective:.0f} independent ones.",
                ConvergenceWarning,
                stacklevel=3,
            )
        found = np.tile(held, (n, 1))
        found[:, ~known] = drawn.v
        return found

    def _filled(self, held: NDArray[np.uint8], known: NDArray[np.bool_], seed: int) -> NDArray:
        """Rows with the more probable values where they are not known."""
        found = held.copy()
        for row, there in zip(found, known, strict=True):
            row[~there] = marginals(conditional(self.model_, row, there), mean=self._base(there), seed=seed) > 0.5
        return found

    def _base(self, known: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        """The means of the training rows where values are not known, from which chains start; None for halves."""
        mean = getattr(self, "_mean", None)
        return None if mean is None else mean[~known]
