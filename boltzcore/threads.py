"""Sharing one piece of work among threads. Results never depend on how many there are."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from threadpoolctl import threadpool_limits

CORES = os.cpu_count() or 1
LEAST = 32  # items of a part where each is small: fewer are not worth handing over

_blas = threading.Lock()
_holders = 0  # of the limit: the first sets it, the last gives back what was before
_limit: threadpool_limits
_threads: ContextVar[int] = ContextVar("threads", default=1)


@contextmanager
def use(threads: int) -> Iterator[None]:
    """Let work started here and in this thread use up to so many threads (one otherwise)."""
    token = _threads.set(max(1, min(threads, CORES)))
    try:
        yield
    finally:
        _threads.reset(token)


@contextmanager
def one_for_blas() -> Iterator[None]:
    """Keep BLAS and LAPACK at one thread in all of the process: the last digits of what they give change with their threads."""
    global _holders, _limit
    with _blas:
        if _holders == 0:
            _limit = threadpool_limits(1)
        _holders += 1
    try:
        yield
    finally:
        with _blas:
            _holders -= 1
            if _holders == 0:
                _limit.restore_original_limits()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CORES, thread_name_prefix="share")


def share(work: Callable[[int, int], object], n: int, least: int = LEAST) -> None:
    """Call work(first, last) on consecutive parts of range(n), at the same time; each must write only its own part.

    least : items of a part
    """
    parts = max(1, min(_threads.get(), n // least))
    bounds = [n * k // parts for k in range(parts + 1)]
    pending = [_pool().submit(work, bounds[k], bounds[k + 1]) for k in range(1, parts)]
    try:
        work(bounds[0], bounds[1])
    finally:
        for part in pending:
            part.result()
