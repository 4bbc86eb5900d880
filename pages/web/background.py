"""Work that takes too long for a frame: done once, in a thread of its own, while frames are drawn without it."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial, wraps
from threading import Lock
from typing import Any, ClassVar
from weakref import WeakKeyDictionary, ref

from boltzcore.jobs.stopwatch import Wait
from pages.web.worker import VISITOR, Worker

_worker = Worker(threads=2)


class Promise(Future[Any]):
    """Work that somebody waits for, and what it is called meanwhile."""

    _took: ClassVar[dict[str, float]] = {}  # how long the last such work was waited for

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what, self._asked = what, time.monotonic()
        # of values alone: a callback that held the promise would keep it, and its result, alive
        asked, took = self._asked, self._took
        self.add_done_callback(lambda _: took.update({what: time.monotonic() - asked}))

    @property
    def wait(self) -> Wait:
        """The time waited so far, and about how long it takes."""
        return Wait(self._what, time.monotonic() - self._asked, self._took.get(self._what))


def waits_for(promises: Sequence[Future[Any]]) -> Wait | None:
    """Return the wait for the first promise that is not done; None if all are done."""
    return next((each.wait for each in promises if isinstance(each, Promise) and not each.done()), None)


def in_background(work: Callable[..., Any], what: str = "Computing") -> Callable[..., Future[Any]]:
    """The same work, promised: whoever asks for it of the same objects gets the same promise, as long as the first of
    them is there. `what` it is called while somebody waits for it.

    A view names in its frame the promises that are not kept yet: once one is, the frame is made anew. Work that has not
    begun is left where nobody has its first object any more: a training that has gone on holds up nobody else, nor does
    a visitor who asks one thing after another.
    """
    promised: WeakKeyDictionary[Any, dict[tuple[Any, ...], Future[Any]]] = WeakKeyDictionary()
    lock = Lock()

    @wraps(work)
    def ask(first: Any, *of: Any) -> Future[Any]:
        with lock:
            there = promised.setdefault(first, {})
            if of not in there:
                there[of] = Promise(what)
                _worker.submit(partial(begin, ref(first), of, there[of]), VISITOR.get())
            return there[of]

    def begin(held: ref[Any], of: tuple[Any, ...], promise: Promise) -> None:
        try:
            promise.set_result(None if (first := held()) is None else work(first, *of))
        except Exception as error:
            promise.set_exception(error)

    return ask
