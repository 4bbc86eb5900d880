"""Digits as pen strokes: those that a visitor draws, and ten of the project's own."""

import base64
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageDraw

SIDE = 280  # of the pad that strokes are drawn on, in its own units
FILLED = 200.0  # of them the longer side of a digit once it is scaled: 20 of 28, as MNIST's
RASTER = 140  # pixels: more than a model sees, so that a small digit can be enlarged
PENS = {
    "Thin pen": 14.0,
    "Medium pen": 24.0,
    "Thick pen": 38.0,
}  # the medium one looks like MNIST's once a digit is scaled
ERASERS = {"Small eraser": 24.0, "Medium eraser": 50.0, "Large eraser": 90.0}
POINTS = 20_000  # that a drawing may have
_FINER = 4  # drawn so much finer than the raster, for smooth edges
_STROKES = 1_000
_THICK = 120.0
LINKED = 6_000  # characters of a drawing in a link: ten digits' worth, and what servers and chat programs still take
_UNPACKED = 4 * (POINTS + _STROKES)  # bytes of a drawing that is not deflated


class Stroke(NamedTuple):
    """A line of a round pen.

    width : of the pen, in units of the pad
    points : (n, 2) x to the right and y downwards, from 0 to `SIDE`; a single point is a dot
    """

    width: float
    points: NDArray[np.float64]


def strokes_from(given: Any) -> list[Stroke]:
    """Strokes as a browser sends them: [{"width": w, "points": [x, y, x, y, ...]}, ...]; points outside the pad move to
    its edge.

    Raises ValueError where it is anything else, or more than anybody draws.
    """
    if not isinstance(given, list) or len(given) > _STROKES:
        raise ValueError(f"A drawing must be a list of at most {_STROKES:,} strokes.")
    strokes, left = [], POINTS
    for each in given:
        width, points = (each.get("width"), each.get("points")) if isinstance(each, Mapping) else (None, None)
        if not _is_number(width) or not 0 < width <= _THICK:
            raise ValueError(f"width of a stroke must be a number above 0 and up to {_THICK:g}.")
        if not isinstance(points, list) or not points or len(points) % 2:
            raise ValueError("points of a stroke must be a list of x, y, x, y and so on.")
        if (left := left - len(points) // 2) < 0:
            raise ValueError(f"A drawing may have at most {POINTS:,} points: clear it and draw again.")
        if not all(_is_number(value) for value in points):
            raise ValueError("points of a stroke must be numbers.")
        strokes.append(Stroke(float(width), np.clip(np.array(points, np.float64).reshape(-1, 2), 0, SIDE)))
    return strokes


def plain_strokes(strokes: Iterable[Stroke]) -> list[dict[str, Any]]:
    """Strokes in plain types, as `strokes_from` reads them."""
    return [
        {"width": stroke.width, "points": np.rint(stroke.points).astype(int).ravel().tolist()} for stroke in strokes
    ]


def packed(strokes: Iterable[Stroke]) -> str:
    """A drawing as text for a link, from which `unpacked` makes it again: letters, digits, - and _.

    For each stroke its width, the number of its points and how far each lies from the one before it, as numbers of two
    bytes, deflated, in base 64. Widths and points are rounded to whole units. Raises ValueError for a drawing that
    takes more than `LINKED` characters.
    """
    numbers: list[int] = []
    for width, points in strokes:
        apart = np.diff(np.rint(points), axis=0, prepend=0)
        numbers += [round(width), len(points), *apart.ravel().astype(int).tolist()]
    content = zlib.compress(np.array(numbers, "<i2").tobytes(), 9)
    text = base64.urlsafe_b64encode(content).rstrip(b"=").decode()
    if len(text) > LINKED:
        raise ValueError("The drawing has too many points for a link.")
    return text


def unpacked(text: str) -> list[Stroke]:
    """The drawing that `packed` made this text of; ValueError, in one sentence, for any other text."""
    refusal = ValueError(f"A drawing in a link must be whole and have at most {LINKED:,} characters: copy it anew.")
    if len(text) > LINKED or not re.fullmatch(r"[A-Za-z0-9_-]+", text):
        raise refusal
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), _UNPACKED)
        numbers = np.frombuffer(content, "<i2").astype(np.int64)
    except (ValueError, zlib.error):
        raise refusal from None
    if not stream.eof:  # cut off, or more than anyone draws
        raise refusal
    strokes = []
    while numbers.size:
        width, count = numbers[:2].tolist() if numbers.size > 1 else (0, 0)
        apart, numbers = numbers[2 : 2 + 2 * count], numbers[2 + 2 * count :]
        if not (0 < width <= _THICK and 0 < 2 * count == apart.size):
            raise refusal
        points = apart.reshape(-1, 2).cumsum(axis=0)
        if points.min() < 0 or points.max() > SIDE:
            raise refusal
        strokes.append(Stroke(float(width), points.astype(np.float64)))
    if len(strokes) > _STROKES:
        raise refusal
    return strokes


