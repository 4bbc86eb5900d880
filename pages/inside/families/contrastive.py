"""Contrastive updates in words: data, chain, difference, new weights."""

from typing import Any

from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import DATA, OPTIONS, Shown, StepView, fold

MOST, ENDS = 8, 4  # half steps of a chain: the middle of longer ones is folded
INNER = 3  # inner steps: the middle of more is folded


def phases(dissection: UpdateTrace) -> list[Shown]:
    """Return the phases shown; the middle of long chains, and of many inner steps, is folded."""
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
    """Describe the phase with this index in one or two sentences."""
    phases, d = dissection.phases, learner.inner_steps
    phase, before = phases[index], phases[:index]
    inner = phase.at - (phase.kind == "new")
    k = sum(each.kind == "visible" for each in before) + 1
    of_chain = f"Chain, step {k}" + (f" (inner step {inner + 1} of {d})" if d > 1 else "")
    if phase.kind == "start":
        if learner.persistent:
            return "The chain does not restart at the example: it continues from update to update."
        return "The chain starts at a copy of the example, and may now move away from it."
    if phase.kind == "hidden":
        return f"{of_chain}: each hidden unit draws u between 0 and 1, and is on if u is below its probability."
    if phase.kind == "visible":
        return f"{of_chain}: the pixels are redrawn from the weights of the hidden units that are on."
    if phase.kind == "difference":
        if d > 1 and inner:
            return "The data term is frozen: it is still that under the first weights. Only the sample is new."
        if learner.centred or learner.spectral or learner.has_options:
            return "How often units are on together, data minus sample. It is changed before the weights move."
        return "How often units are on together, data minus sample: blue rises, red falls."
    if phase.kind == "new" and phase.at < d:
        return "New weights. The data term stays frozen, and the chain continues under the new weights."
    return _SENTENCES[phase.kind]


_SENTENCES = {
    "data": DATA,
    "end": "The end of the chain: a model sample, with the probability of each hidden unit.",
    "offsets": "The offsets, running means of each unit, are updated. They are subtracted before units are multiplied.",
    "centred": "The difference for centred units, without what all rows have in common. Blue rises, red falls.",
    "options": OPTIONS,
    "equalised": "All singular values of the difference are set to their sum: blue rises, red falls.",
    "new": "New weights: the update is done.",
}


VIEW = StepView(phases, sentence)
