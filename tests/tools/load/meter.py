"""Cost of a process and its children, by /proc."""

import math
import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_USER = 11  # fields of /proc/<pid>/stat after the name in brackets: user, system, and both of children that have ended


def cpu(process: int | None) -> float:
    """Seconds of CPU that a process has used so far, with its children; nan without a process."""
    return sum(map(_seconds, _tree(process))) if process else math.nan


def memory(process: int | None) -> float:
    """MiB of memory that a process and its children hold, shared ones by their share (PSS); nan without a process."""
    return sum(map(_held, _tree(process))) / 1024 if process else math.nan


def _tree(process: int) -> list[int]:
    found = [process]
    for each in found:
        for listed in Path(f"/proc/{each}/task").glob("*/children"):
            found.extend(int(child) for child in listed.read_text().split())
    return found


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[_USER : _USER + 4]) / _TICKS


def _held(process: int) -> int:
    """KiB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
