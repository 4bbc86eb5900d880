"""What of an example is looked at first, as the view of its family numbers it: {"pick": kind, "index": number}."""

from collections.abc import Callable, Mapping
from typing import Any

from boltzcore.models import Model
from boltzcore.runs.telling import Telling, state_of

Chosen = dict[str, Any]


def choice(example: Telling) -> Chosen | None:
    """None where the view begins as it always does."""
    of_family = _PICKS.get(example.family)
    return of_family(example.choose, state_of(example)[1].model) if of_family else None


def _weight(choose: Mapping[str, int], model: Any) -> Chosen:
    """A weight between a hidden unit and a pixel."""
    return {"pick": "w", "index": choose["visible"] * model.n_hidden + choose["hidden"]}


_PICKS: Mapping[str, Callable[[Mapping[str, int], Model], Chosen]] = {"contrastive": _weight}
