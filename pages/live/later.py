"""Work that takes too long for a frame: done once, in a thread of its own, while frames are drawn without it."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import wraps
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

THREADS = 2  # so that one long piece of work does not hold up everybody
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="later")


def later(work: Callable[..., Any]) -> Callable[..., Future[Any]]:
    """The same work, promised: whoever asks for it of the same objects gets the same promise, as long as the first of
    them is there.

    A view names in its frame the promises that are not kept yet: once one is, the frame is made anew.
    """
    promised: WeakKeyDictionary[Any, dict[tuple[Any, ...], Future[Any]]] = WeakKeyDictionary()
    lock = Lock()

    @wraps(work)
    def ask(first: Any, *of: Any) -> Future[Any]:
        with lock:
            there = promised.setdefault(first, {})
            if of not in there:
                there[of] = _threads.submit(work, first, *of)
            return there[of]

    return ask
