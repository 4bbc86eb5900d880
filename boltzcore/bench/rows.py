"""Rows of the speed table."""

from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]
SAME = 1e-5  # how far results of both sides may lie apart


@dataclass(frozen=True)
class Row:
    """A row of the speed table: its work, the ratio it must reach and its turns; the baseline's time counts `times`."""

    title: str
    target: float
    turns: int
    build: Callable[[], tuple[Work, Work]]
    times: float = 1.0


def repeated(work: Work, times: int) -> Work:
    """So many calls in a row."""

    def calls() -> None:
        for _ in range(times):
            work()

    return calls
