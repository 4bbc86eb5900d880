"""Reliability of an estimated likelihood, and how a curve shows it: full, faded, or faded with a hollow mark."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from boltzcore.training.loop import Record
from pages.figures import measurements

FULL, FADED, HOLLOW = "full", "faded", "hollow"
FAR = 1.0  # nats by which annealing back gives a larger log Z: the likelihood is then too high by at most as much
SEEN = 0.1  # nats by which the two may differ without a remark
OPACITY = 0.35
REVERSE = "equilibrium_gap"  # log Z by annealing back from the learner's chains, less log Z by annealing forward
ABOUT = (
    "The curve is faded if the estimate has no interval on one side, or if annealing back from the learner's chains "
    "shows that it may be more than a nat too high. A hollow mark means too few effective chains to rely on it. "
)


def reliability(values: Mapping[str, float], key: str) -> str:
    """Reliability of a log-likelihood of a record: "full", "faded" or "hollow"; an exact one is always full."""
    if not key.endswith(measurements.BY_AIS):
        return FULL
    if measurements.is_unreliable(values):
        return HOLLOW
    too_high = values.get(REVERSE, 0.0) > FAR and values.get(f"{REVERSE}_low", -math.inf) > 0
    return FADED if too_high or not {f"{key}_low", f"{key}_high"} <= values.keys() else FULL


def describe_doubts(values: Mapping[str, float], key: str) -> str:
    """Return the reasons to doubt an estimate, for its hover text: few effective chains, a gap of annealing back."""
    parts = []
    if reliability(values, key) != FULL and measurements.COUNTING in values:
        chains = f"{values[measurements.COUNTING]:.0f}"
        parts.append(f"{chains} effective chain{'s' * (chains != '1')}")
    gap = values.get(REVERSE, 0.0)
    low, high = values.get(f"{REVERSE}_low", -math.inf), values.get(f"{REVERSE}_high", math.inf)
    if abs(gap) > SEEN and not low <= 0 <= high:
        parts.append(f"annealing back: {abs(gap):.2f} {'lower' if gap > 0 else 'higher'}")
    return "".join(f"; {part}" for part in parts)


def fade(line: dict[str, Any], reliabilities: Sequence[str]) -> list[dict[str, Any]]:
    """Return the traces of a line of estimates: faded if any is in doubt, the reliable part on it, hollow marks.

    Only the faded line has hover texts.
    """
    if all(each == FULL for each in reliabilities):
        return [line]
    believed = [y if each == FULL else None for y, each in zip(line["y"], reliabilities, strict=True)]
    hollow = [i for i, each in enumerate(reliabilities) if each == HOLLOW]
    colour, width = line["line"]["color"], line["line"]["width"]
    quiet: dict[str, Any] = {"hoverinfo": "skip", "hovertemplate": None, "customdata": None, "showlegend": False}
    drawn = [line | {"opacity": OPACITY}]
    if any(y is not None for y in believed):  # a single one is a dot as wide as the line
        dots = {"mode": "lines+markers", "marker": {"color": colour, "size": width}}
        drawn.append(line | quiet | dots | {"y": believed, "name": f"{line['name']}, reliable"})
    if hollow:
        marker = {"symbol": "circle-open", "size": 5 + width, "color": colour, "line": {"width": 1.5}}
        at = {"x": [line["x"][i] for i in hollow], "y": [line["y"][i] for i in hollow]}
        name = {"name": f"{line['name']}, unreliable"}
        drawn.append(line | quiet | at | name | {"mode": "markers", "marker": marker, "cliponaxis": False})
    return drawn


def count(kind: measurements.Likelihood | None, records: Sequence[Record]) -> str:
    """Return the number of estimates of a curve that are not fully reliable, in a sentence; "" if all are."""
    if kind is None or not kind.estimated:
        return ""
    each = [reliability(r.values, kind.train) for r in records if kind.train in r.values]
    faded, hollow = each.count(FADED), each.count(HOLLOW)
    parts = [f"{n} {what}" for n, what in ((faded, "in doubt"), (hollow, "unreliable")) if n]
    return f" Among {len(each)} estimates: {' and '.join(parts)}." if parts else ""
