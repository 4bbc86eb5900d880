"""Things kept for a browser to ask for, under names that nobody can tell who was not given them."""

import hashlib
import secrets
import threading
from collections import OrderedDict
from typing import Any, Generic, TypeVar

Thing = TypeVar("Thing")
_SECRET = secrets.token_bytes(16)


class Shelf(Generic[Thing]):
    """At most so many things; those that nobody has asked for longest go. Any thread may call."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._things: OrderedDict[str, Thing] = OrderedDict()

    def put(self, of: Any, thing: Thing) -> str:
        """The name of what follows from `of`, by its `repr`; where there is one of it already, that one stays."""
        name = hashlib.blake2s(repr(of).encode(), key=_SECRET, digest_size=16).hexdigest()
        with self._lock:
            self._things.setdefault(name, thing)
            self._things.move_to_end(name)
            while len(self._things) > self._most:
                self._things.popitem(last=False)
        return name

    def get(self, name: str) -> Thing | None:
        """What has this name, where it is still kept."""
        with self._lock:
            if (thing := self._things.get(name)) is not None:
                self._things.move_to_end(name)
            return thing
