"""Tables of columns with two values each, and what can be chosen of them: columns, and what becomes of gaps."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import array_names, read_arrays
from boltzcore.names import Names, names_in
from boltzcore.parameters import Refusal, parameter
from boltzcore.quoting import cut, listed, quoted

REFUSE, DROP, MODE = MISSING = ("refuse", "drop rows", "column mode")
_GAPS = "missing"  # the array of a file that marks missing values, eight to a byte


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as somebody recorded them.

    codes : (n, n_columns) uint8, 0 or 1; 0 where a value is missing and where a column has more than two values
    missing : (n, n_columns) bool; None where every value is there
    names : what columns and their codes are called; None for columns of 0 and 1 without names. A column of more than
        two categories has the texts of the first of them, and no codes
    """

    codes: NDArray[np.uint8]
    missing: NDArray[np.bool_] | None = None
    names: Names | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, or their numbers where they have none."""
        return self.names.columns if self.names else tuple(column(i) for i in range(self.codes.shape[1]))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The columns of more than two values."""
        there = self.names.categories if self.names else ()
        return tuple(name for name, texts in zip(self.columns, there, strict=False) if len(texts) > 2)

    # -- what is chosen -------------------------------------------------------------------------------

    def without(self, left_out: str) -> "Table":
        """The table without the columns that a text names (`names_of`); Refusal of `leave_out` where one is not there,
        where none is left, and where one that is left has more than two values.
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
        rest = self._with_columns(kept) if gone else self
        if rest.undecided:
            raise Refusal(rest._more_than_two(), "leave_out")
        return rest

    def _with_columns(self, kept: list[int]) -> "Table":
        categories = tuple(self.names.categories[i] for i in kept) if self.names and self.names.categories else ()
        names = Names(tuple(self.columns[i] for i in kept), categories)
        missing = None if self.missing is None else self.missing[:, kept]
        return Table(np.ascontiguousarray(self.codes[:, kept]), missing, names)

    def _more_than_two(self) -> str:
        assert self.names is not None
        first, n = self.undecided[0], len(self.undecided)
        texts = self.names.categories[self.columns.index(first)]
        values = ", ".join(cut(text, 30) for text in texts[:3]) + (" and more" if len(texts) > 3 else "")
        if n == 1:
            return f"leave_out must name {_called(first)}, which has more than two values: {values}."
        return (
            f"leave_out must name the {n:,} columns that have more than two values: "
            f"{listed(self.undecided, 'none')} ({_called(first)} has {values})."
        )

    def complete(self, missing: str) -> "Table":
        """The table without gaps: "drop rows" that have one, or put the most frequent code of the "column mode" there
        (the lower one where both are as frequent). Refusal of `missing` that tells how many there are and where the
        first is, for "refuse" and where nothing would be left.
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
        there, on = (~gaps).sum(axis=0), self.codes.sum(axis=0, dtype=np.int64)  # the code of a gap is 0
        if not there.all():
            empty = self.columns[int(there.argmin())]
            raise Refusal(f"leave_out must name {_called(empty)}, in which no row has a value.", "leave_out")
        mode = (2 * on > there).astype(np.uint8)
        return Table(np.where(gaps, mode, self.codes), None, self.names)

    def _gaps(self) -> str:
        """How many values are missing, and where the first one is."""
        assert self.missing is not None
        n, first = int(self.missing.sum()), int(self.missing.argmax())
        row, at = divmod(first, self.missing.shape[1])
        where = f"row {row + 1:,} of the data, {_called(self.columns[at])}"
        return f"1 value is missing, in {where}" if n == 1 else f"{n:,} values are missing, the first in {where}"

    # -- files ----------------------------------------------------------------------------------------

    def digest(self) -> str:
        """32 hexadecimal digits that name the table by all that it holds."""
        content = hashlib.sha256(f"{self.codes.shape}".encode() + np.packbits(self.codes).tobytes())
        if self.missing is not None or self.names is not None:  # else it is as it was before tables had these
            names = [self.names.columns, self.names.categories] if self.names else []
            content.update(json.dumps(names).encode())
            content.update(b"" if self.missing is None else np.packbits(self.missing).tobytes())
        return content.hexdigest()[:32]

    def save(self, file: Path) -> None:
        """Write the table as .npz; `Table.load` reads it."""
        arrays: dict[str, Any] = {"v": self.codes} | (self.names.as_arrays() if self.names else {})
        if self.missing is not None:
            arrays[_GAPS] = np.packbits(self.missing, axis=1)
        np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, file: Path) -> "Table":
        """The table that `save` wrote; its digest tells whether it is whole. Raises ValueError where there is none."""
        wanted: dict[str, tuple[str, int]] = {"v": ("u1", 2)}
        if _GAPS in array_names(file):
            wanted[_GAPS] = ("u1", 2)
        held = read_arrays(file, wanted)
        codes, gaps = held["v"], held.get(_GAPS)
        missing = None if gaps is None else np.unpackbits(gaps, axis=1, count=codes.shape[1]).astype(np.bool_)
        if missing is not None and missing.shape != codes.shape:
            raise ValueError(f"{file.name} marks gaps in {len(missing):,} rows and has {len(codes):,}.")
        return cls(codes, missing, names_in(file))


def left_out(default: str = "") -> str:
    """The field of a data set that says which columns of its table are left out (`Table.without`)."""
    field: str = parameter(
        default,
        pattern=r"[^\x00-\x1f]{0,4000}",
        help="Names of columns that are not used, separated by commas; a name with a comma in it stands in quotation "
        "marks. Empty uses all.",
        label="Columns left out",
    )
    return field


def column(i: int) -> str:
    """What a column without a name is called."""
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
