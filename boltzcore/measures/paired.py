"""Paired differences over trials: Student's intervals that hold together, and the p of the same statistic.

Trial i of all contenders has the same seed, so what the seed makes easier or harder cancels in the difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

LEVEL = 0.05  # of false claims over a family of differences together
FEWEST = 5  # trials that can claim anything


@dataclass(frozen=True)
class PairedDifference:
    """The difference between a contender and the reference over the same trials.

    mean : of the differences, in the figure's unit, above 0 where the contender's figure is higher
    low, high : an interval of the mean; in `LEVEL` of comparisons at most any of a family misses its difference. None
        of fewer than `FEWEST` trials, and where the differences of random trials do not vary
    p : of the same statistic, adjusted for the family, two sides: below `LEVEL` exactly where the interval excludes 0
    better_in, worse_in : trials in which the contender's figure is higher, and lower; n : trials
    spread : by how much the mean may be off as figures are estimates
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None
    better_in: int
    worse_in: int
    n: int
    spread: float

    @property
    def claimed(self) -> bool:
        """True if a difference from 0 is claimed: its interval excludes 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    @property
    def exact(self) -> bool:
        """True if the difference is known exactly."""
        return self.low is not None and self.low == self.high

    @property
    def equal(self) -> bool:
        """True if the figures are known to be the same in every trial."""
        return not (self.better_in or self.worse_in or self.spread)


def paired_difference(
    ours: Sequence[float], theirs: Sequence[float], family: int, *, spread: float = 0.0, fixed: bool = False
) -> PairedDifference:
    """The difference of figures by trial, in the same order of trials.

    The interval is Student's of 1 - `LEVEL` / family, and p is family times Student's (Bonferroni), as far as
    differences are about normal. Where both are without randomness, the mean is the difference itself, and p is 0 or 1.

    family : the number of differences that are shown together
    spread : by how much the mean may be off as figures are estimates: the interval is wider by that to either side
    fixed : whether both are without randomness

    Raises ValueError where the numbers of trials differ, or a figure is not finite.
    """
    if len(ours) != len(theirs) or not np.isfinite([*ours, *theirs]).all():
        raise ValueError(
            f"Paired trials must be equal in number ({len(ours)} and {len(theirs)}) and have finite figures."
        )
    values = np.asarray(ours, float) - np.asarray(theirs, float)
    mean, n = float(values.mean()), values.size
    half = p = None
    if fixed:
        half, p = spread, float(abs(mean) <= spread)
    elif n >= FEWEST and not _same(values):
        error = float(values.std(ddof=1)) / math.sqrt(n)
        half = spread - error * float(stdtrit(n - 1, LEVEL / family / 2))
        p = min(1.0, 2 * family * float(stdtr(n - 1, -max(0.0, abs(mean) - spread) / error)))
    low, high = (None, None) if half is None else (mean - half, mean + half)
    return PairedDifference(mean, low, high, p, int((values > 0).sum()), int((values < 0).sum()), n, spread)


def _same(differences: NDArray) -> bool:
    """Return True if all are the same but for rounding."""
    return bool(np.ptp(differences) <= 1e-12 * max(1.0, float(np.abs(differences).max())))
