"""An update with exchanges in words: rungs, Gibbs steps, swaps, the difference, new weights, and the way from there."""

from collections.abc import Mapping
from typing import Any

from boltzcore.learners.walkthrough.trace import UpdateTrace
from pages.inside.families.step_view import Shown, StepView, fold

SWEEP = ("rungs", "gibbs", "swap")
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
    if phase.kind == "journey":
        return _journey(phase.arrays, of_two)
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


def _journey(arrays: Mapping[str, Any], of_two: bool) -> str:
    n = len(arrays["rung"]) - 1
    if of_two:
        return f"The next {n} exchanges that this chain is offered: where one is accepted the line changes sides."
    return f"Where these states get to by {n} rounds of swaps from here on, in this update and those after it."


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


def _focus(choose: Mapping[str, int], _model: Any) -> dict[str, Any]:
    return {"pick": "s", "index": choose["state"]}


VIEW = StepView(phases, sentence, focus=_focus)
