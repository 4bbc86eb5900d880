"""Pictures: every file gives a gray image or one sentence, every photo of a digit one that looks like MNIST's."""

import contextlib
import io
import struct
import zlib

import numpy as np
import pytest
from PIL import ExifTags, Image, ImageDraw, ImageFont, ImageOps

from boltzcore.data import digit_pictures, load, pictures
from boltzcore.data.digit_pictures import as_digit, normalise
from boltzcore.data.pictures import MAX_BYTES, read_picture
from boltzcore.quoting import Refusal

STROKES = ((70, 60), (190, 60), (110, 240))  # a seven on 260 x 300 pixels
RNG = np.random.default_rng(0)


def packed(image: Image.Image, kind: str = "PNG", **options) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def chunks(width: int, height: int, *others: tuple[bytes, bytes], depth: int = 8, kind: int = 0) -> bytes:
    """A PNG out of chunks, whatever they hold."""
    every = ((b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)), *others, (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in every
    )


def huge_webp(sides: int) -> bytes:
    """An animation of one pixel on a large canvas."""
    pixel = packed(Image.new("RGB", (1, 1)), "WEBP", lossless=True)[12:]
    side = (sides - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\2\0\0\0" + side + side + b"ANIM" + struct.pack("<I", 6) + bytes(6)
    body += b"ANMF" + struct.pack("<I", 16 + len(pixel)) + bytes(16) + pixel
    return b"RIFF" + struct.pack("<I", len(body)) + body


def noise(side: int) -> Image.Image:
    return Image.fromarray(RNG.integers(0, 256, (side, side, 3), np.uint8))


BLACK = (b"IDAT", zlib.compress(bytes(90)))
REFUSED = {
    "png": lambda: chunks(20_000, 20_000, (b"IDAT", zlib.compress(bytes(20_000 * 2501))), depth=1),
    "webp": lambda: huge_webp(16_000),
    "large webp": lambda: huge_webp(4_000),
    "long png": lambda: packed(Image.new("L", (20_001, 1))),
    "bmp": lambda: b"BM" + struct.pack("<IIIIiiHHIIiiII", 100, 0, 54, 40, 20_000, 20_000, 1, 24, *[0] * 6),
    "text chunk": lambda: chunks(9, 9, (b"zTXt", b"a\0\0" + zlib.compress(bytes(10**7))), BLACK),
    "many texts": lambda: chunks(9, 9, *[(b"zTXt", b"a\0\0" + zlib.compress(bytes(10**6)))] * 80, BLACK),
    "text": lambda: b"This is no picture.\n" * 20,
    "gif": lambda: packed(noise(30), "GIF"),
    "animated png": lambda: packed(noise(30), save_all=True, append_images=[noise(30)]),
    "deep scans": lambda: packed(Image.new("RGB", (6000, 6000)), "JPEG", progressive=True, subsampling=0),
    "animated avif": lambda: packed(noise(30), "AVIF", save_all=True, append_images=[noise(30)]),
    "heic": lambda: b"\0\0\0\x18ftypheic" + bytes(60),
    "bytes": lambda: bytes(MAX_BYTES + 1),
    "png of no width": lambda: chunks(0, 9, (b"IDAT", b"")),
    "jpeg of no samples": lambda: packed(Image.new("L", (9, 9)), "JPEG", progressive=True).replace(b"\x11", b"\0", 1),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_gets_one_sentence(case):
    with pytest.raises(ValueError, match=r"^digit\.png "):
        read_picture(REFUSED[case](), "digit.png")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "AVIF"])
