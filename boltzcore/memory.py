"""Memory that this process uses, and that trainings may use."""

import os
from functools import cache
from pathlib import Path

from boltzcore.limits import limits

MEGA = 2**20
# Linux files with the memory limit of a container: version 2, and version 1.
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def used_bytes() -> int:
    """Return the bytes of memory in use by this process; 0 if the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


@cache
def allowed_bytes() -> int:
    """Return the bytes that this process should stay below: the configured limit, else half of the memory of the
    machine or its container.
    """
    if given := limits().memory:
        return given * MEGA
    there = [_of_the_machine()]
    for file in _LIMITS:
        try:
            there.append(int(file.read_text()))
        except (OSError, ValueError):  # missing, or "max"
            continue
    return min(there) // 2


def _of_the_machine() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 8 * 1024 * MEGA  # unknown: most machines have at least this
