"""What the module that searches the reference takes from Python."""

from pathlib import Path

from pages.common import entries
from pages.frames.scripts import FRAMES
from pages.handbook.html import STYLE
from pages.web.scripts import Scripts

LONGEST = 80  # characters of a search
_HERE = Path(__file__).parent
REFERENCE = Scripts(_HERE, FRAMES, LONGEST=LONGEST, PAGE=entries.PAGE, STYLE=STYLE)
find = REFERENCE.component("lab_find", "reference.js", "lab-find")
