"""The curve of a training as a stamp: one line in the hue of its learner's family, its best point ringed."""

import numpy as np

from boltzcore.measures.measure import SHARE
from boltzcore.measures.merit import sign
from boltzcore.plotting import palette
from boltzcore.registry import unit_of
from boltzcore.training.trace import Curve
from pages.figures import generic

WIDTH, HEIGHT = 120, 56  # pixels
_ROOM, _RING, _MOST = 6, 3.5, 100  # pixels around the line, of the ring; points of a line
_EASE = 2.0**6  # what values are divided by, so that differences of the largest are finite
_DEPTHS = 4  # a line falls at most so many times as far below its best as half of its points do: the rest is cut off


def stamp(curve: Curve | None, family: str) -> str:
    """An SVG picture that suits light and dark; an empty frame where there is no curve."""
    if curve is None:
        inside = (
            f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="4" fill="none" '
            f'stroke="{palette.REFERENCE}" stroke-dasharray="4 4"/>'
        )
    else:
        points, best = _places(curve)
        hue, line = palette.hue(family), " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        x, y = points[best]
        floor = HEIGHT - 1
        inside = (
            f'<path d="M0 {floor}H{WIDTH}" stroke="{palette.REFERENCE}"/>'
            f'<polyline points="{line}" fill="none" stroke="{hue}" stroke-width="2" stroke-linejoin="round"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RING}" fill="none" stroke="{hue}" stroke-width="2"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"{inside}</svg>"
    )


def in_words(curve: Curve | None) -> str:
    """Text alternative of the stamp."""
    if curve is None:
        return "No curve yet."
    unit = unit_of(curve.name)
    texts = (generic.in_unit(curve.name, curve.values[at]) for at in (0, -1, _best(curve)))
    first, last, best = (text.removesuffix(f" {unit}") for text in texts)
    title = generic.titled(curve.name) + (f", {unit}" if unit not in ("", SHARE) else "")
    if len(curve.values) == 1:
        return f"{title}: {first} at update {curve.counts[0]:,}."
    return f"{title}: from {first} to {last} at update {curve.counts[-1]:,}, best {best}."


def _best(curve: Curve) -> int:
    return int(np.argmax(np.asarray(curve.values) * sign(curve.name)))


def _places(curve: Curve) -> tuple[list[tuple[float, float]], int]:
    """(the points of the line in pixels, which of them is the best)."""
    n, best, direction = len(curve.values), _best(curve), sign(curve.name)
    kept = sorted({*range(0, n, max(1, -(-n // _MOST))), best, n - 1})
    heights = np.asarray(curve.values) / _EASE * direction
    top, least = heights[best], heights.min()
    bottom = max(least, top - _DEPTHS * ((top - np.median(heights)) or top - least))
    shown = np.clip(heights, bottom, top)
    up = (shown - bottom) / (top - bottom) if top > bottom else np.full(n, 0.5)
    up = up if direction > 0 else 1 - up
    counts = np.asarray(curve.counts) - curve.counts[0]
    x = _ROOM + (WIDTH - 2 * _ROOM) * counts / (counts[-1] or 1)
    y = HEIGHT - _ROOM - (HEIGHT - 2 * _ROOM) * up
    return [(float(x[i]), float(y[i])) for i in kept], kept.index(best)
