"""Threads that do work for visitors, by turns: few, as more would only fight for the interpreter with the trainings."""

import asyncio
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pages.web.answers import NO_STORE, Full, answer, full
from pages.web.limiter import Visitor, admit, visitor_of

_Work = tuple[Future[Any], Callable[[], Any]]
_Queues = OrderedDict[Visitor, deque[_Work]]  # of each visitor, the one whose turn it is first


REST, SHORT = 6.0, 0.002  # after what took no more than so many seconds nobody rests
SERVER = Visitor("", "")  # the server's own work
EVERY = 0.5  # seconds between two checks whether somebody still waits
_at_work = threading.local()


def visitor_at_work() -> str:
    """The key of the visitor for whom this thread works; "" for the server's own work."""
    return getattr(_at_work, "key", "")


class Left(Exception):
    """Who asked does not wait any more."""


class Worker:
    """Does work for visitors who take turns. Urgent work goes first, but never twice while other work waits for its
    first turn in between: neither kind holds up the other for long. Who has more waiting rests after each piece, for
    `REST` times what it took: the interpreter is everybody's.

    threads : at work at once, each for another visitor
    """

    def __init__(self, threads: int = 1) -> None:
        self._urgent, self._others = _Queues(), _Queues()
        self._busy: set[Visitor] = set()
        self._rests: dict[Visitor, float] = {}  # until when
        self._was_urgent = False
        self._there = threading.Condition()
        self._most, self._threads = threads, 0

    def do(self, work: Callable[[], Any], *, urgent: bool, by: Visitor | None = None) -> asyncio.Future[Any]:
        """What `work` returns; to be called on an event loop.

        by : who waits for it; None for work of the server's own
        Raises `Full` where he waits for as much as he may.
        """
        promised = Future[Any]()
        with self._there:
            if by:
                there = {each for each in (*self._urgent, *self._others) if each.address == by.address}
                admit("work", by, Counter({each: self._waiting(each) for each in there}))
            (self._urgent if urgent else self._others).setdefault(by or SERVER, deque()).append((promised, work))
            if self._threads < self._most:
                self._threads += 1
                threading.Thread(target=self._run, name="worker", daemon=True).start()
            self._there.notify()
        return asyncio.wrap_future(promised)

    def waiting(self, key: Visitor) -> int:
        """How much a visitor waits for."""
        with self._there:
            return self._waiting(key)

    def _waiting(self, key: Visitor) -> int:
        """Under the lock. Work that nobody wants any more is dropped here."""
        count = 0
        for queues in (self._urgent, self._others):
            if key in queues:
                queues[key] = deque(each for each in queues[key] if not each[0].cancelled())
                count += len(queues[key])
        return count

    def _next(self) -> tuple[Visitor, _Work] | None:
        """Under the lock: whose turn it is, and the work; None where nobody's is."""
        for queues in (self._others, self._urgent) if self._was_urgent else (self._urgent, self._others):
            for key in [key for key, works in queues.items() if not works]:
                del queues[key]
            for key, works in queues.items():
                if key not in self._busy and self._rests.get(key, 0.0) <= time.monotonic():
                    work = works.popleft()
                    queues.move_to_end(key)
                    self._was_urgent = queues is self._urgent
                    return key, work
        return None

    def _run(self) -> None:
        while True:
            with self._there:
                while (found := self._next()) is None:
                    until = min(self._rests.values(), default=None)
                    self._there.wait(None if until is None else max(0.001, until - time.monotonic()))
                    self._rests = {key: end for key, end in self._rests.items() if end > time.monotonic()}
                key, (promised, work) = found
                if not promised.set_running_or_notify_cancel():
                    continue
                self._busy.add(key)
            began = time.thread_time()
            _at_work.key = key.key
            try:
                promised.set_result(work())
            except Exception as error:
                promised.set_exception(error)
            del promised, work, found  # they hold a run and its data
            with self._there:
                self._busy.discard(key)
                if key.key and (took := time.thread_time() - began) > SHORT and self._waiting(key):
                    self._rests[key] = time.monotonic() + REST * took
                self._there.notify()


async def result_of(request: Request, worker: Worker, work: Callable[[], bytes], *, urgent: bool = True) -> bytes:
    """What `work` returns, in the turn of who asks, and dropped once he waits no more. Raises `Full` of the worker, and
    `Left` where who asked has left.
    """
    working = worker.do(work, urgent=urgent, by=visitor_of(request))
    try:
        while not (await asyncio.wait({working}, timeout=EVERY))[0]:
            if await request.is_disconnected():
                raise Left
        return working.result()
    finally:
        working.cancel()


async def answered(
    request: Request,
    worker: Worker,
    work: Callable[[], bytes],
    headers: Mapping[str, str] = NO_STORE,
    *,
    urgent: bool = True,
) -> Response:
    """An answer with the packed JSON that `work` returns, in the turn of who asks."""
    try:
        return answer(await result_of(request, worker, work, urgent=urgent), headers)
    except Full as sentence:
        return full(sentence)
    except Left:
        return Response(status_code=204)
