"""How fast a training may go: no part of its recipe, as it changes no number of it."""

import math
from itertools import pairwise

FASTEST = math.inf  # as fast as it can
# Updates a second that are offered, from the slowest on.
PACES = (*(step * 10.0**power for power in range(4) for step in (1, 1.5, 2, 3, 5, 7)), 1e4, FASTEST)
SHOW = 20.0  # seconds that a whole training takes where somebody wants to see all of it


def offered(pace: float | None) -> float:
    """The one of `PACES` that is nearest to so many updates a second, by their ratio."""
    if pace is None:
        return FASTEST
    below = sum(pace > math.sqrt(one * other) for one, other in pairwise(PACES[:-1]))
    return PACES[below]


def limit(pace: float) -> float | None:
    """One of `PACES` as a run takes it (`Run.pace`)."""
    return None if pace == FASTEST else pace


def lasting(updates: int, seconds: float = SHOW) -> float:
    """Updates a second at which so many last about so long, where each takes no longer."""
    return max(1, updates) / seconds
