"""Names of the columns of a table and of the categories in them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source, read_arrays

MOST_NAMES = 2**19  # of columns and categories in a file: 4,096 columns have fewer; each takes a hundred bytes
_COLUMNS, _CATEGORIES, _COUNTS = "column_names", "category_names", "category_counts"


@dataclass(frozen=True)
class Names:
    """Names of columns, and of the categories of each.

    columns : a name for each column
    categories : for each column a text for each of its codes, from 0 on; empty where no column's codes have texts
    Raises ValueError where there are not as many lists of categories as columns.
    """

    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _texts(self.columns))
        object.__setattr__(self, "categories", tuple(_texts(each) for each in self.categories))
        if self.categories and len(self.categories) != len(self.columns):
            raise ValueError(
                f"categories must be one list for each of the {len(self.columns)} columns, not {len(self.categories)}."
            )

    def as_arrays(self) -> dict[str, NDArray]:
        """As plain arrays for an .npz file; `names_in` reads them back."""
        texts = [text for each in self.categories for text in each]
        counts = [len(each) for each in self.categories]
        return {
            _COLUMNS: np.array(self.columns, np.str_),
            _CATEGORIES: np.array(texts, np.str_),
            _COUNTS: np.array(counts, np.int64),
        }


def names_in(file: Source) -> Names | None:
    """Return the names that an .npz file has for its columns; None if it has none, they do not agree, or they are more
    than a table here may have.

    >>> import io
    >>> from boltzcore.data import load
    >>> from boltzcore.models import FVBMSetup, names_in
    >>> votes, file = load("senate"), io.BytesIO()
    >>> FVBMSetup().initial(votes.train, seed=0).save(file, names=votes.names)
    >>> names_in(file).columns[:3]
    ('Opp', 'AG', 'NXT')
    """
    try:
        found = read_arrays(file, {_COLUMNS: ("U", 1), _CATEGORIES: ("U", 1), _COUNTS: ("i", 1)})
        columns, texts, counts = found[_COLUMNS], found[_CATEGORIES], found[_COUNTS]
        if max(len(columns), len(texts)) > MOST_NAMES:  # before any of them becomes an object
            return None
        if (counts < 0).any() or (counts > len(texts)).any() or counts.sum() != len(texts):
            return None
        each = np.split(texts, counts.cumsum()[:-1]) if len(counts) else []
        return Names(tuple(columns), tuple(tuple(part) for part in each))
    except (ValueError, MemoryError):  # texts without a letter take no bytes in a file, which may claim any number
        return None


def column_names(names: Names | None, count: int) -> tuple[str, ...]:
    """What so many columns are called: x1, x2 and so on where they have no names.

    Raises ValueError where there are not as many names.
    """
    if names is None:
        return tuple(f"x{i + 1}" for i in range(count))
    if len(names.columns) != count:
        raise ValueError(f"names must be of {count:,} columns, not of {len(names.columns):,}.")
    return names.columns


def _texts(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(text) for text in texts)
