"""What takes a second or two and many ask for at once, made once: a class presses Run together."""

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any


def once(kept: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the function works once for the same arguments, and who asks meanwhile waits for that. Where it
    raises, the next one tries again.

    kept : how many results are remembered, those that were asked for last
    """

    def dressed(work: Callable[..., Any]) -> Callable[..., Any]:
        @lru_cache(maxsize=kept)
        def place(*of: Any) -> tuple[Lock, list[Any]]:
            return Lock(), []

        finding = Lock()  # an lru_cache alone makes two places for two that ask at the same time

        @wraps(work)
        def ask(*of: Any) -> Any:
            with finding:
                own, found = place(*of)
            with own:
                if not found:
                    found.append(work(*of))
            return found[0]

        return ask

    return dressed
