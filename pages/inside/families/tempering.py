"""View of an update with exchanges: rungs, Gibbs steps, swaps, the difference, and new weights."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from boltzcore.data import Dataset
from boltzcore.learners import TrajectoryTempering
from boltzcore.quoting import number
from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import DATA, OPTIONS, StepView, fold

SWEEP = ("rungs", "gibbs", "swap")
LETTERS = 26


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """Describe the phase with this index in one or two sentences."""
    phase, of_two = dissection.phases[index], isinstance(learner, TrajectoryTempering)
    if phase.kind == "rungs":
        return _PAIR if of_two else _LADDER
    if phase.kind == "gibbs":
        steps = f"{learner.K} Gibbs step{'s' * (learner.K > 1)}"
        return f"The chain takes {steps}." if of_two else f"Every chain takes {steps} on its own rung."
    if phase.kind == "swap":
        accepted, pairs = int(phase.arrays["accepted"].sum()), len(phase.arrays["lower"])
        how = "The more an exchange raises the product of both probabilities, the likelier it is"
        if pairs == 1:
            return f"{how}. They {'change places' if accepted else 'stay where they are'}."
        return f"Neighbours may change places. {how}. Here {accepted} of {pairs} pairs do."
    if phase.kind == "decide":
        share = float(phase.arrays["acceptance"][0])
        start = f"Each chain is paired with a sample of the frozen model: {number(share, '.0%')} would swap."
        kinds = {each.kind for each in dissection.phases[index:]}
        if "back" in kinds:
            return f"{start} That is too few: the model has gone too far from the frozen one."
        if "freeze" in kinds:
            return f"{start} The model will be frozen as the next rung."
        return f"{start} That is {learner.alpha:g} or more: the models are close enough, and training continues."
    return _SENTENCES[phase.kind]


_LADDER = (
    "One chain of every rung, which continue from update to update: on the left pixels that do not depend on each "
    "other, on the right the model itself."
)
_PAIR = "The chain, on the right, and the sample of the frozen model that it is paired with, on the left."
_SENTENCES = {
    "data": DATA,
    "back": "The model goes back to the frozen one, the chains are its samples, and the next steps are half as long.",
    "freeze": "The model will be the next rung: it stays fixed while chains warm up and samples are collected.",
    "frozen": "The samples are complete: the model is now the next rung, and its log Z follows from them.",
    "difference": "Averages over the data, minus averages over the chains of the model's own rung.",
    "options": OPTIONS,
    "new": "New weights: the update is done.",
}


def _names(dissection: UpdateTrace, _dataset: Dataset, index: int) -> Mapping[str, Any]:
    """Return the states on the rungs as letters, and the pairs that may be swapped."""
    arrays = dissection.phases[index].arrays
    if "states" not in arrays:
        return {}
    numbers = map(int, arrays["states"])
    states = [chr(ord("A") + number) if number < LETTERS else f"{number + 1}" for number in numbers]
    pairs = [" and ".join(sorted(states[low : low + 2])) for low in arrays.get("lower", ())]
    return {"names": states, "pairs": pairs, "about": f"From the flattest rung to the model: {', '.join(states)}"}


VIEW = StepView(
    partial(fold, kinds=SWEEP, most=9, ends=3),
    sentence,
    words=_names,
    panels={
        "v": ("example, or chains on their rungs", "picture"),
        "swap.D": ("D of each pair", "bars"),
        "swap.u": ("u of each pair", "bars"),
        "swap.accepted": ("accepted", "bars"),
        "acceptance": ("share of chains that would change places", "number"),
        "data_W": ("data", "unit"),
        "model_W": ("chains", "unit"),
        "difference.W": ("data \N{MINUS SIGN} chains", "unit"),
        "options.W": ("step, over the rate", "unit"),
        "new.W": ("change of W", "unit"),
    },
)
