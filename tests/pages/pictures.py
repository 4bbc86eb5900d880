"""Picture files for tests of pages."""

import io

from PIL import Image, ImageDraw


def png(size: tuple[int, int], colour: int = 255) -> bytes:
    """A PNG file of one gray."""
    return _saved(Image.new("L", size, colour))


def photo() -> bytes:
    """A seven in dark ink on bright paper, off-centre, as PNG."""
    image = Image.new("L", (400, 300), 220)
    ImageDraw.Draw(image).line([(60, 60), (170, 60), (110, 230)], fill=40, width=18, joint="curve")
    return _saved(image)


def _saved(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
