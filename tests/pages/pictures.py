"""Picture files for tests of pages."""

import io

import numpy as np
from PIL import Image, ImageDraw


def png(size: tuple[int, int], colour: int = 255) -> bytes:
    """A PNG file of one gray."""
    return _saved(Image.new("L", size, colour))


def photo(times: int = 1) -> bytes:
    """A seven in dark ink on bright paper, off-centre, as PNG; side by side as often as told."""
    image = Image.new("L", (400, 300), 220)
    for left in range(0, 160 * times, 160):
        ImageDraw.Draw(image).line(
            [(left + 60, 60), (left + 170, 60), (left + 110, 230)], fill=40, width=18, joint="curve"
        )
    return _saved(image)


def on_a_table() -> bytes:
    """The same seven on paper whose edge, with a coarsely grained table beyond, takes more than half of the picture."""
    seven = Image.open(io.BytesIO(photo())).crop((0, 0, 220, 300))
    grain = np.random.default_rng(0).integers(0, 256, (30, 26), np.uint8).repeat(10, 0).repeat(10, 1)
    picture = Image.fromarray(np.hstack([grain, np.asarray(seven)]))
    return _saved(picture)


def _saved(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
