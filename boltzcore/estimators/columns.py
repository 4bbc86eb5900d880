"""Columns of strings, booleans and categories as codes, and back."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

MISSING, UNSEEN = -1, -2  # codes of a missing value, and of one unseen in `fit`


def as_table(X: Any, *, always: bool = False) -> Any:
    """Return X as a DataFrame if it is one, or rows of not only numbers; with `always` also numbers. Else X itself."""
    if isinstance(X, pandas.DataFrame):
        return X.infer_objects()
    rows = np.asarray(X)
    if rows.ndim != 2 or not (always or rows.dtype.kind in "OSUMm"):
        return X
    return pandas.DataFrame(np.asarray(X, object) if rows.dtype.kind in "OSU" else rows).infer_objects()


def values_in(column: pandas.Series) -> pandas.Index | None:
    """Return the values of a column in the order of their codes: for a categorical dtype its own, False and True, else
    those that occur, sorted. None for numbers, which are codes themselves.
    """
    if isinstance(column.dtype, pandas.CategoricalDtype):
        return column.dtype.categories
    if pandas.api.types.is_bool_dtype(column.dtype):
        return pandas.Index([False, True])
    return None if pandas.api.types.is_numeric_dtype(column.dtype) else labels_in(column)


def labels_in(column: pandas.Series) -> pandas.Index:
    """Return the different values of a column, sorted, also those of a categorical; both 0 and 1 if it has only one of
    them. Raises ValueError for numbers that are not labels.
    """
    if isinstance(column.dtype, pandas.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    if column.dtype.kind == "f":
        check_classification_targets(column)
    try:
        found = pandas.Index(pandas.factorize(column, sort=True)[1])
    except TypeError as error:  # with scikit-learn's wording
        raise TypeError(f"Each argument must be a string or a number: {error}.") from None
    return pandas.Index([0, 1], dtype=found.dtype) if found.dtype.kind in "iuf" and found.isin([0, 1]).all() else found


def codes_of(column: pandas.Series, values: pandas.Index) -> NDArray[np.int64]:
    """Return the index of each entry among the values, (n,), MISSING or UNSEEN. The only value of a column has the code
    0, and any other one then 1.
    """
    codes = values.get_indexer(column)
    codes[(codes < 0) & column.notna()] = UNSEEN if len(values) > 1 else 1
    return codes


def values_of(codes: NDArray, values: Sequence[pandas.Index | None], like: pandas.DataFrame | np.dtype) -> Any:
    """Return rows of codes as rows of values: a DataFrame with the columns and types of another one, or an array if
    `like` is a type. A code without a value becomes a missing value.
    """
    if isinstance(like, np.dtype) and all(each is None for each in values):
        return codes.astype(np.bool_ if like.kind == "b" else np.int64)
    columns = [
        pandas.Series(code) if each is None else pandas.Series(each).reindex(code).reset_index(drop=True)
        for code, each in zip(codes.T, values, strict=True)
    ]
    found = pandas.DataFrame(dict(enumerate(columns)))
    if isinstance(like, np.dtype):
        return found.to_numpy(like if like.kind in "iufMm" else object)
    return found.astype(dict(enumerate(like.dtypes))).set_axis(like.columns, axis=1)
