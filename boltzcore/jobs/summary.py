"""Id and name of a job, and the checksum of a file."""

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

ID = re.compile("[0-9a-f]{16}")
LONGEST_NAME = 80  # largest number of characters in a run's name
_MARKS = 2  # largest number of marks on a letter of a name
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # printable according to Unicode, but invisible
CHECKSUM = "sha256"  # key of a file's own checksum


def name_in(text: str) -> str:
    """Return a text as the name of a run: one line of printable characters, with at most two combining marks per
    letter, cut to 80 characters; "" if nothing is visible.
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
    """Return a merit in a form for JSON: None instead of nan."""
    return None if value is None or math.isnan(value) else float(value)


def checksum(fields: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the fields of a file, to detect damage."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()
