"""The records of a training as CSV, a line for each."""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from boltzcore.training.loop import Record
from boltzcore.training.recipe import MOST_RECORDS

LONGEST_LINE = 2**13  # bytes; a record with all there is to measure takes an eighth of it
_LAST = 10**18  # update, beyond those of the longest schedule on any data
_AXES = ("count", "epoch", "work", "seconds", "operations")


def trace_csv(records: Sequence[Record]) -> str:
    """Records as CSV: count, epoch, work, seconds, operations, then every figure; what a record lacks stays empty."""
    names = tuple(dict.fromkeys(name for record in records for name in record.values))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*_AXES, *names))
    writer.writerows(
        (r.count, r.epoch, r.work, r.seconds, r.operations, *(r.values.get(name) for name in names)) for r in records
    )
    return text.getvalue()


def read_records(stream: BinaryIO) -> tuple[Record, ...]:
    """Return the records of a trace; ValueError if it is damaged."""
    records: list[Record] = []
    try:
        lines = _lines(stream)
        head = next(csv.reader([next(lines)]))
        # a name that looks like a tag would be a tag in charts
        if tuple(head[: len(_AXES)]) != _AXES or not "".join(head).isprintable() or {*"".join(head)} & {*"<>&"}:
            raise ValueError("the head is not that of a trace")
        for line in lines:
            records.append(_record(head, next(csv.reader([line])), records[-1].count if records else 0))
    except (csv.Error, StopIteration) as error:
        raise ValueError("a line is not one of a table") from error
    return tuple(records)


def _lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a trace; ValueError at one that is cut off or too long, and beyond as many as a training takes."""
    for n in range(MOST_RECORDS + 1):
        line = stream.readline(LONGEST_LINE)
        if not line:
            return
        if not line.endswith(b"\n"):
            raise ValueError("a line is cut off or too long")
        if n and (not line.isascii() or b"_" in line):  # below the head all are numbers, and Python alone takes 1_000
            raise ValueError("a number is written in other characters")
        yield line.decode()
    if stream.read(1):
        raise ValueError("too many lines")


def _record(head: Sequence[str], row: Sequence[str], earliest: int) -> Record:
    count, epoch, work, seconds, operations = row[: len(_AXES)]
    done = int(count)
    if not earliest <= done < _LAST or not math.isfinite(float(epoch) + float(seconds)):
        raise ValueError("updates do not increase, or a time is missing")
    values = {name: float(text) for name, text in zip(head, row, strict=True) if text and name not in _AXES}
    return Record(done, float(epoch), int(work), float(seconds), values, int(operations))
