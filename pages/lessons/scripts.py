"""What the modules of lessons take from Python."""

from pathlib import Path

from pages.draw.scripts import DRAW
from pages.figures.three_units import PAIRS, STATES
from pages.web.scripts import Scripts, text_of

WIDEST = 3.0  # the largest coupling or bias of a slider
FEW, MANY = 20, 5_000  # draws of single units
LONG, RATE = 100, 0.5  # steps of learning, and their rate
_HERE = Path(__file__).parent
LESSON_SCRIPTS = Scripts(
    _HERE,
    DRAW,
    CSS=text_of(_HERE, "three_units.css"),
    FEW=FEW,
    LONG=LONG,
    MANY=MANY,
    PAIRS=PAIRS,
    RATE=RATE,
    STATES=STATES,
    WIDEST=WIDEST,
)
