"""The component that draws films."""

from pages.frames import films
from pages.frames.films import Film
from pages.frames.scripts import FRAMES

_film = FRAMES.component("lab_film", "main.js", "lab-live")


def play(
    key: str,
    film: Film,
    *,
    page: str,
    every: float,
    height: int,
    plays: bool = False,
    controls: str = "",
    group: str = "",
) -> None:
    """A film: it shows its last frame, or plays once from its beginning.

    every : seconds that a frame is shown; height : pixels, kept free until the first
    controls : what a frame is called, where there are buttons to step through them
    group : films of one group are stepped and played together
    """
    data = {"film": films.keep(film), "last": film.last, "plays": plays, "every": 1000 * every, "controls": controls}
    _film(key=key, data=data | {"group": group, "page": page, "height": height}, on_moved_change=run_again)


def run_again() -> None:
    """What a run of the script is asked for with; the run is all that is wanted."""
