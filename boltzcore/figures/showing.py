"""The one rule of what is shown to whom: items of frames, downloads and routes each declare what they show."""

from enum import IntEnum


class Shows(IntEnum):
    """What something shows of the data of a training, from the least to the most; also how much a viewer may see.

    NUMBERS : figures, curves and counts over many rows or parameters
    COLUMNS : names of columns and of their values
    SAMPLES : what a model may have memorised rows in: its samples and chains, and its parameters
    ROWS : rows of the data, and figures of single rows or values
    """

    NUMBERS = 0
    COLUMNS = 1
    SAMPLES = 2
    ROWS = 3


NUMBERS, COLUMNS, SAMPLES, ROWS = Shows


def may_see(shows: Shows | None, right: Shows) -> bool:
    """Return whether something is shown to a viewer with this right: to nobody where it does not declare it."""
    return shows is not None and shows <= right
