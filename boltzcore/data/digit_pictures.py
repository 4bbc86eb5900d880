"""Digits in pictures: photographs, scans and drawings of one digit, converted to the form of MNIST."""

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageOps
from scipy import ndimage

from boltzcore.arrays import as_numbers
from boltzcore.data.mnist import MNISTSmall
from boltzcore.data.pictures import LEAST, Gray
from boltzcore.quoting import Refusal
from boltzcore.threads import one_for_blas

SIDE, BOX = 28, 20  # sides of an MNIST image, and of the box around its digit
THRESHOLD = 127  # gray above which a pixel is on, as in the data set
STROKE = (1.4, 4.2)  # width of strokes in MNIST in pixels: nine of ten digits, by the estimate used here
_BROUGHT_TO = (2.0, 3.4)  # target for strokes outside that range: well within it
WORKING = 480  # pixels of the longer side in which a digit is searched for
_FINE = (80, 400)  # range of the longer side of the box while strokes are measured
_FAINTEST = 0.1  # smallest contrast of ink, relative to the paper's brightness
_SHARES = (0.5, 0.3, 0.75)  # relative darkness, compared with the darkest ink, from which pixels count as ink
_LINES = (0.008, 0.02)  # widths of lines of squared or ruled paper to remove, relative to the longer side of a picture
_WINDOW = 0.3  # width from which darkness is paper and not a stroke, relative to the longer side
_SPECK, _NEAR = 0.03, 0.4  # relative to a digit's main part: smallest area of parts that count, and largest gap to them
_SECOND = 0.15  # area, relative to the main part, of a part that may be a second digit
_ALONG = 0.25  # length along the border, relative to the longer side, from which a part may be a table or a shadow
_AROUND = 0.3  # largest share of ink-dark pixels around a part, relative to its ink
_LIKE, _UNLIKE = 0.82, 0.7  # correlation with the nearest of MNIST's digits, for parts that may be digits
_SURE = 0.87  # the same for the resulting image: 99 in 100 digits reach it, and three in ten letters
_ROUGH = 0.01  # penalty in correlation for a reading at another level or without lines
_BLOCK, _BULK = 8, 7  # sides in pixels of a filled square in the image: never, and rarely, in a digit
_SMALL = 14  # longer side, of 28 pixels, of a digit that was not made to MNIST's size
NONE = -1  # label of an image without a digit
RIGHT = 0.96  # share of mnist-small's 1,000 test digits that `read_digits` recognises

NO_DIGIT = "No digit found in the picture; dark ink on light paper, or light on dark, is expected."
ELSE = "The picture may hold something other than one digit."
SEVERAL = "The picture seems to hold more than one digit; one is expected."
ENLARGED = "The picture has a digit much smaller than MNIST's: it was enlarged and centred."


@dataclass(frozen=True, eq=False)
class Digit:
    """A digit in the form of MNIST: light ink on black.

    gray : (side, side) uint8, 0..255
    doubt : one sentence if the picture may hold something else, else ""
    """

    gray: Gray
    doubt: str = ""

    @property
    def bits(self) -> Gray:
        """Pixels above MNIST's threshold, (side, side) uint8 of 0/1."""
        return (self.gray > THRESHOLD).view(np.uint8)


def pad_square(gray: Gray, side: int) -> Gray:
    """Return the whole picture in the middle of a black square, (side, side)."""
    return np.asarray(ImageOps.pad(Image.fromarray(gray), (side, side), Image.Resampling.BOX))


