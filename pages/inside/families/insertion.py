"""An insertion of Frank-Wolfe in words: what the model misses, the search for a unit, its worth, and what follows."""

from collections.abc import Mapping
from typing import Any

from boltzcore.data import Dataset
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.quoting import number
from pages.inside.families.step_view import ArrayPanel, Shown, StepView, fold, paced

FOLLOWING = ("line", "biases", "counts")
MOST, ENDS = 4, 2  # phases that follow an insertion
OVER = {
    "worthless": "The training is over: no further unit is worth its price.",
    "many": "The training is over: there are as many units as there may be.",
    "returned": "The training is over: the unit that came last was the first to go.",
    "chance": "The training is over: the last units left as they came, for only chance had found them.",
}

Arrays = Mapping[str, Any]


def phases(dissection: UpdateTrace) -> list[Shown]:
    """The search is shown as far as the objective falls, and long ways of counts and biases fly past in their middle.
    Counts that have not moved yet are left out.
    """
    phases = dissection.phases
    search = paced(dissection, [float(each["objective"]) for each in _all(dissection, "search")])
    follow = [i for i, phase in enumerate(phases) if phase.kind in FOLLOWING]
    still = follow[:1] if len(follow) > 1 and not phases[follow[0]].arrays.get("step", 1) else []
    rest = [each for each in fold(dissection, FOLLOWING, MOST, ENDS) if phases[each.index].kind != "search"]
    begin = next(k for k, each in enumerate(rest) if phases[each.index].kind == "start") + 1
    return [each for each in [*rest[:begin], *search, *rest[begin:]] if each.index not in still]


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    phase = dissection.phases[index]
    arrays: Arrays = phase.arrays
    if phase.kind == "search":
        return _search(dissection, learner, index)
    if phase.kind == "over":
        return OVER[str(arrays["why"])]
    if phase.kind == "new":
        return _new(dissection, arrays)
    return _SENTENCES[phase.kind](dissection, learner, arrays)


