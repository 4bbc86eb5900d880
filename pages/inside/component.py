"""The component in which one update is played phase by phase, or two beside each other."""

from collections.abc import Mapping
from typing import Any

from pages.inside.scripts import INSIDE

HEIGHT = 700  # pixels, kept free until it is drawn
_inside = INSIDE.component("lab_inside", "main.js", "lab-inside")


def inside(
    source: str,
    *,
    page: str,
    version: str = "",
    beside: str = "",
    row: int = 0,
    choose: Mapping[str, Any] | None = None,
    formulas: bool = True,
) -> None:
    """One update, taken apart.

    source : of `sources`: "run/<id>" by `sources.of_run`, or "example/<name>"; beside : another, on the same row
    page : the last part of the page's own address
    version : where it becomes another, the update is asked for anew
    row : of the mini-batch, first; choose : what is looked at first, {"pick", "index"} as the view numbers it
    formulas : whether each phase shows its formula at once; else it is opened
    """
    data = {"of": [each for each in (source, beside) if each], "version": version, "row": row}
    drawn = {"page": page, "height": HEIGHT}
    _inside(key=f"inside {source} {beside}", data=data | {"choose": choose, "formulas": formulas} | drawn)
