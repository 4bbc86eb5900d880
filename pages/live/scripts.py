"""The modules that draw a run as it goes."""

from pathlib import Path

from pages.frames.scripts import FRAMES
from pages.web.scripts import Scripts

LIVE = Scripts(Path(__file__).parent, FRAMES)
