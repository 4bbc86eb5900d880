"""The component in which one update is played phase by phase."""

from collections.abc import Mapping
from typing import Any

from pages.web.scripts import component

HEIGHT = 700  # pixels, reserved until it is drawn
_inside = component("lab_inside", "inside/main.js", "lab-inside", "Computing the step …")


def inside(
    source: str,
    *,
    version: str = "",
    row: int = 0,
    choose: Mapping[str, Any] | None = None,
    formulas: bool = True,
    locked: bool = False,
) -> None:
    """Draw one update, taken apart.

    source : of `sources`: "run/<id>" by `sources.of_run`, or "example/<name>"
    version : when it changes, the update is requested again
    row : of the mini-batch, first; choose : the first choice, {"pick", "index"} as the view numbers it
    formulas : whether each phase shows its formula at once; otherwise it is opened
    locked : whether its controls are disabled
    """
    data = {"of": source, "version": version, "row": row, "choose": choose, "formulas": formulas}
    _inside(key=f"inside {source}", data=data | {"height": HEIGHT, "locked": locked})
