"""A greedy step in words: terms that are there, terms that could be bought, the best of all, and what follows."""

from collections.abc import Mapping
from typing import Any

from boltzcore.data import Dataset
from boltzcore.figures.terms import case
from boltzcore.learners.walkthrough.trace import UpdateTrace
from pages.inside.families.step_view import Shown, StepView

LISTED = 20  # terms that are there, the best moves first


def phases(dissection: UpdateTrace) -> list[Shown]:
    """All of it: a step has two phases to four."""
    return [Shown(i) for i in range(len(dissection.phases))]


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    phase = dissection.phases[index]
    found = phase.arrays
    if phase.kind == "present":
        return "What is there already: does it pay to move a term to where model and data agree, or to drop it?"
    if phase.kind == "candidates":
        if not found["looked"] + found["skipped"]:
            return "Nothing can be bought: no further term may come."
        return (
            "What could be bought: each term makes the rows easier to describe (gain, blue) and must be described "
            "itself (price, red)."
        )
    if phase.kind == "over":
        return f"Nothing shortens the description by more than {float(found['threshold']):g} nats: the search is over."
    if phase.kind == "pairs":
        return (
            "The term that moved weighs all rows anew, so what goes along with it becomes more or less frequent, too: "
            "the mean of each term takes up a share of its partner's, which is that term times the one that moved."
        )
    term, before, after = int(found["term"]), *(model.theta for model in dissection.models)
    if term not in after:
        return "Dropped: what its price saves is more than what it still explains."
    return (
        "Moved: no step shortens the description as much."
        if term in before
        else ("Bought: no other step shortens the description as much.")
    )


def words(dissection: UpdateTrace, dataset: Dataset, index: int) -> Mapping[str, Any]:
    """What is the case in terms' own words: of those that are there at the sign of their value, of others at the sign
    that the data have more often than the model. `listed` are the places of those that are shown, the best first. Of
    candidates how many `rows` there are, too, which prices depend on.
    """
    phase, model = dissection.phases[index], dissection.models[0]
    found = phase.arrays
    if phase.kind == "present":
        change = list(map(min, found["adjusting"], found["removing"]))
        order, signs = sorted(range(len(change)), key=change.__getitem__)[:LISTED], found["value"]
    elif phase.kind == "candidates":
        order, signs = list(range(len(found["term"]))), found["data"] - found["dual"]
    else:
        return {}
    digits = model.layout.digits(found["term"][order])
    signed = zip(digits, signs[order].tolist(), strict=True)
    more = {} if phase.kind == "present" else {"rows": float(dataset.train.total)}
    return more | {"listed": order, "cases": [case(y, sign, model.cardinalities, dataset.names) for y, sign in signed]}


VIEW = StepView(phases, sentence, words=words)
