"""Tables of columns with few values, and choices for them: columns, bins of numbers, treatment of gaps."""

import csv
import hashlib
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from decimal import ROUND_CEILING, Context, Decimal
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import read_arrays
from boltzcore.data.examples import BINARY
from boltzcore.data.reading import Reading
from boltzcore.names import Names, names_in
from boltzcore.parameters import parameter, read_number
from boltzcore.quoting import Refusal, cut, listed, quoted

REFUSE, DROP, MODE, EXPECT = MISSING = ("refuse", "drop rows", "most frequent", "keep rows")
MOST_VALUES = 64  # largest number of values of a column
MOST_BINS = 16


@dataclass(frozen=True)
class Gaps:
    """Missing values of a table: the number of rows with any, of all rows, and a sentence with the details."""

    rows: int
    of: int
    sentence: str


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as they were recorded.

    codes : (n, n_columns) uint8, below 64; 0 for missing values and in columns without codes
    missing : (n, n_columns) bool; None if no value is missing
    names : names of columns and codes, or the first texts of a column without codes; None for columns of 0 and 1
        without names
    numbers : {column: (n,) float64} of columns with more than 64 numbers, which have no codes; 0 for missing ones
    too_many : columns with more than 64 texts, which have no codes; those readable as numbers are also in `numbers`
    reading : how the file was read
    written : {place in the file: (name, *texts)} of the columns with more than 64 values, of those whose texts are cut
        in `names`, and of those that number the rows, up to a million cells: filled tables contain them unchanged
    """

    codes: NDArray[np.uint8]
    missing: NDArray[np.bool_] | None = None
    names: Names | None = None
    numbers: Mapping[int, NDArray[np.float64]] = field(default_factory=lambda: MappingProxyType({}))
    too_many: tuple[int, ...] = ()
    reading: Reading = Reading()  # noqa: RUF009
    written: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, or their numbers if they have no names."""
        return self.names.columns if self.names else tuple(column(i) for i in range(self.codes.shape[1]))

    @property
    def needs_choice(self) -> tuple[str, ...]:
        """Columns with more than two values."""
        return tuple(name for name, texts in zip(self.columns, self._texts, strict=False) if len(texts) > BINARY)

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Columns with more than 64 values that may name the rows: different whole numbers, or texts."""
        there = np.ones(self.codes.shape, np.bool_) if self.missing is None else ~self.missing
        numbers = {i: values[there[:, i]] for i, values in self.numbers.items()}
        whole = {i for i, each in numbers.items() if len(np.unique(each)) == len(each) and not (each % 1).any()}
        return tuple(self.columns[i] for i in sorted(whole | {*self.too_many}))

    @property
    def two_values(self) -> str:
        """A sentence on the columns with more than two values, for binary models; "" if there are none."""
        counts = {name: len(texts) for name, texts in zip(self.columns, self._texts, strict=False)}
        counts |= dict.fromkeys([self.columns[i] for i in (*self.numbers, *self.too_many)], MOST_VALUES + 1)
        many = f"more than {MOST_VALUES}"
        most = sorted(counts.items(), key=lambda each: -each[1])  # starting with those that no model takes
        more = [f"{cut(name)} ({n if n <= MOST_VALUES else many})" for name, n in most if n > BINARY]
        few = f"{len(self.columns) - len(more):,} of {len(self.columns):,} columns have two values"
        return f"{few}; leave_out may name the others: {listed(more, '')}." if more else ""

    @property
    def levels(self) -> int | tuple[int, ...]:
        """Number of values of each column: 2 if none has more, else one number per column."""
        found = tuple(max(1, len(texts)) for texts in self._texts)
        return found if found and max(found) > BINARY else BINARY

    @property
    def _texts(self) -> tuple[tuple[str, ...], ...]:
        return self.names.categories if self.names else ()

    # -- what is chosen -------------------------------------------------------------------------------

    def without(self, left_out: str) -> "Table":
        """Return the table without the columns named in a text (`names_of`); raise Refusal for `leave_out` if one does
        not exist, or none is left.
        """
        numbering = set(self.reading.left_out).difference(self.columns)
        gone = tuple(name for name in names_of(left_out) if name not in numbering)
        if strangers := [name for name in gone if name not in self.columns]:
            raise Refusal(
                f"leave_out must name columns of the table ({listed(self.columns, 'none')}), not "
                f"{quoted(strangers[0])}.",
                "leave_out",
            )
        kept = [i for i, name in enumerate(self.columns) if name not in gone]
        if not kept:
            raise Refusal("leave_out must leave a column of the table.", "leave_out")
        if not gone:
            return self
        categories = tuple(self._texts[i] for i in kept) if self._texts else ()
        return replace(
            self,
            codes=np.ascontiguousarray(self.codes[:, kept]),
            missing=None if self.missing is None else self.missing[:, kept],
            names=Names(tuple(self.columns[i] for i in kept), categories),
            numbers={at: self.numbers[i] for at, i in enumerate(kept) if i in self.numbers},
            too_many=tuple(at for at, i in enumerate(kept) if i in self.too_many),
        )

    def cut_into_bins(self, bins: str) -> "Table":
        """Return the table with numbers binned into about equal numbers of rows (`cut_points`), with the numbers of
        bins in a text (`bins_of`). Raises Refusal if a column with more than 64 values remains.
        """
        if uncut := [i for i in self.too_many if i not in self.numbers]:
            raise Refusal(self._list_wide(uncut, "leave_out must name"), "leave_out")
        number, named = bins_of(bins)
        wanted = [named.get(name, number) for name in self.columns]
        if uncut := [i for i in self.numbers if not wanted[i]]:
            start = f"bins must be from 2 to {MOST_BINS}, or leave_out must name them, for"
            raise Refusal(self._list_wide(uncut, start), "bins")
        codes, categories = self.codes.copy(), list(self._texts)
        for i, texts in enumerate(self._texts):
            there = slice(None) if self.missing is None else ~self.missing[:, i]
            many = i in self.numbers or len(texts) > (wanted[i] if self.columns[i] in named else MOST_BINS)
            if wanted[i] and many and (values := self._numbers_of(i)) is not None:
                points = cut_points(values[there], wanted[i])
                codes[there, i] = np.searchsorted(points, values[there])
                categories[i] = bin_texts(points)
        names = self.names and Names(self.columns, tuple(categories))
        return replace(self, codes=codes, names=names, numbers={}, too_many=())

    def _numbers_of(self, i: int) -> NDArray[np.float64] | None:
        """Return the numbers in a column with more than two, (n,); None if it has fewer, or texts."""
        if i in self.numbers:
            return self.numbers[i]
        found = [number_in(text) for text in self._texts[i]]
        if len(found) <= BINARY or None in found:
            return None
        return np.array(found, np.float64)[self.codes[:, i]]

    def _list_wide(self, which: Iterable[int], start: str) -> str:
        """Return a sentence on columns with too many values."""
        some = {i: ", ".join(cut(text, 12) for text in self._texts[i][:3]) for i in which}
        each = listed((f"{_format_name(self.columns[i])} ({texts})" for i, texts in some.items()), "none")
        return f"{start} columns with more than {MOST_VALUES} values: {each}."

    def complete(self, missing: str) -> "Table":
        """Return the table, all of whose columns have codes, without gaps: "drop rows" and "keep rows" drop rows with
        gaps, "most frequent" inserts the most frequent code (the lowest in a tie). Raises Refusal for `missing`, with
        the number of gaps and the place of the first, for "refuse" and if no row would be left.
        """
        gaps, found = self.missing, self.gaps
        if gaps is None or found is None:
            return self
        if missing == REFUSE:
            raise Refusal(f"missing must be {' or '.join(map(quoted, MISSING[1:]))}. {found.sentence}", "missing")
        if missing in (DROP, EXPECT):
            whole = ~gaps.any(axis=1)
            if not whole.any():
                raise Refusal(f"missing must not be {missing}, because no row is complete. {found.sentence}", "missing")
            return replace(self, codes=self.codes[whole], missing=None)
        if gaps.all(axis=0).any():
            empty = self.columns[int(gaps.all(axis=0).argmax())]
            raise Refusal(f"leave_out must name {_format_name(empty)}, in which all values are missing.", "leave_out")
        codes = self.codes.copy()
        for i in np.flatnonzero(gaps.any(axis=0)):
            codes[gaps[:, i], i] = np.bincount(codes[~gaps[:, i], i]).argmax()
        return replace(self, codes=codes, missing=None)

    @property
    def gaps(self) -> Gaps | None:
        """Missing values; None if there are none."""
        if self.missing is None or not self.missing.any():
            return None
        counts, rows = self.missing.sum(axis=0), self.missing.any(axis=1)
        n, of, first = int(rows.sum()), len(self.missing), int(rows.argmax()) + 1
        most = [i for i in np.argsort(-counts, kind="stable").tolist() if counts[i]]
        if counts.sum() == 1:
            return Gaps(n, of, f"Row {first:,} of the data has no value in {_format_name(self.columns[most[0]])}.")
        each = listed((f"{counts[i]:,} in {_format_name(self.columns[i])}" for i in most), "none")
        return Gaps(
            n,
            of,
            f"{counts.sum():,} values are missing: {each}. {n:,} of {of:,} rows {'has' if n == 1 else 'have'} "
            f"a gap, the first in row {first:,}.",
        )

    # -- files ----------------------------------------------------------------------------------------

    def digest(self) -> str:
        """Return 32 hexadecimal digits that identify the content of the table."""
        content = hashlib.sha256()
        for name, array in self._arrays().items():
            content.update(f"{name} {array.dtype.str} {array.shape}".encode() + array.tobytes())
        return content.hexdigest()[:32]

    def save(self, file: Path | BinaryIO) -> None:
        """Write the table as .npz, to be read by `Table.load`."""
        np.savez_compressed(file, **self._arrays())

    def _arrays(self) -> dict[str, Any]:
        missing = np.zeros(self.codes.shape, np.bool_) if self.missing is None else self.missing
        return {
            "v": self.codes,
            "missing": np.packbits(missing, axis=1),
            "number_columns": np.array(list(self.numbers), np.int64),
            "numbers": np.array(list(self.numbers.values()), np.float64).reshape(-1, len(self.codes)),
            "too_many": np.array(self.too_many, np.int64),
            "reading": np.array([json.dumps(asdict(self.reading))], np.str_),
            "written": np.frombuffer(json.dumps(dict(self.written), ensure_ascii=False).encode(), np.uint8),
            **(self.names.as_arrays() if self.names else {}),
        }

    @classmethod
    def load(cls, file: Path, digest: str) -> "Table":
        """Return the table with this digest, written by `save`; raise Refusal if the file is damaged."""
        wanted = {"v": ("u1", 2), "missing": ("u1", 2), "numbers": ("f8", 2), "number_columns": ("i8", 1)}
        held = read_arrays(file, {**wanted, "too_many": ("i8", 1), "reading": ("U", (1,)), "written": ("u1", 1)})
        codes = held["v"]
        missing = np.unpackbits(held["missing"], axis=1, count=codes.shape[1]).astype(np.bool_)
        numbers = dict(zip(held["number_columns"].tolist(), held["numbers"], strict=False))
        too_many = tuple(held["too_many"].tolist())
        try:
            pairs = json.loads(str(held["reading"][0])).items()
            fields: Any = {name: tuple(each) if isinstance(each, list) else each for name, each in pairs}
            reading = Reading(**fields)
            written = {int(i): tuple(each) for i, each in json.loads(held["written"].tobytes()).items()}
        except (TypeError, AttributeError, RecursionError):
            raise Refusal(f"{file.name} is damaged.") from None
        found = cls(codes, missing if missing.any() else None, names_in(file), numbers, too_many, reading, written)
        if found.digest() != digest:
            raise Refusal(f"{file.name} is damaged.")
        return found


def leave_out_field(default: str = "") -> str:
    """Declare the field with the columns of a table that are left out (`Table.without`)."""
    declared: str = parameter(
        default,
        pattern=r"[^\x00-\x1f]{0,16000}",
        help="Names of columns to leave out, separated by commas; quote names that contain a comma. Empty uses all.",
        label="Excluded columns",
    )
    return declared


def number_in(text: str) -> float | None:
    """Return the finite number in a text; None if it has none."""
    try:
        value = float(read_number(float, text.replace("\N{MINUS SIGN}", "-")))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def column(i: int) -> str:
    """Return the name of an unnamed column."""
    return f"column {i + 1}"


def _format_name(name: str) -> str:
    """Return a column's name for a sentence."""
    return name if re.fullmatch(r"column \d+", name) else f"column {cut(name)}"


