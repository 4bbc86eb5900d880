"""Files of a run: its entry for the list of runs, with its id and name, and a checkpoint with its consistent state.

<folder>/runs/<id>/run.json, run.npz
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boltzcore.learners.base import State
from boltzcore.quoting import Refusal
from boltzcore.training.checkpoint import TrainingFile
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status

ENTRY, CHECKPOINT = "run.json", "run.npz"
LARGEST = 2**24  # largest number of bytes of an entry; most of it is the recipe with its live changes
ID = re.compile("[0-9a-f]{16}")
LONGEST_NAME = 80  # largest number of characters in a run's name
_MARKS = 2  # largest number of marks on a letter of a name
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # printable according to Unicode, but invisible
_CHECKSUM = "sha256"  # key of a file's own checksum
_NOT_WRITTEN = "damage", "state", "best", "records"  # fields that are not in the text of an entry


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


@dataclass(frozen=True)
class Entry:
    """A run without its states and records, as in the list of runs.

    created, updated : seconds since 1970
    count : updates done; merit : at the last record by the figure `judge`, see `measures.merit`, None if not measured
    damage : "" or a sentence on what is missing; `recipe` may then be None
    key_hash : SHA-256 of the owner's key
    best_value : the merit of the best state, None if there is none
    pace : limit of updates per second, None for none
    """

    id: str
    name: str
    created: float
    updated: float
    status: Status
    recipe: Recipe | None
    count: int = 0
    merit: float | None = None
    damage: str = ""
    key_hash: str = ""
    reason: str = ""
    best_value: float | None = None
    pace: float | None = None
    judge: str = ""


@dataclass(frozen=True)
class Saved(Entry):
    """A run as it is stored: its entry, its newest and its best state, and its records.

    state, best : None before the first update, and if the checkpoint cannot be read (see `damage`)
    """

    recipe: Recipe
    state: State | None = None
    best: State | None = None
    records: tuple[Record, ...] = ()


def read_checkpoint(folder: Path) -> Saved:
    """Return the run in its folder. Raises Refusal if its checkpoint is missing, damaged or of another run."""
    file = TrainingFile(folder / CHECKPOINT)
    entry = _entry(file.entry, folder.name)
    state, best = file.states(entry.recipe) if entry and entry.recipe else (None, None)
    if entry is None or state is None:
        raise Refusal(f"{CHECKPOINT} is not a checkpoint of this run.")
    return Saved(**vars(entry), state=state, best=best, records=file.records)


def read_entry(folder: Path) -> Entry | None:
    """Return the entry in the folder of a run; None if it is missing, damaged or of another run."""
    try:
        with (folder / ENTRY).open("rb") as stream:
            return _entry(stream.read(LARGEST), folder.name)
    except OSError:
        return None


def text_of(entry: Entry) -> str:
    """Return the text of an entry that has a recipe."""
    assert entry.recipe is not None
    fields: Mapping[str, Any] = {name: value for name, value in vars(entry).items() if name not in _NOT_WRITTEN}
    fields = {**fields, "recipe": entry.recipe.to_json()}
    return json.dumps({**fields, _CHECKSUM: _checksum(fields)}, indent=1)


def _entry(text: str | bytes, id: str) -> Entry | None:
    """Return the entry of the run with this id; None if the text is damaged, has other types or is of another run."""
    try:
        fields = json.loads(text)
        if fields.pop(_CHECKSUM) != _checksum(fields) or fields["id"] != id:
            return None
        recipe, status = Recipe.from_json(fields["recipe"]), Status(fields["status"])
        entry = Entry(**fields | {"recipe": recipe, "status": status})
        fits = (  # 2 is also a float
            isinstance(value, kind) or (type(value) is int and isinstance(0.5, kind))
            for value, kind in zip(vars(entry).values(), Entry.__annotations__.values(), strict=True)
        )
        return entry if all(fits) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _checksum(fields: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the fields of a file, to detect damage."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()
