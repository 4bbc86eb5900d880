"""Pictures from untrusted files: a gray image, or a sentence on the error."""

import contextlib
import importlib
import io
import math
import time
import warnings

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps
from scipy import ndimage

from boltzcore.quoting import Refusal, cut

Gray = NDArray[np.uint8]

MAX_BYTES, MAX_PIXELS = 16_000_000, 25_000_000
JPEG_PIXELS = 120_000_000  # larger limit, because a JPEG is decoded at a fraction of its size
MAX_SIDE = 20_000  # largest side in pixels
MAX_MEMORY = 200_000_000  # largest number of bytes for decoding, by the header
SECONDS = 4.0  # largest computing time for reading a picture; a large photo takes less than one
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "AVIF", "HEIF")

LEAST = 8  # smallest side in pixels of a manual crop
_PIECE = 1024  # bytes between two checks of the clock: few scans of a progressive JPEG fit in

_ENOUGH = 1000  # pixels to which the shorter side of a large picture may be reduced
_KEPT = 4_000_000  # largest number of pixels of the result, however long the picture
_EACH = {"1": 1, "L": 1, "P": 1, "I;16": 2}  # bytes per decoded pixel; four in other modes
_WHOLE = 16  # the same for formats that are decoded at once: the canvas twice, and copies
_BRANDS = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")  # signatures of HEIC
_LUMA = np.array([0.299, 0.587, 0.114])  # ITU-R BT.601, as in `Image.convert`
_COLOURED = 4  # times the variance of the brightness from which colours separate ink and paper better

# Pillow's warnings about a file become our own sentences, or do not matter.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")


def read_picture(content: bytes, name: str = "") -> Gray:
    """Return the gray image (height, width), 0..255, in a picture file, rotated by its EXIF entry.

    content : the bytes of a PNG, JPEG, WebP, BMP or AVIF file, or of a HEIC file if `pillow-heif` is installed
    name : name of the file in messages

    Pictures whose shorter side has 2,000 pixels or more are scaled down by a whole factor, to 1,000 or more, very long
    ones to less. Transparent pixels become paper: black behind light ink, else white. Colours that vary much more than
    their brightness become gray along their first principal component. Raises Refusal, in one sentence, for other
    formats, too many bytes or pixels (checked before decoding), animations, damage, and files that take longer than
    `SECONDS`.

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
        raise Refusal(f"{called} has more than the {MAX_BYTES:,} bytes allowed.")
    try:
        return _read(_Timed(content), called)
    except _TooSlow:
        raise Refusal(f"{called} takes more than {SECONDS:g} seconds to read; use a simpler picture.") from None


def _read(stream: "_Timed", called: str) -> Gray:
    head = stream.read(12)
    stream.seek(0)
    if heic := head[4:] in _BRANDS:
        with contextlib.suppress(ImportError):
            importlib.import_module("pillow_heif").register_heif_opener()
    try:
        image = Image.open(stream, formats=[name for name in FORMATS if name in Image.OPEN or name != "HEIF"])
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Refusal(f"{called} has too many pixels; at most {MAX_PIXELS:,} are allowed.") from None
    except Exception:  # another format, or any error of a decoder in a damaged header
        if heic and "HEIF" not in Image.OPEN:
            remedy = "save it as JPEG or PNG, or install the package pillow-heif"
            raise Refusal(f"{called} is a HEIC picture, which cannot be read here: {remedy}.") from None
        raise _unreadable(called) from None
    # A phone's JPEG or HEIC may contain a second picture (a gain map, a preview): format MPO, not an animation.
    jpeg = image.format in ("JPEG", "MPO")
    if not jpeg and image.format != "HEIF" and getattr(image, "n_frames", 1) > 1:
        raise Refusal(f"{called} is animated; use a single picture.")
    width, height = image.size
    if jpeg:
        # All coefficients of a progressive JPEG are held until the last scan.
        sampled = [max(1, across * down) for _, across, down, _ in image.layer]  # type: ignore[attr-defined]
        each = 2 * sum(sampled) / max(sampled) if image.info.get("progressive") else 1.0
    else:
        each = _WHOLE if image.format in ("WEBP", "AVIF", "HEIF") else _EACH.get(image.mode, 4)
    most = min(JPEG_PIXELS if jpeg else MAX_PIXELS, int(MAX_MEMORY / each))
    if width * height > most or max(image.size) > MAX_SIDE:
        allowed = f"at most {most:,} are allowed for a {image.format}, and {MAX_SIDE:,} per side"
        raise Refusal(f"{called} has {width:,} × {height:,} pixels; {allowed}.")
    try:
        image.draft("RGB", (_ENOUGH, _ENOUGH))
        image.decodermaxblock = _PIECE
        gray = _gray(image)
    except Exception:  # any error of a decoder at damage
        raise _unreadable(called) from None
    return np.asarray(_orient(gray, image))


def _unreadable(called: str) -> Refusal:
    return Refusal(f"{called} must be a PNG, JPEG, WebP, BMP, AVIF or HEIC picture, whole and undamaged.")


def crop(gray: Gray, box: tuple[float, float, float, float]) -> Gray:
    """Return the part of a picture in a box; raise Refusal if it is almost empty.

    box : left, top, right and bottom, as shares of the side of the square to which the picture is padded
    """
    left, top, right, bottom = (round(share * max(gray.shape)) for share in box)
    down, across = ((max(gray.shape) - length) // 2 for length in gray.shape)
    part = gray[max(top - down, 0) : max(bottom - down, 0), max(left - across, 0) : max(right - across, 0)]
    if min(part.shape) < LEAST:
        raise Refusal("The box is too small: drag a larger one.")
    return part


# A file's pixels


class _TooSlow(BaseException):
    """Reading a picture has taken too long; not an Exception, which a decoder might take for damage."""


class _Timed(io.BytesIO):
    """A file that can only be read for a limited computing time."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self._until = time.thread_time() + SECONDS

    def read(self, size: int | None = -1, /) -> bytes:
        if time.thread_time() > self._until:
            raise _TooSlow
        return super().read(size)


