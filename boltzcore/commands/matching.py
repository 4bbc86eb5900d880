"""A data set as a model file knows its table: columns and values by their names, where both sides have names."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import file_name
from boltzcore.data.examples import BINARY, Dataset, Examples
from boltzcore.data.table import column, number_in
from boltzcore.data.table_files import SPINS
from boltzcore.models import LogLinear, Model, names_in
from boltzcore.models.log_linear import cardinalities_of
from boltzcore.names import Names
from boltzcore.quoting import listed, quoted

Texts = tuple[str, ...]
OFF_ON = (("0", "1"), SPINS, ("no", "yes"), ("false", "true"))


def matched(dataset: Dataset, model: Model, file: Path, data: str) -> Dataset:
    """The data set with the columns in the order of the model in a file, and its codes for their values: a table read
    from another file has an order and codes of its own. Left as it is where a side has no names, or not of all columns.

    data : what the data set is called on the command line
    Raises ValueError naming the first column, or the first value of a row, that the model does not know.
    """
    own, given = names_in(file), dataset.names
    n = dataset.train.n_visible
    if own is None or given is None or not len(own.columns) == len(given.columns) == model.n_visible == n:
        return dataset
    order = _order(own.columns, given.columns, file_name(file), file_name(data))
    sizes = cardinalities_of(dataset.train)
    wanted = [_texts(own, i, size) for i, size in enumerate(_sizes(model, own))]
    found = [_texts(given, i, sizes[i]) for i in order]
    texts, codes = list[Texts](), list[NDArray]()
    for i, (known, met) in enumerate(zip(wanted, found, strict=True)):
        rows = [split.v[:, order[i]] for split in dataset.splits.values()]
        if known in OFF_ON and met in OFF_ON:  # each side has off and on in words of its own
            texts.append(met)
            codes.append(np.arange(len(met)))
            continue
        strangers = [text for code, text in enumerate(met) if _place(text, known) is None and _occurs(code, rows)]
        if strangers:
            raise ValueError(
                f"Column {quoted(given.columns[order[i]])} of {file_name(data)} must have values of the model in "
                f"{file_name(file)} ({listed(known, 'none')}), not {quoted(strangers[0])}."
            )
        texts.append(known)
        codes.append(np.array([_place(text, known) or 0 for text in met]))
    if order == list(range(n)) and texts == found:
        return dataset
    names = Names(tuple(given.columns[i] for i in order), tuple(texts) if own.categories or given.categories else ())
    most = max(len(each) for each in texts)
    levels = tuple(len(each) for each in texts) if most > BINARY else BINARY

    def recoded(split: Examples) -> Examples:
        v = np.empty_like(split.v, dtype=np.promote_types(split.v.dtype, np.min_scalar_type(most)))
        for i, (at, code) in enumerate(zip(order, codes, strict=True)):
            v[:, i] = code[split.v[:, at]]
        return replace(split, v=v, levels=levels)

    return replace(dataset.mapped(recoded), names=names, truth=None)  # a truth is about the columns as they were


def _order(own: Texts, given: Texts, file: str, data: str) -> list[int]:
    """Which column of the data each of the model's is. Columns without names go by their place."""
    places = list(range(len(own)))
    numbered = tuple(column(i) for i in places)
    if own == given or numbered in (own, given):
        return places
    if strangers := [name for name in given if name not in own]:
        raise ValueError(
            f"The columns of {data} must be those of the model in {file} ({listed(own, 'none')}), in any order, not "
            f"{quoted(strangers[0])}."
        )
    return [given.index(name) for name in own]


def _sizes(model: Model, own: Names) -> Sequence[int]:
    """How many values each column of a model has."""
    if isinstance(model, LogLinear):
        return model.layout.cardinalities
    return [max(BINARY, len(each)) for each in own.categories] or [BINARY] * len(own.columns)


def _texts(names: Names, i: int, size: int) -> Texts:
    """The texts of a column's values; the codes themselves where they have none."""
    there = names.categories[i] if names.categories else ()
    return tuple(there[code] if code < len(there) else str(code) for code in range(max(size, len(there))))


def _place(text: str, known: Texts) -> int | None:
    """The code of a value among those that are known: a number by what it is worth."""
    if text in known:
        return known.index(text)
    number = number_in(text)
    worth = [number_in(each) for each in known]
    return worth.index(number) if number is not None and number in worth else None


def _occurs(code: int, rows: Sequence[NDArray]) -> bool:
    return any((each == code).any() for each in rows)
