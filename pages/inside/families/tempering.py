"""An update with exchanges in words: rungs, Gibbs steps, swaps, the difference, and new weights."""

from collections.abc import Mapping
from typing import Any

from boltzcore.data import Dataset
from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import ArrayPanel, Shown, StepView, fold

SWEEP = ("rungs", "gibbs", "swap")
LETTERS = 26
MOST, ENDS = 9, 3  # phases of sweeps in a row: of more than so many the middle flies past


def phases(dissection: UpdateTrace) -> list[Shown]:
    """The middle of many sweeps flies past."""
    return fold(dissection, SWEEP, MOST, ENDS)


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    phase = dissection.phases[index]
    of_two = any("partner" in each.arrays for each in dissection.phases)
    if phase.kind == "rungs":
        return _TWO if of_two else _LADDER
    if phase.kind == "gibbs":
        steps = f"{learner.K} Gibbs step{'s' * (learner.K > 1)}"
        whose = "The chain takes" if of_two else "Every chain takes, under the distribution of its own rung,"
        return f"{whose} {steps}."
    if phase.kind == "swap":
        return _swap(phase.arrays)
    if phase.kind == "decide":
        return _decide(float(phase.arrays["acceptance"][0]), learner)
    return _SENTENCES[phase.kind]


def _swap(arrays: Mapping[str, Any]) -> str:
    done, pairs = int(arrays["accepted"].sum()), len(arrays["lower"])
    how = "The more an exchange raises the product of both probabilities, the likelier it is"
    if pairs == 1:
        return f"{how}: they {'change places' if done else 'stay where they are'}."
    return f"Neighbours may change places. {how}: {done} of {pairs} pairs do."


def _decide(share: float, learner: Any) -> str:
    told = f"Of all chains {100 * share:.0f} % would change places. "
    if share < learner.alpha_min:
        return f"{told}That is below {learner.alpha_min:g}: the model has gone too far from the frozen one."
    if share < learner.alpha:
        return f"{told}That is below {learner.alpha:g}: time to freeze the model now as the next rung."
    return f"{told}That is {learner.alpha:g} or more: both models are near enough, and training goes on."


_LADDER = (
    "The same chain on every rung, where the last update has left it: at the left pixels that do not depend on each "
    "other, at the right the model itself."
)
_TWO = "The chain, at the right, and the sample of the frozen model that it is paired with, at the left."
_SENTENCES = {
    "data": "Data: an example lights the pixels, and each hidden unit adds up the weights to those that are on.",
    "back": "The model goes back to the frozen one, the chains become samples of it, and the rate is halved.",
    "freeze": "The model is to be the next rung: it stands still while chains warm up and samples are collected.",
    "frozen": "The samples are complete: the model now is the next rung, and its log Z is known from theirs.",
    "difference": "What goes together in the data, minus what goes together in the chains of the model's own rung.",
    "new": "New weights: the update is done.",
}


def _names(dissection: UpdateTrace, _dataset: Dataset, index: int) -> Mapping[str, Any]:
    """The states on the rungs, by letters, or the pairs that may change places."""
    arrays = dissection.phases[index].arrays
    if "states" not in arrays:
        return {}
    states = [_letter(int(each)) for each in arrays["states"]]
    pairs = [" and ".join(sorted(states[low : low + 2])) for low in arrays.get("lower", ())]
    return {"names": states, "pairs": pairs, "about": f"From the flattest rung to the model: {', '.join(states)}"}


def _letter(state: int) -> str:
    return chr(ord("A") + state) if state < LETTERS else f"{state + 1}"


def _distances(dissection: UpdateTrace, _dataset: Dataset, index: int) -> Mapping[str, Any]:
    """D of each pair: its exchange is accepted if log u lies below."""
    arrays = dissection.phases[index].arrays
    return {"D": arrays["of_x"] + arrays["of_y"]} if "of_x" in arrays else {}


VIEW = StepView(
    phases,
    sentence,
    arrays=_distances,
    words=_names,
    panels={
        "v": ArrayPanel("example, or chains on their rungs", "picture"),
        "swap.D": ArrayPanel("D of each pair", "bars"),
        "swap.u": ArrayPanel("u of each pair", "bars"),
        "swap.accepted": ArrayPanel("accepted", "bars"),
        "acceptance": ArrayPanel("share of chains that would change places", "number"),
        "data_W": ArrayPanel("data", "unit"),
        "model_W": ArrayPanel("chains", "unit"),
        "difference.W": ArrayPanel("data \N{MINUS SIGN} chains", "unit"),
        "new.W": ArrayPanel("change of W", "unit"),
    },
)