def _gray(image: Image.Image) -> Image.Image:
    """Return the picture as 8-bit gray, scaled down if it is large."""
    factor = max(1, min(image.size) // _ENOUGH, math.ceil(math.sqrt(math.prod(image.size) / _KEPT)))
    if image.mode.startswith("I"):  # up to 16 bits of gray: cameras store 10, 12 or 14 bits
        deep = np.clip(np.asarray(image), 0, 65535)
        shift = max(0, int(deep.max()).bit_length() - 8)
        return Image.fromarray((deep >> shift).astype(np.uint8)).reduce(factor)
    if image.has_transparency_data:
        return _to_gray(_flatten(image.convert("RGBA").reduce(factor)))
    if image.mode in ("1", "L", "LA"):
        return image.convert("L").reduce(factor)
    return _to_gray(image.convert("RGB").reduce(factor))


def _flatten(image: Image.Image) -> Image.Image:
    """Return the picture on paper: opaque pixels are ink if they are few, else paper."""
    bright, cover = (np.asarray(band, np.float32) for band in image.convert("LA").split())
    light = float((bright * cover).sum()) > 127.5 * float(cover.sum())
    paper = 255 if light == (float(cover.mean()) > 127.5) else 0
    return Image.alpha_composite(Image.new("RGBA", image.size, (paper, paper, paper, 255)), image).convert("RGB")


def _to_gray(image: Image.Image) -> Image.Image:
    """Return colours as gray: their brightness, or, if that has little of their local contrast, their first principal
    component.
    """
    small = np.asarray(image.reduce(max(1, max(image.size) // 200)), np.float32)
    spread = max(small.shape) / 8
    local = (small - ndimage.gaussian_filter(small, (spread, spread, 0))).reshape(-1, 3)
    covariance = local.T @ local
    axis = np.linalg.eigh(covariance)[1][:, -1]
    axis /= np.abs(axis).sum() * (1 if axis @ _LUMA >= 0 else -1)
    if axis @ covariance @ axis <= _COLOURED * (_LUMA @ covariance @ _LUMA):
        return image.convert("L")
    return image.convert("L", (*axis.tolist(), float(-255 * axis[axis < 0].sum())))


def _orient(gray: Image.Image, image: Image.Image) -> Image.Image:
    """Return the gray version of a picture rotated by the picture's EXIF entries, unless they are damaged."""
    gray.info = dict(image.info)
    try:
        return ImageOps.exif_transpose(gray)
    except Exception:  # damaged metadata do not matter
        return gray
