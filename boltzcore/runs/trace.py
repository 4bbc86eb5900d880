"""The records of a training as CSV, a line for each."""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from boltzcore.runs.recipe import MOST_RECORDS
from boltzcore.runs.training import Record

LONGEST_LINE = 2**13  # bytes; a record with all there is to measure takes an eighth of it
_AXES = ("count", "epoch", "work", "seconds")


def trace_csv(records: Sequence[Record]) -> str:
    """Records as CSV: count, epoch, work, seconds, then every figure; one that a record lacks stays empty."""
    names = tuple(dict.fromkeys(name for record in records for name in record.values))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*_AXES, *names))
    writer.writerows(
        (r.count, r.epoch, r.work, r.seconds, *(r.values.get(name, "") for name in names)) for r in records
    )
    return text.getvalue()


def read_trace(file: Path) -> tuple[Record, ...]:
    """The records that `trace_csv` wrote. ValueError where the file is missing or damaged."""
    records, whole = read_whole_records(file)
    if not whole:
        raise ValueError(f"{file.name} is missing, or not a trace of Boltzmann Lab.")
    return records


def read_whole_records(file: Path) -> tuple[tuple[Record, ...], bool]:
    """(the records before the first that is damaged, whether none is); all there are where the file is whole."""
    records: list[Record] = []
    try:
        with file.open("rb") as stream:
            lines = _lines(stream)
            head = next(csv.reader([next(lines)]))
            if tuple(head[: len(_AXES)]) != _AXES or not all(map(_is_name, head)):
                return (), False
            for line in lines:
                records.append(_record(head, next(csv.reader([line])), records[-1].count if records else 0))
    except (OSError, ValueError, csv.Error, StopIteration):
        return tuple(records), False
    return tuple(records), True


def _is_name(text: str) -> bool:
    """Whether a figure can have this name: charts would take what looks like a tag for one."""
    return text.isprintable() and not set(text) & set("<>&")


def _lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a trace; ValueError at one that is cut off or too long, and beyond as many as a training takes."""
    for _ in range(MOST_RECORDS + 1):
        line = stream.readline(LONGEST_LINE)
        if not line:
            return
        if not line.endswith(b"\n"):
            raise ValueError("a line is cut off or too long")
        yield line.decode()
    if stream.read(1):
        raise ValueError("too many lines")


def _record(head: Sequence[str], row: Sequence[str], earliest: int) -> Record:
    count, epoch, work, seconds = row[: len(_AXES)]
    if int(count) < earliest or not math.isfinite(float(epoch) + float(seconds)):
        raise ValueError("updates and times do not ascend")
    values = {name: float(text) for name, text in zip(head, row, strict=True) if text and name not in _AXES}
    return Record(int(count), float(epoch), int(work), float(seconds), values)
