"""Ticks, by which long work can be paused and stopped: it calls `tick(fraction)` at least every 100 ms."""

from collections.abc import Callable

Tick = Callable[[float], None]


class Stopped(Exception):
    """Raised by a tick to end the work that calls it; the last complete State remains."""


def idle(fraction: float = 0.0) -> None:
    """No-op progress callback."""


def chain_ticks(tick: Tick, other: Tick) -> Tick:
    """Return a tick that calls both ticks."""

    def each(fraction: float = 0.0) -> None:
        tick(fraction)
        other(fraction)

    return each


def portion(tick: Tick, first: float, share: float) -> Tick:
    """Return a tick for one part of the work, which reports fractions of the whole."""

    def of_the_whole(fraction: float = 0.0) -> None:
        tick(first + share * fraction)

    return of_the_whole
