"""Tables of one's own out of files, kept on this machine."""

import io
import os
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from boltzcore.arrays import Source as FileOrPath
from boltzcore.data import grants
from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.files import DataUnavailable
from boltzcore.data.reading import Reading
from boltzcore.data.source import Source
from boltzcore.data.table import MISSING, MOST_BINS, MOST_VALUES, REFUSE, Gaps, Table, left_out, names_of
from boltzcore.data.table_files import MAX_COLUMNS, MAX_ROWS, read_table
from boltzcore.data.table_formats import called
from boltzcore.home import folder, now, replacing, sweep
from boltzcore.parameters import Refusal, parameter
from boltzcore.quoting import explained
from boltzcore.ticks import Tick

if TYPE_CHECKING:
    import pandas

MOST_BYTES = 2**31  # of all tables that are kept
UNUSED = 86_400.0  # seconds that an unused table is kept
_FEW = 50  # rows below which none is held out unless asked for


@dataclass(frozen=True)
class Own(Source):
    """A table that was uploaded to this machine, named by the digest of all that it holds."""

    name: ClassVar[str] = "own"
    title: ClassVar[str] = "Your own data"
    about: ClassVar[str] = (
        f"Your own table from a CSV, Excel or NumPy file: one example per row, up to {MOST_VALUES} values per column. "
        "Numeric columns with more values are cut into bins. Empty cells, NA and ? are missing values. At "
        f"most {MAX_ROWS:,} rows and {MAX_COLUMNS:,} columns. It stays on this machine."
    )
    private: ClassVar[bool] = True

    digest: str = parameter("", pattern="([0-9a-f]{32})?", help="Hash of the table's content, set by the upload.")
    leave_out: str = left_out()
    bins: int = parameter(
        0,
        low=0,
        high=MOST_BINS,
        help="Columns with more different numbers than this are cut into this number of bins of about equal size; 0 "
        f"cuts none, and allows at most {MOST_VALUES} different numbers.",
        label="Bins",
    )
    missing: str = parameter(
        REFUSE,
        choices=MISSING,
        help="Treatment of missing values: refuse them, drop their rows, or fill in the most frequent value of the "
        "column.",
        label="Missing values",
    )
    test: str = parameter(
        "every fifth row",
        choices=("every fifth row", "the training rows"),
        help="Test rows: every fifth row, which is held out, or the training rows.",
    )
    width: int = parameter(
        0,
        low=0,
        high=MAX_COLUMNS,
        help="Image width in pixels; 0 if rows are not images.",
        label="Image width",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bins == 1:
            raise Refusal(f"bins must be 0, or from 2 to {MOST_BINS}, not 1.", "bins")

    def at_hand(self) -> bool:
        return bool(self.digest) and _place(self.digest).is_file()

    def options(self, field: str) -> tuple[str, ...]:
        return self._table().columns if field == "leave_out" and self.at_hand() else ()

    def needs_choice(self) -> tuple[str, ...]:
        """The columns that have more than two values, in bins where these are chosen, and are not left out yet."""
        gone = names_of(self.leave_out)
        return tuple(name for name in self._chosen().needs_choice if name not in gone)

    def two_values(self) -> str:
        """A sentence on the columns that are used and have more than two values; "" if none has."""
        return self._chosen().two_values

    def _chosen(self) -> Table:
        """The table with what is chosen of it; as it was read if a column that has no codes is left."""
        table = self._table()
        with suppress(Refusal):
            table = table.without(self.leave_out)
            table = table.binned(self.bins)
        return table

    def unbinned(self) -> tuple[str, ...]:
        """The columns of too many different numbers that are neither cut into bins nor left out yet."""
        table, gone = self._table(), names_of(self.leave_out)
        return () if self.bins else tuple(name for i in table.numbers if (name := table.columns[i]) not in gone)

    def too_many(self) -> tuple[str, ...]:
        """The columns of too many different texts that are not left out yet."""
        table, gone = self._table(), names_of(self.leave_out)
        texts = (table.columns[i] for i in table.too_many if i not in table.numbers)
        return tuple(name for name in texts if name not in gone)

    def gaps(self) -> Gaps | None:
        """The missing values of the columns that are used; None where there are none, or a column is refused first."""
        with suppress(Refusal):
            return self._table().without(self.leave_out).binned(self.bins).gaps
        return None

    def reading(self) -> Reading:
        """Return how the file of the table was read."""
        return self._table().reading

    def _load(self, tick: Tick) -> Dataset:
        return self.rows_of(self._table())

    def rows_of(self, table: Table) -> Dataset:
        """Return the rows of a table with what these options choose of it."""
        table = table.without(self.leave_out).binned(self.bins).complete(self.missing)
        return _dataset(table, held_out=self.test == "every fifth row", width=self.width)

    def _table(self) -> Table:
        if not self.digest:
            raise DataUnavailable("digest is empty: upload a table first.", "digest")
        place = _place(self.digest)
        if not place.is_file():
            raise DataUnavailable("The table with this digest is not on this machine: upload the same rows again.")
        try:
            return Table.load(place, self.digest)
        except ValueError:
            raise DataUnavailable("The table with this digest is damaged: upload the same rows again.") from None


def upload(file: bytes | FileOrPath, reading: Reading = Reading()) -> Own:  # noqa: B008
    """Keep the table of a file on this machine; the `Own` by which a recipe names it.

    Every fifth row is the test set, unless the table is so short that all its rows are. ValueError where the file holds
    no table (`read_table`), or too much is kept already.

    >>> from boltzcore import Recipe
    >>> from boltzcore.data import upload
    >>> votes = upload(b"bill,budget\\n" + b"yes,no\\nno,no\\nyes,yes\\n" * 20)
    >>> Recipe("fvbm", votes, "BSLM").dataset().train.v.shape
    (48, 2)
    """
    table = read_table(file, reading)
    digest = table.digest()
    try:
        kept = sum(each.stat().st_size for each in folder("uploads").glob("*.npz"))
        if kept > MOST_BYTES and not _place(digest).exists():
            raise ValueError(
                f"The tables stored on this machine take {kept:,} bytes, more than {MOST_BYTES:,}: delete one, or wait "
                "a day, after which unused tables are deleted."
            )
        # also in place of the same table of before, which may be damaged, and is wanted anew: see `tidy`
        place = _place(digest)
        with replacing(place) as stream:
            table.save(stream)
        os.utime(place, (moment := now(), moment))
    except OSError as error:
        raise ValueError(explained(error, f"{called(file)} cannot be stored on this machine")) from None
    return _named(digest, table)


def kept(digest: str) -> Own:
    """The table with this digest, as it was uploaded. DataUnavailable where it is not here or damaged."""
    return _named(digest, Own(digest)._table())


def _named(digest: str, table: Table) -> Own:
    return Own(digest, test="every fifth row" if len(table.codes) >= _FEW else "the training rows")


def tidy(in_use: Collection[str]) -> None:
    """Forget the tables that were last uploaded more than a day ago, except those with these digests, with each the
    grants that open it, and what uploads that were killed left behind.
    """
    sweep(folder("uploads"), "**/.*")
    moment = now()
    for place in folder("uploads").glob("*.npz"):
        uploaded = place.stat().st_mtime
        if uploaded > moment:  # by a clock that was ahead
            os.utime(place, (moment, moment))
        elif place.stem not in in_use and uploaded < moment - UNUSED:
            grants.end_all(place.stem)
            place.unlink(missing_ok=True)


def forget(digest: str) -> None:
    """Remove a table that no grant opens any more."""
    if digest not in grants.digests():
        _place(digest).unlink(missing_ok=True)


def load_table(table: "bytes | FileOrPath | ArrayLike | pandas.DataFrame", **options: Any) -> Dataset:
    """Return the rows of a table: a file as `read_table` takes it, its bytes, an array or a DataFrame; nothing is kept.

    Parameters
    ----------
    options : fields of `Own`, such as leave_out="age, id", bins=4, missing="column mode"; tables of 50 rows or more are
        tested on every fifth row unless `test` says otherwise

    Raises ValueError for what is no table, and Refusal of the field that has to be chosen.

    >>> import pandas as pd
    >>> from boltzcore.data import load
    >>> people = pd.DataFrame({"age": range(100), "vote": ["yes", "no"] * 50})
    >>> load(people, bins=2).names.categories
    (('up to 49', 'above 49'), ('no', 'yes'))
    """
    read = read_table(_content(table))
    return replace(_named("", read), **{Own.named(name).name: value for name, value in options.items()}).rows_of(read)


def _content(table: Any) -> bytes | FileOrPath:
    """Return an array as a .npy file and a DataFrame as a CSV file; a file as it is."""
    if hasattr(table, "to_csv"):
        return bytes(table.to_csv(index=False), "utf-8")
    if isinstance(table, bytes | str | os.PathLike) or hasattr(table, "read"):
        return table
    array = np.asarray(table)
    if array.ndim != 2 or array.dtype.kind not in "buif":
        raise Refusal(f"data must be a table of numbers, not {array.dtype} of shape {array.shape}.", "data")
    with np.errstate(invalid="ignore"):
        small = array.astype(np.int8)
    np.save(stream := io.BytesIO(), small if (small == array).all() else array, allow_pickle=False)
    return stream.getvalue()


def _dataset(table: Table, held_out: bool, width: int) -> Dataset:
    v = table.codes
    n_rows, n_columns = v.shape
    if held_out and n_rows < 5:
        raise Refusal(
            f"test must be the training rows for a table of {n_rows} rows; every fifth row would hold out none.", "test"
        )
    if width and n_columns % width:
        raise Refusal(
            f"width must be 0, or divide the {n_columns:,} columns of the table into lines of an image, not {width}.",
            "width",
        )
    fifth = np.arange(n_rows) % 5 == 4
    parts = (v[~fifth], v[fifth]) if held_out else (v, v)
    train, test = (Examples(part, levels=table.levels) for part in parts)
    shape = (n_columns // width, width) if width else None
    return Dataset(train, None, test, shape=shape, names=table.names)


def _place(digest: str) -> Path:
    return folder("uploads") / f"{digest}.npz"
