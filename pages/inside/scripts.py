"""What draws one step in a browser, and what says why a pixel is on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pages.frames import scripts as frames
from pages.web.bundle import Script, constants, script

_HERE = Path(__file__).parent
_FAMILIES = sorted(f"families/{file.stem}" for file in _HERE.glob("families/*.js"))
_SHARED = ("elements", "trace", "player", "network", "plots", "matrices")
_PARTS = (*_SHARED, *_FAMILIES, "main")


def read(name: str) -> str:
    """The text of a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")


def drawn_by(folder: str, parts: Sequence[str], **values: Any) -> Script:
    """A module: constants, what is drawn with, then files of this folder."""
    codes = [*(frames.read(f"{name}.js") for name in frames.SHARED), *(read(f"{part}.js") for part in parts)]
    return script(f"{folder}/", "\n".join([constants(**values), *codes]))


INSIDE = drawn_by("steps", _PARTS, CSS=read("inside.css"), HTML=read("inside.html"))
