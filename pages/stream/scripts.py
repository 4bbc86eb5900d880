"""The modules that draw a run as it goes."""

from pathlib import Path

from pages.draw.scripts import DRAW
from pages.web.scripts import Scripts

STREAM = Scripts(Path(__file__).parent, DRAW)
