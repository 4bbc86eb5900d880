"""A trained model that generates digits; until kernels are compiled, a recording of it and of the first preset."""

from collections.abc import Callable

from boltzcore.inference.particles import STEPS
from boltzcore.plotting.images import pixel_tiles
from boltzcore.trained import SHAPE
from pages.common import lab
from pages.figures.frame import Frame, Item, Panel, Picture
from pages.figures.hidden_unit import digits_model
from pages.figures.recording import FRAMES, SHOWN, recorded
from pages.parts.dream import dream
from pages.stream.films import Film, play

SINCE = "Recorded earlier on another machine"
EVERY, HEIGHT = 0.25, 300


def digits() -> None:
    """Draw new digits of a model that was trained on 60,000 digits.

    It was made by
    python -m boltzcore train --learner PCD --data mnist --set hidden=100 --set rate=0.02 --set batch_size=100 --set K=2
    --epochs 60 --out assets/mnist-rbm.npz
    """
    if lab.ready():
        _play("dreams", lambda at: f"{at * STEPS} Gibbs steps from pure noise")
    else:
        dream(digits_model(), SHAPE)


def learning() -> None:
    """Draw the first preset while it learns."""
    _play("learning", lambda at: f"this run in epoch {recorded()['epochs'][at - 1]:.1f}")


def _play(name: str, moment: Callable[[int], str]) -> None:
    def frame(at: int) -> Frame:
        tiles = pixel_tiles(recorded()[name][at - 1], SHAPE)
        picture = Picture.from_tiles(tiles, f"{SHOWN} fantasy particles, drawn as pixels.")
        below = f"{SINCE}: {moment(at)}."
        return Frame(curve=Item("particles", (), lambda: Panel("", (picture,), below=below), "samples"))

    play(f"recorded {name}", Film(("recorded", name), FRAMES, frame), plays=True, every=EVERY, height=HEIGHT)
