"""The one component that draws frames in place: those of a run as they come, or those of a film one after another."""

from pathlib import Path

import streamlit as st

from boltzcore.figures import drawing, images
from boltzcore.figures.reel import data_uri
from boltzcore.runs.engine import Run
from pages.live import films, vendor
from pages.live.films import Film
from pages.live.scene import around

_HERE = Path(__file__).parent
_SCRIPTS = ("chart", "panel", "frame", "run", "film", "main")

_live = st.components.v2.component(
    "lab_live",
    html=(_HERE / "live.html").read_text(encoding="utf-8"),
    css=(_HERE / "live.css").read_text(encoding="utf-8"),
    js=f"const END = '{drawing.END}';\n"
    + "\n".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS),
    isolate_styles=False,
)
WATCHED = 900  # pixels, kept free until the first frame of a run
_COMMON = {"script": vendor.PLOTLY, "scale": data_uri(images.weight_scale())}


def watch(run: Run, pinned: Run | None, *, page: str, mine: bool) -> None:
    """The frames of a run as they come, without the script.

    page : the last part of the page's own address
    mine : whether the script runs again, in the fragment that this is in, once what it draws around the frames has to
        change; a watcher is told in the frame
    """
    told = {"run": run.id, "pin": pinned.id if pinned else "", "mine": mine, "around": around(run.recipe, run.snapshot)}
    _live(key="live", data=told | _COMMON | {"page": page, "height": WATCHED}, on_moved_change=_nothing)


def play(
    key: str, film: Film, *, page: str, every: float, height: int, plays: bool = False, controls: str = ""
) -> None:
    """A film: it shows its last frame, or plays once from its beginning.

    every : seconds that a frame is shown; height : pixels, kept free until the first
    controls : what a frame is called, where there are buttons to step through them
    """
    told = {"film": films.keep(film), "last": film.last, "plays": plays, "every": 1000 * every, "controls": controls}
    _live(key=key, data=told | _COMMON | {"page": page, "height": height})


def _nothing() -> None:
    """What a run of the script is asked for with; the run is all that is wanted."""
