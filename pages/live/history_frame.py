"""A frame of a run's history as it is kept (`FrameEncoder.history_frame`): compressed, and checked when it is read."""

import gzip
import io
import json
import zlib
from typing import Any

from boltzcore.figures import landscape

LARGEST = 16_000_000  # bytes of one, no longer compressed
_PICTURE = "data:image/png;base64,"
_LEVEL = 1  # 6 takes three times as long for a tenth less


def packed(frame: str) -> bytes:
    """A frame as it is kept and sent: gzipped."""
    return gzip.compress(frame.encode(), _LEVEL, mtime=0)


def is_history_frame(content: bytes) -> bool:
    """Whether bytes, from a file that anybody may have written, are a packed frame that a page can draw."""
    try:
        with gzip.open(io.BytesIO(content)) as stream:
            plain = stream.read(LARGEST + 1)
        frame = json.loads(plain) if len(plain) <= LARGEST else None
        return isinstance(frame, dict) and _is_whole(frame)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
        return False


def _is_whole(frame: dict[str, Any]) -> bool:
    """Whether what is kept of an earlier frame is all there and of the right kind.

    KeyError, TypeError or AttributeError where it is far from it.
    """
    panels, curve = frame["panels"], frame["curve"]
    rows = ([] if curve is None else [curve], frame["beside"], *frame["below"])
    numbers = [number for row in rows for number in row]
    figures = [text for figure in frame["figures"] for text in figure]
    light = frame.get("light") or {}  # frames of earlier versions have none
    return (
        all(type(number) is int for number in (*numbers, frame["abouts"], frame["count"]))
        and all(isinstance(text, str) for text in (*figures, *panels[str(frame["abouts"])], *light.values()))
        and all(isinstance(place, int | float) for place in frame["at"].values())
        and all(_is_panel(panels[str(number)]) for number in numbers)
    )


def _is_panel(panel: dict[str, Any]) -> bool:
    """Whether a panel is one; a picture is in it, and nowhere else on the net."""
    pictures, chart, states = panel.get("pictures", ()), panel.get("chart"), panel.get("states")
    light = panel.get("light") or {}
    return (
        isinstance(panel["key"], str)
        and all(isinstance(text, str) for text in light.values())
        and all(str(picture["src"]).startswith(_PICTURE) for picture in pictures)
        and (chart is None or not chart["figure"]["layout"].get("images"))
        and (states is None or landscape.is_whole(states))
    )
