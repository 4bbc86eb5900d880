"""Who has won a comparison: the contender that is claimed to be better than every other one."""

from boltzcore.comparison.result import Result, join_names


def ahead(result: Result) -> tuple[str, ...]:
    """The contender that stands highest by the mean difference, and those that it is not claimed to be better than, in
    the order of the comparison; nothing where nothing is compared, no trials of two contenders are whole, or claims are
    of the differences from a reference alone.
    """
    names = result.comparison.names
    if not result.figure or result.comparison.tuning is not None or result.comparison.reference:
        return ()
    for name in names:
        if found := result.differences(name):
            front = max((name, *found), key=lambda each: found[each].mean if each != name else 0.0)
            behind = {each for each, found in result.differences(front).items() if found.claimed}
            return (front, *(each for each in names if each != front and each not in behind))
    return ()


def winner(result: Result) -> str:
    """The contender that is claimed to be better than every other one; "" where none is."""
    found = ahead(result)
    return found[0] if len(found) == 1 else ""


def said(result: Result) -> str:
    """Who has won, in a sentence; "" where nothing can be said of it."""
    found = ahead(result)
    if not found:
        return ""
    if len(found) == 1:
        return f"Won: {found[0]}."
    differences = result.differences(found[0])
    equal = [name for name in found if name in differences and differences[name].equal]
    front, others = [found[0], *equal], [name for name in found[1:] if name not in equal]
    if not others:
        return f"No clear winner: {join_names(front)} are equally good in every trial."
    stand, be = ("stand", "are") if equal else ("stands", "is")
    stands = f"{join_names(front)} {stand} highest by the mean difference"
    return f"No clear winner: {stands}, but {be} not shown to be better than {join_names(others)}."


def verdict(result: Result, reference: str | None = None) -> str:
    """Who has won, and how the contenders compare with one of them.

    reference : a contender; None for the comparison's own, else the first
    """
    return " ".join(filter(None, (said(result), result.verdict(reference))))
