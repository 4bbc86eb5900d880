"""A term of art and its explanation."""

from dataclasses import dataclass

MOST = 60  # words of an explanation


@dataclass(frozen=True)
class Term:
    """A term of art.

    title : as its explanation is headed
    text : what it is, for a bright sixteen-year-old, and true for who knows
    forms : how it is written where it stands; a small first letter may be a capital there
    """

    title: str
    text: str
    forms: tuple[str, ...]
