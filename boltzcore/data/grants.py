"""Access to uploaded tables by random secrets, of which only hashes are stored.

The digest of a table identifies its content and opens nothing. The uploader of a table gets a secret that opens it, can
give further secrets away, and can end each of them.
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

from boltzcore.home import folder, replace_file
from boltzcore.quoting import Refusal

LONGEST = 200  # largest number of characters of a secret
_KEY, _DIGEST = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")


@dataclass(frozen=True)
class Grant:
    """One secret that opens one table.

    key : SHA-256 of the secret
    digest : digest of the table
    parent : key of the grant whose holder gave this one away; "" for the one from an upload
    created : seconds since 1970
    """

    key: str
    digest: str
    parent: str
    created: float


def hash_of(secret: str) -> str:
    """Return the hash under which a secret is stored."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def give(digest: str, parent: Grant | None = None) -> str:
    """Return a new secret that opens the table with this digest.

    parent : the grant of the visitor that gives it away; None for a table that was just uploaded
    Raises Refusal if the parent was given away itself or has ended, OSError if writing fails.
    """
    if parent is not None and (parent.parent or get_live(parent.key) != parent or parent.digest != digest):
        raise Refusal("Only the owner of a table can share it.")
    secret = secrets.token_urlsafe(24)
    fields = {"digest": digest, "parent": parent.key if parent else "", "created": time.time()}
    with replace_file(_place(hash_of(secret))) as stream:
        stream.write(json.dumps(fields).encode())
    return secret


def find_grant(secret: str) -> Grant | None:
    """Return the grant of a secret; None if it never opened or no longer opens a table."""
    return get_live(hash_of(secret)) if 0 < len(secret) <= LONGEST else None


def children(grant: Grant) -> tuple[Grant, ...]:
    """Return the grants that its holder gave away, the oldest first."""
    found = (each for each in _all() if each.parent == grant.key)
    return tuple(sorted(found, key=lambda each: (each.created, each.key)))


def end(grant: Grant) -> None:
    """End a grant, and all that its holder gave away. Raises OSError if the files cannot be removed."""
    for each in (grant, *children(grant)):
        _forget(each)


def end_all(digest: str) -> None:
    """End each grant that opens the table with this digest."""
    for each in _all():
        if each.digest == digest:
            _forget(each)


def keep_choices(grant: Grant, texts: Mapping[str, str]) -> None:
    """Store the choices of a grant's holder for its table, {field: text}. Raises OSError if writing fails."""
    with replace_file(_place(grant.key, "choices")) as stream:
        stream.write(json.dumps(dict(texts)).encode())


def choices(grant: Grant) -> dict[str, str]:
    """Return the last choices stored by `keep_choices`; {} if there are none, or they are damaged."""
    try:
        found = json.loads(_place(grant.key, "choices").read_text(encoding="utf-8"))
        return {str(name): str(text) for name, text in found.items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def digests() -> set[str]:
    """Return the digests of the tables with a grant. Raises OSError if a grant cannot be read, because then nothing may
    be deleted.
    """
    places = [*folder("uploads", "grants").iterdir()]
    for place in places:
        with suppress(FileNotFoundError):  # it was ended meanwhile
            place.open("rb").close()
    return {each.digest for each in _all()}


def _place(key: str, kind: str = "grants") -> Path:
    return folder("uploads", kind) / f"{key}.json"


def _forget(grant: Grant) -> None:
    for kind in ("grants", "choices"):
        _place(grant.key, kind).unlink(missing_ok=True)


def _all() -> list[Grant]:
    places = folder("uploads", "grants").glob("*.json")
    return [found for place in places if (found := get_live(place.stem)) is not None]


def get_live(key: str) -> Grant | None:
    """Return the grant with this key, if it has not ended; a damaged file opens nothing."""
    if not _KEY.fullmatch(key):
        return None
    try:
        fields = json.loads(_place(key).read_text(encoding="utf-8"))
        found = Grant(key, str(fields["digest"]), str(fields["parent"]), float(fields["created"]))
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    # A grant that was given away ends with its parent, even if a crash left its file behind.
    ended = bool(found.parent) and (not _KEY.fullmatch(found.parent) or not _place(found.parent).is_file())
    return None if ended or not _DIGEST.fullmatch(found.digest) else found
