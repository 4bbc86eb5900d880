"""Verdicts on results, of a closed list, by checks that read the stored rows."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from boltzcore.papers.study import Row

NUMBERS, ORDER, SHAPE = "same numbers", "same order", "same shape"
DIFFERS, NOT_ATTEMPTED = "differs", "not attempted"
GRADES = (NUMBERS, ORDER, SHAPE)  # from the strictest
VERDICTS = (*GRADES, DIFFERS, NOT_ATTEMPTED)
Rows = Mapping[str, Sequence[Row]]  # {study: its rows}


@dataclass(frozen=True)
class Check:
    """One claim of the paper, and whether it holds here.

    grade : the verdict if all checks of this grade hold
    claim : what the paper reports, with the tolerance where it is of numbers
    evidence : our numbers
    """

    grade: str
    claim: str
    holds: bool
    evidence: str


@dataclass(frozen=True)
class Verdict:
    """A verdict with its reason and its checks; without checks nothing was made."""

    verdict: str
    reason: str
    checks: tuple[Check, ...] = ()


def verdict(checks: Sequence[Check]) -> Verdict:
    """Return the strictest grade all of whose checks hold; `DIFFERS` if there is none."""
    of = {grade: [check.holds for check in checks if check.grade == grade] for grade in GRADES}
    found = {grade.removeprefix("same "): holds for grade, holds in of.items() if holds}
    counted = ", ".join(f"{sum(holds)} of {len(holds)} on {kind}" for kind, holds in found.items())
    best = next((grade for grade, holds in of.items() if holds and all(holds)), DIFFERS)
    return Verdict(best, f"Claims that hold here: {counted}.", tuple(checks))


def near(claim: str, ours: Mapping[str, float | None], theirs: Mapping[str, float], tolerance: float) -> Check:
    """Check that each number is within `tolerance` times the paper's of it; one that we lack is not."""
    known = {key: value for key, value in ours.items() if value is not None}
    holds = all(abs(known.get(key, math.inf) - at) <= tolerance * abs(at) for key, at in theirs.items())
    cells = (f"{key}: {f'{known[key]:.3g}' if key in known else 'none'} (paper {at:.3g})" for key, at in theirs.items())
    return Check(NUMBERS, f"{claim}, within {tolerance:.0%} of the paper's", holds, "; ".join(cells))


def above(grade: str, claim: str, values: Mapping[str, float], better: Iterable[str], worse: Iterable[str]) -> Check:
    """Check that each of the better values exceeds each of the worse, by their names; others play no part."""
    ahead, behind = ({name: values[name] for name in names if name in values} for names in (better, worse))
    holds = bool(ahead) and bool(behind) and min(ahead.values()) > max(behind.values())
    return Check(grade, claim, holds, f"{_listed(ahead)} against {_listed(behind)}")


def positive(grade: str, claim: str, gains: Mapping[str, float]) -> Check:
    """Check that each value is above 0."""
    return Check(grade, claim, bool(gains) and min(gains.values()) > 0, _listed(gains))


def alike(grade: str, claim: str, values: Mapping[str, float], within: float) -> Check:
    """Check that no two values are further apart than this."""
    spread = max(values.values()) - min(values.values())
    return Check(grade, f"{claim}, within {within:g}", spread <= within, f"{_listed(values)}; {spread:.3g} apart")


def _listed(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in values.items())
