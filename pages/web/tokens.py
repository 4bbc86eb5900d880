"""Things kept for a browser to ask for, under names that only those know who were given them."""

import hashlib
import secrets
import threading
from collections import OrderedDict
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")
_SECRET = secrets.token_bytes(16)


def token(source: Any) -> str:
    """Return the name of what follows from `source`, by its `repr`."""
    return hashlib.blake2s(repr(source).encode(), key=_SECRET, digest_size=16).hexdigest()


class TokenCache(Generic[Value]):
    """At most `most` values by their tokens; those that nobody has asked for longest go. Any thread may call."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._values: OrderedDict[str, Value] = OrderedDict()

    def put(self, source: Any, value: Value) -> str:
        """The token of what follows from `source`, by its `repr`; where there is a value of it already, that stays."""
        name = token(source)
        with self._lock:
            self._values.setdefault(name, value)
            self._values.move_to_end(name)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return name

    def get(self, name: str) -> Value | None:
        """The value of this token, where it is still kept."""
        with self._lock:
            if (value := self._values.get(name)) is not None:
                self._values.move_to_end(name)
            return value
