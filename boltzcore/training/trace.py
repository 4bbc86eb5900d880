"""The records of a training as CSV, a line for each."""

import csv
import io
import math
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from boltzcore.measures.merit import judging
from boltzcore.training.loop import Record
from boltzcore.training.recipe import MOST_RECORDS

LONGEST_LINE = 2**13  # bytes; a record with all there is to measure takes an eighth of it
LARGEST = MOST_RECORDS * LONGEST_LINE // 4  # bytes
_LAST = 10**18  # update, beyond those of the longest schedule on any data
_AXES = ("count", "epoch", "work", "seconds", "operations")


@dataclass(frozen=True)
class Curve:
    """One figure of a training over its updates.

    name : of the figure; counts, values : of the records that have a finite one, at least one of them
    """

    name: str
    counts: tuple[int, ...]
    values: tuple[float, ...]


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


def read_whole_records(file: Path | io.BytesIO) -> tuple[tuple[Record, ...], bool]:
    """(the records before the first that is damaged, whether none is); all there are where the file is whole."""
    records: list[Record] = []
    try:
        with file.open("rb") if isinstance(file, Path) else file as stream:
            lines = _lines(stream)
            head = next(csv.reader([next(lines)]))
            if tuple(head[: len(_AXES)]) != _AXES or not all(map(_is_name, head)):
                return (), False
            for line in lines:
                records.append(_record(head, next(csv.reader([line])), records[-1].count if records else 0))
    except (OSError, ValueError, csv.Error, StopIteration):
        return tuple(records), False
    return tuple(records), True


def curve_of(records: Sequence[Record], names: Sequence[str]) -> Curve | None:
    """The first of these figures that the last record has, over the updates; None where it has none."""
    name = judging(records[-1].values, names) if records else None
    return None if name is None else _curve(name, [(record.count, record.values.get(name)) for record in records])


def read_curve(file: Path, names: tuple[str, ...]) -> Curve | None:
    """As `curve_of` those of the records in a file that come before the first that is damaged, without reading more of
    them; the last few hundred files are remembered for as long as they stay as they are.
    """
    try:
        status = file.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
        return None
    return _read_curve(file, names, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=512)
def _read_curve(file: Path, names: tuple[str, ...], _changed: int, _size: int) -> Curve | None:
    found: list[tuple[int, list[str]]] = []
    try:
        with file.open("rb") as stream:
            rows = csv.reader(_lines(stream))
            head = next(rows)
            places = {name: head.index(name) for name in names if name in head}
            if head[: len(_AXES)] != list(_AXES):
                return None
            for row in rows:
                count = _count(row[0], found[-1][0] if found else 0)
                found.append((count, [row[at] for at in places.values()]))
    except (OSError, ValueError, IndexError, csv.Error, StopIteration):
        pass
    which = next((i for i in range(len(places)) if found[-1][1][i]), None) if found else None
    if which is None:
        return None
    return _curve(list(places)[which], [(count, _number(texts[which])) for count, texts in found])


def _curve(name: str, points: Sequence[tuple[int, float | None]]) -> Curve | None:
    known = [(count, value) for count, value in points if value is not None and math.isfinite(value)]
    return Curve(name, *zip(*known, strict=True)) if known else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_name(text: str) -> bool:
    """Whether a figure can have this name: charts would take what looks like a tag for one."""
    return text.isprintable() and not set(text) & set("<>&")


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


def _count(text: str, earliest: int) -> int:
    """The update of a record; ValueError where it is before the last one's, or beyond the longest training."""
    count = int(text)
    if not earliest <= count < _LAST:
        raise ValueError("updates do not ascend")
    return count


def _record(head: Sequence[str], row: Sequence[str], earliest: int) -> Record:
    count, epoch, work, seconds, operations = row[: len(_AXES)]
    done = _count(count, earliest)
    if not math.isfinite(float(epoch) + float(seconds)):
        raise ValueError("a time is none")
    values = {name: float(text) for name, text in zip(head, row, strict=True) if text and name not in _AXES}
    return Record(done, float(epoch), int(work), float(seconds), values, int(operations))
