"""Rows of the speed table."""

from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]
SAME = 1e-5  # largest difference between the results of both sides


@dataclass(frozen=True)
class Row:
    """A row of the speed table: its work, its target ratio and its turns; the baseline's time counts `times`."""

    title: str
    target: float
    turns: int
    build: Callable[[], tuple[Work, Work]]
    times: float = 1.0


def check_same(what: str, apart: float) -> None:
    """Raise ValueError unless the results of both sides are within `SAME` of each other."""
    if not apart <= SAME:
        raise ValueError(f"{what} must be within {SAME:g} of the baseline's, not {apart:.2g} away.")


def repeat(work: Work, times: int) -> Work:
    """Return work that is repeated `times` times."""

    def calls() -> None:
        for _ in range(times):
            work()

    return calls
