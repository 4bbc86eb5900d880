"""Digits in pictures: whatever the photograph or drawing, a digit as MNIST has them."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageOps
from scipy import ndimage

from boltzcore.data.pictures import Gray

SIDE, BOX = 28, 20  # of an MNIST image, and of the box that its digit fills
THRESHOLD = 127  # gray above which a pixel is on, as in the data set
STROKE = (1.4, 4.2)  # width of strokes in MNIST, in its pixels: nine of ten digits, by the estimate used here
_BROUGHT_TO = (2.0, 3.4)  # strokes outside that range: well within it
_LEAST = 8  # pixels of the shorter side of what is cut out by hand
WORKING, _COARSE = 1024, 128  # longer side on which a digit is searched for, and on which the paper is
_FINE = (80, 400)  # longer side of the box while strokes are measured
_WINDOW = 0.3  # of the longer side: what is as wide is paper, not a stroke
_FAINTEST = 0.1  # contrast of ink, of the paper's own brightness
_SPECK, _NEAR = 0.03, 0.4  # of the main part of a digit: the area of parts that count, and the gap they may lie apart
_SECOND = 0.3  # of the main part: the area of a part that may be a digit of its own
_ALONG = 0.25  # of the picture's longer side: what touches the border so far is no digit


@dataclass(frozen=True, eq=False)
class Digit:
    """A digit as MNIST has them: light ink on black.

    gray : (side, side) uint8, 0..255
    doubt : one sentence where the picture may hold something else, else ""
    """

    gray: Gray
    doubt: str = ""

    @property
    def bits(self) -> Gray:
        """(side, side) uint8 of 0/1, on above the threshold that MNIST is cut at."""
        return (self.gray > THRESHOLD).view(np.uint8)


def squared(gray: Gray, side: int) -> Gray:
    """(side, side): the whole picture in the middle of a black square."""
    return np.asarray(ImageOps.pad(Image.fromarray(gray), (side, side), Image.Resampling.BOX))


def cropped(gray: Gray, box: tuple[float, float, float, float]) -> Gray:
    """Return the part of a picture in a box; ValueError if that is next to nothing.

    box : left, top, right and bottom, as shares of the side of the square that `squared` makes of the picture
    """
    left, top, right, bottom = (round(share * max(gray.shape)) for share in box)
    down, across = ((max(gray.shape) - length) // 2 for length in gray.shape)
    part = gray[max(top - down, 0) : max(bottom - down, 0), max(left - across, 0) : max(right - across, 0)]
    if min(part.shape) < _LEAST:
        raise ValueError("The box is too small: drag a larger one.")
    return part


def as_digit(gray: ArrayLike, side: int = SIDE) -> Digit:
    """The digit in a picture, made as MNIST's are: light on black, 20 pixels in its longer side, centred by mass in 28
    x 28.

    gray : (height, width) of 0..255: a photo or scan of one digit, dark ink on light paper or light on dark

    Of a picture that has side x side pixels already only the ink is made light and the contrast full. Of others uneven
    light, specks and what else lies on the paper are left out, and strokes too thin or too thick for MNIST
    brought within its range. Raises ValueError where no digit is found.

    >>> import numpy as np
    >>> from boltzcore.data import as_digit
    >>> paper = np.full((100, 80), 250, np.uint8)
    >>> paper[20:80, 36:44] = 10  # a one
    >>> as_digit(paper).gray.shape
    (28, 28)
    """
    picture = np.asarray(gray)
    if picture.ndim != 2 or picture.size == 0 or picture.dtype != np.uint8:
        raise ValueError(
            f"gray must be a picture of shape (height, width) in uint8, not {picture.dtype} of shape {picture.shape}."
        )
    if int(picture.max()) - int(picture.min()) < _FAINTEST * 255:
        raise _nothing_found()
    if picture.shape == (side, side):
        return Digit(_kept(picture))
    ink, alone = _ink(reduced(picture, WORKING))
    return Digit(
        normalised(ink, side), "" if alone else "The picture seems to contain more than one digit; one is expected."
    )


def normalised(ink: NDArray, side: int = SIDE) -> Gray:
    """Drawn ink as MNIST's makers normalised theirs: (side, side) uint8, the longer side of its box 20 of 28, centred
    by mass.

    ink : (height, width) numbers, 0 where nothing is drawn, larger where there is more ink
    Strokes thinner or thicker than MNIST's are brought within its range. Raises ValueError where nothing is drawn.

    Y. LeCun, C. Cortes, C. J. C. Burges, The MNIST database: "size normalized to fit in a 20x20 pixel box while
    preserving their aspect ratio [...] centered in a 28x28 image by computing the center of mass of the pixels".
    """
    if ink.max() <= 0:
        raise ValueError("Nothing is drawn yet.")
    if side < 4:
        raise ValueError(f"side must be at least 4, not {side}.")
    values = np.clip(ink.astype(np.float32) / np.float32(ink.max()), 0, 1)
    box = side * BOX / SIDE
    values = _stroked(_sized(values))
    top, left, high, wide = _box(values > 0.5)
    scale = box / max(high, wide)
    y = _window(values.sum(axis=1), top, high, scale, side)
    x = _window(values.sum(axis=0), left, wide, scale, side)
    length = side / scale
    around = math.ceil(length)
    image = Image.fromarray(np.pad(values, around))
    area = (x + around, y + around, x + around + length, y + around + length)
    return _levels(np.asarray(image.resize((side, side), Image.Resampling.BOX, box=area)))


def _nothing_found() -> ValueError:
    return ValueError("No digit found in the picture; dark ink on light paper, or light on dark, is expected.")


def _levels(values: NDArray) -> Gray:
    """0..1 as 0..255."""
    return np.clip(np.rint(values * 255), 0, 255).astype(np.uint8)


def reduced(picture: Gray, longest: int = WORKING) -> Gray:
    """A picture scaled down by a whole number, to `longest` in its longer side at most; to what `as_digit` works on."""
    factor = -(-max(picture.shape) // longest)
    return picture if factor == 1 else np.asarray(Image.fromarray(picture).reduce(factor))


def _paper(coarse: NDArray) -> NDArray:
    """The brightness of the paper as a quadratic surface through the border, ink that reaches it left out."""
    height, width = coarse.shape
    y, x = np.mgrid[:height, :width] / max(height, width) - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    ring = np.ones(coarse.shape, bool)
    rim = max(1, round(0.06 * min(height, width)))
    ring[rim:-rim, rim:-rim] = False
    near = np.abs(coarse - np.median(coarse[ring])) <= 3 * _spread(coarse[ring]) + 4
    fit = np.linalg.lstsq(terms[ring & near], coarse[ring & near], rcond=None)[0]
    return terms @ fit


def _spread(values: NDArray) -> float:
    """The standard deviation of most values, by the median of deviations."""
    return float(1.4826 * np.median(np.abs(values - np.median(values))))


def _is_light(contrast: NDArray) -> bool:
    """Return whether ink is lighter than the paper: on which side the large deviations from the paper are."""
    return float(np.sum(contrast**5)) > 0


def _ink(picture: Gray) -> tuple[NDArray, bool]:
    """The ink of the digit in a picture, about 0..1, cut out with a margin, and whether it is the only one; ValueError
    where there is none.
    """
    coarse = reduced(picture, _COARSE).astype(np.float32)
    plain = _paper(coarse)
    light = _is_light(coarse - plain)
    window = max(3, round(_WINDOW * max(coarse.shape)))
    flatten = ndimage.grey_opening if light else ndimage.grey_closing
    ground = (plain + ndimage.gaussian_filter(flatten(coarse - plain, size=(window, window)), window / 8)).astype(
        np.float32
    )
    height, width = picture.shape
    paper = np.asarray(Image.fromarray(ground).resize((width, height), Image.Resampling.BILINEAR))
    seen = ndimage.gaussian_filter(picture.astype(np.float32), max(height, width) / 800)
    # Ink takes a share of the light that falls on it, so less in a shadow; light ink adds its own.
    ink = (seen - paper) / 255 if light else (paper - seen) / np.maximum(paper, 64)
    ink -= np.median(ink)
    peak = float(np.quantile(ink, 0.9995))
    if peak < max(_FAINTEST, 6 * _spread(ink)):
        raise _nothing_found()
    strength = float(np.median(ink[ink > 0.5 * peak]))
    wanted, alone = _main_part(ink > 0.5 * strength)
    top, left, high, wide = _box(wanted)
    margin = max(2, round(0.05 * max(high, wide)))
    cut = (slice(max(top - margin, 0), top + high + margin), slice(max(left - margin, 0), left + wide + margin))
    near = ndimage.distance_transform_edt(~wanted[cut]) <= margin
    return np.clip(ink[cut] / strength, 0, 1) * near, alone


def _main_part(mask: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], bool]:
    """The largest connected part, and those near it that are no specks: a five's bar belongs to its body. And whether
    no other may be a digit, too.

    What runs along the border (a table's edge, a shadow) counts only where nothing to speak of lies inside.
    """
    parts, n = ndimage.label(mask, np.ones((3, 3)))
    area = np.bincount(parts.ravel(), minlength=n + 1)
    area[0] = 0
    rim = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    inside = np.where(np.bincount(rim, minlength=n + 1) < _ALONG * max(mask.shape), area, 0)
    if inside.max() > _SPECK * area.max():
        area = inside
    main = int(area.argmax())
    boxes = ndimage.find_objects(parts)
    low, high = (np.array([[getattr(edge, end) for edge in box] for box in boxes]) for end in ("start", "stop"))
    left = np.setdiff1d(np.flatnonzero(area >= _SPECK * area[main]), [main])
    kept, reach = [main], _NEAR * (high - low)[main - 1].max()
    for part in kept:  # grows while parts near to those kept are found; of dots on paper there are thousands
        gap = np.maximum(low[left - 1], low[part - 1]) - np.minimum(high[left - 1], high[part - 1])
        near = gap.max(axis=1) <= reach
        kept += left[near].tolist()
        left = left[~near]
    others = np.setdiff1d(np.flatnonzero(area >= _SECOND * area[main]), [main])
    aside = np.maximum(low[others - 1, 1], low[main - 1, 1]) >= np.minimum(high[others - 1, 1], high[main - 1, 1])
    return np.isin(parts, kept), not (aside | ~np.isin(others, kept)).any()


def _kept(picture: Gray) -> Gray:
    """The whole picture, its ink light and its contrast full."""
    values = picture.astype(np.float32)
    plain = _paper(values)
    paper = float(np.median(plain))
    values = values - paper if _is_light(values - plain) else paper - values
    return _levels(np.clip(values / values.max(), 0, 1))


def _box(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """(top, left, height, width) of the smallest box around what is on."""
    down, across = ndimage.find_objects(mask.view(np.int8))[0]
    return down.start, across.start, down.stop - down.start, across.stop - across.start


def _sized(values: NDArray) -> NDArray:
    """Ink cut out with a margin, at a size where strokes can be measured: neither a few pixels nor millions."""
    top, left, high, wide = _box(values > 0.5)
    longer, (least, most) = max(high, wide), _FINE
    margin = 2 + longer // 10
    cut = values[max(top - margin, 0) : top + high + margin, max(left - margin, 0) : left + wide + margin]
    if longer > most:
        return np.asarray(Image.fromarray(cut).reduce(-(-longer // most)))
    if longer < least:
        times = -(-least // longer)
        return np.asarray(
            Image.fromarray(np.pad(cut, 1)).resize(
                ((cut.shape[1] + 2) * times, (cut.shape[0] + 2) * times), Image.Resampling.BILINEAR
            )
        )
    return cut


def _stroked(values: NDArray) -> NDArray:
    """Ink whose strokes, once its box is scaled to 20 pixels, are as wide as MNIST's; unchanged where they are so
    already.
    """
    mask = values > 0.5
    high, wide = _box(mask)[2:]
    longer = max(high, wide)
    # Across a stroke of width w the distance to its edge is w / 4 in the mean.
    depth = ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1] - 0.5
    width = 4 * float(depth[mask].mean())
    there = width * BOX / longer
    if STROKE[0] <= there <= STROKE[1]:
        return values
    thin, thick = _BROUGHT_TO
    wanted = thin if there < thin else thick
    # Growing by r on each side also lengthens the box, hence the divisor.
    grown = (wanted * longer / BOX - width) / (1 - wanted / BOX) / 2
    if grown < 0:
        ridge = depth[mask & (ndimage.maximum_filter(depth, 3) == depth)]
        grown = min(max(grown, thin * longer / BOX / 2 - float(np.quantile(ridge, 0.1))), 0.0)
    around = max(0, math.ceil(grown)) + 1
    mask = np.pad(mask, around)
    outside = np.where(mask, 0.5 - np.pad(depth, around), ndimage.distance_transform_edt(~mask) - 0.5)
    return np.clip(0.5 + grown - outside, 0, 1).astype(np.float32)


def _window(profile: NDArray, first: int, length: int, scale: float, side: int) -> float:
    """Return where, along one axis, the window begins that becomes the image; its pixels fall on the edge of the box.

    MNIST's rule: the mean index of the ink, rounded, is side / 2; but the box stays inside.
    """
    mass = float(profile @ (np.arange(len(profile)) + 0.5) / profile.sum())
    offset = round(side / 2 + 0.5 - (mass - first) * scale)
    return first - min(max(offset, 0), side - math.ceil(length * scale)) / scale
