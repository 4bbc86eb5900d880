"""The component that tells why a pixel is on, and its script, fetched once and kept."""

import json

import streamlit as st

from boltzcore.figures import restoration as figures
from boltzcore.figures.why import STEPS
from boltzcore.trained import SHAPE
from pages.inside import pixel_routes
from pages.inside.pixel_routes import Why
from pages.inside.vendor import module, read
from pages.live.based import BASE_OF
from pages.live.vendor import LIVE

PIXEL, _SCRIPT = module(
    "why",
    ("ink", "pixel"),
    CSS=read("pixel.css"),
    COLUMNS=SHAPE[1],
    COLOURS=figures.colours().tolist(),
    STEPS=STEPS,
)

_pixel = st.components.v2.component(
    "lab_pixel",
    html='<div class="lab-pixel"></div>',
    js=f"const CODES = {json.dumps([PIXEL, LIVE])};"
    + BASE_OF
    + """
let coming;
export default function (told) {
  const root = told.parentElement.querySelector('.lab-pixel'), base = baseOf(told.data.page);
  (coming ??= Promise.all(CODES.map((code) => import(location.origin + base + code)))).then(
    ([pixel, live]) => pixel.look(root, told, live, base),
    () => { coming = undefined; root.textContent = 'What draws this did not load. Reload the page.'; });
  return () => { if (!root.isConnected) coming?.then(([pixel]) => pixel.leave(root)); };
}
""",
    isolate_styles=False,
)


def why(asked: Why, *, page: str, every: float, group: str) -> None:
    """Why a pixel is on, from when somebody asks.

    page : the last part of the page's own address; every : seconds that an iteration is shown while it plays
    group : of films, with which it is stepped and played, and on whose pictures a pixel is chosen
    """
    told = pixel_routes.told(asked) | {"page": page, "every": 1000 * every, "group": group}
    _pixel(key="why", data=told, on_moved_change=_nothing)


def _nothing() -> None:
    """What a run of the script is asked for with; the run is all that is wanted."""


ROUTES = [*_SCRIPT, *pixel_routes.ROUTES]