def names_of(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated text; a name with a comma or a quotation mark is quoted as in CSV."""
    return tuple(name.strip() for cells in csv.reader([text], skipinitialspace=True) for name in cells if name.strip())


def bins_of(text: str) -> tuple[int, dict[str, int]]:
    """Return the number of bins for columns with more than 16 different numbers, and {column: its own number}, from a
    text such as "4, age=6, income=0"; 0 means no binning. Raises Refusal for `bins`.
    """
    number, named = 0, dict[str, int]()
    for each in names_of(text):
        name, _, written = each.rpartition("=")
        if not re.fullmatch(r"\d{1,2}", written := written.strip(), re.ASCII) or not (
            (count := int(written)) == 0 or BINARY <= count <= MOST_BINS
        ):
            raise Refusal(f"bins must be 0, or from 2 to {MOST_BINS}, or COLUMN=NUMBER, not {quoted(each)}.", "bins")
        if name := name.strip():
            named[name] = count
        else:
            number = count
    return number, named


def text_of(names: Sequence[str]) -> str:
    """Return the text from which `names_of` returns these names."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(names)
    return out.getvalue()


def cut_points(values: NDArray[np.float64], bins: int) -> NDArray[np.float64]:
    """Return the increasing upper ends, at most bins - 1, of all bins but the last: a bin holds values above the
    previous end and up to its own. Equal numbers share a bin; many equal numbers mean fewer bins, and none is empty.

    Ends are nearest to the quantiles, the lower one in a tie; each is the last number of its bin, rounded up as far as
    the bins stay the same.
    """
    different, counts = np.unique(values, return_counts=True)
    below = counts.cumsum()[:-1]
    if not len(below):
        return np.empty(0)
    wanted = len(values) * np.arange(1, bins) / bins
    after = np.searchsorted(below, wanted).clip(max=len(below) - 1)
    before = (after - 1).clip(min=0)
    ends = np.unique(np.where(wanted - below[before] <= below[after] - wanted, before, after))
    pairs = zip(different[ends].tolist(), different[ends + 1].tolist(), strict=True)
    return np.array([_shortest(low, high) for low, high in pairs])


def _shortest(low: float, high: float) -> float:
    """Return `low`, rounded up to the fewest digits that keep it below `high`."""
    exact = Decimal(repr(low))
    up = (float(Context(prec=digits, rounding=ROUND_CEILING).plus(exact)) for digits in range(1, 18))
    return next(number for number in up if low <= number < high)


def bin_texts(points: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the names of the bins between these ends."""
    ends = [number_text(point) for point in points.tolist()]
    if not ends:
        return ("any number",)
    between = [f"above {low} to {high}" for low, high in pairwise(ends)]
    return (f"up to {ends[0]}", *between, f"above {ends[-1]}")


def number_text(number: float) -> str:
    """Return a number as text, whole ones without a point."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
