"""Scenes of one hidden unit of an RBM of digits: the digits that switch it on, and its effect on samples."""

import html
from dataclasses import dataclass

import streamlit as st

from boltzcore.plotting import images
from boltzcore.quoting import number
from boltzcore.trained import SHAPE
from boltzcore.warmup import RESTORING
from pages.common.once import once
from pages.common.picture import picture
from pages.common.setting import one_of
from pages.common.waiting import wait_for
from pages.figures import hidden_unit
from pages.figures.hidden_unit import Activity
from pages.lessons.lesson import Scene
from pages.lessons.scenes import AGAIN, seed_of, seed_place
from pages.web.encoding import data_uri
from pages.web.session import SESSION

TILE, KEPT = 96, 32  # pixels of a digit; results
FREE, ON, OFF = "Free", "On", "Off"
_HELD = {FREE: None, ON: True, OFF: False}
STYLE = """<style>
.lab-digits { display: grid; grid-template-columns: repeat(5, minmax(0, 6rem)); gap: .75rem; }
.lab-digits figure { margin: 0; }
.lab-digits img { width: 100%; image-rendering: pixelated; display: block; }
.lab-digits i { display: block; height: .5rem; margin: .25rem 0; background: #3A93D8; }
</style>"""


@dataclass(frozen=True)
class DetectorScene(Scene):
    """A hidden unit and ten digits. It finds how often each kind of digit switches the unit on."""

    unit: int

    def draw(self, *, locked: bool = False) -> Activity | None:
        """Draw the unit's weights, and the digits with the shares, once they were computed."""
        shown = st.container()
        seed = seed_of(self, locked=locked)
        found = self.found(seed or 0)
        with shown:
            self._draw(found, known=seed is not None)
        return None if seed is None else found

    def _draw(self, found: Activity, *, known: bool) -> None:
        _field(self.unit)
        st.caption("Visible layer: handwritten digits of 28 × 28 pixels, and how often they switch the unit on")
        tiles = [images.pixel_tiles([row], SHAPE, largest=TILE) for row in found.examples]
        figures = (
            f'<figure><img src="{html.escape(data_uri(tile.png))}" alt="A handwritten {digit}">'
            f'<i style="width:{share if known else 0:.0%}"></i>'
            f"<figcaption>{number(share, '.0%') if known else '?'}</figcaption></figure>"
            for digit, (tile, share) in enumerate(zip(tiles, found.shares, strict=True))
        )
        st.html(f'{STYLE}<div class="lab-digits">{"".join(figures)}</div>')

    @once(KEPT)
    def found(self, seed: int) -> Activity:
        """Return the shares for digits drawn by this seed."""
        return hidden_unit.activity(self.unit, seed)


@dataclass(frozen=True)
class Ink:
    """Share of pixels in the middle of samples that are on, with the unit held on and held off."""

    on: float
    off: float


@dataclass(frozen=True)
class ClampScene(Scene):
    """Samples of an RBM with one hidden unit free, held on or held off. It finds the `Ink` of both."""

    unit: int

    def draw(self, *, locked: bool = False) -> Ink | None:
        """Draw the samples; both ways of holding the unit have to be seen."""
        if wait_for(RESTORING):
            return None
        seed = SESSION.scene_seeds.setdefault(seed_place(self), 0)
        seen = SESSION.held_units.get(seed_place(self), [])
        _field(self.unit)
        label = f"Unit {self.unit + 1}"
        if seen:  # another page may have chosen
            st.session_state[f"hold {self.unit}"] = seen[-1]
        held = st.radio(
            label, list(_HELD), key=f"hold {self.unit}", horizontal=True, disabled=locked, on_change=self._hold
        )
        held = one_of(held, list(_HELD), FREE)
        rows = hidden_unit.samples(self.unit, _HELD[held], seed)
        tiles = images.pixel_tiles(rows, SHAPE, columns=6, largest=TILE)
        picture(tiles.png, f"Twelve samples, unit {self.unit + 1} {held.lower()}.", width=tiles.width)
        st.button(AGAIN, on_click=self._again, disabled=locked)
        return self.found(seed) if {ON, OFF} <= {*seen} else None

    def _hold(self) -> None:
        set_clamp(self, one_of(st.session_state[f"hold {self.unit}"], list(_HELD), FREE))

    def _again(self) -> None:
        SESSION.scene_seeds[seed_place(self)] += 1

    @once(KEPT)
    def found(self, seed: int) -> Ink:
        """Return the ink of the samples of this seed."""
        rows = (hidden_unit.samples(self.unit, held, seed) for held in (True, False))
        return Ink(*map(hidden_unit.ink_in_the_middle, rows))


def set_clamp(scene: object, how: str) -> None:
    """Note how a scene's unit is held: "Free", "On" or "Off"."""
    seen = SESSION.held_units.get(seed_place(scene), [])
    SESSION.held_units[seed_place(scene)] = [*(each for each in seen if each != how), how]


def _field(unit: int) -> None:
    tiles = hidden_unit.field(unit)
    st.caption(f"Hidden layer: the weights of unit {unit + 1} to all pixels, blue positive, red negative")
    picture(tiles.png, f"The weights of hidden unit {unit + 1}: a red spot in the middle.", width=tiles.width)
