"""Cache of what takes a second or two and many ask for at once: a class presses Run together."""

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any


def once(kept: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function with a cache of `kept` results that makes each result once, whoever asks meanwhile."""

    def decorate(work: Callable[..., Any]) -> Callable[..., Any]:
        cached, lock = lru_cache(maxsize=kept)(work), Lock()  # alone, an lru_cache makes one twice for two at a time

        @wraps(work)
        def ask(*of: Any) -> Any:
            with lock:
                return cached(*of)

        return ask

    return decorate
