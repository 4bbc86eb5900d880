"""The SQLite index of former versions, the oldest of which kept there what is now in the folder of each run."""

import logging
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from boltzcore.runs.summary import read_summary, summary_from, write_summary

logger = logging.getLogger(__name__)


def carry_over(folder: Path) -> None:
    """Give each folder of a run without a summary the one that the index holds, and set the index aside."""
    index = folder / "index.sqlite"
    if not index.is_file():
        return
    try:
        with closing(sqlite3.connect(index)) as connection:
            connection.row_factory = sqlite3.Row
            for row in connection.execute("SELECT * FROM runs"):
                _carry_over(dict(row), folder / "runs")
    except sqlite3.Error as error:
        logger.warning("The index of a former version could not be read whole: %s", error)
    except OSError as error:
        logger.warning("The index of a former version could not be carried over: %s", error)
        return  # the disk is full, say: the next start may do
    with suppress(OSError):  # of a folder that cannot be written: it is read again at the next start
        index.replace(folder / "index.sqlite.former")


def _carry_over(row: dict[str, object], runs: Path) -> None:
    try:
        summary = summary_from(row)
    except (ValueError, KeyError):
        return
    files = runs / summary.id
    if files.is_dir() and read_summary(files) is None:
        write_summary(files, summary)
