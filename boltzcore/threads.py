"""Sharing one piece of work among threads. Results never depend on their number."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeVar

from threadpoolctl import OpenBLASController, ThreadpoolController, get_cached_controller

from boltzcore.ticks import Tick

T = TypeVar("T")

LEAST = 32  # smallest number of small items in a part that is worth a thread
_BETWEEN = 0.05  # seconds between two ticks


def _cores() -> int:
    """Return the number of processors that this process may use, which may be limited by its affinity."""
    if hasattr(os, "process_cpu_count"):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


CORES = _cores()

_blas = threading.Lock()
if hasattr(os, "register_at_fork"):  # a forked process must not inherit it locked by a thread that does not exist there
    os.register_at_fork(before=_blas.acquire, after_in_parent=_blas.release, after_in_child=_blas.release)
_holders = 0
# Limits set by the first holder, and by later ones after imports of another BLAS; the last holder restores all.
_limits: dict[ThreadpoolController, Any] = {}
_threads: ContextVar[int] = ContextVar("threads", default=1)


@contextmanager
def use(threads: int) -> Iterator[None]:
    """Let work started in this thread use up to `threads` threads (one by default)."""
    token = _threads.set(max(1, min(threads, CORES)))
    try:
        yield
    finally:
        _threads.reset(token)


@contextmanager
def one_for_blas() -> Iterator[None]:
    """Limit BLAS and LAPACK to one thread in the whole process, while there is any holder of this limit.

    The last digits of their results depend on the number of threads, and two BLAS threads inside training threads cost
    most of the throughput. Only libraries loaded before are limited: first import those with their own BLAS, such as
    scipy.
    """
    global _holders
    with _blas:
        if (controller := get_cached_controller()) not in _limits:
            with _any_thread():
                # not OpenMP's threads, which are limited in each thread
                _limits[controller] = controller.limit(limits=1, user_api="blas")
        _holders += 1
    try:
        yield
    finally:
        with _blas:
            _holders -= 1
            if _holders == 0:
                with _any_thread():
                    while _limits:
                        _limits.popitem()[1].restore_original_limits()


@contextmanager
def _any_thread() -> Iterator[None]:
    """Let this thread set OpenBLAS's limit, and others after it: threadpoolctl silently accepts it only from the first
    thread.
    """
    OpenBLASController.clear_controlling_thread(force=True)
    try:
        yield
    finally:
        OpenBLASController.clear_controlling_thread(force=True)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(CORES, thread_name_prefix="share")


def share(work: Callable[[int, int], object], n: int, least: int = LEAST) -> None:
    """Call work(first, last) on consecutive parts of range(n), in parallel; each must only write its own part.

    least : smallest number of items in a part
    """
    parts = max(1, min(_threads.get(), n // least))
    bounds = [n * k // parts for k in range(parts + 1)]
    pending = [_pool().submit(work, bounds[k], bounds[k + 1]) for k in range(1, parts)]
    try:
        work(bounds[0], bounds[1])
    finally:
        for part in pending:
            part.result()


def run_in_background(work: Callable[[], T], tick: Tick) -> T:
    """Return the result of work(), run in a separate thread while this one ticks.

    It is for a long call of a library, which cannot tick itself but lets other threads run. If a tick raises, the work
    continues to its end, and its result is discarded.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    thread = threading.Thread(target=run, name="beside", daemon=True)
    thread.start()
    thread.join(_BETWEEN)
    while thread.is_alive():
        tick(0.0)
        thread.join(_BETWEEN)
    return done.result()
