"""A step by chains in words: one chain's sweep, the means of data and of all chains, the new parameters."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from boltzcore.data import Dataset
from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import StepView, column_name, fold


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """Describe the phase with this index in one or two sentences."""
    phase = dissection.phases[index]
    arrays, one = phase.arrays, learner.chains == 1
    if phase.kind == "unit":
        was, is_ = (bool(each) for each in (arrays["x"][int(arrays["unit"])], arrays["on"]))
        kept = "It stays" if was == is_ else "It turns"
        return (
            "One unit is redrawn: it sums its own parameter and those that it shares with units that are on, and is on "
            f"if u is below its probability. {kept} {'on' if is_ else 'off'}."
        )
    if phase.kind == "start":
        which = "The chain" if one else "One of the chains"
        return f"{which}, random at first, which continues from update to update and comes to resemble a sample."
    if phase.kind == "chains" and one:
        return "The sweep is over. The one chain is the only sample of the model."
    if phase.kind == "chains":
        return (
            f"All {int(arrays['chains']):,} chains have done such a sweep, each with its own random numbers. Their "
            "averages estimate those of the model."
        )
    return _SENTENCES[phase.kind]


_SENTENCES = {
    "data": "The data: how often each unit is on (on the diagonal), and how often two are on together.",
    "difference": "Data minus chains: blue rises, red falls.",
    "new": "Every parameter moves along its slope, all at once. The chains stay where they are for the next update.",
}


def words(dissection: UpdateTrace, dataset: Dataset, index: int) -> Mapping[str, Any]:
    """Return the column that is drawn."""
    arrays = dissection.phases[index].arrays
    return {"about": column_name(dataset, int(arrays["unit"]))} if "unit" in arrays else {}


VIEW = StepView(
    partial(fold, kinds=("unit",), most=12, ends=3),
    sentence,
    words=words,
    panels={
        "x": ("the chain", "picture"),
        "data": ("data", "matrix"),
        "model": ("chains", "matrix"),
        "slope": ("slopes: data \N{MINUS SIGN} chains", "matrix"),
        "theta": ("parameters", "matrix"),
        "field": ("log-odds", "number"),
        "p": ("p", "number"),
        "u": ("u", "number"),
    },
)
