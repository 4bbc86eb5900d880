"""What the modules that draw one step, and why a pixel is on, take from Python."""

from pathlib import Path

from boltzcore.figures import restoration as figures
from boltzcore.figures.why import MOST, STEPS
from boltzcore.trained import SHAPE
from pages.frames.scripts import FRAMES
from pages.inside import pixel_texts as texts
from pages.web.scripts import Scripts

_HERE = Path(__file__).parent


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


INSIDE = Scripts(
    _HERE,
    FRAMES,
    AFTER=texts.AFTER,
    BEFORE=texts.BEFORE,
    CAVITY=texts.CAVITY,
    COLOURS=figures.colours().tolist(),
    COLUMNS=SHAPE[1],
    CSS=_read("inside.css"),
    HTML=_read("inside.html"),
    KINDS=texts.KINDS,
    LEFT=texts.LEFT,
    MEAN=texts.MEAN,
    MOST=MOST,
    PIXEL_CSS=_read("pixel.css"),
    STEPS=STEPS,
)
