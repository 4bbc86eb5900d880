"""Limits of a server, each set by its operator with an environment variable: `boltzcore serve --show`."""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from boltzcore.parameters import Parameters, parameter
from boltzcore.quoting import Refusal, quoted

logger = logging.getLogger(__name__)

_PREFIX = "BOLTZCORE_"


@dataclass(frozen=True)
class Limits(Parameters):
    """Limits of the load of a server. A field's variable is its name in capitals after BOLTZCORE_."""

    memory: int = parameter(
        0,
        low=0,
        high=10_000_000,
        help="Memory limit of the process in megabytes; runs that would exceed it wait. 0 is half the memory of the "
        "machine or container.",
    )
    trainings: int = parameter(
        0,
        low=0,
        high=1_000,
        help="Maximum number of simultaneous runs; others wait. 0 is the number of cores, at least 4, or more if the "
        "memory allows.",
    )
    upload: int = parameter(16, low=1, high=1_000, help="Maximum size of an uploaded file in megabytes.")
    streams: int = parameter(512, low=1, high=100_000, help="Maximum number of live streams of all visitors.")
    rooms: int = parameter(64, low=1, high=10_000, help="Maximum number of simultaneous class rooms.")

    @property
    def sentence(self) -> str:
        """Return a sentence on the limits that differ from the defaults; "" if there are none."""
        own = [f"{name} {text}" for name, text in self.texts().items()]
        return f"Limits that were set: {', '.join(own)}." if own else ""

    @classmethod
    def variable(cls, name: str) -> str:
        """Return the environment variable of a field."""
        return _PREFIX + name.upper()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> tuple[Self, list[str]]:
        """Return (the limits from the variables, a sentence for each invalid one, which is ignored)."""
        found, refused = dict[str, Any](), list[str]()
        for each in cls.parameters():
            if text := environment.get(variable := cls.variable(each.name), ""):
                try:
                    found[each.name] = each.parse(text)
                except Refusal:
                    refused.append(f"{variable} must be {each.allowed}, not {quoted(text)}.")
        return cls(**found), refused


@cache
def limits() -> Limits:
    """Return the limits of this process; invalid ones are logged and ignored."""
    found, refused = Limits.from_environment(os.environ)
    for sentence in refused:
        logger.warning("%s", sentence)
    return found