def as_digit(gray: ArrayLike, side: int = SIDE) -> Digit:
    """Return the digit in a picture in the form of MNIST: light on black, 20 of 28 pixels high or wide, and centred.

    gray : (height, width) of 0..255: a photo or scan of one digit, dark ink on light paper or light on dark

    The result is the ink that most resembles a digit: parts of the dark and of the light ink are compared with MNIST's
    digits, so that frames, lines, shadows and the table are ignored. If another reading is possible, `doubt` is set.
    Strokes too thin or too thick for MNIST are brought within its range. A picture of side x side pixels is only given
    light ink and full contrast, unless its digit is much smaller than MNIST's. Raises Refusal if nothing resembles a
    digit.

    >>> import numpy as np
    >>> from boltzcore.data import as_digit
    >>> paper = np.full((100, 80), 250, np.uint8)
    >>> paper[20:80, 36:44] = 10  # a one
    >>> as_digit(paper).gray.shape
    (28, 28)
    """
    allowed = "a picture of shape (height, width) in uint8"
    picture = as_numbers("gray", gray, (None, None), allowed, "u", least=1)
    if picture.dtype != np.uint8:
        raise Refusal(f"gray must be {allowed}, not {picture.dtype}.", "gray")
    if int(picture.max()) - int(picture.min()) < _FAINTEST * 255:
        raise Refusal(NO_DIGIT)
    if picture.shape == (side, side):
        return _whole_digit(picture)
    part, doubt = _digit_in(shrink(picture))
    return Digit(normalise(part.ink, side), doubt)


def _whole_digit(picture: Gray) -> Digit:
    """Return the whole picture with light ink and full contrast, unless its digit is small."""
    values = picture.astype(np.float32)
    values -= np.median(np.concatenate([values[0], values[-1], values[:, 0], values[:, -1]]))
    values *= 1 if float(np.sum(values**5)) > 0 else -1  # the largest deviations from the paper are ink
    kept = _levels(np.clip(values / values.max(), 0, 1))
    if len(kept) != SIDE or not _is_odd(kept):
        return Digit(kept)
    with contextlib.suppress(Refusal):
        part, doubt = _digit_in(picture)
        if part.longer <= _SMALL and not doubt:
            return Digit(normalise(part.ink), ENLARGED)
    return Digit(kept, ELSE)


def normalise(ink: NDArray, side: int = SIDE) -> Gray:
    """Return drawn ink normalised like MNIST: (side, side) uint8, the longer side of its box 20 of 28, centred by mass.

    ink : (height, width) numbers, 0 without ink, larger for more ink
    Strokes thinner or thicker than MNIST's are brought within its range. Raises Refusal if there is no ink.

    Y. LeCun, C. Cortes, C. J. C. Burges, The MNIST database: "size normalized to fit in a 20x20 pixel box while
    preserving their aspect ratio [...] centered in a 28x28 image by computing the center of mass of the pixels".
    """
    if ink.max() <= 0:
        raise Refusal("Nothing is drawn yet.")
    if side < 4:
        raise Refusal(f"side must be at least 4, not {side}.")
    values = np.clip(ink.astype(np.float32) / np.float32(ink.max()), 0, 1)
    return _place(_even_strokes(_resize(values)), side)


def _place(values: NDArray, side: int) -> Gray:
    """Return ink scaled and centred like MNIST."""
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


def _levels(values: NDArray) -> Gray:
    """Convert 0..1 to 0..255."""
    return np.clip(np.rint(values * 255), 0, 255).astype(np.uint8)


