"""A step by chains in words: one chain's sweep, the means of data and of all chains, the new parameters."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from boltzcore.data import Dataset
from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import ArrayPanel, StepView, column_name, fold


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    phase = dissection.phases[index]
    if phase.kind == "unit":
        return _unit(phase.arrays)
    if phase.kind == "start":
        return (
            "One of the chains, where the last update left it: a sample of the model, perhaps unlike any row."
            if learner.chains > 1
            else "The chain, where the last update left it: a sample of the model, perhaps unlike any row."
        )
    if phase.kind == "chains":
        return _chains(int(phase.arrays["chains"]))
    return _SENTENCES[phase.kind]


def _unit(arrays: Any) -> str:
    was, is_ = (bool(each) for each in (arrays["x"][int(arrays["unit"])], arrays["on"]))
    kept = "It stays" if was == is_ else "It turns"
    return (
        "One unit is redrawn: it adds up its own parameter and those shared with units that are on, and is on if u is "
        f"below its probability. {kept} {'on' if is_ else 'off'}."
    )


def _chains(n: int) -> str:
    if n == 1:
        return "The sweep is over. The one chain is the only sample of the model."
    return (
        f"All {n:,} chains have done such a sweep, each with its own random numbers. Their averages estimate those of "
        "the model."
    )


_SENTENCES = {
    "data": "The data: how often each unit is on (on the diagonal), and how often two are on together.",
    "difference": "Data minus chains: blue grows, red shrinks.",
    "new": "Every parameter moves along its slope, all at once. The chains stay where they are for the next update.",
}


def words(dissection: UpdateTrace, dataset: Dataset, index: int) -> Mapping[str, Any]:
    """The column that is drawn."""
    arrays = dissection.phases[index].arrays
    return {"about": column_name(dataset, int(arrays["unit"]))} if "unit" in arrays else {}


VIEW = StepView(
    partial(fold, kinds=("unit",), most=12, ends=3),
    sentence,
    words=words,
    panels={
        "x": ArrayPanel("the chain", "picture"),
        "data": ArrayPanel("data", "matrix"),
        "model": ArrayPanel("chains", "matrix"),
        "slope": ArrayPanel("slopes: data \N{MINUS SIGN} chains", "matrix"),
        "theta": ArrayPanel("parameters", "matrix"),
        "field": ArrayPanel("log-odds", "number"),
        "p": ArrayPanel("p", "number"),
        "u": ArrayPanel("u", "number"),
    },
)
