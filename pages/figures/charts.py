"""Curves of a training and histograms of its weights, as Plotly figures in plain dicts."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Dataset
from boltzcore.measures.activity import always_off, always_on
from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import Figure
from boltzcore.training.loop import Record
from pages.figures import estimate_quality, measurements
from pages.figures.curves import Line, Trace, TrainingCurves, curves, from_zero
from pages.figures.naming import Curve
from pages.figures.time_axis import POINTS, thin_out

GAP, RECONSTRUCTION = "free_energy_gap", "reconstruction_error"
NATS = "nats per example"
PERCENT = "\N{NO-BREAK SPACE}%"  # after a number
_BINS = 41  # of a histogram: odd, so that one is around 0


def likelihood(
    training: TrainingCurves,
    *,
    which: measurements.Likelihood | None = None,
    base_rate: float | None = None,
    upper_bound: float | None = None,
    truth: float | None = None,
    alike: bool = False,
) -> Figure:
    """Log-likelihood of the training (thin), the validation (dotted) and the test examples (thick), in nats per
    example; estimates with their interval shaded, and faded or hollow if they are unreliable. Of pinned trainings only
    the test examples are shown.

    The best state is ringed on the line that chose it: that of the validation examples, if there is one, else that
    of the training examples.

    which : the likelihood that is drawn; None takes the one in the last record of each training
    base_rate, upper_bound, truth : horizontal lines: the model without interactions, the bound of any model, and
        the distribution of the rows; the second is known only if `alike`
    alike : whether the test rows are the training rows, so that one line shows both
    """
    curve, pinned = training.curve, training.pinned
    tested_only = alike or upper_bound is not None

    def kind_of(each: Curve) -> measurements.Likelihood:
        return which or measurements.likelihood(each.records) or measurements.EXACT

    def thick(each: Curve) -> str:
        return kind_of(each).train if tested_only else kind_of(each).test

    kind = kind_of(curve)
    if tested_only:
        lines, judges = [Line(kind.train, "all rows", 3.5)], [(kind.train, "best, training")]
    elif pinned:
        lines, judges = [Line(kind.test, "test", 3.5)], []
    else:
        lines = [Line(kind.train, "training", 1.5), Line(kind.validation, "validation", 2.0, "dot")]
        lines.append(Line(kind.test, "test", 3.5))
        judges = [(kind.validation, "best, validation"), (kind.train, "best, training")]
    drawn = [*((each, thick(each)) for each in pinned), *((curve, line.key) for line in lines)]
    known = [(r.values, key) for each, key in drawn for r in thin_out(each.records) if drawing.is_known(r, key)]
    ends = [values[end] for values, key in known for end in (f"{key}_low", f"{key}_high") if end in values]
    levels = [level for level in (upper_bound, truth) if level is not None]
    limits = _limits([values[key] for values, key in known], ends, base_rate, levels)

    def decorate(trace: Trace, known: list[Record], key: str) -> list[Trace]:
        if not key.endswith(measurements.BY_AIS):
            return [trace]
        values = [r.values for r in known]
        words = [_between(v, key) + estimate_quality.describe_doubts(v, key) for v in values]
        trace |= {"customdata": words, "hovertemplate": "%{y:.2f}%{customdata}"}
        band = [_band(trace, values, key, limits)] if tested_only or key == measurements.ESTIMATE.test else []
        return [*band, *estimate_quality.fade(trace, [estimate_quality.reliability(v, key) for v in values])]

    title = NATS.capitalize()
    figure = curves(training, title, lines, lambda _: limits, compared=thick, decorate=decorate, judges=judges)
    names = {"base rate": (base_rate, "dash"), "upper bound": (upper_bound, "dot"), "truth": (truth, "longdashdot")}
    for name, (level, dash) in names.items():
        if level is not None:
            drawing.add_level(figure, level, name, dash)
    return figure


def free_energy_gap(training: TrainingCurves) -> Figure:
    """Mean free energy of validation (or test) minus training examples: it rises as the model overfits."""
    return curves(training.alone, NATS, [Line(GAP, "Free-energy gap", 2.0)], from_zero, legend=False)


def reconstruction_error(training: TrainingCurves) -> Figure:
    """Mean absolute difference of test pixels and their reconstruction: not a likelihood, and no measure of quality."""
    line = Line(RECONSTRUCTION, "Reconstruction error", 2.0)
    return curves(training.alone, "per pixel, not a likelihood", [line], from_zero, legend=False)


def weight_histogram(weights: ArrayLike, limit: float, title: str) -> Figure:
    """Histogram of `weights`, in the colours of tiles of weights.

    limit : the axis reaches from -limit to limit, as in `images.weight_tiles`
    """
    edges = np.linspace(-limit, limit, _BINS + 1)
    counts, _ = np.histogram(np.clip(np.asarray(weights, np.float64), -limit, limit), edges)
    middles, colours = (edges[:-1] + edges[1:]) / 2, [palette.rgb(c) for c in palette.rdbu(_BINS)]
    ends = 0, drawing.round_up(float(counts.max(initial=1)))
    figure = drawing.bar_chart((title, "Count"), middles.tolist(), counts.tolist(), colours, "%{y} near %{x:.3g}", ends)
    figure["data"][0]["marker"]["line"] = {"color": palette.REFERENCE, "width": 0.5}
    figure["layout"]["bargap"] = 0.0
    figure["layout"]["xaxis"] |= {"range": [-limit, limit], "autorange": False}
    return figure


def hidden_activity(activity: ArrayLike, *, family: str, numbers: ArrayLike | None = None) -> Figure:
    """Share of examples that switch each hidden unit on, in rising order; dead units are marked and counted.

    activity : (n_hidden,) mean of p(h = 1 | v) over data
    numbers : (n_hidden,) by which the units are known; None numbers them from 1
    """
    activity = np.asarray(activity, np.float64)
    names = np.arange(1, len(activity) + 1) if numbers is None else np.asarray(numbers)
    order = np.argsort(activity, kind="stable")
    drawn = np.unique(np.linspace(0, len(order) - 1, min(len(order), POINTS)).astype(int))
    rank, shown = drawn + 1, order[drawn]
    hover = "hidden unit %{customdata}: on in %{y:.1f}" + PERCENT
    titles = "Hidden units, in ascending order", "Share of examples"
    y = 100 * activity[shown]
    figure = drawing.bar_chart(titles, rank.tolist(), y.tolist(), palette.hue(family), hover, (-3, 103))
    figure["data"][0] |= {"customdata": names[shown].tolist(), "name": "activity"}
    counted = []
    for dead, text in ((always_off(activity), "always off"), (always_on(activity), "always on")):
        if not dead.any():
            continue
        counted.append(f"{int(dead.sum())} {text}")
        at = np.flatnonzero(dead[shown])
        marks = drawing.drawn_line(rank[at].tolist(), y[at].tolist(), text, palette.REFERENCE, 1.5, "solid")
        marker = {"symbol": "x-thin", "size": 7, "line": {"width": 1.5, "color": palette.REFERENCE}}
        hover = f"hidden unit %{{customdata}}: {text}<extra></extra>"
        marks |= {"mode": "markers", "customdata": names[shown[at]].tolist(), "marker": marker, "hovertemplate": hover}
        figure["data"].append(marks | {"cliponaxis": False})
    if counted:
        figure["layout"]["annotations"].append(top_text(f"\N{MULTIPLICATION SIGN} {', '.join(counted)}"))
    figure["layout"]["bargap"] = 0.1 if len(shown) <= 60 else 0.0
    figure["layout"]["xaxis"] |= {"range": [0.5, len(order) + 0.5], "autorange": False}
    figure["layout"]["yaxis"]["ticksuffix"] = PERCENT
    return figure


def cluster_shares(shares: NDArray[np.float64], *, family: str) -> Figure:
    """Shares of rows of each cluster, and of none, side by side: of the data, the chains and the model.

    shares : (3, clusters + 1), as `observations.observe_rbm` gives them
    """
    names = [*(str(k + 1) for k in range(shares.shape[1] - 1)), "none"]
    hover = "%{y:.0f}" + PERCENT
    figure = drawing.bar_chart(("Cluster", "Share of rows"), names, [], palette.REFERENCE, hover, (0, 100))
    (bars,) = figure["data"]
    striped = {"color": palette.hue(family), "pattern": {"shape": "/", "fillmode": "overlay"}}
    markers = {"data": {"color": palette.REFERENCE}, "chains": {"color": palette.hue(family)}, "model": striped}
    figure["data"] = [
        bars | {"y": (100 * row).tolist(), "name": name, "marker": marker}
        for (name, marker), row in zip(markers.items(), shares, strict=True)
        if not np.isnan(row).any()
    ]
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    figure["layout"] |= {"barmode": "group", "bargap": 0.25, "showlegend": True, "legend": legend}
    figure["layout"]["xaxis"] |= {"type": "category"}
    figure["layout"]["yaxis"]["ticksuffix"] = PERCENT
    return figure


@lru_cache(maxsize=16)
def upper_bound(dataset: Dataset) -> float | None:
    """Upper bound of any model's mean log-likelihood: minus the entropy of the rows, in nats.

    Known if the test rows are the training rows; None otherwise.
    """
    if dataset.test is not dataset.train or dataset.train.gray or dataset.train.weight is not None:
        return None
    _, counts = np.unique(dataset.train.v, axis=0, return_counts=True)
    share = counts / counts.sum()
    return float(np.sum(share * np.log(share)))


@lru_cache(maxsize=16)
def truth(dataset: Dataset) -> float | None:
    """Mean log-likelihood of the test rows under their own distribution, in nats; None if that is unknown."""
    if dataset.truth is None:
        return None
    rows = dataset.test.distinct()
    return rows.average(dataset.truth.log_likelihood(rows.v))


# -- parts of a figure ------------------------------------------------------------------------------


def _band(line: Trace, values: Sequence[Mapping[str, float]], key: str, limits: tuple[float, float]) -> Trace:
    """The interval of an estimate, shaded; an unknown end reaches to the edge of the chart."""
    low = [each.get(f"{key}_low", limits[0]) for each in values]
    high = [each.get(f"{key}_high", limits[1]) for each in values]
    colour = line["line"]["color"]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": line["x"] + line["x"][::-1],
        "y": high + low[::-1],
        "name": "interval",
        "showlegend": False,
        "fill": "toself",
        "fillcolor": palette.translucent(colour, 0.22),
        "line": {"color": palette.translucent(colour, 0.4), "width": 1},
        "hoverinfo": "skip",
    }


def top_text(text: str, shift: float = 0) -> dict[str, object]:
    """Return text above the plot, from `shift` pixels right of its left edge."""
    place = {"xref": "paper", "x": 0, "xanchor": "left", "yref": "paper", "y": 1, "yanchor": "bottom"}
    return place | {"xshift": shift, "showarrow": False, "text": text}


def _between(values: Mapping[str, float], key: str) -> str:
    low, high = (f"{values[end]:.2f}" if (end := f"{key}_{side}") in values else "?" for side in ("low", "high"))
    return f" ({low} to {high})"


def _limits(
    values: Sequence[float], ends: Sequence[float], base_rate: float | None, levels: Sequence[float]
) -> tuple[float, float]:
    """Limits that contain the base rate, other levels and the measured values, and move only in round steps.

    They contain as much of the intervals as leaves the values half of the height. A likelihood that has crashed is
    cut off a few spans under the base rate, because it would flatten all else.
    """
    held = [*values, *levels, *([] if base_rate is None else [base_rate])]
    if not held:
        return 0.0, 1.0
    if ends:
        room = (max(values) - min(values)) / 2 or 1.0
        held += [max(min(ends), min(values) - room), min(max(ends), max(values) + room)]
    top, bottom = max(held), min(held)
    if base_rate is not None:
        top = max(top, min(base_rate + 0.25 * abs(base_rate), 0.0))
        bottom = max(bottom, base_rate - 2.0 * (top - base_rate))
    return drawing.round_limits(bottom, top)
