"""Verdicts on results, from a closed list, by checks on the stored rows."""

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from boltzcore.papers.study import Row
from boltzcore.quoting import number

REPRODUCED, IN_PART, BETTER = "reproduced", "reproduced in part", "ours is better"
NOT_REPRODUCED, UNDECIDED = "not reproduced", "undecided"
VERDICTS = (REPRODUCED, IN_PART, BETTER, NOT_REPRODUCED, UNDECIDED)
Rows = Mapping[str, Sequence[Row]]  # {study: its rows}
Values = Mapping[str, float]
Names = Iterable[str]


@dataclass(frozen=True)
class Check:
    """One claim of the paper, and whether it holds here.

    claim : the paper's claim, with the tolerance if it is about numbers
    evidence : our numbers
    is_main : part of the main claim of the exhibit, which decides the verdict
    is_better : compares errors with the paper's, and fails only because ours are lower
    study : the study whose rows it reads; empty for all studies of the exhibit
    """

    claim: str
    holds: bool
    evidence: str
    is_main: bool = False
    is_better: bool = False
    study: str = ""

    @property
    def sentence(self) -> str:
        """The claim, whether it holds, and our numbers."""
        return f"{self.claim}: {'holds' if self.holds else 'does not hold'} ({self.evidence})."

    def as_main(self) -> "Check":
        """Return the check as part of the main claim."""
        return replace(self, is_main=True)


