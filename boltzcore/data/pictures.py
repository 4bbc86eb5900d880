"""Pictures out of untrusted files: a gray image, or a sentence."""

import io
import math
import time
import warnings

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from boltzcore.quoting import cut

Gray = NDArray[np.uint8]

MAX_BYTES, MAX_PIXELS = 10_000_000, 25_000_000
MAX_SIDE = 20_000  # pixels
MAX_MEMORY = 200_000_000  # bytes that decoding may take, as the header gives it
SECONDS = 4.0  # of computing that reading a picture may take; a large photo takes less than one
FORMATS = ("PNG", "JPEG", "WEBP", "BMP")

_PIECE = 1024  # bytes between two readings of the clock: few scans of a progressive JPEG fit in

_ENOUGH = 1000  # pixels: the shorter side of a large picture keeps as many
_KEPT = 4_000_000  # pixels: what is kept of a picture at most, however long it is
_EACH = {"1": 1, "L": 1, "P": 1, "I;16": 2}  # bytes that a decoded pixel takes; of other modes four
_WEBP = 16  # bytes of one while a WebP is decoded: its canvas twice, and copies

# What Pillow finds odd in a file becomes a sentence of our own, or does not matter.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")


def read_picture(content: bytes, name: str = "") -> Gray:
    """The gray image (height, width), 0..255, in a PNG, JPEG, WebP or BMP file, turned as its EXIF entry says.

    content : the bytes of the file; which give the format; a name does not
    name : what a sentence calls the file

    Pictures whose shorter side has 2,000 pixels or more are scaled down by a whole number, to 1,000 or more, very long
    ones to less. What is transparent becomes paper: black behind light ink, else white. Raises ValueError, in one
    sentence, for other formats, too many bytes or pixels (known before any is decoded), animations, damage, and
    whatever else takes longer than `SECONDS`.

    >>> import io
    >>> from PIL import Image
    >>> from boltzcore.data import read_picture
    >>> file = io.BytesIO()
    >>> Image.new("L", (2, 1), 255).save(file, "PNG")
    >>> read_picture(file.getvalue()).tolist()
    [[255, 255]]
    """
    called = cut(name) or "The picture"
    if len(content) > MAX_BYTES:
        raise ValueError(f"{called} has more than the {MAX_BYTES:,} bytes allowed.")
    try:
        return _read(_Timed(content), called)
    except _TooSlow:
        raise ValueError(f"{called} takes more than {SECONDS:g} seconds to read; use a simpler picture.") from None


def _read(stream: "_Timed", called: str) -> Gray:
    try:
        image = Image.open(stream, formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ValueError(f"{called} has too many pixels; at most {MAX_PIXELS:,} are allowed.") from None
    except Exception:  # another format, or whatever a decoder raises at a damaged header
        raise _unreadable(called) from None
    width, height = image.size
    each = _WEBP if image.format == "WEBP" else _EACH.get(image.mode, 4)
    if width * height > (most := min(MAX_PIXELS, MAX_MEMORY // each)) or max(image.size) > MAX_SIDE:
        allowed = f"at most {most:,} are allowed for a {image.format}, and {MAX_SIDE:,} per side"
        raise ValueError(f"{called} has {width:,} x {height:,} pixels; {allowed}.")
    # A phone's JPEG may carry a second picture (a gain map, a preview): format MPO, and no animation.
    if getattr(image, "n_frames", 1) > 1 and image.format != "MPO":
        raise ValueError(f"{called} is animated; use a single picture.")
    try:
        image.draft("L", (_ENOUGH, _ENOUGH))
        image.decodermaxblock = _PIECE
        gray = _gray(image)
    except Exception:  # whatever a decoder raises at damage
        raise _unreadable(called) from None
    return np.asarray(_turned(gray, image))


def _unreadable(called: str) -> ValueError:
    return ValueError(f"{called} must be a PNG, JPEG, WebP or BMP picture, whole and undamaged.")


# A file's pixels


class _TooSlow(BaseException):
    """Reading a picture has taken longer than it may; no Exception, lest a decoder takes it for damage."""


class _Timed(io.BytesIO):
    """A file that can be read for so many seconds of computing, and not a piece more."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self._until = time.thread_time() + SECONDS

    def read(self, size: int | None = -1, /) -> bytes:
        if time.thread_time() > self._until:
            raise _TooSlow
        return super().read(size)


def _gray(image: Image.Image) -> Image.Image:
    """The picture as gray of 8 bits, scaled down where it is large."""
    factor = max(1, min(image.size) // _ENOUGH, math.ceil(math.sqrt(math.prod(image.size) / _KEPT)))
    if image.mode.startswith("I"):  # 16 bits of gray, whatever holds them
        return Image.fromarray((np.clip(np.asarray(image), 0, 65535) >> 8).astype(np.uint8)).reduce(factor)
    if not image.has_transparency_data:
        return image.convert("L").reduce(factor)
    ink, cover = (np.asarray(each.reduce(factor), np.float32) for each in image.convert("LA").split())
    cover = cover / np.float32(255)
    light = float((ink * cover).sum()) > 127.5 * float(cover.sum())
    # What little is opaque is the ink; where most is, it is the paper.
    paper = 255 if light == (float(cover.mean()) > 0.5) else 0
    return Image.fromarray((ink * cover + paper * (1 - cover) + 0.5).astype(np.uint8))


def _turned(gray: Image.Image, image: Image.Image) -> Image.Image:
    """Turn what was made of a picture as the EXIF entries of the picture say, unless they are damaged."""
    gray.info = dict(image.info)
    try:
        return ImageOps.exif_transpose(gray)
    except Exception:  # a picture whose notes are damaged is a picture all the same
        return gray
