"""Conditional updates in words: the input's biases, the clean row held fast, the model left free, their difference."""

from collections.abc import Sequence
from typing import Any

from boltzcore.reference.trace import Phase, UpdateTrace
from boltzcore.registry import info_of
from pages.inside.families.step_view import Shown, StepView, fold, weight

MOST, ENDS = 8, 4  # half steps of a chain
ROUNDS, FIRST = 8, 3  # iterations

_ROUND = {
    "mean field": "each pixel uses the hidden units' means in place of their values, then they use the pixels' means.",
    "sum-product": "hidden units tell each pixel what all the others told them, and the pixels answer.",
    "max-product": "each message looks for the one best picture, with the hidden units that go with it.",
    "mixed-product": "each pixel speaks as if it were decided; hidden units speak for all that they might be.",
}


def phases(dissection: UpdateTrace) -> list[Shown]:
    """Long chains, and many iterations, fly past in their middle."""
    if any(phase.kind == "iteration" for phase in dissection.phases):
        return fold(dissection, ("iteration",), ROUNDS, FIRST)
    return fold(dissection, ("hidden", "visible"), MOST, ENDS)


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    phases, phase = dissection.phases, dissection.phases[index]
    if phase.kind == "given":
        return _given(learner)
    if phase.kind == "clamped":
        held = "Clamped: the clean row is held fast, and each hidden unit adds up its weights to pixels that are on."
        return f"{held} It counts as on where that is likelier." if learner.predicts == "max-product" else held
    if phase.kind == "augmented":
        gained = "A bonus: each pixel unlike the clean row gains 1, so that the clean row has to win by a margin."
        return f"{gained} {_changed(phases[0], phase)}"
    if phase.kind == "start":
        return "A search begins where the input alone says: each pixel is drawn with the chance that its bias gives."
    if phase.kind in ("hidden", "visible"):
        return _of_chain(phases, index)
    if phase.kind == "energy":
        return _energy(phase, learner)
    if phase.kind == "begin":
        what = "the input and the bonus say" if any(each.kind == "augmented" for each in phases) else "the input says"
        return f"Free: pixels and hidden units are let go. At first each believes what {what}."
    if phase.kind == "iteration":
        return _iteration(phase, learner)
    if phase.kind == "free":
        return _free(phases, learner)
    if phase.kind == "error":
        return "The error of each pixel, clean minus guess, times each input that is on: the mean over the mini-batch."
    if phase.kind == "difference":
        return (
            "What goes together with the clean rows, minus what goes together in the model's answers, all rows of the "
            "mini-batch: blue grows, red shrinks."
        )
    return "New weights: each has moved by η times its difference, and the update is done."


def _given(learner: Any) -> str:
    moved = "each pixel and each hidden unit" if info_of(learner).hidden_units else "each pixel"
    return f"The damaged picture x goes in: its pixels move the bias of {moved}, up (blue) or down (red)."


def _changed(given: Phase, augmented: Phase) -> str:
    changed = int(((given.arrays["b"] > 0) != (augmented.arrays["b"] > 0)).sum())
    if not changed:
        return "No bias changes its sign by that alone."
    return "The bias of one pixel changes its sign." if changed == 1 else f"The biases of {changed} pixels change sign."


def _of_chain(phases: Sequence[Phase], index: int) -> str:
    chain = [each.kind for each in phases if each.kind in ("hidden", "visible")]
    k = sum(each.kind == "visible" for each in phases[:index]) + 1
    searches = any(each.kind == "energy" for each in phases)
    of_chain = f"{'Search' if searches else 'Free: a chain'}, step {k} of {len(chain) // 2}"
    if phases[index].kind == "visible":
        return f"{of_chain}: hidden units that are on send their weights back, x keeps its say, each pixel is drawn."
    where = " from the clean row" if k == 1 and not searches else ""
    return f"{of_chain}{where}: each hidden unit draws a number u, and is on where u lies under its probability."


def _energy(phase: Phase, learner: Any) -> str:
    if not (best := phase.arrays["taken"]):
        return "No sample has a lower free energy than the clean row, so this row makes no step."
    return f"To the model sample {best} is likelier than the clean row: its free energy is the lowest."


def _iteration(phase: Phase, learner: Any) -> str:
    residuals = phase.arrays["residuals"]
    last = f"The largest change of a belief is {residuals[-1]:.2g}"
    rests = f"{last}, under the tolerance: they rest." if residuals[-1] < learner.tolerance else f"{last}."
    return f"Round {len(residuals)}: {_ROUND[learner.predicts]} {rests}"


def _free(phases: Sequence[Phase], learner: Any) -> str:
    kinds = {each.kind for each in phases}
    if "energy" in kinds:
        if next(each for each in phases if each.kind == "energy").arrays["taken"]:
            return "That sample is set against the clean row, with the chance that each hidden unit gives it."
        return "The clean row is set against itself: nothing is to be learnt from this row."
    if "visible" in kinds:
        return "The end of the chain is set against the clean row, with the chance that each hidden unit gives it."
    if not info_of(learner).hidden_units:
        return "Each pixel's guess is the chance that its own bias gives it. No pixel knows of another."
    if learner.predicts == "max-product":
        return "Decided, on or off: the best picture with its hidden units. It is set against the clean row."
    if learner.predicts == "mixed-product":
        return "The pixels are decided, hidden units stay in doubt. This picture is set against the clean row."
    answer = f"The model's answer: beliefs of pixels and hidden units, {_rests(phases, learner)}"
    if learner.predicts == "sum-product":
        answer += "; pixels hear hidden units once more, so that they agree with what is believed of pairs"
    return f"{answer}. It is set against the clean row."


def _rests(phases: Sequence[Phase], learner: Any) -> str:
    residuals = next(each for each in reversed(phases) if each.kind == "iteration").arrays["residuals"]
    return "come to rest" if residuals[-1] < learner.tolerance else f"after the {len(residuals)} rounds that it has"


VIEW = StepView(phases, sentence, focus=weight)
