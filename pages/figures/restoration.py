"""Drawings of a restored digit: large squares, and residuals of the inference."""

import io
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from boltzcore.plotting import drawing, palette
from boltzcore.plotting.images import enlarge

SCALE = 16  # screen pixels of one pixel
_LEVELS = 127  # of gray, and of amber
_STRIPE, _GROUND = 254, 25  # of lost pixels: a level of their own, and a fifth of the way from black to white
_AMBER = ("#4A2600", "#FFD58A")  # off and on of pixels in doubt: has no other meaning on the page


def digit(
    probabilities: ArrayLike,
    shape: tuple[int, int],
    *,
    doubtful: ArrayLike | None = None,
    lost: ArrayLike | None = None,
    scale: int = SCALE,
) -> bytes:
    """Return PNG bytes of one image: each pixel a square as bright as it is probable, from 0 (black) to 1 (white).

    probabilities : (height * width,) in [0, 1]
    doubtful : (height * width,) booleans: pixels drawn in amber, from dark to bright, instead of gray
    lost : (height * width,) booleans: unknown pixels, hatched whatever their value
    """
    drawn = levels(probabilities, doubtful).reshape(shape)
    gone = None if lost is None else np.asarray(lost, bool).reshape(shape)
    image = Image.fromarray(enlarge(drawn, scale, gone, stripe=_STRIPE, ground=_GROUND), mode="P")
    image.putpalette(np.vstack([colours(), np.array([palette.parts(palette.LOST)], np.uint8)]).tobytes())
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def levels(probabilities: ArrayLike, doubtful: ArrayLike | None = None) -> NDArray[np.uint8]:
    """Return the index into `colours` of each pixel: gray, or amber if `doubtful`, as bright as it is probable."""
    drawn = np.rint((_LEVELS - 1) * np.asarray(probabilities, np.float64)).astype(np.uint8)
    if doubtful is not None:
        drawn[np.asarray(doubtful, bool)] += _LEVELS
    return drawn


def colours() -> NDArray[np.uint8]:
    """(levels, 3) the colours of `levels`: from black to white, then from dark to bright amber."""
    ends = np.array([[palette.parts(end) for end in pair] for pair in (("#000000", "#FFFFFF"), _AMBER)])
    return np.vstack([np.linspace(*pair, _LEVELS).round().astype(np.uint8) for pair in ends])


def photo(gray: NDArray[np.uint8]) -> bytes:
    """PNG bytes of a gray picture, one screen pixel each."""
    out = io.BytesIO()
    Image.fromarray(gray).save(out, "PNG", compress_level=6)
    return out.getvalue()


def residuals(changes: ArrayLike, tolerance: float, *, at: int) -> drawing.Figure:
    """The largest change of any belief in each iteration, on a logarithmic scale, with the tolerance as a level.

    changes : (iterations,); at : the iteration that is marked, from 1 on
    """
    y = np.asarray(changes, np.float64)
    positive = y[y > 0]
    least = min([*positive, *([tolerance] if tolerance > 0 else [])], default=1e-7)
    floor, longest = math.floor(math.log10(least)), len(y)  # whole, so that it seldom moves
    figure, colour = drawing.blank("Iteration", "Largest change of a belief"), palette.hue("BP")
    shown = np.maximum(y, 10.0**floor).tolist()
    line = drawing.drawn_line([*range(1, longest + 1)], shown, "largest change", colour, 3, "solid")
    marks = {"mode": "lines+markers", "marker": {"color": colour, "size": 7}, "hovertemplate": "%{y:.3g}"}
    figure["data"] = [line | marks, drawing.ring(at, shown[at - 1], "shown") | {"hoverinfo": "skip"}]
    if tolerance > 0:
        drawing.add_level(figure, tolerance, "tolerance", "dash", "g", log=True)
    top = math.log10(max(1.0, positive.max(initial=0.0))) + 0.1
    drawing.fix_axes(figure, [0.5, max(longest, 4) + 0.5], [floor - 0.2, top])
    figure["layout"]["xaxis"]["dtick"] = max(1, drawing.round_up(longest / 12))
    figure["layout"]["yaxis"] |= {"type": "log", "dtick": 1, "exponentformat": "power"}
    figure["layout"] |= {"uirevision": "residuals", "hovermode": "closest"}
    return figure
