"""Work is shared among threads, and BLAS kept to one."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from types import ModuleType
from unittest.mock import Mock

import numpy as np
import pytest
import scipy.linalg  # noqa: F401 - a BLAS of its own
from threadpoolctl import threadpool_info, threadpool_limits

from boltzcore import threads
from boltzcore.ticks import Stopped
from tests.conftest import REPOSITORY


def blas() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def in_two_threads() -> None:
    mine, other = threads.one_for_blas(), threads.one_for_blas()
    with ThreadPoolExecutor(1) as pool:  # a thread that lives on
        pool.submit(other.__enter__).result()
        assert blas() == {1}
        mine.__enter__()
        pool.submit(other.__exit__, None, None, None).result()
        assert blas() == {1}
        mine.__exit__(None, None, None)


def with_an_import_between() -> None:
    with threads.one_for_blas():
        threadpool_limits(2)  # as of a library just loaded
        sys.modules["brings_a_blas"] = ModuleType("brings_a_blas")
        with threads.one_for_blas():
            assert blas() == {1}
        assert blas() == {1}


def assert_no_other_limit(holders: Callable[[], None]) -> None:
    with threadpool_limits(2):
        before = blas()
        holders()
        assert blas() == before


def test_blas_has_one_thread_until_the_last_holder_is_done_and_then_its_own(monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # a child would run that of this process again
    with ProcessPoolExecutor(
        1, get_context("spawn")
    ) as alone:  # in this process trainings of other tests may hold it, too
        for holders in (in_two_threads, with_an_import_between):
            alone.submit(assert_no_other_limit, holders).result()


@pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="this system does not fork")
def test_a_process_that_is_forked_while_threads_keep_blas_to_one_can_do_so_too():
    code = """
import os, threading
from boltzcore.threads import one_for_blas
def busy():
    while True:
        with one_for_blas(): pass
threading.Thread(target=busy, daemon=True).start()
for _ in range(30):
    child = os.fork()
    if not child:
        with one_for_blas(): os._exit(0)
    os.waitpid(child, 0)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=REPOSITORY, check=True, timeout=100)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system pins no process to processors")
def test_processors_that_are_closed_to_the_process_do_not_count():
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); from boltzcore.threads import CORES; "
        "print(CORES)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], cwd=REPOSITORY) == b"1\n"


def test_parts_of_shared_work_cover_it_once():
    for given in (1, 3):
        done = np.zeros(200, int)

        def work(first: int, last: int, done=done) -> None:
            done[first:last] += 1

        with threads.use(given):
            threads.share(work, 200)
        assert (done == 1).all()


def test_a_wait_for_work_beside_it_ticks_and_gets_its_result_or_error():
    begun, ticks, go_on = threading.Event(), [], threading.Event()

    def work():
        begun.set()
        assert go_on.wait(100)
        return threading.current_thread()

    def tick(fraction):
        ticks.append(fraction)
        go_on.set()

    assert threads.run_in_background(work, tick) is not threading.current_thread()
    assert ticks
    with pytest.raises(ZeroDivisionError):
        threads.run_in_background(lambda: 1 // 0, tick)


def test_one_that_is_stopped_does_not_wait_for_work():
    go_on = threading.Event()
    with pytest.raises(Stopped):
        threads.run_in_background(lambda: go_on.wait(100), Mock(side_effect=Stopped))
    go_on.set()
