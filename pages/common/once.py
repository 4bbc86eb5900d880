"""Cache of results that take a second or two and that a whole class requests at once."""

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any


def once(kept: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function with a cache of `kept` results that computes each once, even for concurrent callers."""

    def decorate(work: Callable[..., Any]) -> Callable[..., Any]:
        cached, lock = lru_cache(maxsize=kept)(work), Lock()  # an lru_cache alone computes twice for two callers

        @wraps(work)
        def ask(*of: Any) -> Any:
            with lock:
                return cached(*of)

        return ask

    return decorate
