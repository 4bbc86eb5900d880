"""What the modules that draw one step, and why a pixel is on, take from Python."""

from pathlib import Path

from boltzcore.trained import SHAPE
from pages.figures import restoration as figures
from pages.figures.pixel_explanation import MOST, STEPS
from pages.inside import pixel_texts as texts
from pages.stream.scripts import STREAM
from pages.web.scripts import Scripts, text_of

_HERE = Path(__file__).parent
INSIDE = Scripts(
    _HERE,
    STREAM,
    AFTER=texts.AFTER,
    BEFORE=texts.BEFORE,
    CAVITY=texts.CAVITY,
    COLOURS=figures.colours().tolist(),
    COLUMNS=SHAPE[1],
    CSS=text_of(_HERE, "inside.css"),
    HTML=text_of(_HERE, "inside.html"),
    KINDS=texts.KINDS,
    LEFT=texts.LEFT,
    MEAN=texts.MEAN,
    MOST=MOST,
    PIXEL_CSS=text_of(_HERE, "pixel.css"),
    STEPS=STEPS,
)
