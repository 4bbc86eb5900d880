"""Work that takes too long for a frame: done once, in a thread of its own, while frames are drawn without it."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import wraps
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary, ref

THREADS = 2  # so that one long piece of work does not hold up everybody
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="later")


def later(work: Callable[..., Any]) -> Callable[..., Future[Any]]:
    """The same work, promised: whoever asks for it of the same objects gets the same promise, as long as the first of
    them is there.

    A view names in its frame the promises that are not kept yet: once one is, the frame is made anew. Work that has not
    begun is left where nobody has its first object any more: a training that has gone on holds up nobody else.
    """
    promised: WeakKeyDictionary[Any, dict[tuple[Any, ...], Future[Any]]] = WeakKeyDictionary()
    lock = Lock()

    @wraps(work)
    def ask(first: Any, *of: Any) -> Future[Any]:
        with lock:
            there = promised.setdefault(first, {})
            if of not in there:
                there[of] = _threads.submit(begin, ref(first), of)
            return there[of]

    def begin(held: ref[Any], of: tuple[Any, ...]) -> Any:
        return None if (first := held()) is None else work(first, *of)

    return ask
