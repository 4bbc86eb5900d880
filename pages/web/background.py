"""Work that takes too long for a frame: done once, in a thread of its own, while frames are drawn without it."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial, wraps
from threading import Lock
from typing import Any, ClassVar
from weakref import WeakKeyDictionary, ref

from boltzcore.jobs.stopwatch import Wait
from boltzcore.quoting import Refusal
from pages.web.worker import VISITOR, Worker

_worker = Worker(threads=2)


class Promise(Future[Any]):
    """Work that a visitor waits for, and its name meanwhile."""

    _took: ClassVar[dict[str, float]] = {}  # seconds of the last wait for such work

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what, self._asked = what, time.monotonic()
        # of values alone: a callback that held the promise would keep its result alive
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
    """Return the same work as a promise: requests for the same objects share one, as long as the first of them exists.
    The result of refused work is the sentence. `what` is the name of the work while a visitor waits for it.

    A view names in its frame the promises that are not done yet: once one is, the frame is made again. Work is skipped
    if its first object no longer exists when its turn comes: a training that has moved on holds up no one else, nor
    does a visitor with one query after another.
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
        except Refusal as refusal:
            promise.set_result(str(refusal))
        except Exception as error:
            promise.set_exception(error)

    return ask
