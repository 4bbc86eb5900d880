"""What the page "Denoise & complete" draws: a digit as large squares, and how far inference still moves."""

import io
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from boltzcore.plotting import drawing, palette
from boltzcore.plotting.images import enlarged

SCALE = 16  # screen pixels of one pixel
_LEVELS = 127  # of gray, and of amber
_STRIPE, _GROUND = 254, 25  # of what is lost: a level of its own, and a fifth of the way from black to white
_AMBER = ("#4A2600", "#FFD58A")  # off and on of pixels in doubt: stands for nothing else on the page


def digit(
    probabilities: ArrayLike,
    shape: tuple[int, int],
    *,
    doubtful: ArrayLike | None = None,
    lost: ArrayLike | None = None,
    scale: int = SCALE,
) -> bytes:
    """PNG bytes of one image: each pixel a square as bright as it is probable, from 0 (black) to 1 (white).

    probabilities : (height * width,) in [0, 1]
    doubtful : (height * width,) booleans: pixels drawn in amber, from dark to bright, instead of gray
    lost : (height * width,) booleans: pixels of which nothing is known, hatched whatever their value
    """
    drawn = levels(probabilities, doubtful).reshape(shape)
    gone = None if lost is None else np.asarray(lost, bool).reshape(shape)
    image = Image.fromarray(enlarged(drawn, scale, gone, stripe=_STRIPE, ground=_GROUND), mode="P")
    image.putpalette(np.vstack([colours(), np.array([palette.parts(palette.LOST)], np.uint8)]).tobytes())
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def levels(probabilities: ArrayLike, doubtful: ArrayLike | None = None) -> NDArray[np.uint8]:
    """Which of `colours` each pixel has: gray, or amber where it is `doubtful`, as bright as it is probable."""
    drawn = np.rint((_LEVELS - 1) * np.asarray(probabilities, np.float64)).astype(np.uint8)
    if doubtful is not None:
        drawn[np.asarray(doubtful, bool)] += _LEVELS
    return drawn


def colours() -> NDArray[np.uint8]:
    """(levels, 3) the colours of `levels`: from black to white, then from dark to bright amber."""
    return np.vstack([_between("#000000", "#FFFFFF"), _between(*_AMBER)])


def photo(gray: NDArray[np.uint8]) -> bytes:
    """PNG bytes of a gray picture, one screen pixel each."""
    out = io.BytesIO()
    Image.fromarray(gray).save(out, "PNG", compress_level=6)
    return out.getvalue()


def alike(counts: Mapping[str, int]) -> drawing.Figure:
    """How many completions look like each digit; those that look like none stand last.

    counts : {digit or another word: how many}, in any order
    """
    names = [*map(str, range(10)), *(name for name in counts if not name.isdigit())]
    values = [counts.get(name, 0) for name in names]
    bars = {
        "type": "bar",
        "x": names,
        "y": values,
        "text": [str(value) if value else "" for value in values],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": palette.PINNED},
        "hovertemplate": "%{y} look like: %{x}<extra></extra>",
    }
    figure = drawing.blank("Looks like", "Completions")
    figure["data"].append(bars)
    figure["layout"] |= {"hovermode": "closest", "uirevision": "alike"}
    figure["layout"]["xaxis"] |= {"type": "category"}
    figure["layout"]["yaxis"] |= {"range": [0, 1.1 * max(1, *values)], "autorange": False}
    return figure


def residuals(changes: ArrayLike, tolerance: float, *, at: int) -> drawing.Figure:
    """The largest change of any belief in each iteration, on a logarithmic scale, with the tolerance as a level.

    changes : (iterations run,)
    at : the iteration that is marked, from 1 on
    """
    values = np.maximum(np.asarray(changes, np.float64), 1e-12)
    figure = drawing.blank("Iteration", "Largest change of a belief")
    colour = palette.hue("BP")
    line = drawing.drawn_line([*range(1, len(values) + 1)], values.tolist(), "largest change", colour, 3, "solid")
    marks = {"mode": "lines+markers", "marker": {"color": colour, "size": 7}, "hovertemplate": "%{y:.3g}"}
    figure["data"] += [line | marks, drawing.ring(at, float(values[at - 1]), "shown") | {"hoverinfo": "skip"}]
    levels = [float(values.min()), float(values.max())]
    drawing.mark_tolerance(figure, tolerance)
    if tolerance > 0:
        levels.append(tolerance)
    figure["layout"]["xaxis"] |= {
        "range": [0.5, max(len(values), 4) + 0.5],
        "autorange": False,
        "dtick": _apart(len(values)),
    }
    figure["layout"]["yaxis"] |= {
        "type": "log",
        "range": [float(np.log10(min(levels))) - 0.4, float(np.log10(max(levels))) + 0.3],
        "autorange": False,
        "dtick": 1,
    }
    figure["layout"] |= {"uirevision": "residuals", "hovermode": "x"}
    return figure


def _between(off: str, on: str) -> NDArray[np.uint8]:
    """(levels, 3) colours from one to another."""
    return np.linspace(palette.parts(off), palette.parts(on), _LEVELS).round().astype(np.uint8)


def _apart(count: int) -> int:
    """Iterations between two ticks of the axis: some ten ticks in all, at round numbers."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if count <= 12 * step)
