"""What the modules that draw frames take from Python, and Plotly's script, the one inside its wheel."""

from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from boltzcore.figures import drawing, images, palette, reading
from boltzcore.runs import stopwatch
from pages.common import glossary
from pages.web.base_url import routes_at
from pages.web.encoding import data_uri
from pages.web.scripts import PREFIX, Scripts, script

_HERE = Path(__file__).parent
PLOTLY = f"{PREFIX}/plotly-{version('plotly')}.min.js"


def read(name: str) -> str:
    """The text of a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")


FRAMES = Scripts(
    _HERE,
    ALONG=drawing.ALONG,
    AS_TEXT=palette.AS_TEXT,
    CSS=read("live.css") + read("states.css"),
    END=drawing.END,
    HTML=read("live.html"),
    LEVEL=drawing.LEVEL,
    LONG=reading.LONG,
    MOMENT=stopwatch.MOMENT,
    PLOTLY=PLOTLY,
    SCALE=data_uri(images.weight_scale()),
    UPRIGHT=drawing.UPRIGHT,
    WORDS=glossary.as_plain(),
)


@cache
def _plotly() -> bytes:
    return files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()


ROUTES = [*FRAMES.routes, *routes_at(PLOTLY, lambda _request: script(_plotly()))]
