"""What is shown until kernels are compiled: films recorded on another machine, and named as such."""

from collections.abc import Callable

from boltzcore.inference.particles import STEPS
from boltzcore.plotting.images import pixel_tiles
from boltzcore.recorded import FRAMES, SHOWN, recorded
from boltzcore.trained import SHAPE
from pages.figures.frame import Frame, Item, Panel, Picture
from pages.stream.films import Film, play

SINCE = "Recorded earlier, on another machine"
EVERY, HEIGHT = 0.25, 300


def dreams(*, page: str) -> None:
    """The machine on Start dreams. page: as `component.play` has it."""
    _play("dreams", lambda at: f"{at * STEPS} Gibbs transitions away from pure noise", page)


def learning(*, page: str) -> None:
    """The first preset learns."""
    _play("learning", lambda at: f"of this training in epoch {recorded().epochs[at - 1]:.1f}", page)


def _play(name: str, moment: Callable[[int], str], page: str) -> None:
    def frame(at: int) -> Frame:
        tiles = pixel_tiles(getattr(recorded(), name)[at - 1], SHAPE)
        picture = Picture.from_tiles(tiles, f"{SHOWN} fantasy particles of a machine, drawn as pixels.")
        below = f"{SINCE}: {SHOWN} fantasy particles, {moment(at)}."
        return Frame(curve=Item("particles", (), lambda: Panel("", (picture,), below=below), "samples"))

    play(f"recorded {name}", Film(("recorded", name), FRAMES, frame), page=page, plays=True, every=EVERY, height=HEIGHT)
