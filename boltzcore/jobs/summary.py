"""The id, the name and the key of a job, and the checksum of a file."""

import hashlib
import hmac
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

ID = re.compile("[0-9a-f]{16}")
LONGEST_NAME = 80  # characters of a name that is given to a run
_MARKS = 2  # that a letter of a name may bear
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # printable, as Unicode has it, and nothing to see
CHECKSUM = "sha256"  # the key under which a file has its own


def name_in(text: str) -> str:
    """A text as the name of a run: one line of what can be printed, with at most two combining marks a letter, cut to
    80 characters; "" where nothing of it can be seen.
    """
    line, marks = "", 0
    for each in text:
        marks = marks + 1 if unicodedata.category(each).startswith("M") else 0
        if marks <= _MARKS:
            line += each if each.isprintable() else " "
    name = " ".join(line.split())[:LONGEST_NAME].rstrip()
    seen = any(each not in _BLANKS and not unicodedata.category(each).startswith(("M", "Z")) for each in name)
    return name if seen else ""


def finite_or_none(value: float | None) -> float | None:
    """Return a merit as JSON can hold it: None in place of nan."""
    return None if value is None or math.isnan(value) else float(value)


def checksum(fields: Mapping[str, Any]) -> str:
    """SHA-256 of the fields of a file, by which damage is found."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def hash_of(key: str) -> str:
    """SHA-256 of an owner's key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def opens(key: str | None, key_hash: str) -> bool:
    """Return True if `key` is the one with this hash."""
    return isinstance(key, str) and hmac.compare_digest(hash_of(key).encode(), key_hash.encode())
