"""Conditional updates in words: the input's biases, the clean row clamped, the model free, their difference."""

from collections.abc import Sequence
from typing import Any

from boltzcore.reference.trace import Phase, UpdateTrace
from boltzcore.registry import info_of
from pages.inside.families.step_view import Shown, StepView, fold

MOST, ENDS = 8, 4  # half steps of a chain
ROUNDS, FIRST = 8, 3  # iterations

_ROUND = {
    "mean field": "pixels use the means of the hidden units in place of their values, then vice versa.",
    "sum-product": "hidden units send each pixel a message based on all the others, then pixels send theirs.",
    "max-product": "messages look for the single best image with its hidden units.",
    "mixed-product": "pixels use their better value; hidden units average over both of theirs.",
}


def phases(dissection: UpdateTrace) -> list[Shown]:
    """Return the phases shown; the middle of long chains and of many iterations is folded."""
    if any(phase.kind == "iteration" for phase in dissection.phases):
        return fold(dissection, ("iteration",), ROUNDS, FIRST)
    return fold(dissection, ("hidden", "visible"), MOST, ENDS)


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """Describe the phase with this index in one or two sentences."""
    phases, phase = dissection.phases, dissection.phases[index]
    match phase.kind:
        case "given":
            moved = "each pixel and each hidden unit" if info_of(learner).hidden_units else "each pixel"
            return f"The damaged image x is the input: its pixels shift the bias of {moved}, up (blue) or down (red)."
        case "clamped":
            held = (
                "Clamped: pixels are fixed to the clean row, and each hidden unit adds its weights to those that are on"
            )
            return f"{held}.{' It counts as on if that is likelier.' * (learner.predicts == 'max-product')}"
        case "augmented":
            gained = "Bonus: each pixel unlike the clean row gains 1, so that the clean row has to win by a margin."
            return f"{gained} {_changed(phases[0], phase)}"
        case "hidden" | "visible":
            return _of_chain(phases, index)
        case "energy":
            if not (best := phase.arrays["taken"]):
                return "No sample has a lower free energy than the clean row, so this row changes nothing."
            return f"To the model, sample {best} is likelier than the clean row: its free energy is the lowest."
        case "begin":
            what = "the input and the bonus" if any(each.kind == "augmented" for each in phases) else "the input"
            return f"Free: nothing is clamped. The first beliefs follow from {what} alone."
        case "iteration":
            residuals = phase.arrays["residuals"]
            rests = ", below the tolerance: converged." if residuals[-1] < learner.tolerance else "."
            largest = f"The largest change of a belief is {residuals[-1]:.2g}{rests}"
            return f"Iteration {len(residuals)}: {_ROUND[learner.predicts]} {largest}"
        case "free":
            return _free(phases, learner)
    return _SENTENCES[phase.kind]


_SENTENCES = {
    "start": "The search starts from the input alone: each pixel is drawn with the probability that its bias gives.",
    "error": "The error of each pixel, clean minus predicted, times each input that is on, over the mini-batch.",
    "difference": "How often units are on together, clamped minus free, over the mini-batch: blue grows, red shrinks.",
    "new": "New weights: each moves by η times its difference. The update is done.",
}


def _changed(given: Phase, augmented: Phase) -> str:
    changed = int(((given.arrays["b"] > 0) != (augmented.arrays["b"] > 0)).sum())
    if not changed:
        return "No bias changes sign."
    return "The bias of one pixel changes sign." if changed == 1 else f"The biases of {changed} pixels change sign."


def _of_chain(phases: Sequence[Phase], index: int) -> str:
    chain = [each.kind for each in phases if each.kind in ("hidden", "visible")]
    k = sum(each.kind == "visible" for each in phases[:index]) + 1
    searches = any(each.kind == "energy" for each in phases)
    of_chain = f"{'Search' if searches else 'Free: a chain'}, step {k} of {len(chain) // 2}"
    if phases[index].kind == "visible":
        return f"{of_chain}: each pixel adds its bias and its weights to hidden units that are on, and is drawn."
    where = " from the clean row" if k == 1 and not searches else ""
    return f"{of_chain}{where}: each hidden unit draws a number u, and is on if u is below its probability."


def _free(phases: Sequence[Phase], learner: Any) -> str:
    kinds = {each.kind for each in phases}
    if "energy" in kinds:
        if next(each for each in phases if each.kind == "energy").arrays["taken"]:
            return "That sample is compared with the clean row, each with its probabilities of hidden units."
        return "The clean row is compared with itself: there is nothing to learn from this row."
    if "visible" in kinds:
        return "The end of the chain is compared with the clean row, each with its probabilities of hidden units."
    if not info_of(learner).hidden_units:
        return "Each pixel is predicted from its own bias alone, independently of the others."
    if learner.predicts == "max-product":
        return "The best image with its hidden units, each on or off. It is compared with the clean row."
    if learner.predicts == "mixed-product":
        return "The pixels are on or off, hidden units keep their probabilities. This is compared with the clean row."
    residuals = next(each for each in reversed(phases) if each.kind == "iteration").arrays["residuals"]
    rests = "converged" if residuals[-1] < learner.tolerance else f"after its {len(residuals)} iterations"
    answer = f"The model's output: beliefs of pixels and hidden units, {rests}"
    if learner.predicts == "sum-product":
        answer += "; pixels are updated once more, so that they agree with the beliefs of pairs"
    return f"{answer}. It is compared with the clean row."


VIEW = StepView(phases, sentence)
