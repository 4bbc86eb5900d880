"""Names of the columns of a table and of the categories in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source, read_arrays
from boltzcore.parameters import check_kind
from boltzcore.quoting import Refusal, listed, quoted

MOST_NAMES = 2**19  # largest number of columns and categories in a file: more than in 4,096 columns
_COLUMNS, _CATEGORIES, _COUNTS = "column_names", "category_names", "category_counts"


@dataclass(frozen=True)
class Names:
    """Names of columns, and of the categories of each.

    columns : a name for each column
    categories : for each column a text for each of its codes, from 0 on; empty if no column's codes have texts
    Raises Refusal if the numbers of columns and of lists of categories differ.
    """

    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(map(str, self.columns)))
        object.__setattr__(self, "categories", tuple(tuple(map(str, each)) for each in self.categories))
        if self.categories and len(self.categories) != len(self.columns):
            raise Refusal(
                f"categories must be one list for each of the {len(self.columns)} columns, not {len(self.categories)}."
            )

    def as_arrays(self) -> dict[str, NDArray]:
        """Return plain arrays for an .npz file, to be read by `names_in`."""
        texts = [text for each in self.categories for text in each]
        counts = [len(each) for each in self.categories]
        return {
            _COLUMNS: np.array(self.columns, np.str_),
            _CATEGORIES: np.array(texts, np.str_),
            _COUNTS: np.array(counts, np.int64),
        }


def names_in(file: Source) -> Names | None:
    """Return the names of columns in an .npz file; None if it has none, they are inconsistent, or there are more than a
    table may have.

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
    except (ValueError, MemoryError):  # empty texts take no bytes in a file, which may claim any number
        return None


def column_names(names: Names | None, count: int) -> tuple[str, ...]:
    """Return the names of a number of columns: x1, x2 and so on if they have none.

    Raises Refusal where there are not as many names.
    """
    if names is None:
        return tuple(f"x{i + 1}" for i in range(count))
    if len(check_kind(names, Names, "names").columns) != count:
        raise Refusal(f"names must be of {count:,} columns, not of {len(names.columns):,}.")
    return names.columns


def texts_of_values(names: Names | None, i: int, size: int) -> tuple[str, ...]:
    """Return the texts of a column's values; the codes themselves if they have none, or two are alike."""
    there = names.categories[i] if names and names.categories else ()
    found = (*there, *map(str, range(len(there), size)))
    return found if len(set(found)) == len(found) else tuple(map(str, range(len(found))))


def code_of(text: str, values: Sequence[str]) -> int | None:
    """Return the code of a value, given as a text: the index of the value with the same spelling, else of the one that
    only differs in case, or is the same number. None if there is none, and never a code that is not a value.

    Raises Refusal if the text matches several values.

    >>> code_of("2.0", ["1", "2", "3"]), code_of("yes", ["No", "Yes"]), code_of("0", ["1", "2", "3"])
    (1, 1, None)
    """
    forms: tuple[Callable[[str], Any], ...] = (str, str.strip, lambda each: each.strip().casefold(), _number)
    for form in forms:
        wanted = form(text)
        places = [i for i, value in enumerate(values) if form(value) == wanted]
        if len(places) > 1:
            raise Refusal(f"{quoted(text)} stands for any of {listed((quoted(values[i]) for i in places), '')}.")
        if places:
            return places[0]
    return None


def _number(text: str) -> Decimal:
    """Return the exact number in a text; NaN, which equals nothing, if it has none."""
    plain = text.strip().replace("\N{MINUS SIGN}", "-")
    try:
        number = Decimal(plain if plain.isascii() and "_" not in plain else "nan")
    except InvalidOperation:
        number = Decimal("nan")
    return number if number.is_finite() else Decimal("nan")
