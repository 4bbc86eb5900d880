"""Digits as pen strokes: drawn by a visitor, and ten that come with the project."""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from boltzcore.home import asset
from boltzcore.quoting import Refusal

SIDE = 280  # side of the drawing pad, in its own units
FILLED = 200.0  # longer side, in these units, of a scaled digit: 20 of 28, like MNIST's
RASTER = 140  # pixels: more than in a model, so that a small digit can be enlarged
PENS = {
    "Thin pen": 14.0,
    "Medium pen": 24.0,
    "Thick pen": 38.0,
}  # the medium one looks like MNIST's once a digit is scaled
ERASERS = {"Small eraser": 24.0, "Medium eraser": 50.0, "Large eraser": 90.0}
POINTS = 20_000  # largest number of points in a drawing
_FINER = 4  # factor of the resolution for drawing, for smooth edges
_STROKES = 1_000
_THICK = 120.0
LINKED = 6_000  # largest number of characters of a drawing in a link, still accepted by servers and chat programs
_UNPACKED = 10 * POINTS  # largest number of bytes of an inflated drawing


class Stroke(NamedTuple):
    """A line of a round pen.

    width : width of the pen, in units of the pad
    points : (n, 2) x to the right and y downwards, from 0 to `SIDE`; a single point is a dot
    """

    width: float
    points: NDArray[np.float64]


def strokes_from(given: Any) -> list[Stroke]:
    """Return strokes from a browser's [{"width": w, "points": [x, y, x, y, ...]}, ...]; points outside the pad are
    moved to its edge.

    Raises Refusal for anything else, and for too many strokes or points.
    """
    if not isinstance(given, list) or len(given) > _STROKES:
        raise Refusal(f"A drawing must be a list of at most {_STROKES:,} strokes.")
    strokes, left = [], POINTS
    for each in given:
        width, points = (each.get("width"), each.get("points")) if isinstance(each, Mapping) else (None, None)
        if not _is_number(width) or not 0 < width <= _THICK:
            raise Refusal(f"width of a stroke must be a number above 0 and up to {_THICK:g}.")
        if not isinstance(points, list) or not points or len(points) % 2:
            raise Refusal("points of a stroke must be a list of x, y, x, y and so on.")
        if (left := left - len(points) // 2) < 0:
            raise Refusal(f"A drawing may have at most {POINTS:,} points: clear it and draw again.")
        if not all(_is_number(value) for value in points):
            raise Refusal("points of a stroke must be numbers.")
        strokes.append(Stroke(float(width), np.clip(np.array(points, np.float64).reshape(-1, 2), 0, SIDE)))
    return strokes


def plain_strokes(strokes: Iterable[Stroke]) -> list[dict[str, Any]]:
    """Return strokes in plain types, as `strokes_from` takes them."""
    return [
        {"width": stroke.width, "points": np.rint(stroke.points).astype(int).ravel().tolist()} for stroke in strokes
    ]


def pack(strokes: Iterable[Stroke]) -> str:
    """Return a drawing as text for a link, the inverse of `unpack`: letters, digits, - and _.

    It has the width of each stroke and the step to each point from the previous one, in JSON, deflated, in base 64.
    Widths and points are rounded to whole units. Raises Refusal if the drawing takes more than `LINKED` characters.
    """
    numbers = [
        [round(width), *np.diff(np.rint(points), axis=0, prepend=0).astype(int).ravel().tolist()]
        for width, points in strokes
    ]
    content = zlib.compress(json.dumps(numbers, separators=(",", ":")).encode(), 9)
    text = base64.urlsafe_b64encode(content).rstrip(b"=").decode()
    if len(text) > LINKED:
        raise Refusal("The drawing has too many points for a link.")
    return text


def unpack(text: str) -> list[Stroke]:
    """Return the drawing from a text of `pack`; raise Refusal for any other text."""
    try:
        if len(text) > LINKED or not re.fullmatch(r"[A-Za-z0-9_-]+", text):
            raise ValueError
        content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        stream = zlib.decompressobj()
        numbers = json.loads(stream.decompress(content, _UNPACKED))
        if not stream.eof:  # truncated
            raise ValueError
        points = [np.reshape(apart, (-1, 2)).cumsum(axis=0).ravel().tolist() for _, *apart in numbers]
        return strokes_from([{"width": each[0], "points": at} for each, at in zip(numbers, points, strict=True)])
    except (ValueError, TypeError, RecursionError, zlib.error):
        raise Refusal(
            f"A drawing in a link must be complete and have at most {LINKED:,} characters: copy the link again."
        ) from None


def scale(strokes: Sequence[Stroke]) -> list[Stroke]:
    """Return a drawing of any size and position scaled to the size of MNIST's digits, in the middle of the pad; pens
    keep their width.

    Raises Refusal for a drawing that is hardly larger than its pen.
    """
    if not strokes:
        return []
    every = np.vstack([stroke.points for stroke in strokes])
    pen = max(stroke.width for stroke in strokes)
    low, high = every.min(axis=0), every.max(axis=0)
    if (longer := float((high - low).max())) < pen:
        raise Refusal("The drawing is too small: draw larger.")
    times = (FILLED - pen) / longer
    return [Stroke(width, SIDE / 2 + times * (points - (low + high) / 2)) for width, points in strokes]


def draw(strokes: Iterable[Stroke]) -> NDArray[np.uint8]:
    """Return the strokes as gray (140, 140): white (255) on black, with smooth edges."""
    return _rasterise(strokes, RASTER)


def coverage(strokes: Iterable[Stroke], side: int) -> NDArray[np.bool_]:
    """Return the pixels of a coarser image that strokes cover by half or more, (side, side)."""
    return _rasterise(strokes, side) >= 128


def bounding_box(strokes: Sequence[Stroke]) -> tuple[float, float, float, float] | None:
    """Return the box around the last stroke: left, top, right and bottom as shares of the pad's side; None without a
    stroke.
    """
    if not strokes:
        return None
    (left, top), (right, bottom) = (end(strokes[-1].points, axis=0) / SIDE for end in (np.min, np.max))
    return float(left), float(top), float(right), float(bottom)


def _rasterise(strokes: Iterable[Stroke], side: int) -> NDArray[np.uint8]:
    fine = RASTER * _FINER
    image = Image.new("L", (fine, fine))
    draw = ImageDraw.Draw(image)
    for width, points in strokes:
        at, radius = points * (fine / SIDE), width * fine / SIDE / 2
        if len(at) > 1:
            draw.line([(x, y) for x, y in at], fill=255, width=round(2 * radius))
        for x, y in at:
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return np.asarray(image.resize((side, side), Image.Resampling.BOX))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and abs(value) < 1e6  # also False for nan


DIGITS: tuple[tuple[Stroke, ...], ...] = tuple(
    tuple(strokes_from(digit)) for digit in json.loads(asset("strokes.json").read_bytes())
)
"""Digits 0 to 9 drawn by the project's own hand; free to ship."""
RUBBED = Stroke(ERASERS["Medium eraser"], SIDE / 28 * np.array([(9.0, 18.0), (19.0, 17.0)]))
"""The stroke of the eraser that is there at first."""
