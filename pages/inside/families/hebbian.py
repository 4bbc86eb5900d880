"""The storage of a pattern by Hebb's rule in words: the pattern, the new couplings."""

from typing import Any

from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import StepView, fold

_SENTENCES = {
    "pattern": "The next pattern. No samples are needed: the network stores what it sees.",
    "new": "Each two units that agree in the pattern are coupled more, each two that differ less, all by the same "
    "amount. The pattern becomes a minimum of the energy, unless too many are stored.",
    "over": "Every pattern is stored: nothing changes any more.",
}


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """Describe the phase with this index in one or two sentences."""
    return _SENTENCES[dissection.phases[index].kind]


VIEW = StepView(
    fold,
    sentence,
    panels={
        "x": ("the pattern", "signed"),
        "change": ("change of the couplings", "matrix"),
        "M": ("couplings", "matrix"),
    },
)
