"""Base of the estimators of a density: scores, draws, and missing values."""

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from boltzcore.estimators.base import Estimator, drawn_seed
from boltzcore.estimators.columns import MISSING, values_of
from boltzcore.inference.samples import conditional, draw_samples, marginals, most_likely
from boltzcore.names import code_of
from boltzcore.parameters import whole
from boltzcore.quoting import listed, quoted


class Density(Estimator):
    """An estimator whose model gives each row a probability."""

    @abstractmethod
    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return log p of each row, (n_samples,), nats."""

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean of `score_samples`, nats; y is ignored."""
        return float(np.mean(self.score_samples(X)))

    def sample(self, n_samples: int = 1, *, given: Any = None, random_state: Any = None) -> Any:
        """(n_samples, n_features) rows drawn from the model, a DataFrame if `fit` had one: exactly and independently
        where either layer of what is not given has at most 25 units (of an FVBM 25 columns; of a Potts model 2**26
        states; of a log-linear model always), else by annealed chains, with a ConvergenceWarning where fewer than a
        tenth of them count (`boltzcore.inference.draw_samples`).

        given : values that are held: {name of a feature: value}, or (n_features,) values, NaN where one is to be drawn;
            a Series by its names. Text matches in any case if one value fits, and numbers by value
        random_state : an int, a RandomState or None, as scikit-learn takes them
        """
        check_is_fitted(self)
        n = whole("n_samples", n_samples, 1, 10_000_000)
        row, seed = self._given(given), drawn_seed(random_state)
        known = row >= 0
        held = np.where(known, row, 0).astype(np.uint8)
        found = np.tile(held, (n, 1)) if known.all() else self._draws(n, held, known, seed)
        return values_of(found, self.categories_, self._like)

    def _given(self, given: Any) -> NDArray[np.int16]:
        """Return codes of given values, (n_features,), MISSING for the others."""
        row = np.full(self.n_features_in_, MISSING, np.int16)
        names = list(getattr(self, "feature_names_in_", range(len(row))))
        by_name = isinstance(given, Mapping) or (isinstance(given, pandas.Series) and set(given.index) <= set(names))
        if given is not None and not by_name:
            if np.shape(given) != row.shape:
                raise ValueError(f"given must be a value for each of {len(row)} features, not {np.shape(given)}.")
            given = dict(zip(names, given, strict=True))
        for name, value in ({} if given is None else given).items():
            if name not in names:
                raise ValueError(f"given must name features ({listed(map(str, names), '')}), not {quoted(name)}.")
            i = names.index(name)
            if pandas.isna(value):
                continue
            if self.categories_[i] is None and (self.binarize is not None or isinstance(value, bool | np.bool_)):
                row[i] = self._as_codes(np.array([value], np.float64), "given")[0]
            elif (code := code_of(str(pandas.Index([value])[0]), self._known_values(i))) is not None:
                row[i] = code
            else:
                allowed = listed(self._known_values(i), "")
                raise ValueError(f"given must hold for {self._column_name(i)} one of {allowed}, not {quoted(value)}.")
        return row

    def impute(self, X: ArrayLike, *, how: str = "joint", random_state: Any = 0) -> Any:
        """(n_samples, n_features) rows whose missing values are filled in, a DataFrame if `fit` had one.

        how : "joint" fills a row with its most probable completion, so that no row comes out that the model calls
            impossible; "marginal" each value with the most probable one by itself, given what the row has
        random_state : of the chains

        The joint completion is exact if a row misses at most 16 values (FVBM: 25; log-linear: always). Beyond that it
        is a local maximum, by coordinate ascent from conditional samples (`inference.samples.most_likely`).
        The marginal probabilities are exact if a row misses at most 20 values, or the model has at most 20 hidden
        units (`inference.samples.sums_over_states`, up to a second a row; log-linear: always; FVBM: up to 25 values).
        Others are means over 100 annealed chains and 100 Gibbs steps of each, whose standard error is at most .05 if
        all chains are effective: for 660 pixels of digits they were off by up to .02, and no fill was wrong.
        """
        rows = values_of(self._filled(X, how, random_state), self.categories_, self._like)
        if isinstance(rows, pandas.DataFrame) and isinstance(X, pandas.DataFrame):
            return rows.set_axis(X.index)
        return rows

    def _filled(self, X: ArrayLike, how: str = "joint", random_state: Any = 0) -> NDArray[np.uint8]:
        """Return the codes of the rows that `impute` returns, (n_samples, n_features)."""
        check_is_fitted(self)
        if how not in ("joint", "marginal"):
            raise ValueError(f"how must be joint or marginal, not {quoted(how)}.")
        codes, seed = self._codes(X), drawn_seed(random_state)
        self._check_seen(X, codes)
        distinct, back = np.unique(codes, axis=0, return_inverse=True)
        found = distinct.clip(0).astype(np.uint8)
        for row, known in zip(found, distinct >= 0, strict=True):
            if not known.all():
                row[~known] = self._completion(row, known, seed, joint=how == "joint")
        return found[back.reshape(-1)]

    def _draws(self, n: int, held: NDArray[np.uint8], known: NDArray[np.bool_], seed: int) -> NDArray:
        """Return samples given the known values of a row, (n, n_features)."""
        drawn = draw_samples(conditional(self.model_, held, known), n, mean=self._base(known), seed=seed)
        if not drawn.reliable:
            warnings.warn(
                f"Chains do not mix: these {n:,} rows are equivalent to {drawn.effective:.0f} independent ones.",
                ConvergenceWarning,
                stacklevel=3,
            )
        found = np.tile(held, (n, 1))
        found[:, ~known] = drawn.v[:, : np.count_nonzero(~known)]  # outputs, which are not part of X, come last
        return found

    def _completion(self, row: NDArray[np.uint8], known: NDArray[np.bool_], seed: int, *, joint: bool) -> NDArray:
        """Return the codes of the unknown values of a row."""
        rest, mean = conditional(self.model_, row, known), self._base(known)
        if joint:
            return most_likely(rest, mean=mean, seed=seed)
        laws = marginals(rest, mean=mean, seed=seed)
        return np.array([law.argmax() for law in laws[: np.count_nonzero(~known)]])

    def _base(self, known: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        """Return the means of the unknown columns in the training rows, from which chains start; None for halves."""
        mean = getattr(self, "_mean", None)
        return None if mean is None else mean[~known]
