"""Rows of weights or of pixels as tiles of one PNG, in a fixed order and page by page."""

import io
import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from boltzcore.arrays import as_numbers
from boltzcore.parameters import whole
from boltzcore.plotting import palette
from boltzcore.quoting import Refusal

PER_PAGE = 72  # square tiles in twelve columns and six lines
_LEVELS = 251  # odd, so that zero has a level of its own
# the grey line between tiles, empty places, a frame, and a strike-out
_GAP, _EMPTY, _MARK, _STRIKE = 251, 252, 253, 254

_GAP_OPACITY = 110
_WIDE, LARGEST = 720, 110  # pixels: about the width of an image on a page, and the largest tile
_LINE, _FRAME = 2, 3
_STRIKE_GREY = 96  # contrast of at least 3 : 1 on a pale tile in any theme
_GROUND = (_LEVELS - 1) // 5  # a lost pixel between its stripes
_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)


@dataclass(frozen=True)
class Tiles:
    """A picture of tiles.

    png : PNG bytes; the lines between tiles are a translucent grey, for light and dark themes
    width, height : in pixels
    columns, lines : tiles in a row, and rows; the order is row by row
    first, last, count : first and last tile shown (from 1 on), and number of all tiles
    limit : weights at -limit are the darkest red, at +limit the darkest blue; None for pixels
    """

    png: bytes
    width: int
    height: int
    columns: int
    lines: int
    first: int
    last: int
    count: int
    limit: float | None = None


def pages(count: int, per_page: int = PER_PAGE) -> int:
    """Return the number of pages for `count` tiles."""
    return max(1, math.ceil(count / per_page))


def square(count: int) -> tuple[int, int] | None:
    """Return the shape of `count` pixels as a square; None if they do not form one."""
    side = math.isqrt(count)
    return (side, side) if side * side == count else None


def symmetric_limit(values: ArrayLike) -> float:
    """Return the smallest of 1, 1.5, 2, 3, 5, 7 times a power of ten that covers `values`.

    It is rounded up so that the colours of growing weights do not flicker from frame to frame.
    """
    array = np.asarray(values)
    most = float(np.abs(array).max()) if array.size else 0.0
    if not math.isfinite(most):
        raise Refusal("weights must be finite to be drawn.")
    if most <= 1e-6:
        return 1e-6
    exponent = math.floor(math.log10(most))
    steps = (float(f"{step}e{exponent}") for step in _STEPS)  # 3 times a tenth would be 0.30000000000000004
    return next(step for step in steps if step >= most * (1 - 1e-9))


def robust_max(values: ArrayLike) -> float:
    """Return the 99.5 % quantile of the magnitudes of these values; for few values the largest."""
    array = np.abs(np.asarray(values))
    return float(np.quantile(array, 0.995, method="higher")) if array.size else 0.0


