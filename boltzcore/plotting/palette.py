"""Palette: one hue per family of algorithms, one colour scale for weights, one grey for references."""

import numpy as np
from numpy.typing import NDArray

FAMILIES = {  # each at least 3 : 1 on the light and on the dark ground
    "CD": "#3A93D8",
    "DCP": "#CE0F5F",
    "MDL": "#B88700",
    "FW": "#B400B4",  # distinguishable from the hue of CD, with which it is drawn, for all colour vision
    "BP": "#9024FB",
    "max-margin": "#6B7280",
    "PL": "#0B8A83",
    "LR": "#D55E00",  # vermilion of Okabe and Ito: distinguishable from the others for every common colour blindness
}
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
OTHER = "#8A5A44"  # for a family without a hue of its own
PINNED = "#808080"  # at least 3 : 1 on light and dark
LOST = "#8FA3B8"  # stripes over a lost pixel: neither a pixel's brightness nor a doubt
REFERENCE = "rgba(128, 128, 128, 0.9)"  # readable on light and dark, and not a family's hue
AS_TEXT = "text"  # the meta of a trace whose marks the page draws in its text colour
GRID = "rgba(128, 128, 128, 0.2)"

# ColorBrewer's RdBu: safe for every common colour blindness, with white in the middle.
_RDBU = ["#67001F", "#B2182B", "#D6604D", "#F4A582", "#FDDBC7", "#F7F7F7"]
_RDBU += ["#D1E5F0", "#92C5DE", "#4393C3", "#2166AC", "#053061"]


def hue(family: str) -> str:
    """Return the colour of a family."""
    return FAMILIES.get(family, OTHER)


def order(family: str) -> int:
    """Return the position of a family in a list of learners; those without their own hue come last."""
    return list(FAMILIES).index(family) if family in FAMILIES else len(FAMILIES)


def pinned_colour(family: str, beside: str) -> str:
    """Return the colour of a pinned curve: that of its family, or a neutral grey next to a curve of the same family."""
    return PINNED if family == beside else hue(family)


def translucent(colour: str, opacity: float) -> str:
    """Return a translucent hue, in the syntax of Plotly and CSS."""
    return f"rgba({', '.join(map(str, parts(colour)))}, {opacity:g})"


def parts(colour: str) -> tuple[int, ...]:
    """Return red, green and blue of a hue, each from 0 to 255."""
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def rdbu(levels: int) -> NDArray[np.uint8]:
    """Return red, green, blue, (levels, 3), from the most negative weight (red) over zero (white) to the most positive
    (blue).
    """
    stops = np.array([parts(colour) for colour in _RDBU], float)
    at, places = np.linspace(0, len(stops) - 1, levels), np.arange(len(stops))
    return np.column_stack([np.interp(at, places, each) for each in stops.T]).round().astype(np.uint8)


def rgb(colour: NDArray[np.uint8]) -> str:
    """Return a row of `rdbu` in the syntax of Plotly and CSS."""
    return f"rgb({colour[0]}, {colour[1]}, {colour[2]})"
