"""A thread that makes frames: one for all, as more would only fight for the interpreter with the trainings."""

import asyncio
import heapq
import threading
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import Any


class Maker:
    """Does one piece of work after another; what somebody waits for goes first."""

    def __init__(self) -> None:
        self._work: list[tuple[bool, int, Future[Any], Callable[[], Any]]] = []
        self._there, self._turns = threading.Condition(), count()
        self._thread: threading.Thread | None = None

    def do(self, work: Callable[[], Any], *, urgent: bool) -> asyncio.Future[Any]:
        """What `work` returns; to be called on an event loop."""
        promised: Future[Any] = Future()
        with self._there:
            heapq.heappush(self._work, (not urgent, next(self._turns), promised, work))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="frames", daemon=True)
                self._thread.start()
            self._there.notify()
        return asyncio.wrap_future(promised)

    def _run(self) -> None:
        while True:
            with self._there:
                while not self._work:
                    self._there.wait()
                _, _, promised, work = heapq.heappop(self._work)
            if not promised.set_running_or_notify_cancel():
                continue
            try:
                promised.set_result(work())
            except Exception as error:
                promised.set_exception(error)
            del promised, work  # they hold a run and its data
