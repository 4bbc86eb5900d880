"""Scenes of three units, which a browser draws, computes and reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pages.common.picture import Still, note
from pages.figures.three_units import UNITS, ThreeUnits
from pages.lessons.lesson import Scene
from pages.web.encoding import data_uri
from pages.web.scripts import component

WIDEST = 3.0  # the largest coupling or bias of a slider
FEW, MANY = 20, 5_000  # draws of single units
LONG, RATE = 100, 0.5  # steps of learning, and their rate
HEIGHT = 380  # pixels, reserved until it is drawn
_three = component("lab_three", "lessons/three_units.js", "lab-three")


@dataclass(frozen=True)
class Did:
    """Record of a visitor's actions on three units.

    machine : as it is now; turned : whether a slider was moved
    draws, early, gap : draws of single units; the largest difference between the shares of states and their
        probabilities after `FEW` of them, and now, None before
    climbed : steps of learning; fell : whether the likelihood fell at one of them
    """

    machine: ThreeUnits
    turned: bool = False
    draws: int = 0
    early: float | None = None
    gap: float | None = None
    climbed: int = 0
    fell: bool = False

    @classmethod
    def from_browser(cls, report: object, of: str) -> "Did | None":
        """Return what a browser reports of the scene `of`; None if it is of another one, or no such report."""
        if not isinstance(report, Mapping) or report.get("of") != of:
            return None
        theta, gaps = report.get("theta"), [report.get("early"), report.get("gap")]
        counts = [report.get("draws"), report.get("climbed")]
        if not (isinstance(theta, list) and len(theta) == 2 * UNITS and all(map(is_number, theta))):
            return None
        if not (all(each is None or is_number(each) for each in gaps) and all(map(is_number, counts))):
            return None
        machine = ThreeUnits(tuple(theta[:UNITS]), tuple(theta[UNITS:]))
        done = int(counts[0]), *gaps, int(counts[1])
        return cls(machine, report.get("turned") is True, *done, fell=report.get("fell") is True)


def is_number(value: object) -> bool:
    """Return whether a value from outside is a number of usual size."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e9


@dataclass(frozen=True)
class ThreeUnitsScene(Scene):
    """Three units with sliders for some parameters, draws of units, or steps of learning.

    name : of the scene, its own; machine : as it begins
    columns : of "energy", "unnormalised" (probability) and "probability", which are shown of each state
    total : whether the partition function is drawn, a bar of all unnormalised probabilities
    free : numbers of the parameters that have a slider: biases, then couplings
    act : "sample", "learn", or "" for sliders alone
    rows : shares of the states in data, if there are any
    enough : whether enough was done to answer
    """

    name: str
    machine: ThreeUnits
    columns: tuple[str, ...]
    enough: Callable[[Did], bool]
    total: bool = False
    free: tuple[int, ...] = ()
    act: str = ""
    rows: tuple[float, ...] | None = None

    def draw(self, *, locked: bool = False) -> Did | None:
        """Draw the units with their sliders and buttons."""
        data: dict[str, Any] = {"of": self.name, "b": self.machine.b, "w": self.machine.w, "columns": self.columns}
        data |= {"total": self.total, "free": self.free, "act": self.act, "rows": self.rows}
        data |= {"few": FEW, "many": MANY, "long": LONG, "rate": RATE, "widest": WIDEST}
        data |= {"height": HEIGHT, "locked": locked}
        key = f"three {self.name}{' locked' * locked}"  # a vote begins without what was done before
        given = _three(key=key, data=data, default={"did": None}, on_did_change=lambda: None)
        did = Did.from_browser(given.did, self.name)
        svg = (did.machine if did is not None else self.machine).drawing(self.columns[-1])
        alt = f"Three units, and a bar of {self.columns[-1]} for each of their states."
        note(Still(data_uri(svg.encode(), "svg+xml"), alt))
        return did if did is not None and self.enough(did) else None
