"""Work that takes too long for a frame: done once, in a thread of its own, while frames are drawn without it."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import wraps
from threading import Lock
from typing import Any

KEPT = 16  # results, with what they are of
_thread = ThreadPoolExecutor(1, thread_name_prefix="later")


def later(work: Callable[..., Any]) -> Callable[..., Future[Any]]:
    """The same work, promised: whoever asks for it of the same objects gets the same promise, as long as that is among
    the last `KEPT`.

    A view names in its frame the promises that are not kept yet: once one is, the frame is made anew.
    """
    promised: OrderedDict[tuple[Any, ...], Future[Any]] = OrderedDict()
    lock = Lock()

    @wraps(work)
    def ask(*of: Any) -> Future[Any]:
        with lock:
            if of not in promised:
                promised[of] = _thread.submit(work, *of)
            promised.move_to_end(of)
            while len(promised) > KEPT:
                promised.popitem(last=False)[1].cancel()
            return promised[of]

    return ask
