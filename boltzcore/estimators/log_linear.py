"""Log-linear model of columns with any number of values."""

import math
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
import pandas
from numpy.typing import ArrayLike, NDArray
from sklearn.base import TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from boltzcore.data.examples import Examples
from boltzcore.estimators.columns import UNSEEN
from boltzcore.estimators.density import Density
from boltzcore.inference.samples import law_of, sizes_of
from boltzcore.models import LogLinear

_ROUNDS, _CLOSE = 50, 1e-3  # rounds of expectation maximisation, and change at convergence


class LogLinearModel(TransformerMixin, Density):
    """A log-linear model (`boltzcore.models.LogLinear`) of all columns together, whose terms a learner chooses.

    With y, `fit` makes one model of the columns of X and of y, any labels: then `predict`, `predict_proba` and
    `most_likely` say what y is given a row, exactly, and `score` judges that. Without y it is a density of X alone.

    Parameters: those of `Estimator`. The usual learner is `GreedyMDL()`. Numbers are whole ones from 0 on; those of a
    column are as many as its largest one in `fit` says. binarize and categories are of X alone.

    Rows of X with gaps (NaN, None) are learnt from by expectation maximisation, exact: each counts as its completions
    do by the model of the round before. y has no gaps.

    A value or label that the n rows of `fit` did not have, as in a test fold, has the probability 1 / (n + 1), and the
    rest of its row that of a row in which it is unknown. A value that categories declares has the model's probability.

    >>> from boltzcore.data import load
    >>> from boltzcore.estimators import LogLinearModel
    >>> rows = load("parity", n=4, copies=20).train.v
    >>> model = LogLinearModel().fit(rows[:, :3], rows[:, 3])
    >>> model.predict([[1, 1, 0], [1, 0, 0]]).tolist()
    [0, 1]
    >>> round(float(model.predict_proba([[1, 1, 0]])[0, 0]), 2) > 0.95
    True
    """

    NAME: ClassVar[str] = "log-linear"
    USUAL: ClassVar[str] = "GreedyMDL"
    MOST_VALUES: ClassVar[int] = 256
    SCORES_UNSEEN: ClassVar[bool] = True
    ADVICE: ClassVar[str] = "bin it, or leave it out"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _as_codes(self, X: NDArray, name: str = "X") -> NDArray[np.uint8]:
        if self.binarize is not None:
            return super()._as_codes(X, name)
        wrong = (X < 0) | (X >= self.MOST_VALUES) | (np.floor(X) != X)
        if wrong.any():
            raise ValueError(
                f"{name} must hold whole numbers from 0 to {self.MOST_VALUES - 1}, not {X[wrong][0]}: for other "
                "numbers give binarize a threshold, or make the column a categorical."
            )
        return X.astype(np.uint8)

    def _codes(self, X: Any, *, reset: bool = False) -> NDArray[np.int16]:
        codes = super()._codes(X, reset=reset)
        if not reset:
            codes[codes >= sizes_of(self.model_)[: codes.shape[1]]] = UNSEEN
        return codes

    def _fit(self, X: Any, y: Any) -> Self:
        """Fit; with gaps by expectation maximisation, until no probability changes by more than .001."""
        self._law: LogLinear | None = None
        for _ in range(_ROUNDS):
            super()._fit(X, y)
            if not self._gaps:
                break
            before: LogLinear | None = self._law
            self._law = self.model_.law
            if before and np.abs(before.probabilities() - self._law.probabilities()).max() < _CLOSE:
                break
        return self

    def _examples(self, X: Any, y: Any, *, reset: bool) -> Examples:
        codes, known, self._outputs = self._codes(X, reset=reset), [*self.categories_], 0
        self._check_seen(X, codes)
        if reset and y is None:
            for name in ("classes_", "_classes", "_flat"):
                self.__dict__.pop(name, None)
        if y is not None:
            answers = self._labels(y, reset=reset)
            check_consistent_length(codes, answers)
            codes, known = np.column_stack([codes, answers.astype(np.int16)]), known + self._classes
            self._outputs = answers.shape[1]
        self._n, most, self._gaps = len(codes), codes.max(axis=0).tolist(), bool((codes < 0).any())
        sizes = (top + 1 if each is None else len(each) for top, each in zip(most, known, strict=True))
        levels = tuple(max(2, size) for size in sizes)
        if not self._gaps:
            return Examples(codes.astype(np.uint8), levels=levels)
        rows, weight = (self._law or LogLinear(levels)).completions(codes)
        return Examples(rows.astype(np.uint8), weight=weight, levels=levels)

    # -- a density ------------------------------------------------------------------------------------------

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return log p of each row of X, (n_samples,), nats, exact: outputs are summed out."""
        return self._log_p(self._checked(X))

    def _log_p(self, rows: NDArray) -> NDArray[np.float64]:
        """Return log p of codes of the first columns, (n_samples,), with the others summed out."""
        model, seen = self.model_.law, rows >= 0
        whole = seen.all(axis=1) & (rows.shape[1] == model.n_visible)
        found = -math.log(self._n + 1) * (~seen).sum(axis=1)
        if whole.any():
            found[whole] = model.log_likelihood(rows[whole])
        found[~whole] += _of_each(rows[~whole], lambda row: model.log_probability_of(_evidence(row)))
        return found

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Return the mean of log p(y | row) with y and a model of outputs, else of log p(row); nats."""
        check_is_fitted(self)
        if y is None or not self._outputs:
            return super().score(X)
        rows, answers = self._checked(X), self._labels(y, unseen=True)
        check_consistent_length(rows, answers)
        return float(np.mean(self._log_p(np.column_stack([rows, answers])) - self._log_p(rows)))

    def _completion(self, row: NDArray[np.uint8], known: NDArray[np.bool_], seed: int, *, joint: bool) -> NDArray:
        n = np.count_nonzero(~known)
        law = law_of(self.model_.conditioned(_evidence(row, known))) if joint and self._outputs else None
        if law is None:  # without y, or too large to sum it out
            return super()._completion(row, known, seed, joint=joint)[:n]
        sizes = law.cardinalities[:n]
        p = law.probabilities().reshape(-1, sizes.prod()).sum(axis=0)  # sum over y
        return np.array(np.unravel_index(p.argmax(), sizes, order="F"))

    def transform(self, X: ArrayLike) -> Any:
        """Return rows of X with their gaps filled (`impute`), (n_samples, values of all columns): a column of 0 and 1
        for each value of each feature (for two values only the second); a DataFrame if `fit` had one.
        """
        filled = self._filled(X)
        made = np.column_stack([filled[:, i] == code for i, code in self._encoded()]).astype(np.float64)
        if not isinstance(self._like, pandas.DataFrame):
            return made
        index = X.index if isinstance(X, pandas.DataFrame) else None
        return pandas.DataFrame(made, index, self.get_feature_names_out())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """Return the names of the columns of `transform`, such as colour=red."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(self.n_features_in_)])
        return np.array([f"{names[i]}={self._known_values(i)[code]}" for i, code in self._encoded()], object)

    def _encoded(self) -> list[tuple[int, int]]:
        """Return the feature and the code of each column of `transform`."""
        sizes = [len(self._known_values(i)) for i in range(self.n_features_in_)]
        return [(i, code) for i, size in enumerate(sizes) for code in range(size == 2, size)]

    # -- outputs --------------------------------------------------------------------------------------------

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """Return p(output | row, one of `classes_`) of each class, exact, also for rows with gaps: (n_samples, classes)
        if y was one column, else a list of them; 1 for a label alone. Raises ValueError if `fit` had no y.
        """
        rows = self._check_rows(X)
        model, first = self.model_.law, rows.shape[1]
        found = [
            _of_each(rows, lambda row, i=i, each=each: model.marginals(_evidence(row))[first + i][: len(each)])
            for i, each in enumerate(self._classes)
        ]
        found = [p if p.shape[1] > 1 else np.ones_like(p) for p in found]  # a label alone has another in the model
        return found[0] if self._flat else found

    def predict(self, X: ArrayLike) -> NDArray:
        """Return the most probable label of each output: (n_samples,), or (n_samples, n_outputs)."""
        found = self.predict_proba(X)
        p = [found] if self._flat else found
        return self._as_labels(np.column_stack([np.argmax(each, axis=1) for each in p]))

    def most_likely(self, X: ArrayLike) -> NDArray:
        """Return the jointly most probable labels of all outputs, in the shape of `predict`; X has no gaps."""
        self._checked(X)
        rows = self._check_rows(X)
        model, first = self.model_.law, rows.shape[1]
        return self._as_labels(_of_each(rows, lambda row: model.most_likely(1, _evidence(row))[0][0, first:]))

    def _check_rows(self, X: ArrayLike) -> NDArray:
        check_is_fitted(self)
        rows = self._codes(X)
        if not self._outputs:
            raise ValueError("This model was fitted without y: pass targets to fit, or call impute.")
        return rows


def _of_each(rows: NDArray, function: Callable[..., Any]) -> NDArray:
    """Return function(row) of each row, computed once for equal rows."""
    distinct, back = np.unique(rows, axis=0, return_inverse=True)
    return np.array([function(row) for row in distinct])[back.reshape(-1)]


def _evidence(row: NDArray, known: NDArray[np.bool_] | None = None) -> dict[int, int]:
    return {i: int(row[i]) for i in np.flatnonzero(row >= 0 if known is None else known).tolist()}


class PottsModel(LogLinearModel):
    """A Potts model (`boltzcore.models.Potts`), which couples the columns two by two, of any number of them.

    Parameters, and all else while sums go over all states (2**26, and 10,000 terms): those of `LogLinearModel`, with
    `PottsPseudoLikelihood()` as the usual learner. Of a larger model there are `log_pseudo_likelihood`, `sample`,
    `impute` and `transform`, by annealed chains, and rows without gaps are needed to learn from.

    >>> from boltzcore.estimators import PottsModel
    >>> rows = [["tea", "milk"], ["tea", "lemon"], ["tea", "milk"], ["coffee", "sugar"], ["coffee", "milk"]] * 20
    >>> PottsModel().fit(rows).impute([[None, "sugar"]]).tolist()
    [['coffee', 'sugar']]
    """

    NAME: ClassVar[str] = "potts"
    USUAL: ClassVar[str] = "PottsPseudoLikelihood"

    def log_pseudo_likelihood(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the log-pseudo-likelihood of each row, (n_samples,), nats, for any number of columns. Raises
        ValueError for a value unseen in `fit`, and if `fit` had y.
        """
        rows = self._checked(X)
        self._check_seen(X, rows)
        found: NDArray[np.float64] = self.model_.log_pseudo_likelihood(rows)
        return found
