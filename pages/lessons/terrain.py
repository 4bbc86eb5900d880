"""Scenes on an energy landscape: a browser draws it, moves its points and reports them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pages.figures.terrain import LEARNS, TEMPERATURES, MemoryNetwork
from pages.lessons.lesson import Scene
from pages.web.scripts import component

MANY, COOLED = 2_000, 160  # steps of "2,000 steps", and at each temperature of an annealing
POINTS = 20
HEIGHT = 520  # pixels, reserved until it is drawn
_terrain = component("lab_terrain", "lessons/terrain.js", "lab-terrain")


@dataclass(frozen=True)
class Did:
    """Progress of a visitor on a landscape.

    t : number of the temperature among `TEMPERATURES`
    steps : of each point at this temperature; shares : of these steps in each group of states
    distance : total variation between these shares and the exact law
    at : number of the group in which the first point is, that of all other states after the last
    deep : {"Quench", "Anneal": points that ended in a deepest valley}
    """

    t: int
    steps: int = 0
    shares: tuple[float, ...] = ()
    distance: float = 1.0
    at: int = 0
    deep: Mapping[str, int] | None = None

    @classmethod
    def from_browser(cls, report: object, of: str) -> "Did | None":
        """Return what a browser reports of the scene `of`; None if it is of another one, or no such report."""
        if not isinstance(report, Mapping) or report.get("of") != of:
            return None
        t, steps, at, shares, deep = (report.get(name) for name in ("t", "steps", "at", "shares", "deep"))
        if not (all(map(_is_count, (t, steps, at))) and t < len(TEMPERATURES) and isinstance(shares, list)):
            return None
        if not (isinstance(deep, Mapping) and all(map(_is_count, deep.values()))):
            return None
        if not all(isinstance(each, int | float) and 0 <= each <= 1 for each in (*shares, report.get("distance"))):
            return None
        return cls(t, steps, tuple(shares), report["distance"], at, deep)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1e9


@dataclass(frozen=True)
class TerrainScene(Scene):
    """A landscape with points on it, whose temperature is changed or which are moved.

    name : of the scene, its own; of : the machine
    enough : whether enough was done to answer
    t : number of the temperature at the start; free : whether there is a slider of it
    acts : buttons, of "Step", "Play", "2,000 steps", "Quench" and "Anneal"
    start : the state of all points at the start; None for random ones
    """

    name: str
    of: MemoryNetwork
    enough: Callable[[Did], bool]
    t: int = LEARNS
    free: bool = False
    acts: tuple[str, ...] = ("Step", "Play", "2,000 steps")
    points: int = POINTS
    start: int | None = None

    def draw(self, *, locked: bool = False) -> Did | None:
        """Draw the landscape with its slider and buttons."""
        settings = {"temperature": self.t, "fixed": not self.free, "acts": self.acts, "points": self.points}
        drawn = {**self.of.terrain.payload, **settings, "start": self.start, "alt": self.of.terrain.alt}
        data = {"of": self.name, "terrain": drawn, "height": HEIGHT, "locked": locked}
        key = f"terrain {self.name}{' locked' * locked}"  # a vote begins without what was done before
        given: Any = _terrain(key=key, data=data, default={"did": None}, on_did_change=lambda: None)
        did = Did.from_browser(given.did, self.name)
        return did if did is not None and self.enough(did) else None
