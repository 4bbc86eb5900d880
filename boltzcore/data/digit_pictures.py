"""Digits in pictures: photographs, scans and drawings of one digit, as MNIST has them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageOps
from scipy import ndimage

from boltzcore.data.mnist import MNISTSmall
from boltzcore.data.pictures import Gray

SIDE, BOX = 28, 20  # of an MNIST image, and of the box that its digit fills
THRESHOLD = 127  # gray above which a pixel is on, as in the data set
STROKE = (1.4, 4.2)  # width of strokes in MNIST, in its pixels: nine of ten digits, by the estimate used here
_BROUGHT_TO = (2.0, 3.4)  # strokes outside that range: well within it
_LEAST = 8  # pixels of the shorter side of what is cut out by hand
WORKING = 480  # pixels of the longer side in which a digit is searched for
_FINE = (80, 400)  # longer side of the box while strokes are measured
_FAINTEST = 0.1  # contrast of ink, of the paper's own brightness
_SHARES = (0.5, 0.3, 0.75)  # of the darkest ink: pixels that are darker count as ink
_LINES = (0.008, 0.02)  # of the longer side of a picture: lines of squared or ruled paper that are left out
_WINDOW = 0.3  # of the longer side: paper, not a stroke, if it is as wide
_SPECK, _NEAR = 0.03, 0.4  # of the main part of a digit: the area of parts that count, and the gap they may lie apart
_SECOND = 0.15  # of the main part: the area of a part that may be a digit of its own
_ALONG = 0.25  # of the picture's longer side: a part that touches the border so far may be a table or a shadow
_AROUND = 0.3  # of the ink of a part: pixels near it that are as dark, at most
_LIKE, _UNLIKE = 0.82, 0.7  # correlation with the nearest of MNIST's digits: 99 in 100 digits reach the first
_ROUGH = 0.01  # of resemblance, that a reading at another level or without lines costs
_BLOCK, _BULK = 8, 6  # pixels of a filled square in the image: of a digit never, rarely
_SMALL = 14  # of 28 pixels: the longer side of a digit that was not made to MNIST's size
NONE = -1  # label of an image that is no digit
RIGHT = 0.96  # share of mnist-small's 1,000 test digits that `read_digits` reads as what they are

ELSE = "The picture may hold something else than one digit."
SEVERAL = "The picture seems to hold more than one digit; one is expected."
ENLARGED = "The picture has a digit much smaller than MNIST's: it was enlarged and centred."


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
    """Return the digit in a picture, made as MNIST's are: light on black, 20 of 28 pixels high or wide, and centred.

    gray : (height, width) of 0..255: a photo or scan of one digit, dark ink on light paper or light on dark

    The ink that most resembles a digit is taken: parts of the dark and of the light ink are compared with MNIST's
    digits, so that frames, lines, shadows and the table are left out. If another reading is possible, the digit has a
    doubt. Strokes too thin or too thick for MNIST are brought within its range. A picture of side x side pixels is kept
    as it is, its ink made light and its contrast full, unless its digit is much smaller than MNIST's. Raises ValueError
    if nothing resembles a digit.

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
        return _kept(picture)
    part, doubt = _digit_in(reduced(picture))
    return Digit(normalised(part.ink, side), doubt)


def _kept(picture: Gray) -> Digit:
    """The whole picture, its ink light and its contrast full, unless it is a small digit."""
    values = picture.astype(np.float32)
    values -= np.median(np.concatenate([values[0], values[-1], values[:, 0], values[:, -1]]))
    values *= 1 if float(np.sum(values**5)) > 0 else -1  # large deviations from the paper are ink
    kept = _levels(np.clip(values / values.max(), 0, 1))
    if len(kept) != SIDE or (like := float(_likeness(kept[None])[0])) >= _LIKE:
        return Digit(kept)
    try:
        part, doubt = _digit_in(picture)
    except ValueError:
        return Digit(kept, ELSE)
    if part.longer <= _SMALL and not doubt:
        return Digit(normalised(part.ink), ENLARGED)
    return Digit(kept, ELSE if like < _UNLIKE else "")


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
    return _placed(_stroked(_sized(values)), side)


def _placed(values: NDArray, side: int) -> Gray:
    """Ink scaled and centred as MNIST's."""
    box = side * BOX / SIDE
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