def test_a_file_that_is_cut_off_gets_a_sentence(kind):
    content = packed(noise(60), kind)
    for length in (len(content) // 2, len(content) // 8, 40, 12):
        with pytest.raises(ValueError, match=r"\.$"):
            read_picture(content[:length])


def test_a_jpeg_of_many_scans_is_given_up(monkeypatch):
    monkeypatch.setattr(pictures, "SECONDS", 0.2)
    content = packed(Image.new("RGB", (2000, 2000)), "JPEG", progressive=True)
    last = content.rindex(b"\xff\xda")
    with pytest.raises(ValueError, match="seconds"):
        read_picture(content[:-2] + content[last:-2] * 1000 + content[-2:])


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_what_takes_too_long_is_given_up(kind, monkeypatch):
    monkeypatch.setattr(pictures, "SECONDS", -1.0)
    with pytest.raises(ValueError, match="seconds"):
        read_picture(packed(noise(64), kind))


MODES = {"PNG": "L LA RGB RGBA P", "JPEG": "L RGB CMYK", "WEBP": "RGB", "AVIF": "RGB", "BMP": "L RGB"}


@pytest.mark.parametrize(
    ("mode", "kind"),
    [(mode, kind) for kind, modes in MODES.items() for mode in modes.split()],
)
def test_every_mode_becomes_the_same_gray(mode, kind):
    options = {"JPEG": {"quality": 95}, "WEBP": {"lossless": True}, "AVIF": {"quality": 95}}.get(kind, {})
    ramp = Image.fromarray(np.tile(np.arange(0, 250, 5, np.uint8), (40, 1))).convert(mode)  # black to white
    gray = read_picture(packed(ramp, kind, **options))
    assert gray.dtype == np.uint8
    assert np.abs(gray.astype(int) - np.arange(0, 250, 5)).max() <= 6


@pytest.mark.parametrize("bits", [8, 10, 12, 16])
def test_gray_of_up_to_16_bits_keeps_its_contrast(bits):
    deep = Image.fromarray(np.tile(np.arange(0, 2**bits, 2**bits // 64, np.uint16), (20, 1)))
    assert np.array_equal(read_picture(packed(deep))[0], np.arange(0, 256, 4))


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_ink_as_bright_as_its_paper_is_seen_by_its_colour(kind):
    ink = drawn() < 127
    gray = read_picture(
        packed(Image.fromarray(np.where(ink[..., None], (220, 90, 60), (90, 150, 90)).astype(np.uint8)), kind)
    )
    assert abs(float(gray[ink].mean()) - float(gray[~ink].mean())) > 60


def test_a_jpeg_of_50_megapixels_is_decoded_at_a_fraction_of_its_size():
    gray = read_picture(packed(Image.fromarray(drawn()).resize((6200, 8100)), "JPEG"))
    assert 1000 <= min(gray.shape) < 2000
    assert agreement(as_digit(gray).bits, as_digit(drawn()).bits) > 0.75


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_photo_is_turned_as_it_says(turn):
    upright = np.zeros((40, 64), np.uint8)
    upright[:12, :20] = 255
    stored = {
        1: upright,
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: upright.T,
        6: np.rot90(upright),
        7: upright[::-1, ::-1].T,
        8: np.rot90(upright, -1),
    }[turn]
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = turn
    gray = read_picture(packed(Image.fromarray(np.ascontiguousarray(stored)), "JPEG", exif=exif))
    assert gray.shape == upright.shape
    assert ((gray > 127) == (upright > 127)).mean() > 0.97


def transparent(paper_shown: bool, ink: int) -> bytes:
    """A stroke: on a transparent ground, or on paper whose corners are transparent."""
    image = Image.new("LA", (60, 60), (255 - ink, 255) if paper_shown else (0, 0))
    ImageDraw.Draw(image).line((20, 15, 40, 45), fill=(ink, 255), width=6)
    if paper_shown:
        image.paste((0, 0), (0, 0, 8, 8))
    return packed(image)


@pytest.mark.parametrize("paper_shown", [True, False])
@pytest.mark.parametrize("ink", [0, 255])
def test_what_is_transparent_becomes_paper(paper_shown, ink):
    gray = read_picture(transparent(paper_shown, ink))
    assert gray[30, 30] == ink
    assert gray[2, 2] == gray[2, 50] == 255 - ink
    assert as_digit(gray).bits.sum() > 30


def drawn(width: int = 14, strokes=STROKES, size=(260, 300), ink: int = 30, paper: int = 220) -> np.ndarray:
    image = Image.new("L", size, paper)
    ImageDraw.Draw(image).line(strokes, fill=ink, width=width, joint="curve")
    return np.asarray(image)


def agreement(one: np.ndarray, other: np.ndarray) -> float:
    """Shared ink over all ink, where the second may lie a pixel beside the first."""
    shifts = [np.roll(other, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    return max(float((one & shifted).sum() / (one | shifted).sum()) for shifted in shifts)


def looks_like_mnist(bits: np.ndarray) -> None:
    rows, columns = (np.flatnonzero(bits.any(axis=axis)) for axis in (1, 0))
    assert 19 <= max(rows[-1] - rows[0], columns[-1] - columns[0]) + 1 <= 21
    for axis in (0, 1):
        assert abs((bits.sum(axis=1 - axis) @ np.arange(28)) / bits.sum() - 14) <= 1
    assert 0.04 < bits.mean() < 0.26  # of 98 in 100 MNIST digits


@pytest.mark.parametrize("width", [1, 55])
def test_thin_and_thick_pens_come_out_alike(width):
    bits = as_digit(drawn(width)).bits
    looks_like_mnist(bits)
    assert agreement(bits, normalise(220 - drawn(width)) > 127) > 0.8


def test_parts_of_one_digit_stay_together():
    image = Image.new("L", (300, 300), 230)
    pen = ImageDraw.Draw(image)
    pen.line((110, 80, 110, 150), fill=30, width=14)
    pen.arc((70, 135, 200, 250), 200, 500, fill=30, width=14)
    body = as_digit(np.asarray(image)).bits
    pen.line((140, 60, 230, 60), fill=30, width=14)  # the bar of a five, apart from it
    bits = as_digit(np.asarray(image)).bits
    looks_like_mnist(bits)
    top = np.flatnonzero(bits.any(axis=1))[0]
    assert bits[top].sum() >= 7
    assert body[np.flatnonzero(body.any(axis=1))[0]].sum() <= 4


@pytest.mark.parametrize("text", ["1 8", "5", "i"])
def test_more_than_one_digit_is_doubted(text):
    image = Image.new("L", (500, 500), 240)
    ImageDraw.Draw(image).text((60, 60), text, fill=20, font=ImageFont.load_default(180))
    found = as_digit(np.asarray(image))
    looks_like_mnist(found.bits)
    assert bool(found.doubt) == (len(text) > 1)


@pytest.mark.parametrize(
    "gray",
    [
        np.zeros((1, 1), np.uint8),
        np.full((300, 200), 200, np.uint8),
        np.clip(RNG.normal(200, 5, (300, 400)), 0, 255).astype(np.uint8),
    ],
    ids=["one pixel", "uniform", "noise"],
)
def test_a_picture_without_a_digit_is_refused(gray):
    with pytest.raises(ValueError, match=r"\.$"):
        as_digit(gray)


@pytest.mark.parametrize("text", ["A", "H", "K", "W", "&"])
@pytest.mark.parametrize("side", [28, 300])
def test_a_letter_is_doubted_or_refused(text, side):
    image = Image.new("L", (side, side), 240)
    ImageDraw.Draw(image).text((side // 2, side // 2), text, 20, ImageFont.load_default(0.7 * side), "mm")
    with contextlib.suppress(Refusal):
        assert as_digit(np.asarray(image)).doubt


def ink_of(digit: np.ndarray, longer: int, turn: float = 0) -> np.ndarray:
    """Ink 0..1 of an MNIST digit, cut out tightly, its longer side so many pixels."""
    image = Image.fromarray(digit).resize((140, 140), Image.Resampling.BICUBIC).rotate(turn, Image.Resampling.BICUBIC)
    image = image.crop(image.point(lambda value: 255 * (value > 127)).getbbox())
    scale = longer / max(image.size)
    return np.asarray(image.resize([max(1, round(side * scale)) for side in image.size])) / np.float32(255)


def place_on_page(ink: np.ndarray, page: np.ndarray, colour: float | tuple[int, int, int] = 40) -> Image.Image:
    """Ink in the middle of a page (height, width, 3)."""
    top, left = ((side - length) // 2 for side, length in zip(page.shape, ink.shape, strict=False))
    place = page[top : top + ink.shape[0], left : left + ink.shape[1]]
    place += ink[..., None] * (np.array(colour, np.float32) - place)
    return Image.fromarray(np.rint(page).astype(np.uint8))


def paper(high: int = 150, wide: int = 170, colour: float | tuple[int, int, int] = 245) -> np.ndarray:
    return np.full((high, wide, 3), colour, np.float32)


def squared() -> np.ndarray:
    page = paper()
    page[9::15] = page[:, 6::15] = 130
    return page


def framed_paper() -> np.ndarray:
    page = paper()
    page[15:135, 25:145] = 20
    page[17:133, 27:143] = 245
    return page


def canvas() -> np.ndarray:
    page = paper(200, 230, (70, 110, 160))
    page[25:175, 45:195] = 255
    return page


def shade(ink: np.ndarray, edge: bool = False) -> Image.Image:
    page = np.asarray(place_on_page(ink, paper(colour=225)), np.float32)
    y, x = np.mgrid[:150, :170] / 170
    shade = np.where(x + 0.3 * y > 0.5, 1.0, 0.55) if edge else 0.6 + 0.4 * x - 0.2 * y
    light = shade[..., None] * page + np.random.default_rng(0).normal(0, 5, (150, 170, 1))
    return Image.open(io.BytesIO(packed(Image.fromarray(np.clip(light, 0, 255).astype(np.uint8)), "JPEG", quality=70)))


def place_on_table(page: Image.Image) -> Image.Image:
    """A sheet with specks, beside which a table is seen."""
    found = np.array(page)
    found[8:10, 12:14] = found[138:141, 155:158] = 20
    found[:, :10] = 60
    return Image.fromarray(found)


KINDS = {
    "tight": lambda digit: place_on_page(ink := ink_of(digit, 75), paper(*ink.shape)),
    "frame": lambda digit: place_on_page(ink_of(digit, 60), framed_paper()),
    "squared": lambda digit: place_on_page(ink_of(digit, 65), squared()),
    "photo": lambda digit: shade(ink_of(digit, 65)),
    "a shadow's edge": lambda digit: shade(ink_of(digit, 65), edge=True),
    "faint": lambda digit: place_on_page(ink_of(digit, 75), paper(colour=200), 150),
    "off-centre": lambda digit: Image.fromarray(np.roll(place_on_page(ink_of(digit, 40), paper()), (50, -60), (0, 1))),
    "light on dark": lambda digit: ImageOps.invert(place_on_page(ink_of(digit, 75), paper())),
    "on a table": lambda digit: place_on_table(place_on_page(ink_of(digit, 65), paper())),
    "turned": lambda digit: place_on_page(ink_of(digit, 75, 10), paper()),
    "small": lambda digit: place_on_page(ink_of(digit, 25), paper()),
    "large": lambda digit: place_on_page(ink_of(digit, 135), paper()),
    "canvas": lambda digit: place_on_page(ink_of(digit, 75), canvas()),
    "colour": lambda digit: place_on_page(ink_of(digit, 75), paper(colour=(90, 150, 90)), (220, 90, 60)),
    "corner": lambda digit: Image.fromarray(
        np.pad(
            255 - (ink := (255 * ink_of(digit, 12)).astype(np.uint8)),
            ((2, 26 - ink.shape[0]), (1, 27 - ink.shape[1])),
            constant_values=255,
        )
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_digits_are_found_in_every_kind_of_picture_or_doubted(kind):
    """At most one in 20 is another digit without a doubt, and most are found."""
    digits = load("mnist-small", binarise="each epoch").test.v[:20].reshape(-1, 28, 28)
    right = wrong = 0
    for digit in digits:
        try:
            found = as_digit(read_picture(packed(KINDS[kind](digit))))
        except Refusal:
            continue
        alike = agreement(found.bits, digit > 127) > 0.42  # of a digit turned by 10 degrees, too
        right, wrong = right + alike, wrong + (not alike and not found.doubt)
    assert right >= (8 if kind == "a shadow's edge" else 16)
    assert wrong <= 1


def test_a_picture_of_the_right_size_is_not_moved():
    digit = np.zeros((28, 28), np.uint8)
    digit[2:9, 4:6] = 200
    digit[8, 4:20] = 100
    kept = as_digit(digit).gray
    assert np.array_equal(kept > 0, digit > 0)
    assert kept.max() == 255
    assert np.array_equal(as_digit(255 - digit).gray, kept)


def test_an_mnist_digit_comes_back_as_itself():
    digits = load("mnist-small", binarise="threshold").test.v[8:24].reshape(-1, 28, 28)
    errors = [((normalise(digit.repeat(10, 0).repeat(10, 1)) > 127) != digit).mean() for digit in digits]
    assert np.median(errors) < 0.006
    assert np.max(errors) < 0.15  # of one that lies a pixel from itself


@pytest.mark.parametrize("shape", [(40, 100), (100, 40)])
def test_a_box_on_the_squared_picture_cuts_out_what_it_shows(shape):
    gray = RNG.integers(0, 256, shape, np.uint8)
    side = max(shape)
    square = digit_pictures.pad_square(gray, side)
    y, x = (side - shape[0]) // 2, (side - shape[1]) // 2
    assert np.array_equal(square[y : y + shape[0], x : x + shape[1]], gray)
    assert square.sum() == gray.sum()
    left, top, right, bottom = x + 3, y + 5, x + 31, y + 33
    part = pictures.crop(gray, (left / side, top / side, right / side, bottom / side))
    assert np.array_equal(part, square[top:bottom, left:right])
