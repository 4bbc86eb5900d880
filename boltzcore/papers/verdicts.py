"""How near a result of ours is to the paper's: a verdict of a closed list, by rules that read the stored rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boltzcore.papers.study import Row

NUMBERS, ORDER, SHAPE = "same numbers", "same order", "same shape"
DIFFERS, NOT_ATTEMPTED = "differs", "not attempted"
GRADES = (NUMBERS, ORDER, SHAPE)  # from the strictest
VERDICTS = (*GRADES, DIFFERS, NOT_ATTEMPTED)
Rows = Mapping[str, Sequence[Row]]  # {study: its rows}


@dataclass(frozen=True)
class Check:
    """One thing that the paper reports, and whether ours agrees.

    grade : what agreement on all checks of this grade amounts to
    claim : what the paper reports, with the tolerance where it is of numbers
    evidence : our numbers
    """

    grade: str
    claim: str
    holds: bool
    evidence: str


@dataclass(frozen=True)
class Verdict:
    """A verdict with what it rests on; without checks nothing was made, and `reason` says so."""

    verdict: str
    reason: str
    checks: tuple[Check, ...] = ()


def verdict(checks: Sequence[Check]) -> Verdict:
    """The strictest grade all of whose checks hold; that ours differs where there is none."""
    for grade in GRADES:
        of_grade = [check for check in checks if check.grade == grade]
        if of_grade and all(check.holds for check in of_grade):
            kind, n = grade.removeprefix("same "), len(of_grade)
            held = {1: "The claim", 2: "Both claims"}.get(n, f"All {n} claims")
            others = [check for check in checks if check.grade != grade]
            rest = "" if all(check.holds for check in others) else f"; {_failing(others, 'other ')}"
            return Verdict(grade, f"{held} on {kind} {'holds' if n == 1 else 'hold'} here{rest}.", tuple(checks))
    return Verdict(DIFFERS, f"{_failing(checks).capitalize()} hold here.", tuple(checks))


def _failing(checks: Sequence[Check], which: str = "") -> str:
    """How many of these do not hold."""
    n, failed = len(checks), sum(not check.holds for check in checks)
    if n == 1:
        return f"the {which or 'one '}claim does not"
    return f"{failed} of {n} {which}claims {'does' if failed == 1 else 'do'} not"


def near(claim: str, ours: Mapping[str, float | None], theirs: Mapping[str, float], tolerance: float) -> Check:
    """Whether each number is within `tolerance` times the paper's of it; one that we lack is not."""
    holds = all(
        (mine := ours.get(key)) is not None and abs(mine - at) <= tolerance * abs(at) for key, at in theirs.items()
    )
    cells = (
        f"{key}: {'none' if ours.get(key) is None else f'{ours[key]:.3g}'} (paper {at:.3g})"
        for key, at in theirs.items()
    )
    return Check(NUMBERS, f"{claim}, within {tolerance:.0%} of the paper's", holds, "; ".join(cells))


def above(grade: str, claim: str, better: Mapping[str, float], worse: Mapping[str, float]) -> Check:
    """Whether each of the better values exceeds each of the worse."""
    holds = bool(better) and bool(worse) and min(better.values()) > max(worse.values())
    return Check(grade, claim, holds, f"{_said(better)}; beside {_said(worse)}")


def alike(grade: str, claim: str, values: Mapping[str, float], within: float) -> Check:
    """Whether no two values are further apart than this."""
    spread = max(values.values()) - min(values.values())
    return Check(grade, f"{claim}, within {within:g}", spread <= within, f"{_said(values)}; {spread:.3g} apart")


def _said(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in values.items())