def weight_tiles(
    rows: ArrayLike,
    shape: tuple[int, int],
    *,
    page: int = 0,
    per_page: int = PER_PAGE,
    limit: float | None = None,
    columns: int | None = None,
    lines: int = 0,
    largest: int = LARGEST,
    marked: Collection[int] = (),
    mark: str = palette.PINNED,
    struck: Collection[int] = (),
) -> Tiles:
    """Return weights as tiles: blue for positive, red for negative, white for zero.

    rows : (n, height * width), one tile each: for receptive fields, `rbm.W.T`
    limit : end of the colour scale; None takes `symmetric_limit` of all rows, including other pages
    columns, largest : as in `pixel_tiles`
    lines : smallest number of lines of tiles; free places stay empty
    marked, struck : rows whose tile is framed in the colour `mark`, and rows whose tile is struck out
    Raises Refusal if the rows do not have that shape.
    """
    array = _check_rows(rows, shape)
    limit = symmetric_limit(array) if limit is None else limit
    first = whole("page", page, 0, pages(len(array), per_page) - 1) * per_page
    middle = _LEVELS // 2
    shown = array[first : first + per_page]
    levels = np.clip(np.rint(shown / limit * middle) + middle, 0, _LEVELS - 1).astype(np.uint8)
    # The layout is the same on every page, so that changing pages moves nothing.
    drawn, columns = _drawn(levels, shape, min(len(array), per_page), columns, lines, largest)
    down = np.arange(drawn.shape[1])
    for i, tile in enumerate(drawn[: len(shown)], first):
        if i in struck:  # from the lower left to the upper right
            for k in range(_LINE):
                tile[down, (down[::-1] * tile.shape[1] // len(down) + k) % tile.shape[1]] = _STRIKE
        if i in marked:
            tile[:_FRAME] = tile[-_FRAME:] = tile[:, :_FRAME] = tile[:, -_FRAME:] = _MARK
    return _join_tiles(drawn, columns, palette.rdbu(_LEVELS), mark, first, len(shown), len(array), limit)


def pixel_tiles(
    rows: ArrayLike,
    shape: tuple[int, int],
    *,
    columns: int | None = None,
    largest: int = LARGEST,
    lost: ArrayLike | None = None,
) -> Tiles:
    """Return pixels from 0 (black) to 1 (white) as tiles, up to one page; values outside are clipped.

    rows : (n, height * width)
    columns : tiles in a row; None makes the picture about twice as wide as high
    largest : largest height or width of a tile in pixels
    lost : (n, height * width) booleans: unknown pixels, hatched whatever their value
    Raises Refusal if the rows do not have that shape.
    """
    array = _check_rows(rows, shape)
    shown = array[:PER_PAGE]
    levels = np.clip(np.rint(shown * (_LEVELS - 1.0)), 0, _LEVELS - 1).astype(np.uint8)
    colours = np.repeat(np.linspace(0, 255, _LEVELS).round().astype(np.uint8)[:, None], 3, axis=1)
    gone = None if lost is None else _check_rows(lost, shape).astype(bool)
    drawn, columns = _drawn(levels, shape, len(shown), columns, 1, largest, gone)
    return _join_tiles(drawn, columns, colours, palette.LOST, 0, len(shown), len(array), None)


def enlarge(
    levels: NDArray[np.uint8], scale: int, lost: ArrayLike | None = None, *, stripe: int = 0, ground: int = 0
) -> NDArray[np.uint8]:
    """Return an image (height, width) of levels with each pixel as a square of `scale` screen pixels.

    lost : (height, width) booleans: squares that are hatched from the lower left to the upper right, in the levels
        `stripe` and `ground`, the stripes of neighbours as one
    """
    large = levels.repeat(scale, 0).repeat(scale, 1)
    if lost is not None:
        apart = max(6, scale)
        along = np.add.outer(np.arange(large.shape[0]), np.arange(large.shape[1]))
        hatched = np.where(along % apart < apart // 2, np.uint8(stripe), np.uint8(ground))
        np.copyto(large, hatched, where=np.asarray(lost, bool).repeat(scale, 0).repeat(scale, 1))
    return large


def _check_rows(rows: ArrayLike, shape: tuple[int, int]) -> NDArray:
    height, width = as_numbers("shape", shape, (2,), "a height and a width", "iu").tolist()
    allowed = f"numbers of shape (n, {height * width}), one row or more, to be drawn as {height} x {width}"
    return as_numbers("rows", rows, (None, height * width), allowed, least=1)


def _columns(count: int, shape: tuple[int, int]) -> int:
    """Return the number of columns that makes the picture about twice as wide as high, with few empty places."""
    height, width = shape

    def deviation(columns: int) -> float:
        lines = math.ceil(count / columns)
        return abs(math.log(columns * (width + 1) / (lines * (height + 1)) / 2)) + 2 * (1 - count / (lines * columns))

    return min(range(1, max(count, 1) + 1), key=deviation)


def _drawn(
    levels: NDArray[np.uint8],
    shape: tuple[int, int],
    places: int,
    columns: int | None,
    lines: int,
    largest: int,
    lost: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.uint8], int]:
    """Return ((places, height, width) tiles in screen pixels, each with a line above and to its left; columns)."""
    height, width = shape
    columns = columns or _columns(places, shape)
    scale = max(1, min(_WIDE // (columns * (width + 1)), largest // max(height, width)))
    lines = max(1, lines, math.ceil(places / columns))
    drawn = np.full((lines * columns, height * scale + _LINE, width * scale + _LINE), _EMPTY, np.uint8)
    for i, tile in enumerate(levels):
        gone = None if lost is None else lost[i].reshape(shape)
        drawn[i] = _GAP
        drawn[i, _LINE:, _LINE:] = enlarge(tile.reshape(shape), scale, gone, stripe=_MARK, ground=_GROUND)
    return drawn, columns


def _join_tiles(
    drawn: NDArray[np.uint8],
    columns: int,
    colours: NDArray[np.uint8],
    mark: str,
    first: int,
    shown: int,
    count: int,
    limit: float | None,
) -> Tiles:
    """Return the picture of tiles, row by row, with a line below and a line at the right."""
    places, high, wide = drawn.shape
    sheet = drawn.reshape(-1, columns, high, wide).swapaxes(1, 2).reshape(-1, columns * wide)
    sheet = np.pad(sheet, (0, _LINE), constant_values=_GAP)
    png, (height, width) = _png(sheet, colours, mark), sheet.shape
    return Tiles(png, width, height, columns, places // columns, first + 1, first + shown, count, limit)


def _png(levels: NDArray[np.uint8], colours: NDArray[np.uint8], mark: str = palette.PINNED) -> bytes:
    image = Image.fromarray(levels, mode="P")
    others = np.array([(128, 128, 128)] * 2 + [palette.parts(mark), (_STRIKE_GREY,) * 3], np.uint8)
    image.putpalette(np.vstack([colours, others]).tobytes())
    out = io.BytesIO()
    image.save(out, "PNG", transparency=bytes([255] * _LEVELS + [_GAP_OPACITY, 0]), compress_level=1)
    return out.getvalue()
