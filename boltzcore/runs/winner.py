"""Who has won a comparison: the contender that is shown to be better than every other one."""

from boltzcore.runs.result import Result


def ahead(result: Result) -> tuple[str, ...]:
    """The contender that stands highest and those of which no difference from it is shown, in the order of the
    comparison; nothing where nothing is compared, or no trials of two contenders are whole.
    """
    names = result.comparison.names
    if not result.figure or result.comparison.tuning is not None:
        return ()
    merits: dict[str, float] = {}  # beyond one of them
    for name in names:
        if not merits and (found := result.differences(name)):
            merits = {name: 0.0} | {other: each.mean for other, each in found.items()}
    if not merits:
        return ()
    front = max(merits, key=merits.__getitem__)
    return tuple(name for name in names if name in merits and not _shown(result, front, over=name))


def winner(result: Result) -> str:
    """The contender that is shown to be better than every other one; "" where none is."""
    found = ahead(result)
    return found[0] if len(found) == 1 else ""


def said(result: Result) -> str:
    """Who has won, in a sentence; "" where nothing can be said of it."""
    found = ahead(result)
    if not found:
        return ""
    if len(found) == 1:
        return f"Won: {found[0]}."
    return f"No clear winner: no difference is shown between {', '.join(found[:-1])} and {found[-1]}."


def verdict(result: Result, reference: str | None = None) -> str:
    """Who has won, and how the contenders compare with one of them.

    reference : a contender; None for the first
    """
    return " ".join(filter(None, (said(result), result.verdict(reference))))


def _shown(result: Result, front: str, *, over: str) -> bool:
    """Whether the one that stands highest is shown to be better than another one. It is chosen by the figures, so that
    of the first contender, whose claims allow for no choice, the others' differences from it are not asked.
    """
    if front == over:
        return False
    flip = front == result.comparison.names[0]
    found = result.differences(over)[front] if flip else result.differences(front)[over]
    exact = result.deterministic and found.mean != 0
    return (found.claimed or exact) and (found.mean > 0) == flip
