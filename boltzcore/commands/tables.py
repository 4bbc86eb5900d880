"""A table of one's own on the command line: `--data table.csv` in place of a name."""

from pathlib import Path

from boltzcore.data import Own, upload
from boltzcore.parameters import Refusal
from boltzcore.quoting import quoted
from boltzcore.registry import DATASETS

DATA_HELP = "Name from `data list`, or a CSV or .npz file with a table of your own."
_ENDINGS = (".csv", ".npz")


def data_of(named: str) -> tuple[str, dict[str, str]]:
    """(name of a data set, {"owner.field": text} of its options) of what --data names; a file is read, and its table
    kept on this machine, as if it were uploaded.

    Raises Refusal where it is neither a name nor a file, ValueError where the file holds no table.
    """
    if named in DATASETS:
        return named, {}
    file = Path(named)
    try:
        there = file.suffix.lower() in _ENDINGS or file.is_file()
    except (OSError, ValueError):  # no system has a file of such a name
        there = False
    if not there:
        raise Refusal(
            f"data must be one of {', '.join(DATASETS)}, or a .csv or .npz file, not {quoted(named)}.", "data"
        )
    kept = upload(file)
    return Own.name, {f"{Own.name}.{p.name}": p.write(getattr(kept, p.name)) for p in Own.parameters()}


def file_of(named: str) -> Path | None:
    """The file that --data names; None for a data set."""
    return None if named in DATASETS else Path(named)
