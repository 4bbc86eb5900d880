"""A term of art and its explanation."""

from dataclasses import dataclass

MOST = 60  # words of an explanation


@dataclass(frozen=True)
class Term:
    """A term of art.

    title : heading of its explanation
    text : what it is, for a bright sixteen-year-old, and correct for experts
    forms : its spellings in texts; a small first letter may be a capital there
    """

    title: str
    text: str
    forms: tuple[str, ...]