@dataclass(frozen=True)
class Verdict:
    """A verdict with its reason, in lines, and its checks; without checks nothing was reproduced.

    cause : why the paper's claims do not hold here, as far as an experiment shows
    caveat : what our runs lack compared with the paper's scale, if they count as full scale
    experiments : {study: a sentence} on further experiments
    """

    verdict: str
    reason: str
    checks: tuple[Check, ...] = ()
    cause: str = ""
    caveat: str = ""
    experiments: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The verdict with its caveat."""
        return f"{self.verdict.capitalize()}{', with ' if self.caveat else ''}{self.caveat}"


def verdict(checks: Sequence[Check], smaller: Iterable[str] = ()) -> Verdict:
    """Return the verdict on an exhibit: its main claim decides, at the paper's scale.

    Reproduced if all claims hold; better if all parts of the main claim hold and the only failures are errors below the
    paper's; reproduced in part if some part of the main claim holds; not reproduced if no part does; undecided if no
    part of the main claim was checked at the paper's scale.

    smaller : studies whose rows were made at a smaller scale than the paper's
    """
    smaller = set(smaller)
    full = [check for check in checks if check.study not in smaller and (check.study or not smaller)]
    main, failed = [check for check in full if check.is_main], [check for check in full if not check.holds]
    hold = "claim holds" if len(checks) == 1 else "claims hold"
    counted = f"{sum(check.holds for check in checks)} of {len(checks)} {hold}"
    if not main:
        return Verdict(UNDECIDED, f"The main claim was checked only at a smaller scale: {counted}.", tuple(checks))
    if not failed and len(full) == len(checks):
        found = REPRODUCED
    elif all(check.is_better for check in failed) and len(full) == len(checks):
        found = BETTER
    else:
        found = IN_PART if any(check.holds for check in main) else NOT_REPRODUCED
    every = [check for check in checks if check.is_main]
    parts = f", with {sum(check.holds for check in every)} of {len(every)} parts of the main claim"
    rest = f"; {len(checks) - len(full)} checked at a smaller scale" if len(full) < len(checks) else ""
    fails = [check for check in every if not check.holds]
    lists = {
        "Holds": [check for check in main if check.holds],
        "Does not hold": failed,
        "Holds at the smaller scale": [check for check in every if check.holds and check not in full],
        "Does not hold at the smaller scale": [check for check in fails if check not in full],
    }
    listed = [f"\n{title}: {_list_claims(of)}." for title, of in lists.items() if of and found == IN_PART]
    return Verdict(found, f"{counted}{parts * (len(every) < len(checks))}{rest}.{''.join(listed)}", tuple(checks))


def _list_claims(checks: Sequence[Check]) -> str:
    """Return claims as a list in a sentence; what several of them are about is named once."""
    of = dict[str, list[str]]()
    for check in checks:
        about, colon, claim = check.claim.rpartition(": ")
        of.setdefault(about + colon, []).append(claim)
    return "; ".join(about + "; ".join(claims) for about, claims in of.items())


def near(
    claim: str,
    ours: Mapping[str, float | None],
    theirs: Mapping[str, float],
    tolerance: float,
    study: str = "",
    *,
    are_errors: bool = False,
    spread: Mapping[str, float] | None = None,
) -> Check:
    """Check that each number is within `tolerance` times the paper's, or its 95 % `spread`; a missing number fails.
    Errors below the paper's count as better.
    """
    known = {key: value for key, value in ours.items() if value is not None}
    within = {key: max(tolerance * abs(at), (spread or {}).get(key, 0.0)) for key, at in theirs.items()}
    misses = [key for key, at in theirs.items() if not abs(known.get(key, math.inf) - at) <= within[key]]
    texts = {key: number(value, ".3g") for key, value in known.items()}
    cells = (f"{key}: {texts.get(key, 'none')} (paper {number(at, '.3g')})" for key, at in theirs.items())
    lower = all(known.get(key, math.inf) < theirs[key] for key in misses)
    claim = f"{claim}, within {number(tolerance, '.0%')} of the paper's"
    if spread:
        widest = number(max(within[key] / at for key, at in theirs.items()), ".0%")
        claim += f" or the 95 % interval for one more draw (at least its last digit, here up to {widest})"
    return Check(claim, not misses, "; ".join(cells), is_better=are_errors and bool(misses) and lower, study=study)


def above(claim: str, values: Values, first: Names, rest: Names, study: str = "", unit: str = "") -> Check:
    """Check that each of the first values exceeds each of the rest, by their names; other values are ignored."""
    ahead, behind = ({name: values[name] for name in names if name in values} for names in (first, rest))
    holds = bool(ahead) and bool(behind) and all(a > b for a in ahead.values() for b in behind.values())
    evidence = f"{unit}{': ' * bool(unit)}{list_values(ahead)} against {list_values(behind)}"
    return Check(claim, holds, evidence, study=study)


def below(claim: str, values: Values, first: Names, rest: Names, study: str = "", unit: str = "") -> Check:
    """Check that each of the first values is less than each of the rest."""
    return replace(above(claim, values, rest, first, study), evidence=above("", values, first, rest, "", unit).evidence)


def positive(claim: str, gains: Values, unit: str = "") -> Check:
    """Check that there are values, and that each is above 0."""
    evidence = f"{unit}{': ' * bool(unit)}{list_values(gains)}" if gains else "none was run"
    return Check(claim, bool(gains) and all(gain > 0 for gain in gains.values()), evidence)


def alike(claim: str, values: Values, within: float) -> Check:
    """Check that the range of the values is at most `within`."""
    spread = max(values.values()) - min(values.values())
    return Check(f"{claim}, within {within:g}", spread <= within, f"{list_values(values)}; {spread:.3g} apart")


def means(shown: str, by: Sequence[str], value: Callable[[Row], float], rows: Sequence[Row]) -> str:
    """Return a sentence with the mean of a value by some fields of the rows, ignoring rows without them."""
    found = dict[str, list[float]]()
    for row in rows:
        if all(name in row for name in by):
            named = (row[name] if isinstance(row[name], str) else f"{name} {row[name]:g}" for name in by)
            found.setdefault(", ".join(named).replace("_", " "), []).append(value(row))
    return f"{shown}: {'; '.join(f'{name}: {number(statistics.fmean(of))}' for name, of in found.items())}."


def list_values(values: Values) -> str:
    """Return named values as a list in a sentence."""
    return ", ".join(f"{name} {number(value)}" for name, value in values.items())
