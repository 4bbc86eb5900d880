"""Threads that compute on request: one piece of work at a time for each visitor, in turns."""

import asyncio
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pages.web.answers import NO_STORE, Full, answer, full
from pages.web.limiter import Visitor, admit, visitor_of

_Work = tuple[Future[Any], Callable[[], Any]]

REST = 12.0  # seconds of rest, for each second of work, of a visitor with more waiting work
LOOK = 0.01  # seconds between two checks whether a visitor has rested
EVERY = 0.5  # seconds between two checks whether the visitor still waits
SERVER = Visitor("", "")  # the visitor of the server's own work
VISITOR = ContextVar("visitor", default=SERVER)  # the visitor of this thread's, or request's, work


class Worker:
    """Few threads, as more would only compete with the trainings for the interpreter.

    threads : that work at once, each for another visitor
    pause : seconds for which a thread pauses after each second of work
    """

    def __init__(self, threads: int = 1, pause: float = 0.0) -> None:
        self._pause = pause
        self._works = OrderedDict[Visitor, deque[_Work]]()  # in the order of their turns
        self._free: dict[Visitor, float] = {}  # when a visitor who works, or rests, may work again
        self._there = threading.Condition()
        for _ in range(threads):
            threading.Thread(target=self._run, name="worker", daemon=True).start()

    def submit(self, work: Callable[[], Any], by: Visitor, *, urgent: bool = False) -> Future[Any]:
        """Return the promised result of `work` for a visitor; urgent: its turn is the next."""
        promised = Future[Any]()
        with self._there:
            works = self._works.setdefault(by, deque())
            if urgent:
                works.appendleft((promised, work))
                self._works.move_to_end(by, last=False)
            else:
                works.append((promised, work))
            self._there.notify()
        return promised

    def waiting(self) -> Counter[Visitor]:
        """Return the number of pieces of work that wait, by visitor."""
        with self._there:
            return Counter({by: sum(not each.cancelled() for each, _ in works) for by, works in self._works.items()})

    def _next(self) -> Visitor | None:
        """Return the visitor whose turn it is; under the lock."""
        now = time.monotonic()
        self._free = {by: free for by, free in self._free.items() if free > now}
        return next((by for by in self._works if by not in self._free), None)

    def _run(self) -> None:
        while True:
            with self._there:
                while (by := self._next()) is None:
                    self._there.wait(LOOK if self._works else None)
                promised, work = self._works[by].popleft()
                if self._works[by]:
                    self._works.move_to_end(by)
                else:
                    del self._works[by]
                self._free[by] = float("inf")
            began = time.thread_time()
            if promised.set_running_or_notify_cancel():
                VISITOR.set(by)
                try:
                    promised.set_result(work())
                except Exception as error:
                    promised.set_exception(error)
            del promised, work  # they hold a run and its data
            took = time.thread_time() - began
            with self._there:
                self._free[by] = time.monotonic() + (REST * took if by in self._works and by != SERVER else 0.0)
            time.sleep(self._pause * took)


_questions = Worker(threads=2)


async def answer_request(
    request: Request, work: Callable[[], bytes], headers: Mapping[str, str] = NO_STORE, worker: Worker = _questions
) -> Response:
    """Answer with the packed JSON that `work` returns; it is not begun if the visitor has left."""
    by = visitor_of(request)
    try:
        admit("work", by, worker.waiting())
    except Full as found:
        return full(found)
    working = asyncio.wrap_future(worker.submit(work, by))
    try:
        while not (await asyncio.wait({working}, timeout=EVERY))[0]:
            if await request.is_disconnected():
                return Response(status_code=204)
        return answer(working.result(), headers)
    finally:
        working.cancel()
