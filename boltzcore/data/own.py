"""Own data: uploaded tables from files, stored on this machine, and rows of a script or notebook."""

import hashlib
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import Source as FileOrPath
from boltzcore.arrays import as_numbers
from boltzcore.data import grants
from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.reading import Reading
from boltzcore.data.source import Source, digest_of
from boltzcore.data.table import (
    EXPECT,
    MISSING,
    MOST_BINS,
    MOST_VALUES,
    REFUSE,
    Gaps,
    Table,
    bins_of,
    leave_out_field,
    names_of,
)
from boltzcore.data.table_files import MAX_COLUMNS, MAX_ROWS, read_table
from boltzcore.data.table_formats import named_stream
from boltzcore.home import folder, now, replace_file, sweep
from boltzcore.kernels.random import HELD_OUT, generator
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal, explain, listed, quoted
from boltzcore.ticks import Tick

if TYPE_CHECKING:
    import pandas

MOST_BYTES = 2**31  # largest number of bytes of all stored tables
UNUSED = 86_400.0  # seconds for which an unused table is kept
_FEW = 20  # number of rows below which none are held out by default


@dataclass(frozen=True)
class Own(Source):
    """A table that was uploaded to this machine, identified by the digest of its content."""

    name: ClassVar[str] = "own"
    title: ClassVar[str] = "Your own data"
    about: ClassVar[str] = (
        f"Your own table from a CSV, Excel or NumPy file: one example per row, up to {MOST_VALUES} values per column. "
        "Numeric columns with more values are cut into bins. Empty cells, NA and ? are missing values. At "
        f"most {MAX_ROWS:,} rows and {MAX_COLUMNS:,} columns. It stays on this machine."
    )
    private: ClassVar[bool] = True
    numerics: ClassVar[int] = 2

    digest: str = parameter("", pattern="([0-9a-f]{32})?", help="Hash of the table's content, set by the upload.")
    leave_out: str = leave_out_field()
    bins: str = parameter(
        "",
        pattern=r"[^\x00-\x1f]{0,16000}",
        help=f"Bins, 2 to {MOST_BINS}, into which columns of more than {MOST_BINS} different numbers are cut. Further "
        "parts such as age=8, after commas, are for one column; 0 cuts none. A column may have at most "
        f"{MOST_VALUES} different numbers without bins.",
        label="Bins",
    )
    missing: str = parameter(
        REFUSE,
        choices=MISSING,
        help="Treatment of missing values: refuse them, drop their rows, fill in the most frequent value of the "
        "column, or keep these rows and learn from their known values, as greedy MDL does by expectation maximisation; "
        "other learners drop them.",
        label="Missing values",
    )
    validation: int = parameter(
        20, low=0, high=50, help="Rows held out for early stopping, in percent.", label="Validation rows (%)"
    )
    test: int = parameter(
        20,
        low=0,
        high=50,
        help="Rows held out for the test, in percent; 0 uses training rows.",
        label="Test rows (%)",
    )
    stratify: str = parameter(
        "",
        pattern=r"[^\x00-\x1f]{0,16000}",
        help="Columns of at most 64 values, such as a label, whose values get the same shares of training, validation "
        "and test rows. They may be excluded columns.",
        label="Stratify by",
    )
    seed: int = parameter(0, low=0, high=2**31 - 1, help="Seed that draws the rows held out.", label="Split seed")
    width: int = parameter(
        0,
        low=0,
        high=MAX_COLUMNS,
        help="Image width in pixels; 0 if rows are not images.",
        label="Image width",
    )

    def __post_init__(self) -> None:
        if isinstance(number := getattr(self, "bins"), int):  # noqa: B009
            object.__setattr__(self, "bins", str(number))
        super().__post_init__()
        bins_of(self.bins)

    def at_hand(self) -> bool:
        return bool(self.digest) and _place(self.digest).is_file()

    def options(self, field: str) -> tuple[str, ...]:
        return self.table().columns if field in ("leave_out", "stratify") and self.at_hand() else ()

    def needs_choice(self) -> tuple[str, ...]:
        """Return the columns with more than two values, after binning if chosen, that are not left out yet."""
        gone = names_of(self.leave_out)
        return tuple(name for name in self._chosen().needs_choice if name not in gone)

    def two_values(self) -> str:
        """Return a sentence on the columns in use with more than two values; "" if there are none."""
        return self._chosen().two_values

    def _chosen(self) -> Table:
        """Return the table with the choices applied; as it was read if a column without codes remains."""
        table = self.table()
        with suppress(Refusal):
            table = table.without(self.leave_out)
            table = table.cut_into_bins(self.bins)
        return table

    def _apply_choices(self, table: Table) -> Table:
        """Return the table with the choices for its columns applied; raise Refusal if one is invalid."""
        for choice, names in (("bins", bins_of(self.bins)[1]), ("stratify", names_of(self.stratify))):
            if strangers := {*names} - {*table.columns}:
                columns = listed(table.columns, "none")
                sentence = f"{choice} must name columns of the table ({columns}), not {quoted(min(strangers))}."
                raise Refusal(sentence, choice)
        return table.without(self.leave_out).cut_into_bins(self.bins)

    def unbinned(self) -> tuple[str, ...]:
        """Return the columns with too many different numbers that are neither binned nor left out yet."""
        table, gone = self.table(), names_of(self.leave_out)
        number, named = bins_of(self.bins)
        uncut = [name for i in table.numbers if not named.get(name := table.columns[i], number)]
        return tuple(name for name in uncut if name not in gone)

    def identifiers(self) -> tuple[str, ...]:
        """Return the columns that may name the rows and are neither binned nor left out yet."""
        table, gone, uncut = self.table(), names_of(self.leave_out), self.unbinned()
        cut = [name for i in table.numbers if (name := table.columns[i]) not in uncut]
        return tuple(name for name in table.identifiers if name not in (*gone, *cut))

    def gaps(self) -> Gaps | None:
        """Return the missing values of the columns in use; None if there are none, or a column is refused first."""
        with suppress(Refusal):
            return self._apply_choices(self.table()).gaps
        return None

    def reading(self) -> Reading:
        """Return how the file of the table was read."""
        return self.table().reading

    def _load(self, tick: Tick) -> Dataset:
        return self.rows_of(self.table())

    def rows_of(self, table: Table) -> Dataset:
        """Return the rows of a table with these options applied."""
        used = self._apply_choices(table)
        whole = used.complete(self.missing)
        strata = self._strata(table)
        if len(strata) > len(whole.codes) and used.missing is not None:
            strata = strata[~used.missing.any(axis=1)]
        dataset = _dataset(whole, self._parts(strata), self.width)
        if self.missing != EXPECT or used.missing is None:
            return dataset
        some = used.missing.any(axis=1) & ~used.missing.all(axis=1)
        gaps = np.where(used.missing, -1, used.codes.astype(np.int16))[some]
        share = 1 - (self.validation + self.test) / 100  # as of the complete rows, to keep the distribution
        gaps = gaps[np.sort(generator(self.seed, HELD_OUT).permutation(len(gaps))[: round(share * len(gaps))])]
        return replace(dataset, train=replace(dataset.train, gaps=gaps if len(gaps) else None))

    def _strata(self, table: Table) -> NDArray[np.intp]:
        """Return (n,) a number for each combination of values, or gaps, that rows have in the `stratify` columns."""
        which = [table.columns.index(name) for name in names_of(self.stratify)]
        if many := [table.columns[i] for i in which if i in table.numbers or i in table.too_many]:
            sentence = f"stratify must name columns of at most {MOST_VALUES} values, not {quoted(many[0])}."
            raise Refusal(sentence, "stratify")
        codes = table.codes[:, which].astype(np.int16)
        if table.missing is not None:
            codes[table.missing[:, which]] = -1
        return np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1)

    def _parts(self, strata: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """Return the training, validation and test rows among n, each in their order; empty for a part of 0 %.

        strata : (n,) stratum of each row; all parts have the same shares of each, to a row
        Raises Refusal if a part would be empty.
        """
        n = len(strata)
        counts = [round(n * self.validation / 100), round(n * self.test / 100)]
        for name, count in zip(("validation", "test"), counts, strict=True):
            if (getattr(self, name) and not count) or count >= n:
                raise Refusal(f"{name} must be 0 for a table of {n} rows, not {getattr(self, name)} %.", name)
        if sum(counts) >= n:
            raise Refusal(f"test must leave one of {n} rows for training, not be {self.test} %.", "test")
        rows = generator(self.seed, HELD_OUT).permutation(n)
        if not self.stratify:
            validation, test, train = np.split(rows, np.cumsum(counts))
            return [np.sort(each) for each in (train, validation, test)]
        rows, held = rows[np.argsort(strata[rows], kind="stable")], []
        for count in counts:  # evenly spaced rows, stratum by stratum
            at = (2 * np.arange(count) + 1) * len(rows) // max(1, 2 * count)
            held.append(np.sort(rows[at]))
            rows = np.delete(rows, at)
        return [np.sort(rows), *held]

    def parts(self) -> str:
        """Return a sentence on the rows for training, stopping and testing."""
        if not self.test:
            return "No rows are held out for a test: figures of the test rows are those of the training rows."
        return (
            f"{100 - self.validation - self.test} % of the rows are for training, {self.validation} % for validation "
            f"and {self.test} % for the test, drawn with seed {self.seed}"
            + (f", each with the same shares of {listed(names_of(self.stratify), '')}." if self.stratify else ".")
        )

    def table(self) -> Table:
        """Return the table as it was read, with its gaps. Raises Refusal if it is not here or damaged."""
        if not self.digest:
            raise Refusal("digest is empty: upload a table first.", "digest")
        place = _place(self.digest)
        if not place.is_file():
            raise Refusal("The table with this digest is not on this machine: upload the same rows again.")
        try:
            return Table.load(place, self.digest)
        except Refusal:
            raise Refusal("The table with this digest is damaged: upload the same rows again.") from None


def upload(file: bytes | FileOrPath | Table, reading: Reading = Reading()) -> Own:  # noqa: B008
    """Store a table, or the table of a file, on this machine; return the `Own` by which a recipe refers to it.

    With 20 rows or more, a random fifth is for validation and a fifth for testing. Raises Refusal if the file has no
    table (`read_table`), or too much is stored already.

    >>> from boltzcore import Recipe
    >>> from boltzcore.data import upload
    >>> votes = upload(b"bill,budget\\n" + b"yes,no\\nno,no\\nyes,yes\\n" * 20)
    >>> Recipe("fvbm", votes, "BSLM").dataset().train.v.shape
    (36, 2)
    """
    table = file if isinstance(file, Table) else read_table(file, reading)
    digest = table.digest()
    try:
        kept = sum(each.stat().st_size for each in folder("uploads").glob("*.npz"))
        if kept > MOST_BYTES and not _place(digest).exists():
            raise Refusal(
                f"The tables stored on this machine take {kept:,} bytes, more than {MOST_BYTES:,}: delete one, or wait "
                "a day, after which unused tables are deleted."
            )
        # also replaces an earlier copy of the table, which may be damaged and gets a new date: see `tidy`
        place = _place(digest)
        with replace_file(place) as stream:
            table.save(stream)
        os.utime(place, (moment := now(), moment))
    except OSError as error:
        raise Refusal(explain(error, "The table cannot be stored on this machine")) from None
    return _build(digest, table)


def load_upload(digest: str) -> Own:
    """Return the table with this digest, as uploaded. Raises Refusal if it is missing or damaged."""
    return _build(digest, Own(digest).table())


def _build(digest: str, table: Table) -> Own:
    return Own(digest) if len(table.codes) >= _FEW else Own(digest, validation=0, test=0)


def tidy(in_use: Collection[str]) -> None:
    """Delete the tables that were last uploaded more than a day ago, except those with these digests, with their
    grants, and the remains of interrupted uploads.
    """
    sweep(folder("uploads"), "**/.*")
    moment = now()
    for place in folder("uploads").glob("*.npz"):
        uploaded = place.stat().st_mtime
        if uploaded > moment:  # written while the clock was ahead
            os.utime(place, (moment, moment))
        elif place.stem not in in_use and uploaded < moment - UNUSED:
            grants.end_all(place.stem)
            place.unlink(missing_ok=True)


def forget(digest: str) -> None:
    """Remove a table if no grant opens it."""
    if digest not in grants.digests():
        _place(digest).unlink(missing_ok=True)


def load_table(table: "bytes | FileOrPath | ArrayLike | pandas.DataFrame", **options: Any) -> Dataset:
    """Return the rows of a table: a file for `read_table`, its bytes, an array or a DataFrame; nothing is stored.

    Parameters
    ----------
    options : fields of `Own`, such as leave_out="age, id", bins=4, missing="most frequent"; with 20 rows or more, a
        fifth is for validation and a fifth for testing unless `validation` and `test` differ

    Raises Refusal if it is not a table, or a field must be chosen.

    >>> import pandas as pd
    >>> from boltzcore.data import load
    >>> people = pd.DataFrame({"age": range(100), "vote": ["yes", "no"] * 50})
    >>> load(people, bins=2).names.categories
    (('up to 49', 'above 49'), ('no', 'yes'))
    """
    of_frame = Reading("comma", "yes", "point", skip_rows="0") if hasattr(table, "to_csv") else Reading()
    read = read_table(_content(table), of_frame)
    return replace(_build("", read), **{Own.named(name).name: value for name, value in options.items()}).rows_of(read)


def _content(table: Any) -> bytes | FileOrPath:
    """Return an array as a .npy file and a DataFrame as a CSV file, both named data; a file unchanged."""
    if hasattr(table, "to_csv"):
        return named_stream(bytes(table.to_csv(index=False), "utf-8"), "data")
    if isinstance(table, bytes | str | os.PathLike) or hasattr(table, "read"):
        return table
    array = as_numbers("data", table, (None, None), "a table of numbers")
    with np.errstate(invalid="ignore"):
        small = array.astype(np.int8)
    np.save(stream := named_stream(b"", "data"), small if (small == array).all() else array, allow_pickle=False)
    return stream


def _dataset(table: Table, parts: Sequence[NDArray[np.intp]], width: int) -> Dataset:
    v = table.codes
    n_columns = v.shape[1]
    if width and n_columns % width:
        raise Refusal(
            f"width must be 0, or divide the {n_columns:,} columns of the table into lines of an image, not {width}.",
            "width",
        )
    train, validation, test = (Examples(v[rows], levels=table.levels) if len(rows) else None for rows in parts)
    assert train is not None
    shape = (n_columns // width, width) if width else None
    return Dataset(train, validation, test or train, shape=shape, names=table.names)


def _place(digest: str) -> Path:
    return folder("uploads") / f"{digest}.npz"


@dataclass(frozen=True)
class InMemory(Source):
    """A data set in the memory of this process, which has no link and is not stored.

    digest : digest of its content, by which it is compared
    """

    name: ClassVar[str] = "memory"
    title: ClassVar[str] = "Rows in memory"
    about: ClassVar[str] = "Rows that a script or notebook gave to a recipe."
    private: ClassVar[bool] = True

    digest: str = parameter("", pattern="[0-9a-f]{64}", help="Hash of the rows.")
    dataset: Dataset = field(kw_only=True, compare=False, repr=False)

    @classmethod
    def from_rows(cls, rows: Any) -> "InMemory":
        """Return a data set, Examples, or a table in a form for `load_table`, as the data of a recipe."""
        if isinstance(rows, Examples):
            rows = Dataset(rows, None, rows)
        if isinstance(rows, Dataset):  # a copy: the caller may change its arrays, and `load` makes them read-only
            train, validation, test, labels = deepcopy((rows.train, rows.validation, rows.test, dict(rows.labels)))
            dataset = replace(rows, train=train, validation=validation, test=test, labels=labels)
        else:
            dataset = load_table(rows)
        kinds = [(split.levels, split.corruption, split.shape) for split in dataset.splits.values()]
        content = f"{digest_of(dataset)} {dataset.names} {kinds} {sorted(dataset.labels)} {dataset.truth is None}"
        return cls(hashlib.sha256(content.encode()).hexdigest(), dataset=dataset)

    def _load(self, tick: Tick) -> Dataset:
        return self.dataset
