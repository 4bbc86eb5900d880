"""An insertion of Frank-Wolfe in words: what the model misses, the search for a unit, and the correction."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from boltzcore.data import Dataset
from boltzcore.quoting import number
from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import ArrayPanel, StepView, fold

Arrays = Mapping[str, Any]

SENTENCES = {
    "start": "The search for a new unit starts from noise: each weight is drawn at random.",
    "biases": "Each visible bias rises if its pixel is on more often in the data than in the model, else it falls.",
    "counts": "All counts and biases move together to where J, the likelihood less all penalties, is largest.",
    "new": "The update is done. The next one looks for what the model still misses.",
    "shrink": "The away step lowers the count of the worst unit to 0.",
    "over": "The training ends: no further unit is worth its penalty.",
}


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    phase = dissection.phases[index]
    if phase.kind in SENTENCES:
        return SENTENCES[phase.kind]
    return _SENTENCES[phase.kind](dissection, learner, phase.arrays)


def _samples(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    n, chains = int(arrays["states"]), not arrays["exact"]
    states = f"{n:,} chains after {learner.K:,} Gibbs steps" if chains else f"all {n:,} states with their probabilities"
    return f"The data and the model ({states}). Their difference is what the model misses."


def _present(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    if not len(arrays["count"]):
        return "There are no hidden units yet: the model has only its biases."
    return "The units so far, with the slope of J in each count. If it is near 0, that count alone can gain nothing."


def _search(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    iteration = int(arrays["iteration"])
    penalty = "" if learner.ball else ", and the penalty pulls it to 0"
    if not iteration:
        return f"The data pull each weight up, the model pulls it down{penalty}. The search follows the sum."
    after = "1 iteration" if iteration == 1 else f"{iteration:,} iterations"
    return f"After {after} the objective is {number(float(arrays['objective']), '.3g')}."


def _worth(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    gain = number(float(-arrays["value"]), ".3g")
    if arrays["value"] > arrays["bound"]:
        return f"It is not worth inserting: J would rise by {gain} nats per count, no more than by chance."
    return f"It is worth inserting: J rises by {gain} nats per count at first."


def _away(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    worst = _name(int(arrays["worst"]))
    lead, rival = (number(float(arrays[name]), ".3g") for name in ("lead", "rival"))
    if arrays["taken"]:
        return f"Removing {worst} gains more ({lead}) than the new unit ({rival}): an away step."
    return f"The worst unit, {worst}, stays: removing it gains {lead}, the new unit {rival}."


def _insert(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    return f"The new unit is inserted with count {float(arrays['after'][-1]):.3g}."


def _leave(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    names = [_name(int(each)) for each in arrays["units"]]
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} removed, with count 0."


def _found(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    data, model = arrays["sure"]
    return f"The best unit found is clearly on or off for {data:.0%} of the data and {model:.0%} of the model."


_SENTENCES = {
    "found": _found,
    "samples": _samples,
    "present": _present,
    "search": _search,
    "worth": _worth,
    "away": _away,
    "insert": _insert,
    "leave": _leave,
}


def _name(unit: int) -> str:
    return f"h{unit + 1}"


def words(dissection: UpdateTrace, _dataset: Dataset, index: int) -> Mapping[str, Any]:
    """The names of the units in a list of counts."""
    arrays, kind = dissection.phases[index].arrays, dissection.phases[index].kind
    listed = next((arrays[name] for name in ("count", "counts") if name in arrays), ())
    if kind in ("insert", "shrink"):
        listed = arrays["after"]
    return {"names": [_name(k) for k in range(len(listed))]} if len(listed) else {}


VIEW = StepView(
    partial(fold, kinds=("search",), most=8, ends=3),
    sentence,
    words=words,
    panels={
        "samples.data": ArrayPanel("rows of the data", "picture"),
        "samples.model": ArrayPanel("rows of the model", "picture"),
        "data_mean": ArrayPanel("mean of the data", "picture"),
        "model_mean": ArrayPanel("mean of the model", "picture"),
        "missing": ArrayPanel("data \N{MINUS SIGN} model", "signed"),
        "count": ArrayPanel("counts", "bars"),
        "present.slope": ArrayPanel("slopes of J", "bars"),
        "w": ArrayPanel("weights", "signed"),
        "data_pull": ArrayPanel("pull of the data", "picture"),
        "model_pull": ArrayPanel("pull of the model", "picture"),
        "price_pull": ArrayPanel("pull of the penalty", "signed"),
        "search.slope": ArrayPanel("slope", "signed"),
        "unit": ArrayPanel("the unit found", "signed"),
        "ended": ArrayPanel("results of all searches", "signed"),
        "curve": ArrayPanel("objective over iterations", "curve"),
        "gap": ArrayPanel("duality gap", "number"),
        "insert.after": ArrayPanel("counts", "bars"),
        "shrink.after": ArrayPanel("counts", "bars"),
        "biases.after": ArrayPanel("biases", "signed"),
        "counts": ArrayPanel("counts", "bars"),
        "b": ArrayPanel("biases", "signed"),
    },
)
