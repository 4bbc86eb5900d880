"""The entry of a run in the list of all: the file `run.json` in the run's folder."""

import hashlib
import hmac
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boltzcore.home import replacing
from boltzcore.jobs.status import Status
from boltzcore.training.recipe import Recipe

ID = re.compile("[0-9a-f]{16}")
FILE = "run.json"
LARGEST = 2**24  # bytes of the file; the recipe with its live changes is nearly all of it
LONGEST_NAME = 80  # characters of a name that is given to a run
_MARKS = 2  # that a letter of a name may bear
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # printable, as Unicode has it, and nothing to see
CHECKSUM = "sha256"  # the key under which a file has its own
_MERIT = "log_likelihood"  # the key is older than the other measures that judge a model
_FIELDS = "id", "name", "key_hash", "created", "updated", "status", "reason", "count", "n_records", "best_value", "pace"


@dataclass(frozen=True)
class Entry:
    """A run without its states and records, as the list of all has it.

    created, updated : seconds since 1970
    count : updates done; merit : at the last record, see `measures.merit`, None where not measured
    damage : "" or sentences on what is missing; `recipe` may then be None
    key_hash : SHA-256 of the owner's key
    n_records : how many there are, None if unknown
    best_value : the merit of the best state, None if there is none
    pace : updates a second that it is held back to, None for as fast as it can
    """

    id: str
    name: str
    created: float
    updated: float
    status: str
    recipe: Recipe | None
    count: int = 0
    merit: float | None = None
    damage: str = ""
    key_hash: str = ""
    reason: str = ""
    n_records: int | None = None
    best_value: float | None = None
    pace: float | None = None


def write_entry(folder: Path, entry: Entry) -> None:
    """Write an entry that has a recipe into a run's folder, whole or not at all."""
    assert entry.recipe is not None
    fields: dict[str, Any] = {name: getattr(entry, name) for name in _FIELDS}
    fields |= {"recipe": entry.recipe.to_json(), _MERIT: entry.merit}
    with replacing(folder / FILE) as stream:
        stream.write(json.dumps(fields | {CHECKSUM: checksum(fields)}, indent=1).encode())


def read_entry(folder: Path) -> Entry | None:
    """Return the entry in the folder of a run; None where it is missing, damaged or another run's."""
    try:
        with (folder / FILE).open("rb") as stream:
            fields = json.loads(stream.read(LARGEST))
        if fields.pop(CHECKSUM) != checksum(fields) or fields["id"] != folder.name:
            return None
        recipe, status = Recipe.from_json(fields["recipe"]), Status(fields["status"])
        return Entry(**fields | {"recipe": recipe, "status": status, "merit": fields.pop(_MERIT)})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


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
    """SHA-256 of the fields of a file, by which damage is told."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def hash_of(key: str) -> str:
    """SHA-256 of an owner's key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def opens(key: str | None, key_hash: str) -> bool:
    """Whether `key` is the one that this is the hash of."""
    return isinstance(key, str) and hmac.compare_digest(hash_of(key).encode(), key_hash.encode())
