"""The memory that this process uses, and that trainings may use."""

import os
from functools import cache
from pathlib import Path

from boltzcore.limits import limits

MEGA = 2**20
# Where Linux keeps how much a container may use: of the second version, and of the first.
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def used() -> int:
    """Bytes of memory that this process holds now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


@cache
def allowed() -> int:
    """Bytes that this process should stay under, by `limits`: those given, else half of what the machine, or its
    container, has.
    """
    if given := limits().memory:
        return given * MEGA
    there = [_of_the_machine()]
    for file in _LIMITS:
        try:
            there.append(int(file.read_text()))
        except (OSError, ValueError):  # not there, or "max"
            continue
    return min(there) // 2


def _of_the_machine() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 8 * 1024 * MEGA  # a system that does not say: what most have at least