def reduced(picture: Gray) -> Gray:
    """A picture scaled down by a whole number to the size in which `as_digit` searches, if it is larger."""
    factor = -(-max(picture.shape) // WORKING)
    return picture if factor == 1 else np.asarray(Image.fromarray(picture).reduce(factor))


# The search


@dataclass(frozen=True, eq=False)
class _Part:
    """Ink that may be a digit.

    ink : (height, width) of the part alone, 0.5 at its edge
    box : (top, left, bottom, right) in the picture
    unclear : its surroundings are not all paper, as at the edge of a shadow
    edge : it runs along the border of the picture
    others : there is other ink of its kind
    rough : its strokes may be thinner or thicker than they are
    """

    ink: NDArray
    box: NDArray
    unclear: bool
    edge: bool
    others: bool
    rough: int

    @property
    def longer(self) -> int:
        return int((self.box[2:] - self.box[:2]).max())

    def overlaps(self, other: "_Part") -> bool:
        return bool((np.maximum(self.box, other.box)[:2] < np.minimum(self.box, other.box)[2:]).all())


def _digit_in(picture: Gray) -> tuple[_Part, str]:
    """Return the part of a picture that is its digit, and a doubt or ""; ValueError if nothing resembles one."""
    parts = list(_parts(picture))
    if not parts:
        raise _nothing_found()
    images = np.stack([_placed(part.ink, SIDE) for part in parts])
    block, bulk = (ndimage.minimum_filter(images, (1, k, k)).max(axis=(1, 2)) > 100 for k in (_BLOCK, _BULK))
    like = np.where(block, 0, _likeness(images))
    if like.max() < _UNLIKE:
        raise _nothing_found()
    sure = bool(like.max() >= _LIKE)
    good = np.flatnonzero(like >= (_LIKE if sure else _UNLIKE))
    flaws = {i: (parts[i].unclear, parts[i].edge, parts[i].others, bool(bulk[i])) for i in good}
    fewest = min(flaws.values())
    best = [i for i in good if flaws[i] == fewest]
    longest = max(parts[i].longer for i in best)
    # A stroke of a digit may resemble a one more than the digit itself resembles any.
    chosen = parts[
        max((i for i in best if parts[i].longer >= 0.8 * longest), key=lambda i: like[i] - _ROUGH * parts[i].rough)
    ]
    second = any(
        not (parts[i].unclear or parts[i].edge or parts[i].overlaps(chosen)) and parts[i].longer >= 0.4 * chosen.longer
        for i in good
    )
    return chosen, SEVERAL if chosen.others or second else ELSE if chosen.unclear or chosen.edge or not sure else ""


def _parts(picture: Gray) -> Iterator[_Part]:
    """Candidates: parts of the dark and of the light ink, on even and on uneven paper, with and without thin lines."""
    longer = max(picture.shape)
    seen = ndimage.gaussian_filter(picture.astype(np.float32), longer / 800)
    brushes = sorted({max(3, round(longer * share) | 1) for share in _LINES})
    for values in (seen, 255 - seen):
        for paper in (np.quantile(values, 0.98).astype(np.float32), _uneven_paper(values)):
            ink = 1 - values / np.maximum(paper, 64)
            peak = float(np.quantile(ink, 0.9995))
            for i, share in enumerate(_SHARES if peak >= _FAINTEST else ()):
                mask = ink > share * peak
                for j, opened in enumerate((mask, *(ndimage.binary_opening(mask, np.ones((k, k))) for k in brushes))):
                    yield from _connected(values, ink, share * peak, opened, i + j)


def _uneven_paper(values: NDArray) -> NDArray:
    """The brightness of the paper in each place: that of the surroundings, dark strokes left out."""
    coarse = np.asarray(Image.fromarray(values).reduce(-(-max(values.shape) // 128)))
    window = max(3, round(_WINDOW * max(coarse.shape)))
    ground = ndimage.gaussian_filter(ndimage.grey_closing(coarse, (window, window)), window / 8)
    return np.asarray(Image.fromarray(ground).resize(values.shape[::-1], Image.Resampling.BILINEAR))


def _connected(values: NDArray, ink: NDArray, level: float, mask: NDArray[np.bool_], rough: int) -> Iterator[_Part]:
    """The larger connected parts of a mask that have a digit's proportions, each alone and with those near it."""
    labels, n = ndimage.label(mask, np.ones((3, 3)))
    if not n:
        return
    area = np.bincount(labels.ravel(), minlength=n + 1)[1:]
    boxes = np.array([[y.start, x.start, y.stop, x.stop] for y, x in ndimage.find_objects(labels)])
    high, wide = sizes = (boxes[:, 2:] - boxes[:, :2]).T
    size = sizes.max(axis=0)
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    border = np.bincount(rim, minlength=n + 1)[1:]
    runs = np.bincount(rim[np.flatnonzero(np.diff(rim)) + 1], minlength=n + 1)[1:]
    corners = np.bincount(labels[[0, 0, -1, -1], [0, -1, 0, -1]], minlength=n + 1)[1:]
    along = (border > _ALONG * max(mask.shape)) | (high == mask.shape[0]) | (wide == mask.shape[1])
    fills = (sizes >= 0.8 * np.array(mask.shape)[:, None]).all(axis=0)  # as a digit cut out tightly does
    fit = (size >= max(_LEAST, 0.05 * max(mask.shape))) & (wide < 2 * high) & (high < 14 * wide)
    fit &= (corners < 3) & (runs <= 8) & ((border < 0.45 * len(rim)) | (high > 2.5 * wide))
    main = np.flatnonzero(fit)
    for one in main[np.argsort(-area[main], kind="stable")][:6]:
        top, left, bottom, right = boxes[one]
        own = labels[top:bottom, left:right] == one + 1
        within = ndimage.binary_fill_holes(own) & ~own
        if np.count_nonzero(np.bincount(ndimage.label(within)[0].ravel())[1:] > 0.001 * own.size) > 3:
            continue  # squared paper; an eight has two
        gap = np.maximum(boxes[:, :2] - boxes[one, 2:], boxes[one, :2] - boxes[:, 2:]).max(axis=1)
        around = (boxes[:, :2] < boxes[one, :2]).all(axis=1) & (boxes[:, 2:] > boxes[one, 2:]).all(axis=1)
        near = (gap <= _NEAR * size[one]) & (size <= size[one]) & ~around & (border == 0)
        near &= (area >= _SPECK * area[one]) & (area <= area[one])
        near[np.setdiff1d(labels[top:bottom, left:right][within], [0]) - 1] = False  # a digit in a frame
        near[one] = True
        runs_along = bool(along[one] and not fills[one])
        rest = (border <= _ALONG * max(mask.shape)) & (area >= _SECOND * area[one]) & (corners < 2) & ~around
        for kept in (near, np.arange(n) == one) if near.sum() > 1 else (near,):
            box = np.concatenate([boxes[kept, :2].min(axis=0), boxes[kept, 2:].max(axis=0)])
            margin = max(2, round(0.1 * (box[2:] - box[:2]).max()))
            cut = tuple(slice(max(box[k] - margin, 0), box[k + 2] + margin) for k in (0, 1))
            on = np.concatenate([[False], kept])[labels[cut]]
            beyond = ~ndimage.binary_dilation(on, iterations=2)
            alone = np.where(beyond, 0, np.clip(ink[cut] / np.median(ink[cut][on]), 0, 1))
            dark, most = float(values[cut][on].mean()), _AROUND * np.count_nonzero(on)
            light = values[cut][beyond]
            paper = float(np.median(light)) if light.size else 255.0
            unclear = bool(paper - dark < _FAINTEST * 255 or np.count_nonzero(light < (dark + paper) / 2) > most)
            if (alone > 0.5).any() and not (
                unclear and (runs_along or np.count_nonzero(ink[cut][beyond] > level) > most)
            ):
                yield _Part(alone, box, unclear, runs_along, bool((rest & ~kept).any()), rough)


# Resemblance to MNIST's digits


def read_digits(images: ArrayLike) -> NDArray[np.int64]:
    """(n,) 0 to 9, the label of the nearest of mnist-small's 6,000 training digits by the correlation of both blurred;
    `NONE` where none is near.

    images : (n, 784) of 0 and 1
    """
    features, labels = _examples()
    like = _features(255 * np.reshape(images, (-1, SIDE, SIDE))) @ features.T
    read: NDArray[np.int64] = np.where(like.max(axis=1) >= _UNLIKE, labels[like.argmax(axis=1)], NONE)
    return read


def _likeness(images: ArrayLike) -> NDArray[np.float32]:
    """(n,) the correlation of each image (n, 28, 28) with the nearest of MNIST's digits, both blurred."""
    return (_features(images) @ _examples()[0].T).max(axis=1)


@cache
def _examples() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    held = MNISTSmall(binarise="each epoch").load()
    return _features(held.train.v.reshape(-1, SIDE, SIDE)), held.labels["train"].astype(np.int64)


def _features(images: ArrayLike) -> NDArray[np.float32]:
    """(n, 196) of mean 0 and length 1: images (n, 28, 28) blurred, at half their size."""
    blurred = ndimage.gaussian_filter(np.asarray(images, np.float32), (0, 1, 1))
    rows = blurred.reshape(-1, SIDE // 2, 2, SIDE // 2, 2).mean((2, 4)).reshape(len(blurred), -1)
    rows -= rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))


# Size and strokes


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
