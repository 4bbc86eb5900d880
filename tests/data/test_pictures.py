"""Pictures: every file gives a gray image or one sentence, every photo of a digit one that looks like MNIST's."""

import io
import struct
import subprocess
import sys
import time
import zlib
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import ExifTags, Image, ImageDraw, ImageFont

from boltzcore.data import digit_pictures, load, pictures
from boltzcore.data.digit_pictures import as_digit, normalised
from boltzcore.data.pictures import MAX_BYTES, read_picture
from tests.conftest import REPOSITORY

STROKES = ((70, 60), (190, 60), (110, 240))  # a seven on 260 x 300 pixels
RNG = np.random.default_rng(0)


def packed(image: Image.Image, kind: str = "PNG", **options) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def chunks(width: int, height: int, *others: tuple[bytes, bytes], depth: int = 8) -> bytes:
    """A PNG out of chunks, whatever they hold."""
    every = ((b"IHDR", struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)), *others, (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in every
    )


def huge_webp(sides: int) -> bytes:
    """An animation of one pixel on a large canvas."""
    pixel = packed(Image.new("RGB", (1, 1)), "WEBP", lossless=True)[12:]
    side = (sides - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\2\0\0\0" + side + side + b"ANIM" + struct.pack("<I", 6) + bytes(6)
    body += b"ANMF" + struct.pack("<I", 16 + len(pixel)) + bytes(16) + pixel
    return b"RIFF" + struct.pack("<I", len(body)) + body


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (30, 30), (60 * i, 0, 0)) for i in range(3)]
    return packed(frames[0], kind, save_all=True, append_images=frames[1:])


def bmp_header(side: int) -> bytes:
    return b"BM" + struct.pack("<IIIIiiHHIIiiII", 100, 0, 54, 40, side, side, 1, 24, 0, 0, 0, 0, 0, 0)


def noise(side: int) -> Image.Image:
    return Image.fromarray(RNG.integers(0, 256, (side, side, 3), np.uint8))