def shrink(picture: Gray) -> Gray:
    """Return a picture scaled down by a whole factor to the size for the search of `as_digit`, if it is larger."""
    factor = -(-max(picture.shape) // WORKING)
    return picture if factor == 1 else np.asarray(Image.fromarray(picture).reduce(factor))


# The search


@dataclass(frozen=True, eq=False)
class _Part:
    """Ink that may be a digit.

    ink : (height, width) of the part alone, 0.5 at its edge
    box : (top, left, bottom, right) in the picture
    unclear : True if its surroundings are not all paper, as at the edge of a shadow
    edge : True if it runs along the border of the picture
    others : True if there is other similar ink
    rough : larger if its strokes may be thinner or thicker than in the picture
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
    """Return the part of a picture that is its digit, and a doubt or ""; Refusal if nothing resembles one."""
    parts = list(_parts(picture))
    if not parts:
        raise Refusal(NO_DIGIT)
    images = np.stack([_place(part.ink, SIDE) for part in parts])
    bulk = _holds_square(images, _BULK)
    like = np.where(_holds_square(images, _BLOCK), 0, _likeness(images))
    if like.max() < _UNLIKE:
        raise Refusal(NO_DIGIT)
    good = np.flatnonzero(like >= (_LIKE if like.max() >= _LIKE else _UNLIKE))
    flaws = {i: (parts[i].unclear, parts[i].edge, parts[i].others, bool(bulk[i])) for i in good}
    fewest = min(flaws.values())
    best = [i for i in good if flaws[i] == fewest]
    longest = max(parts[i].longer for i in best)
    # A stroke of a digit may resemble a one more than the whole digit resembles any.
    chosen = parts[
        max((i for i in best if parts[i].longer >= 0.8 * longest), key=lambda i: like[i] - _ROUGH * parts[i].rough)
    ]
    second = any(
        not (parts[i].unclear or parts[i].edge or parts[i].overlaps(chosen)) and parts[i].longer >= 0.4 * chosen.longer
        for i in good
    )
    if chosen.others or second:
        return chosen, SEVERAL
    return chosen, ELSE if chosen.unclear or chosen.edge or _is_odd(normalise(chosen.ink)) else ""


def _parts(picture: Gray) -> Iterator[_Part]:
    """Yield candidates: parts of dark and light ink, on even and on uneven paper, with and without thin lines."""
    longer = max(picture.shape)
    seen = ndimage.gaussian_filter(picture.astype(np.float32), longer / 800)
    brushes = sorted({max(3, round(longer * share) | 1) for share in _LINES})
    for values in (seen, 255 - seen):
        for paper in (np.quantile(values, 0.98).astype(np.float32), _uneven_paper(values)):
            ink = 1 - values / np.maximum(paper, 64)
            peak = float(np.quantile(ink, 0.9995))
            for i, share in enumerate(_SHARES if peak >= _FAINTEST else ()):
                mask = ink > share * peak
                opened = (ndimage.grey_opening(mask, (k, k), mode="constant") for k in brushes)  # a fast binary_opening
                for j, each in enumerate((mask, *opened)):
                    yield from _find_parts(values, ink, share * peak, each, i + j)


def _uneven_paper(values: NDArray) -> NDArray:
    """Return the local brightness of the paper, estimated from the surroundings without dark strokes."""
    coarse = np.asarray(Image.fromarray(values).reduce(-(-max(values.shape) // 128)))
    window = max(3, round(_WINDOW * max(coarse.shape)))
    ground = ndimage.gaussian_filter(ndimage.grey_closing(coarse, (window, window)), window / 8)
    return np.asarray(Image.fromarray(ground).resize(values.shape[::-1], Image.Resampling.BILINEAR))


def _find_parts(values: NDArray, ink: NDArray, level: float, mask: NDArray[np.bool_], rough: int) -> Iterator[_Part]:
    """Yield the larger connected parts of a mask with a digit's proportions, each alone and with those near it."""
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
    fills = (sizes >= 0.8 * np.array(mask.shape)[:, None]).all(axis=0)  # as for a tightly cropped digit
    fit = (size >= max(LEAST, 0.05 * max(mask.shape))) & (wide < 2 * high) & (high < 14 * wide)
    fit &= (corners < 3) & (runs <= 8) & ((border < 0.45 * len(rim)) | (high > 2.5 * wide))
    main = np.flatnonzero(fit)
    for one in main[np.argsort(-area[main], kind="stable")][:6]:
        top, left, bottom, right = boxes[one]
        own = labels[top:bottom, left:right] == one + 1
        holes = ndimage.label(np.pad(~own, 1, constant_values=True))[0][1:-1, 1:-1]  # 1 is outside
        if np.count_nonzero(np.bincount(holes.ravel())[2:] > 0.001 * own.size) > 3:
            continue  # squared paper; an eight has two holes
        gap = np.maximum(boxes[:, :2] - boxes[one, 2:], boxes[one, :2] - boxes[:, 2:]).max(axis=1)
        around = (boxes[:, :2] < boxes[one, :2]).all(axis=1) & (boxes[:, 2:] > boxes[one, 2:]).all(axis=1)
        near = (gap <= _NEAR * size[one]) & (size <= size[one]) & ~around & (border == 0)
        near &= (area >= _SPECK * area[one]) & (area <= area[one])
        near[np.setdiff1d(labels[top:bottom, left:right][holes > 1], [0]) - 1] = False  # a digit in a frame
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
    """Return the label, 0 to 9, of the nearest of mnist-small's 6,000 training digits, by correlation of blurred
    images, (n,); `NONE` if none is near.

    images : (n, 784) of 0 and 1
    """
    features, labels = _examples()
    rows = as_numbers("images", images, (None, SIDE * SIDE), f"rows of {SIDE * SIDE} pixels, 0 or 1")
    like = _features(255 * rows.reshape(-1, SIDE, SIDE)) @ features.T
    read: NDArray[np.int64] = np.where(like.max(axis=1) >= _UNLIKE, labels[like.argmax(axis=1)], NONE)
    return read


def _likeness(images: ArrayLike) -> NDArray[np.float32]:
    """Return the correlation of each image (n, 28, 28) with the nearest of MNIST's digits, both blurred, (n,)."""
    with one_for_blas():  # its product loses more by waiting for a second thread than it gains
        return (_features(images) @ _examples()[0].T).max(axis=1)


def _holds_square(images: NDArray, side: int) -> NDArray[np.bool_]:
    """Return True for images (n, 28, 28) with a filled square of `side` pixels, (n,)."""
    filled: NDArray[np.bool_] = ndimage.minimum_filter(images, (1, side, side)).max(axis=(1, 2)) > 100
    return filled


def _is_odd(image: Gray) -> bool:
    """Return True if an image (28, 28) may be a letter, a blob or anything other than a digit."""
    return bool(_likeness(image[None])[0] < _SURE or _holds_square(image[None], _BULK)[0])


@cache
def _examples() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    held = MNISTSmall(binarise="each epoch").load()
    return _features(held.train.v.reshape(-1, SIDE, SIDE)), held.labels["train"].astype(np.int64)


def _features(images: ArrayLike) -> NDArray[np.float32]:
    """Return images (n, 28, 28) blurred and halved, (n, 196), with mean 0 and length 1."""
    blurred = ndimage.gaussian_filter(np.asarray(images, np.float32), (0, 1, 1))
    rows = blurred.reshape(-1, SIDE // 2, 2, SIDE // 2, 2).mean((2, 4)).reshape(len(blurred), -1)
    rows -= rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))


