"""Who shares work among threads, and who keeps BLAS to one."""

import numpy as np
import scipy.linalg  # noqa: F401 - a BLAS of its own
from threadpoolctl import threadpool_info, threadpool_limits

from boltzcore import threads


def blas() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_blas_has_one_thread_until_the_last_who_needs_it_is_done():
    with threadpool_limits(2):
        before = blas()
        first, second = threads.one_for_blas(), threads.one_for_blas()
        first.__enter__()
        second.__enter__()
        assert blas() == {1}
        first.__exit__(None, None, None)
        assert blas() == {1}
        second.__exit__(None, None, None)
        assert blas() == before


def test_parts_of_shared_work_cover_it_once():
    for given in (1, 2, 3):
        done = np.zeros(200, int)

        def work(first: int, last: int, done=done) -> None:
            done[first:last] += 1

        with threads.use(given):
            threads.share(work, 200)
        assert (done == 1).all()
