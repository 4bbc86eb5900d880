"""Cache of results that take a second or two and that a class asks for at once."""

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any


def once(kept: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function with a cache of `kept` results that makes each result once, however many ask meanwhile."""

    def decorate(work: Callable[..., Any]) -> Callable[..., Any]:
        cached, lock = lru_cache(maxsize=kept)(work), Lock()  # alone, an lru_cache makes one twice for two at a time

        @wraps(work)
        def ask(*of: Any) -> Any:
            with lock:
                return cached(*of)

        return ask

    return decorate
