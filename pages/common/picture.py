"""Still pictures."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import streamlit as st

from pages.web.encoding import data_uri


class Still(NamedTuple):
    """A picture: a data URI, and its text alternative."""

    address: str
    alt: str


_found: ContextVar[list[Still] | None] = ContextVar("_found", default=None)


@contextmanager
def stills() -> Iterator[list[Still]]:
    """Collect the pictures that are drawn within the context."""
    token = _found.set(found := [])
    try:
        yield found
    finally:
        _found.reset(token)


def note(still: Still) -> None:
    """Add a picture that a component draws to the collected ones."""
    if (found := _found.get()) is not None:
        found.append(still)


def picture(png: bytes, alt: str, *, width: int | str) -> None:
    """Draw PNG bytes whose pixels stay squares when they are enlarged."""
    note(still := Still(data_uri(png), alt))
    st.image(still.address, width=width, alt=alt)
