"""What of an example is looked at first, as the view of its family numbers it: {"pick": kind, "index": number}."""

from collections.abc import Callable, Mapping
from typing import Any

from boltzcore.models import Model
from boltzcore.runs.worked_examples import WorkedStep, state_of

Chosen = dict[str, Any]


def choice(example: WorkedStep) -> Chosen | None:
    """None where the view begins as it always does."""
    of_family = _PICKS.get(example.family)
    return of_family(example.choose, state_of(example)[1].model) if of_family else None


def _weight(choose: Mapping[str, int], model: Any) -> Chosen:
    """A weight between a hidden unit and a pixel; a pixel where there are no hidden units."""
    if "hidden" not in choose:
        return {"pick": "v", "index": choose["visible"]}
    return {"pick": "w", "index": choose["visible"] * model.n_hidden + choose["hidden"]}


def _coupling(choose: Mapping[str, int], model: Any) -> Chosen:
    """The coupling of two columns, which are counted row by row in the upper triangle; the bias of one."""
    j, d = choose["j"], model.n_visible
    if "k" not in choose:
        return {"pick": "b", "index": j}
    return {"pick": "m", "index": sum(d - 1 - i for i in range(j)) + choose["k"] - j - 1}


def _unit(choose: Mapping[str, int], _model: Model) -> Chosen:
    return {"pick": "h", "index": choose["unit"]}


def _parameter(choose: Mapping[str, int], _model: Model) -> Chosen:
    return {"pick": "p", "index": choose["parameter"]}


_PICKS: Mapping[str, Callable[[Mapping[str, int], Any], Chosen]] = {
    "contrastive": _weight,
    "conditional": _weight,
    "coordinate": _coupling,
    "insertion": _unit,
    "newton": _parameter,
    "sampled": _parameter,
}
