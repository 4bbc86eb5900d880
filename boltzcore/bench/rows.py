"""What a row of the speed table is."""

from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]
SAME = 1e-5  # how far results of both sides may lie apart


@dataclass(frozen=True)
class Row:
    """One row of the table: what it times, the ratio it must reach, how often; the baseline's time counts `times` over.

    threads : that ours may take; with more than one the clock on the wall counts
    """

    title: str
    target: float
    turns: int
    build: Callable[[], tuple[Work, Work]]
    times: float = 1.0
    threads: int = 1


def repeated(work: Work, times: int) -> Work:
    """So many calls in a row."""

    def calls() -> None:
        for _ in range(times):
            work()

    return calls
