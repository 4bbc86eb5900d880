"""A greedy step in words: the terms present, the terms that could be bought, the best of all, and the result."""

from collections.abc import Mapping
from typing import Any

from boltzcore.data import Dataset
from boltzcore.models.term_words import case
from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import StepView, fold

LISTED = 10  # present terms, the best moves first


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """Describe the phase with this index in one or two sentences."""
    phase = dissection.phases[index]
    found = phase.arrays
    if phase.kind == "present":
        return "The terms so far: does it pay to change a term until model and data agree, or to drop it?"
    if phase.kind == "candidates":
        if not found["looked"] + found["skipped"]:
            return "No further term can be bought."
        return (
            "Terms that could be bought: each makes the rows easier to describe (gain) and must itself be described "
            "(price)."
        )
    if phase.kind == "over":
        return f"Nothing shortens the description by more than {float(found['threshold']):g} nats: the search ends."
    term, before, after = int(found["term"]), *(model.theta for model in dissection.models)
    if term not in after:
        return "Dropped: its price is more than what it still gains."
    return f"{'Changed' if term in before else 'Bought'}: no other step shortens the description as much."


def arrays(dissection: UpdateTrace, _dataset: Dataset, index: int) -> Mapping[str, Any]:
    """Return how much the best steps shorten the description: for candidates the gain minus the price."""
    found = dissection.phases[index].arrays
    if "adjusting" in found:
        net = -found["adjusting"].clip(max=found["removing"])
        return {"net": net[(-net).argsort()[:LISTED]]}
    return {"net": found["gain"] - found["price"]} if "gain" in found else {}


def words(dissection: UpdateTrace, dataset: Dataset, index: int) -> Mapping[str, Any]:
    """Return the terms of `arrays` as statements: those present at the sign of their value, others at the sign that is
    more frequent in the data than in the model.
    """
    phase, model = dissection.phases[index], dissection.models[0]
    found = phase.arrays
    if phase.kind == "present":
        order = found["adjusting"].clip(max=found["removing"]).argsort()[:LISTED]
        terms, signs = found["term"][order], found["value"][order]
    elif phase.kind in ("candidates", "chosen"):
        terms, signs = found["term"].reshape(-1), (found["data"] - found["dual"]).reshape(-1)
    else:
        return {}
    digits = model.layout.digits(terms)
    names = [case(y, s, model.cardinalities, dataset.names) for y, s in zip(digits, signs.tolist(), strict=True)]
    return {"about": names[0]} if phase.kind == "chosen" else {"names": names}


VIEW = StepView(
    fold,
    sentence,
    arrays=arrays,
    words=words,
    panels={
        "net": ("shortens the description by (nats)", "bars"),
        "candidates.gain": ("gain", "bars"),
        "candidates.price": ("price", "bars"),
        "looked": ("terms computed", "number"),
        "skipped": ("skipped by the bound", "number"),
        "step": ("step", "number"),
        "kl": ("change of the KL divergence", "number"),
        "change": ("change of the description", "number"),
        "threshold": ("threshold", "number"),
    },
)
