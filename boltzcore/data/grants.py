"""Access to uploaded tables: random secrets, of which only hashes are kept.

The digest of a table names its content and opens nothing. Whoever uploads a table gets a secret that opens it, can give
further secrets away, and can end each of them.
"""

import hashlib
import json
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from boltzcore.home import folder, replacing

LONGEST = 200  # characters of a secret: what is longer is none
_KEY, _DIGEST = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")


@dataclass(frozen=True)
class Grant:
    """One secret that opens one table.

    key : SHA-256 of the secret
    digest : of the table
    parent : key of the grant whose holder gave this one away; "" of the one that an upload gave
    created : seconds since 1970
    """

    key: str
    digest: str
    parent: str
    created: float


def key_of(secret: str) -> str:
    """The hash under which a secret is kept."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def give(digest: str, parent: Grant | None = None) -> str:
    """A new secret that opens the table with this digest.

    parent : the grant of the visitor that gives it away; None for a table that was just uploaded
    Raises ValueError where the parent was given away itself or has ended, OSError where nothing can be written.
    """
    if parent is not None and (parent.parent or alive(parent.key) != parent or parent.digest != digest):
        raise ValueError("Only the owner of a table can share it.")
    secret = secrets.token_urlsafe(24)
    fields = {"digest": digest, "parent": parent.key if parent else "", "created": time.time()}
    with replacing(_place(key_of(secret))) as stream:
        stream.write(json.dumps(fields).encode())
    return secret


def opened_by(secret: str) -> Grant | None:
    """The grant of a secret; None where it opens nothing, or nothing any more."""
    return alive(key_of(secret)) if 0 < len(secret) <= LONGEST else None


def given_by(grant: Grant) -> tuple[Grant, ...]:
    """The grants that its holder gave away, the oldest first."""
    found = (each for each in _all() if each.parent == grant.key)
    return tuple(sorted(found, key=lambda each: (each.created, each.key)))


def end(grant: Grant) -> None:
    """End a grant, and with it all that its holder gave away. Raises OSError where the files cannot be removed."""
    for each in (grant, *given_by(grant)):
        _forget(each)


def end_all(digest: str) -> None:
    """End each grant that opens the table with this digest."""
    for each in _all():
        if each.digest == digest:
            _forget(each)


def keep_choices(grant: Grant, texts: Mapping[str, str]) -> None:
    """Keep what the holder of a grant chooses of its table, {field: text}. Raises OSError if it cannot be written."""
    with replacing(_place(grant.key, "choices")) as stream:
        stream.write(json.dumps(dict(texts)).encode())


def choices(grant: Grant) -> dict[str, str]:
    """Return what `keep_choices` kept last; nothing if there is none, or it is damaged."""
    try:
        found = json.loads(_place(grant.key, "choices").read_text(encoding="utf-8"))
        return {str(name): str(text) for name, text in found.items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def digests() -> set[str]:
    """The digests of the tables that some grant opens. Raises OSError where a grant cannot be read: nothing may be
    forgotten then.
    """
    places = [*folder("uploads", "grants").iterdir()]
    for place in places:
        with suppress(FileNotFoundError):  # it has ended meanwhile
            place.open("rb").close()
    return {each.digest for each in _all()}


def _place(key: str, kind: str = "grants") -> Path:
    return folder("uploads", kind) / f"{key}.json"


def _forget(grant: Grant) -> None:
    for kind in ("grants", "choices"):
        _place(grant.key, kind).unlink(missing_ok=True)


def _all() -> list[Grant]:
    places = folder("uploads", "grants").glob("*.json")
    return [found for place in places if (found := alive(place.stem)) is not None]


def alive(key: str) -> Grant | None:
    """The grant with this key, if it has not ended; a damaged file opens nothing."""
    if not _KEY.fullmatch(key):
        return None
    try:
        fields = json.loads(_place(key).read_text(encoding="utf-8"))
        found = Grant(key, str(fields["digest"]), str(fields["parent"]), float(fields["created"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    # One that was given away ends with the grant that it comes from, also where a crash left its file behind.
    ended = bool(found.parent) and (not _KEY.fullmatch(found.parent) or not _place(found.parent).is_file())
    return None if ended or not _DIGEST.fullmatch(found.digest) else found
