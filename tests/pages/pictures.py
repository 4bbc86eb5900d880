"""Picture files for tests of pages."""

import io

import numpy as np
from PIL import Image, ImageDraw


def place_on_table() -> bytes:
    """A PNG file of a seven in dark ink on bright paper, whose edge, with a coarsely grained table beyond, takes more
    than half of the picture.
    """
    seven = Image.new("L", (220, 300), 220)
    ImageDraw.Draw(seven).line([(60, 60), (170, 60), (110, 230)], fill=40, width=18, joint="curve")
    grain = np.random.default_rng(0).integers(0, 256, (30, 26), np.uint8).repeat(10, 0).repeat(10, 1)
    out = io.BytesIO()
    Image.fromarray(np.hstack([grain, np.asarray(seven)])).save(out, "PNG")
    return out.getvalue()