def scaled(strokes: Sequence[Stroke]) -> list[Stroke]:
    """A drawing of any size and place made as large as MNIST's digits are, in the middle of the pad; the pens keep
    their width.

    Raises ValueError for a drawing that is hardly larger than its pen.
    """
    if not strokes:
        return []
    every = np.vstack([stroke.points for stroke in strokes])
    pen = max(stroke.width for stroke in strokes)
    low, high = every.min(axis=0), every.max(axis=0)
    if (longer := float((high - low).max())) < pen:
        raise ValueError("The drawing is hardly larger than the pen: draw larger.")
    times = (FILLED - pen) / longer
    return [Stroke(width, SIDE / 2 + times * (points - (low + high) / 2)) for width, points in strokes]


def drawn(strokes: Iterable[Stroke]) -> NDArray[np.uint8]:
    """(140, 140) gray: the strokes in white (255) on black, with smooth edges."""
    return _rendered(strokes, RASTER)


def touched(strokes: Iterable[Stroke], side: int) -> NDArray[np.bool_]:
    """(side, side): the pixels of a coarser image that strokes cover by half or more."""
    return _rendered(strokes, side) >= 128


def enclosed(strokes: Sequence[Stroke]) -> tuple[float, float, float, float] | None:
    """The box around the last stroke: left, top, right and bottom as shares of the pad's side; None without a
    stroke.
    """
    if not strokes:
        return None
    (left, top), (right, bottom) = (end(strokes[-1].points, axis=0) / SIDE for end in (np.min, np.max))
    return float(left), float(top), float(right), float(bottom)


def _rendered(strokes: Iterable[Stroke], side: int) -> NDArray[np.uint8]:
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
    return isinstance(value, int | float) and abs(value) < 1e6  # not nan either


def _curve(points: ArrayLike) -> NDArray[np.float64]:
    """A smooth line through points (Catmull-Rom)."""
    p = np.asarray(points, np.float64)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0, 1, 6, endpoint=False)[:, None]
    pieces = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False)
    ]
    return np.vstack([*pieces, p[-2:-1]])


# Points on a pad of 28 x 28, in the order a hand draws them; those of one curve in one tuple.
_HANDS: tuple[tuple[tuple[tuple[float, float], ...], ...], ...] = (
    (((15, 5), (10, 7), (8, 13), (9, 20), (13, 23), (18, 21), (20, 14), (18.5, 7.5), (15, 5)),),
    (((16, 5), (15, 11), (13.5, 17), (12.5, 23)),),
    (((9, 9), (11, 6), (15, 5), (18, 8), (17, 12), (13, 17), (8.5, 22)), ((8.5, 22), (13, 21.2), (20, 22))),
    (
        ((9, 7), (13, 5), (17, 6.5), (17.5, 9.5), (13, 13)),
        ((13, 13), (17.5, 14.5), (18.5, 18.5), (15, 22), (8.5, 21.5)),
    ),
    (((11, 5.5), (9.5, 10), (8.5, 15), (13, 15.5), (20, 14.5)), ((17.5, 7), (16.5, 15), (15.5, 23))),
    (
        ((19, 5.5), (15, 6), (11, 6)),
        ((11, 6), (10, 12.5)),
        ((10, 12.5), (15, 12), (18.5, 15), (17.5, 20), (13.5, 22.5), (9, 21.5)),
    ),
    (((17, 5), (12, 10), (9.2, 16), (10, 21), (14, 23), (18, 20.5), (17.5, 16.5), (14, 15.5), (10, 18.5)),),
    (((8.5, 6.5), (14, 6.5), (19.5, 6)), ((19.5, 6), (17, 12), (14.5, 17.5), (13, 23))),
    (
        (
            (18, 7.5),
            (14.5, 5.2),
            (11, 7.5),
            (12, 11.5),
            (16, 14.5),
            (17.5, 19),
            (14.5, 22.8),
            (11, 21),
            (11.5, 16.5),
            (15, 13),
            (18, 9.5),
            (18, 7.5),
        ),
    ),
    (
        ((18, 8.5), (14.5, 5.5), (10.5, 8), (10.5, 12), (14, 13.5), (17.5, 11), (18, 8.5)),
        ((18, 8.5), (17, 15), (15.5, 23)),
    ),
)

DIGITS: tuple[tuple[Stroke, ...], ...] = tuple(
    tuple(Stroke(PENS["Medium pen"], np.rint(SIDE / 28 * _curve(line))) for line in lines) for lines in _HANDS
)
"""Digits 0 to 9 drawn by the project's own hand: strokes of each in whole units of the pad, as a browser sends them;
free to ship."""
RUBBED = Stroke(ERASERS["Medium eraser"], SIDE / 28 * np.array([(9.0, 18.0), (19.0, 17.0)]))
"""What the eraser has rubbed out at first."""
