"""Data sets as a session has used them last: its own table with the choices that stay with it, its own patterns."""

from collections.abc import Mapping
from contextlib import suppress

from boltzcore.data import Source, grants, own
from boltzcore.quoting import Refusal
from boltzcore.registry import DATASETS
from pages.common import lab
from pages.web.session import SESSION


def source_of(name: str) -> Source:
    """The data set of this name; an uploaded table and drawn patterns as this session has used them last."""
    kept = SESSION.own_data.get(name)
    if kept is None and name == own.Own.name:
        for digest in reversed(lab.tables()):
            with suppress(Refusal):  # it was removed, or its choices fit it no more
                return chosen_of(own.load_upload(digest))
    return kept if kept is not None and lab.may_open(kept) else DATASETS[name]()


def chosen_of(table: own.Own) -> own.Own:
    """Return a table with the choices of this session, or of an earlier one that opened it, if they are valid."""
    if isinstance(now := SESSION.own_data.get(table.name), own.Own) and now.digest == table.digest:
        return now
    with suppress(Refusal):
        if grant := lab.grant_of(table.digest):
            return own.Own.from_text(table.texts() | grants.choices(grant))
    return table


def keep_choices(texts: Mapping[str, str]) -> None:
    """Keep these fields of a table in this session and, if it may be opened, for later ones; nothing if they are
    invalid.
    """
    with suppress(Refusal, OSError):
        chosen = own.Own.from_text(dict(texts))
        if grant := lab.grant_of(chosen.digest):
            SESSION.own_data[chosen.name] = chosen
            grants.keep_choices(grant, choices_of(chosen))


def choices_of(table: own.Own) -> dict[str, str]:
    """Return {field: text} of all choices for a table."""
    return {each.name: each.write(getattr(table, each.name)) for each in table.parameters() if each.name != "digest"}
