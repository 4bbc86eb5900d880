"""Tables of columns of few values, and what can be chosen of them: columns, bins of numbers, what becomes of gaps."""

import csv
import hashlib
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import array_names, read_arrays
from boltzcore.data.examples import BINARY
from boltzcore.data.quantiles import bin_texts, cut_points
from boltzcore.names import Names, names_in
from boltzcore.parameters import Refusal, parameter, read_number
from boltzcore.quoting import cut, listed, quoted

REFUSE, DROP, MODE = MISSING = ("refuse", "drop rows", "column mode")
MOST_VALUES = 64  # of a column
MOST_BINS = 16
_GAPS = "missing"  # the array of a file that marks missing values, eight to a byte
_NUMBERS, _NUMBER_COLUMNS, _TOO_MANY = "numbers", "number_columns", "too_many"


@dataclass(frozen=True)
class Gaps:
    """Where values of a table are missing.

    rows : how many have a gap, of `of`
    columns : {name: how many of its values are missing}, those with the most first
    first : the number of the first row with a gap, from 1
    """

    rows: int
    of: int
    columns: Mapping[str, int]
    first: int

    @property
    def sentence(self) -> str:
        """Which values are missing, in plain words."""
        n, names = sum(self.columns.values()), list(self.columns)
        if n == 1:
            return f"Row {self.first:,} of the data has no value in {_called(names[0])}."
        counts = listed((f"{self.columns[name]:,} in {_called(name)}" for name in names), "none")
        has = "has a gap" if self.rows == 1 else "have a gap"
        return f"{n:,} values are missing: {counts}. {self.rows:,} of {self.of:,} rows {has}, row {self.first:,} first."


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as somebody recorded them.

    codes : (n, n_columns) uint8, below 64; 0 where a value is missing and in columns that have no codes
    missing : (n, n_columns) bool; None where every value is there
    names : what columns and their codes are called; None for columns of 0 and 1 without names. A column that has no
        codes has the texts of the first of its values
    numbers : {column: (n,) float64} of the columns of more than 64 different numbers, which have no codes; 0 where one
        is missing
    too_many : the other columns of more than 64 values, which have no codes either
    """

    codes: NDArray[np.uint8]
    missing: NDArray[np.bool_] | None = None
    names: Names | None = None
    numbers: Mapping[int, NDArray[np.float64]] = field(default_factory=lambda: MappingProxyType({}))
    too_many: tuple[int, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, or their numbers where they have none."""
        return self.names.columns if self.names else tuple(column(i) for i in range(self.codes.shape[1]))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The columns of more than two values."""
        return tuple(name for name, texts in zip(self.columns, self._texts, strict=False) if len(texts) > BINARY)

    @property
    def levels(self) -> int | tuple[int, ...]:
        """The number of values of each column: 2 where none has more, else one number a column."""
        found = tuple(max(1, len(texts)) for texts in self._texts)
        return found if found and max(found) > BINARY else BINARY

    @property
    def _texts(self) -> tuple[tuple[str, ...], ...]:
        return self.names.categories if self.names else ()

    # -- what is chosen -------------------------------------------------------------------------------

    def without(self, left_out: str) -> "Table":
        """The table without the columns that a text names (`names_of`); Refusal of `leave_out` where one is not there,
        and where none is left.
        """
        gone = names_of(left_out)
        if strangers := [name for name in gone if name not in self.columns]:
            raise Refusal(
                f"leave_out must name columns of the table ({listed(self.columns, 'none')}), not "
                f"{quoted(strangers[0])}.",
                "leave_out",
            )
        kept = [i for i, name in enumerate(self.columns) if name not in gone]
        if not kept:
            raise Refusal("leave_out must leave a column of the table.", "leave_out")
        return self._with_columns(kept) if gone else self

    def _with_columns(self, kept: list[int]) -> "Table":
        categories = tuple(self._texts[i] for i in kept) if self._texts else ()
        names = Names(tuple(self.columns[i] for i in kept), categories)
        missing = None if self.missing is None else self.missing[:, kept]
        numbers = {at: self.numbers[i] for at, i in enumerate(kept) if i in self.numbers}
        too_many = tuple(at for at, i in enumerate(kept) if i in self.too_many)
        return Table(np.ascontiguousarray(self.codes[:, kept]), missing, names, numbers, too_many)

    def binned(self, bins: int) -> "Table":
        """The table with each column of more than `bins` different numbers cut into so many bins of about as many rows
        each (`cut_points`); 0 cuts none. Refusal where a column is left that has more than 64 values.
        """
        if self.too_many:
            raise Refusal(self._with_too_many(self.too_many, "leave_out must name"), "leave_out")
        if not bins:
            if self.numbers:
                start = f"bins must be from 2 to {MOST_BINS}, or leave_out must name"
                raise Refusal(self._with_too_many(tuple(self.numbers), start), "bins")
            return self
        codes, categories = self.codes.copy(), list(self._texts)
        for i, texts in enumerate(self._texts):
            there = slice(None) if self.missing is None else ~self.missing[:, i]
            if (values := self._numbers_of(i)) is not None and (i in self.numbers or len(texts) > bins):
                points = cut_points(values[there], bins)
                codes[there, i] = np.searchsorted(points, values[there])
                categories[i] = bin_texts(points)
        return Table(codes, self.missing, self.names and Names(self.columns, tuple(categories)))

    def _numbers_of(self, i: int) -> NDArray[np.float64] | None:
        """(n,) the numbers in a column of more than two; None where it has less, or texts."""
        if i in self.numbers:
            return self.numbers[i]
        found = [number_in(text) for text in self._texts[i]]
        if len(found) <= BINARY or None in found:
            return None
        return np.array(found, np.float64)[self.codes[:, i]]

    def _with_too_many(self, which: tuple[int, ...], start: str) -> str:
        """A sentence about columns of too many values."""
        first, n = self.columns[which[0]], len(which)
        values = ", ".join(cut(text, 30) for text in self._texts[which[0]][:3])
        if n == 1:
            return f"{start} {_called(first)}, which has more than {MOST_VALUES} values: {values} and more."
        every = listed((self.columns[i] for i in which), "none")
        return (
            f"{start} the {n:,} columns that have more than {MOST_VALUES} values: {every} ({_called(first)} has "
            f"{values} and more)."
        )

    def complete(self, missing: str) -> "Table":
        """The table, which has codes in all columns, without gaps: "drop rows" that have one, or put the most frequent
        code of the "column mode" there (the lowest of those that are as frequent). Refusal of `missing` that says how
        many there are and where the first is, for "refuse" and where nothing would be left.
        """
        gaps = self.missing
        if gaps is None or not gaps.any():
            return replace(self, missing=None)
        if missing == REFUSE:
            raise Refusal(f"missing must be {' or '.join(MISSING[1:])}, as {self._gaps()}.", "missing")
        if missing == DROP:
            whole = ~gaps.any(axis=1)
            if not whole.any():
                raise Refusal(f"missing must not be drop rows, as no row is whole: {self._gaps()}.", "missing")
            return Table(self.codes[whole], None, self.names)
        if gaps.all(axis=0).any():
            empty = self.columns[int(gaps.all(axis=0).argmax())]
            raise Refusal(f"leave_out must name {_called(empty)}, in which no row has a value.", "leave_out")
        codes = self.codes.copy()
        for i in np.flatnonzero(gaps.any(axis=0)):
            codes[gaps[:, i], i] = np.bincount(codes[~gaps[:, i], i]).argmax()
        return Table(codes, None, self.names)

    @property
    def gaps(self) -> Gaps | None:
        """Which values are missing; None where every value is there."""
        if self.missing is None or not self.missing.any():
            return None
        counts, rows = self.missing.sum(axis=0), self.missing.any(axis=1)
        most = [i for i in np.argsort(-counts, kind="stable").tolist() if counts[i]]
        columns = {self.columns[i]: int(counts[i]) for i in most}
        return Gaps(int(rows.sum()), len(self.missing), columns, int(rows.argmax()) + 1)

    def _gaps(self) -> str:
        """The number of missing values, and the place of the first."""
        assert self.missing is not None
        n, first = int(self.missing.sum()), int(self.missing.argmax())
        row, at = divmod(first, self.missing.shape[1])
        where = f"row {row + 1:,} of the data, {_called(self.columns[at])}"
        return f"1 value is missing, in {where}" if n == 1 else f"{n:,} values are missing, the first in {where}"

    # -- files ----------------------------------------------------------------------------------------

    def digest(self) -> str:
        """32 hexadecimal digits that name the table by all that it holds."""
        content = hashlib.sha256(f"{self.codes.shape}".encode() + np.packbits(self.codes).tobytes())
        if self.missing is not None or self.names is not None:
            names = [self.names.columns, self.names.categories] if self.names else []
            content.update(json.dumps(names).encode())
            content.update(b"" if self.missing is None else np.packbits(self.missing).tobytes())
        if self.codes.max() >= BINARY or self.numbers:
            content.update(self.codes.tobytes())
            for i, values in self.numbers.items():
                content.update(f"{i}".encode() + values.tobytes())
        return content.hexdigest()[:32]

    def save(self, file: Path | BinaryIO) -> None:
        """Write the table as .npz; `Table.load` reads it."""
        arrays: dict[str, Any] = {"v": self.codes} | (self.names.as_arrays() if self.names else {})
        if self.missing is not None:
            arrays[_GAPS] = np.packbits(self.missing, axis=1)
        if self.undecided:
            arrays[_TOO_MANY] = np.array(self.too_many, np.int64)
            arrays[_NUMBER_COLUMNS] = np.array(list(self.numbers), np.int64)
            arrays[_NUMBERS] = np.array(list(self.numbers.values()), np.float64).reshape(-1, len(self.codes))
        np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, file: Path) -> "Table":
        """The table that `save` wrote; its digest shows whether it is whole. Raises ValueError where there is none."""
        there = array_names(file)
        wanted: dict[str, tuple[str, int]] = {"v": ("u1", 2)}
        if _GAPS in there:
            wanted[_GAPS] = ("u1", 2)
        if _TOO_MANY in there:
            wanted |= {_TOO_MANY: ("i8", 1), _NUMBER_COLUMNS: ("i8", 1), _NUMBERS: ("f8", 2)}
        held = read_arrays(file, wanted)
        codes, gaps = held["v"], held.get(_GAPS)
        if not codes.size:
            raise ValueError(f"{file.name} has no rows, or no columns.")
        missing = None if gaps is None else np.unpackbits(gaps, axis=1, count=codes.shape[1]).astype(np.bool_)
        if missing is not None and missing.shape != codes.shape:
            raise ValueError(f"{file.name} marks gaps in {len(missing):,} rows and has {len(codes):,}.")
        found = cls(codes, missing, names_in(file))
        if _TOO_MANY not in held:
            return found
        numbers = dict(zip(held[_NUMBER_COLUMNS].tolist(), held[_NUMBERS], strict=False))
        too_many = tuple(held[_TOO_MANY].tolist())
        if not set(too_many) <= set(range(codes.shape[1])):  # the digest does not cover them
            raise ValueError(f"{file.name} tells of columns that it does not have.")
        return replace(found, numbers=numbers, too_many=too_many)


def left_out(default: str = "") -> str:
    """The field of a data set that says which columns of its table are left out (`Table.without`)."""
    declared: str = parameter(
        default,
        pattern=r"[^\x00-\x1f]{0,4000}",
        help="Names of columns that are not used, separated by commas; a name with a comma in it stands in quotation "
        "marks. Empty uses all.",
        label="Columns left out",
    )
    return declared


def number_in(text: str) -> float | None:
    """The finite number that a text writes; None where it writes none."""
    try:
        value = float(read_number(float, text.replace("\N{MINUS SIGN}", "-")))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def column(i: int) -> str:
    """The name of a column that has none."""
    return f"column {i + 1}"


def _called(name: str) -> str:
    """A column in a sentence."""
    return name if re.fullmatch(r"column \d+", name) else f"column {cut(name)}"


def names_of(text: str) -> tuple[str, ...]:
    """The names that a text lists, separated by commas; one with a comma or a quotation mark in it is quoted as in a
    CSV file.
    """
    return tuple(name.strip() for cells in csv.reader([text], skipinitialspace=True) for name in cells if name.strip())


def text_of(names: Sequence[str]) -> str:
    """The text in which `names_of` finds these names."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(names)
    return out.getvalue()
