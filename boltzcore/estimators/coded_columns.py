"""Conversion of an estimator's rows and labels to codes."""

import math
import numbers
from typing import Any, ClassVar

import numpy as np
import pandas
from numpy.typing import NDArray
from sklearn.utils.validation import check_array, validate_data

from boltzcore.estimators.columns import MISSING, UNSEEN, as_table, codes_of, labels_in, values_in
from boltzcore.inference.samples import sizes_of
from boltzcore.quoting import listed, quoted


class CodedColumns:
    """Mixin of an estimator that learns the values of columns, and converts rows and labels to codes.

    MOST_VALUES : largest number of values of a column; ADVICE : remedy for a column with more values
    SCORES_UNSEEN : True if rows with values unseen in `fit` have scores
    """

    MOST_VALUES: ClassVar[int] = 2
    SCORES_UNSEEN: ClassVar[bool] = False
    ADVICE: ClassVar[str] = "encode it as columns of two values, or use LogLinearModel"

    binarize: Any
    categories: Any
    warm_start: bool
    model_: Any
    n_features_in_: int
    n_iter_: int

    def _as_codes(self, X: NDArray, name: str = "X") -> NDArray[np.uint8]:
        """Return numbers as 0 and 1. Raises ValueError for other numbers without a threshold."""
        if self.binarize is not None:
            is_number = isinstance(self.binarize, numbers.Real) and not isinstance(self.binarize, bool)
            if not (is_number and math.isfinite(self.binarize)):
                raise ValueError(f"binarize must be a number or None, not {quoted(self.binarize)}.")
            return np.greater(X, float(self.binarize)).astype(np.uint8)
        other = ~((X == 0) | (X == 1))
        if other.any():
            raise ValueError(
                f"{name} must hold only 0 and 1, not {X[other][0]:.6g}: set binarize to a threshold for other numbers, "
                "or make the column a categorical."
            )
        return X.astype(np.uint8)

    def _table(self, X: Any, *, reset: bool = False) -> Any:
        """Return X with codes in the columns that are not numbers: NaN if missing, or UNSEEN. Raises ValueError if it
        is not a table of the right columns.
        """
        if isinstance(X, list | tuple) and len(lengths := sorted(set(map(np.size, X)))) > 1:
            raise ValueError(f"X must hold rows of one length, not of {lengths[0]} and {lengths[-1]} values.")
        if not hasattr(X, "columns") and np.asarray(X).ndim != 2:
            check_array(X, estimator=self, input_name="X")  # raises ValueError
        validate_data(self, X, reset=reset, skip_check_array=True)
        d, values = self.n_features_in_, getattr(self, "categories_", [])
        learns = reset and not (self.warm_start and len(values) == d)
        values = self._declared(d) if learns else values
        table = as_table(X, always=any(each is not None for each in values))
        if learns:
            self._learn_columns(X, table, values)
        for i, each in enumerate(values) if isinstance(table, pandas.DataFrame) else ():
            if each is not None:
                code = codes_of(table.iloc[:, i], each)
                table.isetitem(i, np.where(code == MISSING, np.nan, code))
        return table

    def _codes(self, X: Any, *, reset: bool = False) -> NDArray[np.int16]:
        """Return codes of X, (n_samples, n_features), MISSING or UNSEEN. Raises ValueError for other values."""
        table = self._table(X, reset=reset)
        rows = check_array(table, ensure_all_finite="allow-nan", estimator=self, input_name="X")
        gaps = np.isnan(rows) if rows.dtype.kind == "f" else np.zeros(rows.shape, np.bool_)
        rows = np.where(gaps, 0, rows) if gaps.any() else rows
        numbers = np.array([each is None for each in self.categories_])
        if numbers.all():
            codes = self._as_codes(rows).astype(np.int16)
        else:
            codes = np.where(numbers, 0, rows).astype(np.int16)
            codes[:, numbers] = self._as_codes(rows[:, numbers])
        codes[gaps] = MISSING
        return codes

    def _declared(self, d: int) -> list[Any]:
        """Return `categories` as a list for d columns."""
        if isinstance(self.categories, str) and self.categories == "auto":
            return [None] * d
        if isinstance(self.categories, str) or not hasattr(self.categories, "__len__") or len(self.categories) != d:
            raise ValueError(f'categories must be "auto", or a list of the values of each of {d} columns.')
        return list(self.categories)

    def _learn_columns(self, X: Any, table: Any, values: list[Any]) -> None:
        """Complete the declared values, and store the type of the rows."""
        for i, declared in enumerate(values):
            found = None if declared is None else pandas.Index(declared)
            if found is not None and (len(found) < 2 or not found.is_unique):
                raise ValueError(f"categories must list two values or more of {self._column_name(i)}, each once.")
            if found is None and isinstance(table, pandas.DataFrame):
                found = values_in(table.iloc[:, i])
            if found is not None and len(found) > self.MOST_VALUES:
                raise ValueError(
                    f"X must hold at most {self.MOST_VALUES} values a column; {self._column_name(i)} has "
                    f"{len(found):,} ({listed(map(str, found), '')}): {self.ADVICE}."
                )
            values[i] = found
        self.categories_ = values
        self._like = X.iloc[:0].copy() if isinstance(X, pandas.DataFrame) else np.asarray(X).dtype

    def _column_name(self, i: int) -> str:
        """Return the name of a column for a sentence."""
        names = getattr(self, "feature_names_in_", None)
        return f"column {i if names is None else quoted(names[i])}"

    def _known_values(self, i: int) -> list[str]:
        """Return the values of a column, as texts."""
        found = self.categories_[i]
        return [*map(str, range(2 if self.MOST_VALUES == 2 else sizes_of(self.model_)[i]) if found is None else found)]

    def _check_seen(self, X: Any, codes: NDArray[np.int16]) -> None:
        """Raise ValueError if X has a value unseen in `fit`."""
        for row, i in np.argwhere(codes == UNSEEN)[:1].tolist():
            raise ValueError(
                f"X must hold values that were in fit, or that categories declares: {self._column_name(i)} has "
                f"{listed(self._known_values(i), '')}, not {quoted(np.asarray(X)[row][i])}."
            )

    def _rows(self, X: Any, *, reset: bool = False) -> NDArray:
        """Return X as rows of codes. Raises ValueError if that is impossible."""
        codes = self._codes(X, reset=reset)
        if (codes == MISSING).any():
            raise ValueError("X holds NaN: use impute(X) of the fitted estimator, or put an imputer before it.")
        if reset or not self.SCORES_UNSEEN:
            self._check_seen(X, codes)
        return codes if (codes == UNSEEN).any() else codes.astype(np.uint8)

    def _labels(self, y: Any, *, reset: bool = False, unseen: bool = False) -> NDArray[np.int64]:
        """Return the indices of labels in `classes_`, (n_samples, n_outputs); UNSEEN if that is allowed."""
        checked = check_array(y, ensure_2d=False, dtype=None, input_name="y")
        table = pandas.DataFrame(y if isinstance(y, pandas.Series | pandas.DataFrame) else checked).infer_objects()
        columns = [column for _, column in table.items()]
        if reset and not (self.warm_start and hasattr(self, "classes_")):
            self._flat, self._classes = checked.ndim == 1, [labels_in(column) for column in columns]
            if (many := max(map(len, self._classes))) > (most := self.MOST_VALUES):
                raise ValueError(f"y must hold at most {most} labels an output, not {many:,}: {self.ADVICE}.")
            classes = [np.asarray(each) for each in self._classes]
            self.classes_ = classes[0] if self._flat else classes
        if len(columns) != len(self._classes):
            raise ValueError(f"y must be {len(self._classes)} outputs, as in fit, not {len(columns)}.")
        codes = np.column_stack([codes_of(*each) for each in zip(columns, self._classes, strict=True)])
        if (codes == MISSING).any() or ((codes == UNSEEN).any() and not unseen):
            raise ValueError("y must hold in every row a label that was in fit: classes_ has them.")
        return codes

    def _as_labels(self, codes: NDArray) -> NDArray:
        """Return indices in `classes_` as labels, in the shape of y."""
        found = [each.take(np.minimum(code, len(each) - 1)) for code, each in zip(codes.T, self._classes, strict=True)]
        return found[0].to_numpy() if self._flat else np.column_stack(found)
