"""Reading of a table's file: five choices, and the results."""

from dataclasses import dataclass
from typing import Any

from boltzcore.parameters import Parameters, parameter
from boltzcore.quoting import listed

AUTOMATIC = "automatic"
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "spaces": " "}
DECIMALS = {"point": ".", "comma": ","}
_ANSWERS = {True: "yes", False: "no"}
_NAMES: dict[str, dict[Any, str]] = {  # alternative spellings of a choice
    "separator": {mark: name for name, mark in SEPARATORS.items()},
    "decimal": {mark: name for name, mark in DECIMALS.items()},
    "header": _ANSWERS,
}
_ONLY = "only"
_MARKERS = frozenset({"?", "na", "n/a", "nan", "null", "<na>", "-nan", r"\n"}) | {  # in upper or lower case
    *("#n/a", "#nv", "#div/0!", "#value!", "#ref!", "#name?", "#null!", "#num!")  # of Excel
}
_NO_NUMBERS = frozenset({"none", ".", "-"})  # also missing in a column of numbers


@dataclass(frozen=True)
class Reading(Parameters):
    """Choices for reading a table from a text file, and the results.

    In Python, `separator` and `decimal` may also be given as the characters, `header` as a bool and `skip_rows` as a
    number. The Reading of a table has the actual choices instead of "automatic".

    format : format of the file, with its encoding
    names_row : row of the file with the names, from 1; 0 if there is none
    left_out : names of columns that number or name the rows
    markers : texts that were read as missing; missing : number of missing cells
    notes : further sentences, for example on ambiguities

    >>> from boltzcore.data import read_table
    >>> read_table(b"a;b\\n0,5;NA\\n1,5;0\\n").reading.sentence
    'Read as UTF-8, separated by semicolons, decimal comma, names in row 1; 1 cell missing (NA).'
    """

    separator: str = parameter(
        AUTOMATIC, choices=(AUTOMATIC, *SEPARATORS), help="Character between the cells of a row."
    )
    header: str = parameter(
        AUTOMATIC, choices=(AUTOMATIC, *_ANSWERS.values()), help="First row holds names.", label="Names in first row"
    )
    decimal: str = parameter(AUTOMATIC, choices=(AUTOMATIC, *DECIMALS), help="Decimal mark.", label="Decimal mark")
    missing_values: str = parameter(
        AUTOMATIC,
        pattern=r"[^\x00-\x1f]{0,400}",
        help="Further texts that mean a missing value, separated by commas, such as -99, -999, besides empty cells, "
        r"NA, N/A, <NA>, NaN, null, \N, ?, Excel's errors and, among numbers, None, . and -. After the word 'only', "
        "only empty cells and the texts named count as missing: 'only empty' keeps NA as a value.",
        label="Also missing",
    )
    skip_rows: str = parameter(
        AUTOMATIC, pattern=rf"{AUTOMATIC}|\d{{1,6}}", help="Rows above the table, a number.", label="Rows to skip"
    )
    format: str = ""
    names_row: int = 0
    left_out: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    missing: int = 0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field, names in _NAMES.items():
            if isinstance(given := getattr(self, field), str | bool):
                object.__setattr__(self, field, names.get(given, given))
        if isinstance(rows := getattr(self, "skip_rows"), int) and not isinstance(rows, bool):  # noqa: B009
            object.__setattr__(self, "skip_rows", str(rows))
        super().__post_init__()

    def missing_texts(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the texts, in lower case, for missing values, and further ones that are missing only among numbers."""
        if self.missing_values == AUTOMATIC:
            return _MARKERS | {""}, _NO_NUMBERS
        only, _, rest = self.missing_values.strip().partition(" ")
        alone = only == _ONLY
        texts = {text.strip().lower() for text in (rest if alone else self.missing_values).split(",")}
        return (frozenset(texts - {"empty"} | {""}), frozenset()) if alone else (_MARKERS | texts | {""}, _NO_NUMBERS)

    @property
    def sentence(self) -> str:
        """One line on how the file was read."""
        of = [f"Read as {self.format}"]
        if self.separator != AUTOMATIC:
            of.append(f"separated by {self.separator}{'s' * (self.separator != 'spaces')}")
        if self.decimal != AUTOMATIC:
            of.append(f"decimal {self.decimal}")
        if self.header != AUTOMATIC:
            of.append(f"names in row {self.names_row:,}" if self.names_row else "without names")
        parts = [", ".join(of)]
        if self.left_out:
            parts.append(f"{listed(self.left_out, '')} left out, because it only numbers the rows")
        if self.missing:
            texts = listed((text or "empty" for text in self.markers), "")
            parts.append(f"{self.missing:,} cell{'s' * (self.missing > 1)} missing ({texts})")
        return " ".join(("; ".join(parts) + ".", *self.notes))
