"""What the module that counts answers takes from Python."""

from pathlib import Path

from pages.draw.scripts import DRAW
from pages.web.scripts import Scripts

EVERY = 250  # ms between two counts
ROOM_SCRIPTS = Scripts(Path(__file__).parent, DRAW, EVERY=EVERY)
