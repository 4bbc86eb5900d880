"""The processor of this process: figures in seconds and last digits are named with it."""

import platform
from pathlib import Path

from threadpoolctl import threadpool_info

from boltzcore.kernels.cache import target_cpu


def processor() -> str:
    """Return the processor's name, the target of kernels, and the processor assumed by the loaded BLAS."""
    try:
        name = next(
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        )
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    blas = {library.get("architecture") for library in threadpool_info() if library["user_api"] == "blas"}
    return (
        f"{name}, kernels for {target_cpu()}, BLAS for {' and '.join(sorted(filter(None, blas))) or 'an unknown one'}"
    )
