"""Contrastive updates in words: data, chain, difference, new weights."""

from typing import Any

from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import Shown, StepView, fold, weight

MOST, ENDS = 8, 4  # half steps of a chain: of more than so many the middle flies past
INNER = 3  # inner steps: of more than so many the middle ones fly past


def phases(dissection: UpdateTrace) -> list[Shown]:
    """Long chains fly past in their middle, and so do the inner steps of many."""
    phases, shown = dissection.phases, fold(dissection, ("hidden", "visible"), MOST, ENDS)
    ends = [i for i, phase in enumerate(phases) if phase.kind == "new"]
    if len(ends) <= INNER:
        return shown
    middle = range(ends[1] + 1, ends[-2] + 1)
    past = Shown(middle[-1], middle, [i for i in middle if phases[i].kind == "visible"])
    before = [each for each in shown if each.index < middle[0]]
    after = [each for each in shown if each.index > middle[-1]]
    return [*before, past, *after]


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    phases, d = dissection.phases, learner.inner_steps
    phase, before = phases[index], phases[:index]
    inner = phase.at - (phase.kind == "new")
    k = sum(each.kind == "visible" for each in before) + 1
    of_chain = f"Chain, step {k}" + (f" (inner step {inner + 1} of {d})" if d > 1 else "")
    if phase.kind == "data":
        return "Data: an example lights the pixels, and each hidden unit adds up the weights to those that are on."
    if phase.kind == "start":
        if learner.persistent:
            return "The chain does not start at the data. It goes on where the last update has left it."
        return "The chain starts at the same example: a copy, which may now walk away from the data."
    if phase.kind == "hidden":
        coin = "a number u is drawn between 0 and 1, and it is on where u lies under its probability"
        return f"{of_chain}: a coin is tossed for each hidden unit: {coin}."
    if phase.kind == "visible":
        return f"{of_chain}: the hidden units that are on send their weights back down, and the pixels are drawn anew."
    if phase.kind == "end":
        return "The end of the chain: what the model dreams, and how much each hidden unit answers to it."
    if phase.kind == "difference":
        if d > 1 and inner:
            return "The data term is frozen: it is still that of the first weights. Only the dream is new."
        if learner.centred or learner.spectral:
            return "What goes together in the data, minus that in the dream: not yet what the weights move along."
        return "What goes together in the data, minus what goes together in the dream: blue rises, red falls."
    if phase.kind == "offsets":
        return "The offsets slide: each layer's mean, which is taken off before units are multiplied."
    if phase.kind == "centred":
        return "The difference of centred units: what all have in common drives no weight. Blue rises, red falls."
    if phase.kind == "equalised":
        directions = "The directions of the difference, its singular vectors, are made equally strong"
        return f"{directions}, each as all were together: blue rises, red falls."
    if d > 1 and phase.at < d:
        return "New weights. The data term stays frozen, and the chain goes on under the new weights."
    return "New weights: the update is done."


VIEW = StepView(phases, sentence, focus=weight)
