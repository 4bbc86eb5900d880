"""What the modules that draw frames take from Python, and Plotly's script, the one inside its wheel."""

from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from boltzcore.jobs import stopwatch
from boltzcore.plotting import images, palette
from pages.figures import time_axis
from pages.web.base_url import routes_at
from pages.web.encoding import data_uri
from pages.web.scripts import PREFIX, Scripts, script, text_of

_HERE = Path(__file__).parent
PLOTLY = f"{PREFIX}/plotly-{version('plotly')}.min.js"

DRAW = Scripts(
    _HERE,
    ALONG=time_axis.ALONG,
    AS_TEXT=palette.AS_TEXT,
    CSS=text_of(_HERE, "live.css") + text_of(_HERE, "states.css"),
    HTML=text_of(_HERE, "live.html"),
    LONG=100,  # seconds from which on minutes are given
    MOMENT=stopwatch.MOMENT,
    PLOTLY=PLOTLY,
    SCALE=data_uri(images.weight_scale()),
)


@cache
def _plotly() -> bytes:
    return files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()


ROUTES = [*DRAW.routes, *routes_at(PLOTLY, lambda _request: script(_plotly()), "numbers")]
