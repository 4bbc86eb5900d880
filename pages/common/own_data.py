"""Data sets as a session has used them last: its own table with the choices that stay with it, its own patterns."""

from contextlib import suppress

from boltzcore.data import Source, grants, own
from boltzcore.registry import DATASETS
from pages.common import lab
from pages.web.session import SESSION


def source_of(name: str) -> Source:
    """The data set of this name; an uploaded table and drawn patterns as this session has used them last."""
    kept = SESSION.own_data.get(name)
    if kept is None and name == own.Own.name:
        for digest in reversed(lab.tables()):
            with suppress(ValueError):  # it was removed, or its choices fit it no more
                return chosen_of(own.kept(digest))
    return kept if kept is not None and lab.may_open(kept) else DATASETS[name]()


def chosen_of(table: own.Own) -> own.Own:
    """A table with what this session has chosen of it. Raises ValueError if that does not fit it any more."""
    grant = lab.grant_of(table.digest)
    return table if grant is None else own.Own.from_text(table.texts() | grants.choices(grant))