# Size and strokes


def _box(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Return (top, left, height, width) of the smallest box around the True pixels."""
    down, across = ndimage.find_objects(mask.view(np.int8))[0]
    return down.start, across.start, down.stop - down.start, across.stop - across.start


def _resize(values: NDArray) -> NDArray:
    """Return the ink cut out with a margin, at a size for measuring strokes: neither a few pixels nor millions."""
    top, left, high, wide = _box(values > 0.5)
    longer, (least, most) = max(high, wide), _FINE
    margin = 2 + longer // 10
    cut = values[max(top - margin, 0) : top + high + margin, max(left - margin, 0) : left + wide + margin]
    if longer > most:
        return np.asarray(Image.fromarray(cut).reduce(-(-longer // most)))
    if longer < least:
        times = -(-least // longer)
        padded = Image.fromarray(np.pad(cut, 1))
        return np.asarray(padded.resize((padded.width * times, padded.height * times), Image.Resampling.BILINEAR))
    return cut


def _even_strokes(values: NDArray) -> NDArray:
    """Return ink with strokes as wide as MNIST's once its box is scaled to 20 pixels; unchanged if they already are."""
    mask = values > 0.5
    high, wide = _box(mask)[2:]
    longer = max(high, wide)
    # In a stroke of width w the mean distance to its edge is w / 4.
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
    """Return the start, along one axis, of the window that becomes the image; its pixels align with the box.

    MNIST's rule: the rounded mean index of the ink is side / 2; but the box stays inside.
    """
    mass = float(profile @ (np.arange(len(profile)) + 0.5) / profile.sum())
    offset = round(side / 2 + 0.5 - (mass - first) * scale)
    return first - min(max(offset, 0), side - math.ceil(length * scale)) / scale
