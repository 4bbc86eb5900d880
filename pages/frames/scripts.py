"""What draws frames in a browser, and Plotly's script, the one inside its Python wheel."""

from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from boltzcore.figures import drawing, images, palette, reading
from boltzcore.runs import stopwatch
from pages.common import glossary
from pages.web.bundle import Script, constants, script
from pages.web.encoding import data_uri

_HERE = Path(__file__).parent
SHARED = ("ink", "asking")  # with the modules of the mechanism
_PARTS = ("aloud", "words", "chart", "table", "states", "panel", "frame", "back", "run", "film", "main")


def read(name: str) -> str:
    """The text of a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")


# What places labels in a chart, on its own.
LABELS = "\n".join([constants(END=drawing.END, LEVEL=drawing.LEVEL, UPRIGHT=drawing.UPRIGHT), read("labels.js")])
PLOTLY = Script(
    f"/vendor/plotly-{version('plotly')}.min.js", files("plotly").joinpath("package_data", "plotly.min.js").read_bytes
)


def _frames() -> str:
    """What draws frames, as one module."""
    values = {
        "ALONG": drawing.ALONG,
        "LONG": reading.LONG,
        "MOMENT": stopwatch.MOMENT,
        "AS_TEXT": palette.AS_TEXT,
        "PLOTLY": PLOTLY.path,
        "SCALE": data_uri(images.weight_scale()),
        "HTML": read("live.html"),
        "CSS": read("live.css") + read("states.css"),
        "WORDS": glossary.as_plain(),
    }
    return "\n".join([constants(**values), LABELS, *(read(f"{name}.js") for name in (*SHARED, *_PARTS))])


FRAMES = script("vendor/live-", _frames())
ROUTES = [*FRAMES.routes, *PLOTLY.routes]