def _samples(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    n = int(arrays["model_rows"])
    stand = (
        f"{n:,} chains, which have just gone on by {_many(learner.K, 'Gibbs step')}"
        if "before" in arrays
        else f"all {n:,} states there are, each by its probability"
    )
    misses = (
        "Each pixel by itself is on as often in both, for the biases see to that: what is missing is which go together."
        if arrays["agree"]
        else "Where the data are on more often it is blue, where less often red: that is what the model misses."
    )
    return f"Data beside model, represented by {stand}. {misses}"


def _present(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    n = len(arrays["count"])
    if not n:
        return "There is no hidden unit yet: the biases are all that the model knows."
    each = "each " * (n > 1)
    return (
        f"{_many(n, 'unit')} so far, {each}with its slope: how fast J, the likelihood less all prices, would rise if "
        "it counted more. Near 0 it is at rest."
    )


def _start(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    n = len(arrays["w"])
    return (
        f"The search for a new unit starts at {_many(n, 'place')}, from noise: each weight is drawn at random, and "
        "means nothing yet."
    )


def _search(dissection: UpdateTrace, learner: Any, index: int) -> str:
    phase, (first, *_) = dissection.phases[index].arrays, _all(dissection, "search")
    iteration, after = int(phase["iteration"]), f"After {_many(int(phase['iteration']), 'iteration')}"
    if not iteration:
        where = "The start that will lead farthest." if learner.restarts > 1 else "Where the search starts."
        dear = "" if learner.ball else ", and large weights cost"
        return (
            f"{where} The data pull each weight up, the model pulls it down{dear}: what is left is the slope, which "
            "the search follows."
        )
    if index == max(i for i, each in enumerate(dissection.phases) if each.kind == "search"):
        if phase["rests"].all():
            what = "data and model" if learner.ball else "data, model and price"
            return f"{after} the pulls cancel: {what} are in balance, and no weight has anywhere to go."
        if learner.ball and iteration < learner.iterations:
            return f"{after} the search ends: the weights may not become larger."
        return f"{after} the search ends, and some pulls are left."
    come = f"the objective has come down to {number(float(phase['objective']), '.3g')}."
    if phase["length"] > first["length"]:
        return f"{after} a picture comes out of the noise: weights follow the slope away from 0, and {come}"
    return f"{after} the weights are nearer to 0, all in all, and {come}"


def _found(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    (on, of_on), (sure, unsure) = arrays["on"], arrays["sure"]
    apart = {
        "on": f"it is on for {on:.0%} of the data, but for {of_on:.0%} of the model's rows.",
        "sure": f"{sure:.0%} of the data switch it clearly on or off, but {unsure:.0%} of the model's rows do.",
        "answer": "the data answer to it more strongly than the model's rows.",
        "nothing": "data and model answer to it nearly alike.",
    }[str(arrays["apart"])]
    return f"{'The best end' if len(arrays['reached']) > 1 else 'The end'} of the search is the unit found: {apart}"


def _worth(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    gain = float(-arrays["value"])
    if not arrays["worthless"]:
        rises = number(gain, ".3g")
        return f"It is worth its price: J rises by {rises} nats for each time that the unit counts, at first."
    if not arrays["again"]:
        return "It is not worth it: how data and model answer to it differs by no more than the unit costs."
    if gain > 0:
        return f"It is not worth it: on other chains it gains {number(gain, '.3g')} nats, no more than chance may give."
    return f"It is not worth it: on other chains it loses {number(-gain, '.3g')} nats, so only chance spoke for it."


def _away(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    worst = _name(int(arrays["worst"]))
    lead, rival = (number(float(arrays[name]), ".3g") for name in ("lead", "rival"))
    if arrays["taken"]:
        return f"To take {worst} away gains more ({lead}) than the new unit would ({rival}): an away step."
    return f"The worst unit, {worst}, stays: to take it away gains {lead}, the new unit {rival}."


def _insert(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    new = float(arrays["after"][-1])
    if not new:
        return "The new unit comes in. It counts 0 times as yet: how often it does is worked out next."
    others = ", and all others count less" if (arrays["after"][:-1] < arrays["before"]).any() else ""
    return f"The new unit comes in and counts {_times(new)}{others}."


def _shrink(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    (worst,) = (each["worst"] for each in _all(dissection, "away"))
    grow = (arrays["after"] > arrays["before"]).any()
    others = "all others count more, so that they count as often together" if grow else "all others count as before"
    return f"The away step: {_name(int(worst))} counts 0 times now, and {others}."


def _line(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    after = float(arrays["after"])
    top = f"to the top, where it counts {_times(after)}" if after else "highest where it does not count at all"
    how = ", as far as the chains show" if "before" in _all(dissection, "samples")[0] else ""
    return f"How often is it to count? J along this one count, all else as it is: {top}{how}."


def _biases(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    counts = (
        " All counts move by one factor, too, and no step goes farther than the likelihood rises."
        if "counts" in arrays
        else ""
    )
    return (
        f"Step {int(arrays['step']):,} of the biases: where the data are on more often than the model they rise, where "
        f"less often they fall.{counts}"
    )


def _counts(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    step = int(arrays["step"])
    if "left" not in arrays:
        return (
            f"All counts and biases move together to where J is largest: {_many(step, 'iteration')}. Units that say "
            "the same share their counts."
        )
    return (
        f"All counts and biases move together, round {step:,}, as far as the chains stand for the model. The chains "
        "then go on, so that J cannot be compared between rounds."
    )


def _leave(dissection: UpdateTrace, learner: Any, arrays: Arrays) -> str:
    names = [_name(int(each)) for each in arrays["units"]]
    *some, last = names
    who = f"{', '.join(some)} and {last} have" if some else f"{last} has"
    it = "they leave: what they" if some else "it leaves: what it"
    return f"{who} come to count 0 times, so {it} explained is told better by others, or costs more than it helps."


def _new(dissection: UpdateTrace, arrays: Arrays) -> str:
    before, counts = _all(dissection, "samples")[0], arrays["counts"]
    which = f", which count {_times(float(counts.sum()))} together" if len(counts) else ""
    means = (
        f"agree with the data's{', as before' if before['agree'] else ''}"
        if arrays["agree"]
        else f"are off by {number(arrays['off'], '.3g')} at most, {number(before['off'], '.3g')} before"
    )
    return f"The update is done: {_many(len(counts), 'unit')}{which}. The model's means {means}."


_SENTENCES = {
    "samples": _samples,
    "present": _present,
    "start": _start,
    "found": _found,
    "worth": _worth,
    "away": _away,
    "insert": _insert,
    "shrink": _shrink,
    "line": _line,
    "biases": _biases,
    "counts": _counts,
    "leave": _leave,
}


def _all(dissection: UpdateTrace, kind: str) -> list[Arrays]:
    return [phase.arrays for phase in dissection.phases if phase.kind == kind]


def _name(unit: int) -> str:
    return f"h{unit + 1}"


def _many(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def _times(count: float) -> str:
    return "once" if count == 1 else f"{count:.3g} times"


def words(dissection: UpdateTrace, _dataset: Dataset, index: int) -> Mapping[str, Any]:
    """The names of the units, where some are listed."""
    arrays = dissection.phases[index].arrays
    listed = next((arrays[name] for name in ("count", "counts", "after") if name in arrays), ())
    return {"names": [_name(k) for k in range(listed.size)]} if len(listed) else {}


VIEW = StepView(
    phases,
    sentence,
    words=words,
    panels={
        "samples.data": ArrayPanel("rows of the data", "picture"),
        "samples.model": ArrayPanel("rows for the model", "picture"),
        "data_mean": ArrayPanel("mean of the data", "picture"),
        "model_mean": ArrayPanel("mean of the model", "picture"),
        "missing": ArrayPanel("data \N{MINUS SIGN} model", "signed"),
        "count": ArrayPanel("counts", "bars"),
        "present.slope": ArrayPanel("slopes of J", "bars"),
        "w": ArrayPanel("weights", "signed"),
        "data_pull": ArrayPanel("pull of the data", "picture"),
        "model_pull": ArrayPanel("pull of the model", "picture"),
        "price_pull": ArrayPanel("pull of the price", "signed"),
        "search.slope": ArrayPanel("what is left: the slope", "signed"),
        "search.objective": ArrayPanel("objective", "number"),
        "unit": ArrayPanel("the unit found", "signed"),
        "ended": ArrayPanel("where each start ended", "signed"),
        "curve": ArrayPanel("objective over iterations", "curve"),
        "gap": ArrayPanel("duality gap", "number"),
        "value": ArrayPanel("its value", "number"),
        "bound": ArrayPanel("bound", "number"),
        "lead": ArrayPanel("lead of the worst unit", "number"),
        "rival": ArrayPanel("rival", "number"),
        "insert.after": ArrayPanel("counts after it", "bars"),
        "shrink.after": ArrayPanel("counts after it", "bars"),
        "line.J": ArrayPanel("J along the count", "curve"),
        "biases.after": ArrayPanel("biases after it", "signed"),
        "counts": ArrayPanel("counts", "bars"),
        "b": ArrayPanel("biases", "signed"),
    },
)
