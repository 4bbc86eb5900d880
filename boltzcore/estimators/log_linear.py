"""The log-linear model, of columns with any number of values each."""

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted, validate_data

from boltzcore.data.examples import Examples
from boltzcore.estimators.base import outputs_of
from boltzcore.estimators.density import Density
from boltzcore.models import LogLinear

MOST_VALUES = 256  # of a column


class LogLinearModel(Density):
    """A log-linear model (`boltzcore.models.LogLinear`) of all columns together, whose terms a learner chooses.

    With y, `fit` makes one model of the columns of X and of y: then `predict`, `predict_proba` and `most_likely` say
    what y is given a row, exactly, and `score` judges that. Without y it is a density of X alone.

    Parameters: those of `Estimator`. The usual learner is `GreedyMDL()`. Values are whole numbers from 0 on; those of a
    column are as many as its largest one in `fit` says. binarize is of X alone.

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

    @with_callbacks
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from rows, (n_samples, n_features), and from what is to be predicted of them, (n_samples,) or
        (n_samples, n_outputs), where it is given. Raises ValueError where they cannot be learnt from.
        """
        return self._fit(X, y)

    def _on(self, X: NDArray, name: str = "X") -> NDArray[np.uint8]:
        return super()._on(X, name) if self.binarize is not None else _codes(X, name)

    def _examples(self, X: Any, y: Any, *, reset: bool) -> Examples:
        if y is None:
            rows, self._outputs, self._flat = self._rows(X, reset=reset), 0, False
        else:
            X, y = validate_data(self, X, y, reset=reset, multi_output=True, y_numeric=True)
            self._flat = y.ndim == 1
            answers = _codes(y.reshape(len(X), -1), "y")
            rows, self._outputs = np.column_stack([self._on(X), answers]), answers.shape[1]
        return Examples(rows, levels=tuple(int(most) + 1 if most else 2 for most in rows.max(axis=0)))

    def _checked(self, X: Any) -> NDArray:
        rows = super()._checked(X)
        self._check_values(rows, "X")
        return rows

    def _check_values(self, rows: NDArray, name: str) -> None:
        sizes = self.model_.cardinalities[: rows.shape[1]]
        beyond = np.argwhere(rows >= sizes)
        if len(beyond):
            i, column = beyond[0]
            raise ValueError(
                f"{name} must hold values seen in fit: column {column} had 0 to {sizes[column] - 1}, not "
                f"{rows[i, column]}."
            )

    # -- a density ------------------------------------------------------------------------------------------

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """(n_samples,) log p of each row of X, nats, exact: with outputs, whatever they are."""
        rows = self._checked(X)
        model: LogLinear = self.model_
        if not self._outputs:
            return model.log_likelihood(rows)
        return _of_each(rows, lambda row: model.log_probability_of(_evidence(row)))

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """With y and a model of outputs, the mean of log p(y | row), else that of log p(row); nats."""
        check_is_fitted(self)
        if y is None or not self._outputs:
            return super().score(X)
        rows, y = self._checked(X), outputs_of(y)
        answers = _codes(y.reshape(len(y), -1), "y")
        if answers.shape != (len(rows), self._outputs):
            raise ValueError(
                f"y must be {self._outputs} outputs of {len(rows)} rows, as in fit, not {answers.shape[1]} of "
                f"{len(answers)}."
            )
        model: LogLinear = self.model_
        both = np.column_stack([rows, answers])
        self._check_values(both, "X and y")
        return float(np.mean(model.log_likelihood(both) - self.score_samples(X)))

    def _draws(self, n: int, held: NDArray[np.uint8], known: NDArray[np.bool_], seed: int) -> NDArray:
        model: LogLinear = self.model_
        given = _evidence(held, known)
        drawn = model.conditioned(given).sample(n, seed)
        return model.with_evidence(drawn, given)[:, : len(held)]

    def _filled(self, held: NDArray[np.uint8], known: NDArray[np.bool_], seed: int) -> NDArray:
        found, model = held.copy(), self.model_
        for i, (row, there) in enumerate(zip(held, known, strict=True)):
            given = _evidence(row, there)
            for column, p in model.marginals(given).items():
                if column < len(row):
                    found[i, column] = int(np.argmax(p))
        return found

    # -- outputs --------------------------------------------------------------------------------------------

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """p(output | row), exact: (n_samples, values) where y was one column, else a list of one for each. Raises
        ValueError where the model was learnt without y.
        """
        rows = self._predicting(X)
        model, first = self.model_, rows.shape[1]
        found = [
            _of_each(rows, lambda row, column=column: model.marginals(_evidence(row))[column])
            for column in range(first, first + self._outputs)
        ]
        return found[0] if self._flat else found

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """The most probable value of each output: (n_samples,), or (n_samples, n_outputs)."""
        p = self.predict_proba(X)
        if self._flat:
            return np.argmax(p, axis=1)
        return np.column_stack([np.argmax(each, axis=1) for each in p])

    def most_likely(self, X: ArrayLike) -> NDArray[np.int64]:
        """The most probable values of all outputs together, in the shape of `predict`."""
        rows = self._predicting(X)
        model, first = self.model_, rows.shape[1]
        found = _of_each(rows, lambda row: model.most_likely(1, _evidence(row))[0][0, first:])
        return found[:, 0] if self._flat else found

    def _predicting(self, X: ArrayLike) -> NDArray:
        rows = self._checked(X)
        if not self._outputs:
            raise ValueError("This model was fitted without y: pass targets to fit, or call impute.")
        return rows


def _codes(X: NDArray, name: str) -> NDArray[np.uint8]:
    """Whole numbers from 0 on as codes. Raises ValueError where they are others."""
    X = np.asarray(X)
    wrong = (X < 0) | (X >= MOST_VALUES) | (np.floor(X) != X) if X.dtype.kind in "biuf" else np.ones(X.shape, bool)
    if wrong.any():
        hint = ", or set binarize to a threshold" if name == "X" else ""
        raise ValueError(f"{name} must hold whole numbers from 0 to {MOST_VALUES - 1}, not {X[wrong][0]}{hint}.")
    return X.astype(np.uint8)


def _of_each(rows: NDArray, function: Callable[..., Any]) -> NDArray:
    """Return function(row) of each row, computed once for equal rows."""
    distinct, back = np.unique(rows, axis=0, return_inverse=True)
    return np.array([function(row) for row in distinct])[back.reshape(-1)]


def _evidence(row: NDArray, known: NDArray[np.bool_] | None = None) -> dict[int, int]:
    return {i: int(value) for i, value in enumerate(row) if known is None or known[i]}
