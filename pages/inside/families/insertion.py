"""An insertion of Frank-Wolfe in words: what the model misses, the search for a unit, and the correction."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from boltzcore.data import Dataset
from boltzcore.quoting import number
from boltzcore.reference.trace import UpdateTrace
from pages.inside.families.step_view import StepView, fold

SENTENCES = {
    "start": "The search for a new unit starts from noise: each weight is drawn at random.",
    "biases": "A visible bias rises if its pixel is on more often in the data than in the model; otherwise it falls.",
    "counts": "All counts and biases move to the maximum of J, the likelihood less all penalties: with chains only as "
    "far as these still stand for the model.",
    "new": "The update is done. The next one looks for what the model still misses.",
    "shrink": "The away step lowers the count of the worst unit to 0.",
    "over": "The training ends: no further unit is worth inserting.",
}


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """Describe the phase with this index in one or two sentences."""
    phase = dissection.phases[index]
    arrays, exact = phase.arrays, bool(dissection.phases[0].arrays["exact"])
    match phase.kind:
        case "samples":
            n = int(arrays["states"])
            chains = f"{n:,} chains after {learner.K:,} Gibbs steps"
            states = f"all {n:,} states with their probabilities" if exact else chains
            return f"The data and the model ({states}). Their difference is what the model misses."
        case "present" if not len(arrays["count"]):
            return "There are no hidden units yet: the model has only its biases."
        case "present":
            slope = "the slope of J in each count. If it is near 0, that count alone can gain nothing."
            return f"The units so far, with {slope}"
        case "search" if iteration := int(arrays["iteration"]):
            after = "1 iteration" if iteration == 1 else f"{iteration:,} iterations"
            return f"After {after} the objective is {number(float(arrays['objective']), '.3g')}."
        case "search":
            penalty = ", and the penalty pulls it to 0" if learner.lambda_ and not learner.ball else ""
            return f"The data pull each weight up, the model pulls it down{penalty}. The search follows the sum."
        case "found":
            data, model = (number(float(share), ".0%") for share in arrays["sure"])
            return f"The best unit found is clearly on or off for {data} of the data and {model} of the model."
        case "worth":
            if arrays["value"] > arrays["bound"]:
                return f"It is not worth inserting: J would not rise{'' if exact else ' by more than chance'}."
            return f"Worth inserting: J rises by {number(float(-arrays['value']), '.3g')} nats per count at first."
        case "away":
            worst = _name(int(arrays["worst"]))
            lead, rival = (number(float(arrays[name]), ".3g") for name in ("lead", "rival"))
            if arrays["taken"]:
                return f"Removing {worst} gains more ({lead}) than the new unit ({rival}): an away step."
            return f"The worst unit, {worst}, stays: removing it gains {lead}, the new unit {rival}."
        case "insert":
            return f"The new unit is inserted with count {float(arrays['after'][-1]):.3g}."
        case "biases" if "counts" in arrays:
            return f"{SENTENCES['biases']} Before each of these steps alpha, the sum of all counts, follows its slope."
        case "leave":
            names = [_name(int(each)) for each in arrays["units"]]
            return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} removed, with count 0."
    return SENTENCES[phase.kind]


def _name(unit: int) -> str:
    return f"h{unit + 1}"


def words(dissection: UpdateTrace, _dataset: Dataset, index: int) -> Mapping[str, Any]:
    """Return the names of the units in a list of counts."""
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
        "samples.data": ("rows of the data", "picture"),
        "samples.model": ("rows of the model", "picture"),
        "data_mean": ("mean of the data", "picture"),
        "model_mean": ("mean of the model", "picture"),
        "missing": ("data \N{MINUS SIGN} model", "signed"),
        "count": ("counts", "bars"),
        "present.slope": ("slopes of J", "bars"),
        "w": ("weights", "signed"),
        "data_pull": ("pull of the data", "picture"),
        "model_pull": ("pull of the model", "picture"),
        "price_pull": ("pull of the penalty", "signed"),
        "search.slope": ("slope", "signed"),
        "unit": ("the unit found", "signed"),
        "ended": ("results of all searches", "signed"),
        "curve": ("objective over iterations", "curve"),
        "gap": ("duality gap", "number"),
        "insert.after": ("counts", "bars"),
        "shrink.after": ("counts", "bars"),
        "biases.after": ("biases", "signed"),
        "counts": ("counts", "bars"),
        "b": ("biases", "signed"),
    },
)
