"""The summary of a run beside its states and records: the file `run.json` in the run's folder."""

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
from boltzcore.training.recipe import Recipe

ID = re.compile("[0-9a-f]{16}")
FILE = "run.json"
LARGEST = 2**24  # bytes of the file; the recipe with its live changes is nearly all of it
LONGEST = 10_000  # characters of a name or a reason
LONGEST_NAME = 80  # characters of a name that is given to a run
_MARKS = 2  # that a letter of a name may bear
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # printable, as Unicode has it, and nothing to see
LATEST = 32_503_680_000.0  # seconds since 1970, the year 3000: later times no calendar need know
MOVING = ("queued", "starting", "running")  # statuses of a run after Play
STATUSES = (*MOVING, "paused", "stopped", "finished", "failed", "diverged")
CHECKSUM = "sha256"  # the key under which a file has its own
_MERIT = "log_likelihood"  # the key is older than the other measures that judge a model


@dataclass(frozen=True)
class RunSummary:
    """A run without its states and records.

    key_hash : SHA-256 of the owner's key
    created, updated : seconds since 1970
    count : updates done; merit : at the last record, see `measures.merit`, None where not measured
    n_records : how many there are, None where nobody knows; best_value : the merit of the best state, None where there
        is none; pace : updates a second that the run is held back to, None where it is not
    """

    id: str
    name: str
    key_hash: str
    created: float
    updated: float
    status: str
    reason: str
    recipe: Recipe
    count: int
    merit: float | None
    n_records: int | None = None
    best_value: float | None = None
    pace: float | None = None


def summary_from(fields: Mapping[str, Any]) -> RunSummary:
    """Check the fields of a file and make a summary of them; raises ValueError or KeyError where they make none."""
    texts = {name: fields[name] for name in ("id", "name", "key_hash", "status", "reason")}
    times = {name: fields[name] for name in ("created", "updated")}
    count, n_records = fields["count"], fields.get("n_records")
    merits, pace = (fields[_MERIT], fields.get("best_value")), fields.get("pace")
    if not all(isinstance(text, str) and len(text) <= LONGEST for text in texts.values()):
        raise ValueError("a text in its entry is none, or too long.")
    if texts["status"] not in STATUSES or not ID.fullmatch(texts["id"]):
        raise ValueError("its entry is not one of Boltzmann Lab.")
    if not isinstance(fields["recipe"], str):
        raise ValueError("its recipe is missing.")
    if not all(isinstance(moment, float) and 0 <= moment < LATEST for moment in times.values()):
        raise ValueError("a time in its entry is none.")
    if not all(type(number) is int and number >= 0 for number in (count, 0 if n_records is None else n_records)):
        raise ValueError("its number of updates is none.")
    if not all(merit is None or isinstance(merit, float) for merit in merits):
        raise ValueError("a figure in its entry is none.")
    if not (pace is None or (isinstance(pace, float) and 0 < pace < math.inf)):
        raise ValueError("its pace is none.")
    recipe = Recipe.from_json(fields["recipe"])
    return RunSummary(
        **texts,
        **times,
        recipe=recipe,
        count=count,
        merit=merits[0],
        n_records=n_records,
        best_value=merits[1],
        pace=pace,
    )


def write_summary(folder: Path, summary: RunSummary) -> None:
    """Write a summary into a run's folder, whole or not at all."""
    fields = vars(summary) | {"recipe": summary.recipe.to_json(), _MERIT: summary.merit}
    del fields["merit"]
    with replacing(folder / FILE) as stream:
        stream.write(json.dumps(fields | {CHECKSUM: checksum(fields)}, indent=1).encode())


def read_summary(folder: Path) -> RunSummary | None:
    """The summary in the folder of a run; None where it is missing, damaged or another run's."""
    try:
        with (folder / FILE).open("rb") as stream:
            fields = json.loads(stream.read(LARGEST))
        if fields.pop(CHECKSUM) != checksum(fields) or fields["id"] != folder.name:
            return None
        return summary_from(fields)
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
