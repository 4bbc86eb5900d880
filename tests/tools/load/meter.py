"""What a process and its children cost, by /proc."""

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_USER = 11  # fields of /proc/<pid>/stat after the name in brackets: user, system, and both of children that have ended


def cpu(process: int) -> float:
    """Seconds of CPU that a process has used so far, with its children."""
    return sum(_seconds(each) for each in _tree(process))


def busy() -> float:
    """Seconds of CPU that the machine has used so far, whoever used them."""
    user, nice, system, _idle, _io, interrupts, soft, *_ = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    return sum(map(int, (user, nice, system, interrupts, soft))) / _TICKS


def memory(process: int, kind: str = "Pss") -> float:
    """Bytes of memory that a process and its children hold: shared ones by their share (Pss), or whole (Rss), as if no
    other process had them.
    """
    return sum(_held(each, kind) for each in _tree(process))


def _tree(process: int) -> list[int]:
    found = [process]
    for each in found:
        for listed in Path(f"/proc/{each}/task").glob("*/children"):
            found.extend(int(child) for child in listed.read_text().split())
    return found


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[_USER : _USER + 4]) / _TICKS


def _held(process: int, kind: str) -> float:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))
