"""The component that says why a pixel is on."""

from pages.inside import pixel_routes
from pages.inside.pixel_routes import Why
from pages.web.scripts import component, run_again

_pixel = component("lab_pixel", "inside/pixel.js", "lab-pixel")


def why(asked: Why, *, page: str, every: float, group: str) -> None:
    """Why a pixel is on, from when somebody asks.

    page : the last part of the page's own address; every : seconds that an iteration is shown while it plays
    group : of films, with which it is stepped and played, and on whose pictures a pixel is chosen
    """
    data = pixel_routes.page_data(asked) | {"page": page, "every": 1000 * every, "group": group}
    _pixel(key="why", data=data, on_moved_change=run_again)
