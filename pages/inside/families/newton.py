"""A run of L-BFGS in words: each slope is what the data say less what the model says."""

from typing import Any

from boltzcore.learners.lbfgs import short_of_tolerance
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.quoting import number
from pages.inside.families.step_view import ArrayPanel, Shown, StepView, paced, parameter


def phases(dissection: UpdateTrace) -> list[Shown]:
    """As far as it rises."""
    *search, last = range(len(dissection.phases))
    values = [float(dissection.phases[k].arrays["value"]) for k in search]
    return [*paced(dissection, values), Shown(last)]


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """What happens in a phase."""
    arrays = dissection.phases[index].arrays
    if dissection.phases[index].kind == "new":
        if arrays["done"] and arrays["short"]:
            return short_of_tolerance(float(arrays["short"]), learner.tolerance)
        if arrays["done"]:
            return "It has converged: of each parameter data and model say the same, and nothing is left to be gained."
        n = len(arrays["curve"]) - 1
        return f"The run ends after {n:,} iteration{'s' * (n != 1)}. The next update goes on from here."
    iteration, value = int(arrays["iteration"]), float(arrays["value"])
    if not iteration:
        return (
            "Where the run begins. Each parameter has a slope g: what the data say of it less what the model says: "
            "blue rises, red falls. H is the memory of past strides: where slopes hardly changed on them, it lets the "
            "next one reach far. How long a stride is, a, is found by trial: 1, unless that goes too far or not far "
            "enough."
        )
    first, last = (float(dissection.phases[k].arrays["value"]) for k in (0, -2))
    share = (value - first) / (last - first or 1.0)
    measure = "log-pseudo-likelihood" if learner.family == "PL" else "log-likelihood"
    figure = number(value)
    if index == len(dissection.phases) - 2:
        return f"After iteration {iteration:,}, the last: the {measure} is {figure} nats per row, and slopes are small."
    return (
        f"After iteration {iteration:,} the {measure} is {figure} nats per row, {min(share, 0.99):.0%} of the run's "
        "rise. Slopes fade, for the model says more and more what the data say."
    )


VIEW = StepView(
    phases,
    sentence,
    focus=parameter,
    panels={
        "theta": ArrayPanel("parameters", "matrix"),
        "slope": ArrayPanel("slopes: data \N{MINUS SIGN} model", "matrix"),
        "data": ArrayPanel("data", "matrix"),
        "model": ArrayPanel("model", "matrix"),
        "iteration": ArrayPanel("iteration", "number"),
        "value": ArrayPanel("nats per row", "number"),
        "curve": ArrayPanel("likelihood over iterations", "curve"),
    },
)
