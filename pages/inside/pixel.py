"""The component that tells why a pixel is on, and its script, fetched once and kept."""

import json

import streamlit as st

from boltzcore.figures import restoration as figures
from boltzcore.figures.why import STEPS
from boltzcore.trained import SHAPE
from pages.frames.scripts import FRAMES
from pages.inside import pixel_routes
from pages.inside.pixel_routes import Why
from pages.inside.scripts import drawn_by, read
from pages.web.base_url import BASE_URL_OF

KINDS = {
    "sum-product": (
        "Sum-product",
        "A message weighs both values of who sends it, by their probability. The sigmoid of the sum is the probability "
        "of the pixel: its marginal.",
    ),
    "max-product": (
        "Max-product",
        "A message goes by the better value of who sends it, and that alone: for the best image and hidden units "
        "together.",
    ),
    "mixed-product": (
        "Mixed-product",
        "Hidden units weigh both their values, a pixel goes by its better one: for the best image, whatever the hidden "
        "units are.",
    ),
    "mean field": ("Mean field", "No messages are passed: each hidden unit adds its probability times its weight."),
}
BEFORE = (
    "No pixel has spoken yet: each hidden unit goes by its bias and the damaged picture alone, and tells each pixel by "
    "how much it speaks for its being on, or against."
)
AFTER = (
    "Each hidden unit has heard what all pixels said in iteration {}, and tells each pixel by how much it speaks for "
    "its being on, or against."
)
LEFT = "Each hidden unit is on with the probability that the iteration before has left."
CAVITY = (
    "It hears from every pixel, and answers every pixel. What it tells one of them is made of what all others have "
    "told it: the cavity, its sum without that pixel."
)
MEAN = "Its probability is the sigmoid of its sum over all pixels; what it adds to a pixel is that times its weight."
PIXEL = drawn_by(
    "why",
    ("elements", "pixel_numbers", "pixel_sums", "pixel_drawing", "pixel_controls", "pixel"),
    CSS=read("pixel.css"),
    COLUMNS=SHAPE[1],
    COLOURS=figures.colours().tolist(),
    STEPS=STEPS,
    KINDS=KINDS,
    BEFORE=BEFORE,
    AFTER=AFTER,
    LEFT=LEFT,
    CAVITY=CAVITY,
    MEAN=MEAN,
)

_pixel = st.components.v2.component(
    "lab_pixel",
    html='<div class="lab-pixel"></div>',
    js=f"const CODES = {json.dumps([PIXEL.path, FRAMES.path])};"
    + BASE_URL_OF
    + """
let coming;
export default function (told) {
  const root = told.parentElement.querySelector('.lab-pixel'), base = baseUrlOf(told.data.page);
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
    data = pixel_routes.page_data(asked) | {"page": page, "every": 1000 * every, "group": group}
    _pixel(key="why", data=data, on_moved_change=_nothing)


def _nothing() -> None:
    """What a run of the script is asked for with; the run is all that is wanted."""


ROUTES = [*PIXEL.routes, *pixel_routes.ROUTES]