EXPECTED = "must be a PNG, JPEG, WebP or BMP picture"
DAMAGED = "is damaged or cut off; a whole PNG, JPEG, WebP or BMP picture is expected."
HUGE = {
    "png": (
        lambda: chunks(20_000, 20_000, (b"IDAT", zlib.compress(bytes(20_000 * 2501))), depth=1),
        "too many pixels; at most 25,000,000 are read.",
    ),
    "large png": (lambda: chunks(10_000, 10_000, (b"IDAT", b"")), "pixels; at most 25,000,000 are read."),
    "webp": (lambda: huge_webp(16_000), "too many pixels; at most 25,000,000 are read."),
    "large webp": (lambda: huge_webp(4_000), "pixels; at most 12,500,000 are read of a WEBP."),
    "long png": (lambda: chunks(25_000_000, 1, (b"IDAT", b"")), "pixels; at most 20,000 are read in a side."),
    "bmp": (lambda: bmp_header(20_000), "too many pixels; at most 25,000,000 are read."),
    "text chunk": (
        lambda: chunks(9, 9, (b"zTXt", b"a\0\0" + zlib.compress(bytes(10**8))), (b"IDAT", zlib.compress(bytes(90)))),
        DAMAGED,
    ),
    "colour profile": (
        lambda: chunks(9, 9, (b"iCCP", b"a\0\0" + zlib.compress(bytes(10**8))), (b"IDAT", zlib.compress(bytes(90)))),
        DAMAGED,
    ),
    "many texts": (
        lambda: chunks(
            9, 9, *[(b"zTXt", b"a\0\0" + zlib.compress(bytes(10**6)))] * 80, (b"IDAT", zlib.compress(bytes(90)))
        ),
        DAMAGED,
    ),
}
REFUSED = {
    **HUGE,
    "text": (b"This is no picture.\n" * 20, EXPECTED),
    "nothing": (b"", EXPECTED),
    "gif": (animated("GIF"), EXPECTED),
    "tiff": (packed(noise(9), "TIFF"), EXPECTED),
    "animated png": (animated("PNG"), "is animated; a single picture is expected."),
    "animated webp": (animated("WEBP"), "is animated; a single picture is expected."),
    "bytes": (bytes(MAX_BYTES + 1), "has more than the 10,000,000 bytes that are read."),
    "bmp without pixels": (bmp_header(100), DAMAGED),
    "png header alone": (chunks(9, 9), DAMAGED),
    "png of no width": (chunks(0, 9, (b"IDAT", b"")), EXPECTED),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_gets_one_sentence(case):
    content, sentence = REFUSED[case]
    content = content() if callable(content) else content
    with pytest.raises(ValueError, match=r"^digit\.png ") as refusal:
        read_picture(content, "digit.png")
    told = str(refusal.value)
    assert sentence.rstrip(".") in told
    assert told.endswith(".")
    assert "\n" not in told
    assert len(told) < 120


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP"])
def test_a_file_that_is_cut_off_gets_a_sentence(kind):
    content = packed(noise(60), kind)
    for length in (len(content) // 2, len(content) // 8, 40, 12):
        with pytest.raises(ValueError, match=r"The picture (is damaged or cut off|must be a PNG)"):
            read_picture(content[:length])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP"])
def test_damage_gives_a_picture_or_a_sentence(kind):
    content = packed(noise(24), kind)
    for at in RNG.integers(0, len(content), 150):
        hurt = bytearray(content)
        hurt[at] = RNG.integers(256)
        try:
            told = read_picture(bytes(hurt))
        except ValueError as refusal:
            told = str(refusal)
        assert told.startswith("The picture ") if isinstance(told, str) else told.ndim == 2


def costs(*files) -> tuple[int, list[str]]:
    """(KiB that reading these pictures takes, what comes of each)."""
    code = """
import resource, sys
from boltzcore.data.pictures import read_picture
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for file in sys.argv[1:]:
    try:
        print(read_picture(open(file, "rb").read()).shape)
    except ValueError:
        print("refused")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    command = [sys.executable, "-c", code, *map(str, files)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert not done.stderr
    *told, kib = done.stdout.splitlines()
    return int(kib), told


def test_bombs_cost_no_memory(tmp_path):
    files = [tmp_path / name for name in HUGE]
    for file in files:
        file.write_bytes(HUGE[file.name][0]())
    kib, told = costs(*files)
    assert told == ["refused"] * len(files)
    assert kib < 80_000


def test_a_picture_of_as_many_pixels_as_are_read_costs_no_more_than_its_pixels(tmp_path):
    """Transparent ones take most: four bytes a pixel."""
    rows = zlib.compress(bytes(1_250 * (1 + 4 * 20_000)), 1)
    head = b"\x89PNG\r\n\x1a\n"
    parts = (b"IHDR", struct.pack(">IIBBBBB", 20_000, 1_250, 8, 6, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")
    png = head + b"".join(struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in parts)
    (tmp_path / "picture").write_bytes(png)
    kib, told = costs(tmp_path / "picture")
    assert told == ["(417, 6667)"]
    assert kib < 250_000


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "P", "I;16"])
@pytest.mark.parametrize("factor", [1, 3])
def test_bands_change_no_pixel(mode, factor, monkeypatch):
    image = noise(97).convert("L" if mode == "I;16" else mode)
    if mode == "RGBA":
        image.putalpha(noise(97).convert("L"))
    if mode == "I;16":
        image = Image.fromarray(np.asarray(image, np.uint16) * 200)
    monkeypatch.setattr(pictures, "_ENOUGH", 97 // factor)
    whole = read_picture(packed(image))
    monkeypatch.setattr(pictures, "_BAND", 300)
    np.testing.assert_array_equal(read_picture(packed(image)), whole)


def of_scans(count: int) -> bytes:
    """A progressive JPEG whose last scan comes again and again."""
    content = packed(noise(64), "JPEG", progressive=True)
    last = content.rindex(b"\xff\xda")
    return content[:-2] + content[last:-2] * (count - 10) + content[-2:]


def test_a_jpeg_of_many_scans_is_not_decoded():
    assert read_picture(of_scans(24)).shape == (64, 64)
    for count in (65, 5000):
        with pytest.raises(
            ValueError, match=r"^The picture is a JPEG of more than 64 scans; at most so many are read\.$"
        ):
            read_picture(of_scans(count))


def test_markers_that_are_no_scans_are_not_counted():
    content = packed(noise(64), "JPEG", exif=b"Exif\0\0" + b"\xff\xda\0\x02" * 1000, comment=b"\xff\xda" * 1000)
    assert read_picture(content).shape == (64, 64)
    assert read_picture(content + b"\xff\xda\0\x02" * 1000).shape == (64, 64)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP"])
def test_what_takes_too_long_is_given_up(kind, monkeypatch):
    monkeypatch.setattr(pictures, "SECONDS", -1.0)
    with pytest.raises(
        ValueError, match=r"^a\.png takes more than -1 seconds to read; a simpler picture is expected\.$"
    ):
        read_picture(packed(noise(64), kind), "a.png")


def test_the_time_is_looked_at_while_a_picture_is_decoded(monkeypatch):
    looks = iter(range(10**6))
    monkeypatch.setattr(pictures, "time", SimpleNamespace(thread_time=lambda: next(looks)))
    monkeypatch.setattr(pictures, "SECONDS", 100.0)
    with pytest.raises(ValueError, match=r"takes more than 100 seconds"):
        read_picture(packed(noise(400), "JPEG", quality=95))


def test_thousands_of_dots_are_looked_through_quickly():
    dots = np.full((600, 600), 230, np.uint8)
    for y, x in np.ndindex(5, 5):
        dots[100 + y : 400 + y : 7, 100 + x : 400 + x : 7] = 20
    began = time.thread_time()
    assert "more than one digit" in as_digit(dots).doubt
    assert time.thread_time() - began < 2


def ramp(mode: str) -> Image.Image:
    """Black to white, from left to right."""
    return Image.fromarray(np.tile(np.arange(0, 250, 5, np.uint8), (40, 1))).convert(mode)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [(mode, "PNG") for mode in ("L", "LA", "RGB", "RGBA", "P")]
    + [("L", "JPEG"), ("RGB", "JPEG"), ("CMYK", "JPEG"), ("RGB", "WEBP"), ("L", "BMP"), ("RGB", "BMP")],
)
def test_every_mode_becomes_the_same_gray(mode, kind):
    gray = read_picture(
        packed(
            ramp(mode), kind, **({"quality": 95} if kind == "JPEG" else {"lossless": True} if kind == "WEBP" else {})
        )
    )
    assert gray.dtype == np.uint8
    assert np.abs(gray.astype(int) - np.arange(0, 250, 5)).max() <= 6


def test_two_levels_and_sixteen_bits_become_gray():
    assert set(np.unique(read_picture(packed(ramp("1"))))) == {0, 255}
    deep = Image.fromarray(np.tile(np.arange(0, 65_536, 1024, np.uint16), (20, 1)))
    assert np.array_equal(read_picture(packed(deep))[0], np.arange(0, 256, 4))


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
    for kind in ("JPEG", "PNG", "WEBP"):
        gray = read_picture(packed(Image.fromarray(np.ascontiguousarray(stored)), kind, exif=exif))
        assert gray.shape == upright.shape
        assert ((gray > 127) == (upright > 127)).mean() > 0.97


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_a_turn_that_is_damaged_is_no_turn():
    assert read_picture(
        packed(ramp("RGB"), "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x63\0\0\0")
    ).shape == (40, 50)


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


def test_a_palette_and_a_colour_may_be_transparent():
    image = Image.new("P", (30, 30), 1)
    image.putpalette([0, 0, 0, 10, 200, 10])
    ImageDraw.Draw(image).line((5, 5, 25, 25), fill=0, width=3)
    assert read_picture(packed(image, transparency=1))[2, 20] == 255
    assert read_picture(packed(image.convert("RGB"), transparency=(10, 200, 10)))[2, 20] == 255


def test_a_large_photo_is_scaled_down():
    assert read_picture(packed(Image.new("L", (4000, 3000), 200), "JPEG")).shape == (1500, 2000)
    assert read_picture(packed(Image.new("1", (4000, 3000)))).shape == (1000, 1334)


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


@pytest.mark.parametrize("width", [1, 2, 4, 8, 14, 25, 40, 55])
def test_thin_and_thick_pens_come_out_alike(width):
    bits = as_digit(drawn(width)).bits
    looks_like_mnist(bits)
    assert agreement(bits, as_digit(drawn(24)).bits) > 0.45
    normal = normalised(220 - drawn(width)) > 127
    looks_like_mnist(normal)
    assert agreement(bits, normal) > 0.8


SCENES = {
    "off-centre": drawn(strokes=[(x + 500, y + 40) for x, y in STROKES], size=(900, 700)),
    "small on a large sheet": drawn(
        width=5, strokes=[(300 + x / 3, 200 + y / 3) for x, y in STROKES], size=(1000, 900)
    ),
    "at the edge": drawn(strokes=[(x - 70, y - 60) for x, y in STROKES]),
    "light on dark": 255 - drawn(),
    "faint": drawn(ink=150, paper=200),
    "coarse": drawn(2, strokes=[(x / 12, y / 12) for x, y in STROKES], size=(22, 25)),
}


@pytest.mark.parametrize("scene", SCENES)
def test_the_same_digit_in_another_picture_is_the_same(scene):
    bits = as_digit(SCENES[scene]).bits
    looks_like_mnist(bits)
    assert agreement(bits, as_digit(drawn()).bits) > (0.55 if scene == "coarse" else 0.75)


def lit(light: np.ndarray) -> np.ndarray:
    return np.clip(drawn() * light + RNG.normal(0, 3, light.shape), 0, 255).astype(np.uint8)


Y, X = np.mgrid[:300, :260] / 300
LIGHTS = {
    "from the side": 0.25 + 0.85 * X,
    "from above": 1.1 - 0.7 * Y,
    "a lamp": 1.1 - 1.1 * ((X - 0.43) ** 2 + (Y - 0.5) ** 2),
    "a shadow's edge": np.where(X + 0.3 * Y > 0.5, 1.0, 0.55),
}


@pytest.mark.parametrize("light", LIGHTS)
def test_uneven_light_changes_nothing(light):
    bits = as_digit(lit(LIGHTS[light])).bits
    assert agreement(bits, as_digit(drawn()).bits) > 0.8


def test_specks_and_a_table_beside_the_sheet_are_left_out():
    photo = drawn(strokes=[(x + 200, y + 100) for x, y in STROKES], size=(700, 600)).copy()
    photo[20:24, 30:34] = photo[550:555, 640:646] = photo[300:303, 300:304] = 20
    photo[:, :40] = 60
    assert agreement(as_digit(photo).bits, as_digit(drawn()).bits) > 0.75


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


@pytest.mark.parametrize("text", ["47", "1 8", "5", "i"])
def test_more_than_one_digit_is_doubted(text):
    image = Image.new("L", (500, 500), 240)
    ImageDraw.Draw(image).text((60, 60), text, fill=20, font=ImageFont.load_default(180))
    found = as_digit(np.asarray(image))
    looks_like_mnist(found.bits)
    assert found.doubt == ("" if len(text) == 1 else "The picture seems to hold more than one digit; one is expected.")


@pytest.mark.parametrize("digit", "0123456789")
def test_printed_digits_keep_their_form(digit):
    image = Image.new("L", (400, 400), 240)
    ImageDraw.Draw(image).text((140, 90), digit, fill=20, font=ImageFont.load_default(220))
    bits = as_digit(np.asarray(image)).bits
    looks_like_mnist(bits) if digit != "1" else None
    box = (
        np.asarray(image)[np.ix_(*(np.flatnonzero((np.asarray(image) < 130).any(axis=axis)) for axis in (1, 0)))] < 130
    )
    scale = 20 / max(box.shape)
    plain = (
        np.asarray(
            Image.fromarray(box.astype(np.uint8) * 255).resize(
                [max(1, round(n * scale)) for n in box.shape[::-1]], Image.Resampling.BOX
            )
        )
        > 127
    )
    rows, columns = np.flatnonzero(bits.any(axis=1)), np.flatnonzero(bits.any(axis=0))
    framed = np.zeros((28, 28), bool)
    height, width = plain.shape
    top, left = min(rows[0], 28 - height), min(max(0, (columns[0] + columns[-1] + 1 - width) // 2), 28 - width)
    framed[top : top + height, left : left + width] = plain
    assert agreement(bits.astype(bool), framed) > 0.6


BLANK = "The picture has no digit in it; dark ink on light paper, or light on dark, is expected."


@pytest.mark.parametrize(
    "gray",
    [
        np.zeros((1, 1), np.uint8),
        np.full((1, 500), 255, np.uint8),
        np.full((28, 28), 7, np.uint8),
        np.full((300, 200), 200, np.uint8),
        np.clip(RNG.normal(200, 5, (300, 400)), 0, 255).astype(np.uint8),
        np.tile(np.linspace(60, 240, 400).astype(np.uint8), (300, 1)),
    ],
    ids=["one pixel", "one line", "28 x 28", "uniform", "noise", "gradient"],
)
def test_a_picture_without_a_digit_gets_a_sentence(gray):
    with pytest.raises(ValueError, match=BLANK):
        as_digit(gray)


def test_a_blank_pad_gets_a_sentence():
    for blank in (np.zeros((28, 28)), np.zeros((280, 280), np.uint8), np.zeros((0, 5))):
        with pytest.raises(ValueError, match=r"Nothing is drawn yet\."):
            normalised(blank)


def test_other_arrays_are_refused():
    with pytest.raises(ValueError, match="ink must be finite numbers"):
        normalised(np.full((5, 5), np.nan))
    with pytest.raises(ValueError, match="ink must be finite numbers"):
        normalised(np.ones(5))
    with pytest.raises(ValueError, match="side must be at least 4, not 3"):
        normalised(np.ones((5, 5)), 3)
    with pytest.raises(ValueError, match="gray must be a picture"):
        as_digit(np.ones((5, 5)))


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 3), (5, 1000), (1000, 5)])
def test_ink_of_any_form_fills_the_box(shape):
    gray = normalised(np.ones(shape))
    rows, columns = np.flatnonzero((gray > 127).any(axis=1)), np.flatnonzero((gray > 127).any(axis=0))
    assert 18 <= max(np.ptp(rows), np.ptp(columns)) + 1 <= 21


def test_a_picture_of_the_right_size_is_not_moved():
    digit = np.zeros((28, 28), np.uint8)
    digit[2:9, 4:6] = 200
    digit[8, 4:20] = 100
    kept = as_digit(digit).gray
    assert np.array_equal(kept > 0, digit > 0)
    assert kept.max() == 255
    assert np.array_equal(as_digit(255 - digit).gray, kept)


@pytest.fixture(scope="module")
def mnist(data_folder):
    return load("mnist", binarise="threshold").test.v[:25].reshape(-1, 28, 28)


@pytest.mark.parametrize("photographed", [False, True])
def test_an_mnist_digit_comes_back_as_itself(mnist, photographed):
    errors = []
    for i, digit in enumerate(mnist):
        big = digit.repeat(10, 0).repeat(10, 1).astype(np.float32)
        if photographed:
            y, x = RNG.integers(0, 200, 2)
            sheet = np.zeros((480, 520), np.float32)
            sheet[y : y + 280, x : x + 280] = big
            paper = 190 - 80 * np.mgrid[:480, :520][i % 2] / 520
            photo = np.clip(paper * (1 - 0.8 * sheet) + RNG.normal(0, 3, paper.shape), 0, 255).astype(np.uint8)
            errors.append((as_digit(photo if i % 3 else 255 - photo).bits != digit).mean())
        else:
            errors.append(((normalised(big) > 127) != digit).mean())
    assert np.mean(errors) < 0.02
    assert np.median(errors) < 0.006
    assert np.max(errors) < 0.15  # one that lies a pixel beside itself


@pytest.mark.parametrize("shape", [(40, 100), (100, 40), (64, 64)])
def test_a_box_on_the_squared_picture_cuts_out_what_it_shows(shape):
    gray = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    side = max(shape)
    square = digit_pictures.squared(gray, side)
    y, x = (side - shape[0]) // 2, (side - shape[1]) // 2
    assert np.array_equal(square[y : y + shape[0], x : x + shape[1]], gray)
    assert square.sum() == gray.sum()
    left, top, right, bottom = x + 3, y + 5, x + 31, y + 33
    part = digit_pictures.cropped(gray, (left / side, top / side, right / side, bottom / side))
    assert np.array_equal(part, square[top:bottom, left:right])
    assert np.array_equal(digit_pictures.cropped(gray, (0, 0, 1, 1)), gray)
    assert digit_pictures.squared(gray, 336).shape == (336, 336)


@pytest.mark.parametrize("box", [(0.5, 0.5, 0.5, 0.5), (0.0, 0.0, 1.0, 0.2), (0.2, 0.4, 0.25, 0.6)])
def test_a_box_with_next_to_nothing_of_the_picture_is_refused(box):
    with pytest.raises(ValueError, match="The box holds next to nothing of the picture: drag a larger one"):
        digit_pictures.cropped(np.zeros((40, 100), np.uint8), box)
