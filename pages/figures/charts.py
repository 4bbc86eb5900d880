"""Curves of a training and histograms of its weights, as Plotly figures in plain dicts."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Dataset
from boltzcore.measures.activity import always_off, always_on
from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import EPOCHS, POINTS, Along, Figure
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change
from pages.figures import curve_selection, estimate_quality
from pages.figures.marks import mark_changes
from pages.figures.naming import Curve

GAP, RECONSTRUCTION = "free_energy_gap", "reconstruction_error"
NATS = "nats per example"
_BINS = 41  # of a histogram: an odd number, so that one is around 0


def likelihood(
    curve: Curve,
    *,
    which: curve_selection.Likelihood | None = None,
    pinned: Sequence[Curve] = (),
    along: Along = EPOCHS,
    base_rate: float | None = None,
    upper_bound: float | None = None,
    truth: float | None = None,
    alike: bool = False,
    changes: Sequence[Change] = (),
    best: int | None = None,
) -> Figure:
    """Log-likelihood of the training (thin), the validation (dotted) and the test examples (thick), in nats per
    example; estimates with their interval shaded, and faded or hollow where they rest on little.

    which : the likelihood that is drawn; None takes the one in the last record of each training
    pinned : earlier trainings on the same data, drawn thinner on the same axes, in grey where they are of the same
        family; of each then only the test examples are shown, under its name
    along : what the curves are drawn over
    base_rate, upper_bound, truth : horizontal lines: the model without interactions, what no model can exceed, and
        what the rows were drawn from; the second is known only where `alike`
    alike : whether the rows that are tested are those that are learnt from, so that one line shows both
    changes : live changes, marked at the update they were made
    best : the update of the best state, marked with a ring on the line that chose it: that of the validation examples,
        where there is one, else that of the training examples
    """
    curves = [*pinned, curve]
    kinds = [which or curve_selection.likelihood(each.records) or curve_selection.EXACT for each in curves]
    tested_only = alike or upper_bound is not None
    figure = drawing.over(along, NATS.capitalize())
    shown = [drawing.thinned(each.records, of=len(curves)) for each in curves]
    values = _spanned(shown, kinds, tested_only=tested_only, alone=not pinned)
    limits = likelihood_range(values, base_rate, [level for level in (upper_bound, truth) if level is not None])
    for each, records, kind in zip(curves, shown, kinds, strict=True):
        colour = palette.hue(each.family) if each is curve else palette.pinned(each.family, curve.family)
        lines = lines_of(kind, tested_only=tested_only, alone=not pinned)
        for key, part, width, own in lines:
            x, y = drawing.points_of(records, along, key)
            if not x:
                continue
            thick = width > 2
            if kind.estimated and thick:
                figure["data"].insert(0, _band(records, along, kind, key, colour, limits))
            # a single curve needs no dash, and gaps would look like noise
            name, dash = (each.name, each.dash) if pinned else (part, own)
            line = drawing.drawn_line(x, y, name, colour, width if each is curve else 2.0, dash)
            known = [r.values for r in records if drawing.is_known(r, key)]
            if kind.estimated:
                line |= {
                    "customdata": [_between(kind, v, key) + estimate_quality.in_words(kind, v, key) for v in known],
                    "hovertemplate": "%{y:.2f}%{customdata}",
                }
            figure["data"] += estimate_quality.worn(line, [estimate_quality.worth(kind, v, key) for v in known])
    drawing.show_legend(figure)
    if base_rate is not None:
        drawing.level(figure, base_rate, "base rate", "dash")
    if upper_bound is not None:
        drawing.level(figure, upper_bound, "upper bound", "dot", above=True)
    if truth is not None:
        drawing.level(figure, truth, "truth", "longdashdot", above=True)
    for record in curve.records if not pinned or tested_only else ():  # only on a line that is drawn
        judge = next((each for each in _judges(kinds[-1], tested_only) if drawing.is_known(record, each[0])), None)
        if record.count == best and judge:
            ring = drawing.ring(along.where(record), record.values[judge[0]], f"best, {judge[1]}")
            figure["data"].append(ring)
    reach = along.reach(curve.records, *(each.records for each in pinned))
    mark_changes(figure, curve.records, along, changes, reach)
    return drawing.framed(figure, reach, limits)


def free_energy_gap(
    records: Sequence[Record],
    *,
    family: str,
    along: Along = EPOCHS,
    changes: Sequence[Change] = (),
) -> Figure:
    """Mean free energy of validation (or test) minus training examples: it rises as the model learns its examples by
    heart.
    """
    figure = _curve(records, GAP, "Free-energy gap", NATS, family, along)
    mark_changes(figure, records, along, changes, figure["layout"]["xaxis"]["range"])
    return figure


def reconstruction_error(
    records: Sequence[Record],
    *,
    family: str,
    along: Along = EPOCHS,
) -> Figure:
    """Mean absolute difference of test pixels and their reconstruction: not a likelihood, and no judge of a model."""
    return _curve(
        records,
        RECONSTRUCTION,
        "Reconstruction error",
        "per pixel, not a likelihood",
        family,
        along,
    )


def weight_histogram(weights: ArrayLike, limit: float, title: str) -> Figure:
    """How often each value of `weights` occurs, in the colours that tiles of weights have.

    limit : the axis reaches from -limit to limit, as in `images.weight_tiles`
    """
    edges = np.linspace(-limit, limit, _BINS + 1)
    counts, _ = np.histogram(np.clip(np.asarray(weights, np.float64), -limit, limit), edges)
    middles = (edges[:-1] + edges[1:]) / 2
    colours = [palette.rgb(c) for c in palette.rdbu(_BINS)]
    bars = {
        "type": "bar",
        "x": drawing.plain(middles),
        "y": counts.tolist(),
        "marker": {"color": colours, "line": {"color": palette.REFERENCE, "width": 0.5}},
        "hovertemplate": "%{y} near %{x:.3g}<extra></extra>",
    }
    figure = drawing.blank(title, "How many")
    figure["data"].append(bars)
    figure["layout"] |= {"bargap": 0.0, "hovermode": "closest", "uirevision": title}
    figure["layout"]["xaxis"] |= {"range": [-limit, limit], "autorange": False}
    figure["layout"]["yaxis"] |= {"range": [0, drawing.ceiling(float(counts.max(initial=1)))], "autorange": False}
    return figure


def hidden_activity(activity: ArrayLike, *, family: str, numbers: ArrayLike | None = None) -> Figure:
    """How often each hidden unit is on, in rising order; those that are always off or always on are marked and counted.

    activity : (n_hidden,) mean of p(h = 1 | v) over data
    numbers : (n_hidden,) by which the units are known; None numbers them from 1
    """
    activity = np.asarray(activity, np.float64)
    names = np.arange(1, len(activity) + 1) if numbers is None else np.asarray(numbers)
    order = np.argsort(activity, kind="stable")
    shown = order if len(order) <= POINTS else order[np.linspace(0, len(order) - 1, POINTS).astype(int)]
    rank = np.arange(1, len(order) + 1)[np.linspace(0, len(order) - 1, len(shown)).astype(int)]
    bars = {
        "type": "bar",
        "x": drawing.plain(rank),
        "y": drawing.plain(activity[shown]),
        "customdata": names[shown].tolist(),
        "marker": {"color": palette.hue(family), "line": {"width": 0}},
        "name": "activity",
        "hovertemplate": "hidden unit %{customdata}: on in %{y:.1%}<extra></extra>",
    }
    figure = drawing.blank("Hidden units, in rising order", "Share of examples")
    figure["data"].append(bars)
    counted = []
    for dead, text in ((always_off(activity), "always off"), (always_on(activity), "always on")):
        if dead.any():
            figure["data"].append(_dead(rank, activity, shown, dead, text, names))
            counted.append(f"{int(dead.sum())} {text}")
    if counted:
        above = {
            "xref": "paper",
            "x": 0,
            "xanchor": "left",
            "yref": "paper",
            "y": 1,
            "yanchor": "bottom",
            "showarrow": False,
        }
        figure["layout"]["annotations"].append(above | {"text": f"\N{MULTIPLICATION SIGN} {', '.join(counted)}"})
    figure["layout"] |= {"bargap": 0.1 if len(shown) <= 60 else 0.0, "hovermode": "closest", "uirevision": "activity"}
    figure["layout"]["xaxis"] |= {"range": [0.5, len(order) + 0.5], "autorange": False}
    figure["layout"]["yaxis"] |= {"range": [-0.03, 1.03], "autorange": False, "tickformat": ".0%", "nticks": 6}
    return figure


def cluster_shares(shares: NDArray[np.float64], *, family: str) -> Figure:
    """How many rows are of each cluster, and of none, side by side: of the data, the chains and the model.

    shares : (3, clusters + 1), as `observations.observe_rbm` gives them
    """
    names = [*(str(k + 1) for k in range(shares.shape[1] - 1)), "none"]
    figure = drawing.blank("Cluster", "Share of rows")
    looks: tuple[tuple[str, dict[str, Any]], ...] = (
        ("data", {"color": palette.REFERENCE}),
        ("chains", {"color": palette.hue(family)}),
        ("model", {"color": palette.hue(family), "pattern": {"shape": "/", "fillmode": "overlay"}}),
    )
    for (name, marker), row in zip(looks, shares, strict=True):
        if not np.isnan(row).any():
            figure["data"].append(
                {
                    "type": "bar",
                    "x": names,
                    "y": drawing.plain(row),
                    "name": name,
                    "marker": {**marker, "line": {"width": 0}},
                    "hovertemplate": "%{y:.0%}",
                }
            )
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    figure["layout"] |= {
        "barmode": "group",
        "bargap": 0.25,
        "uirevision": "shares",
        "showlegend": True,
        "legend": legend,
    }
    figure["layout"]["xaxis"] |= {"type": "category"}
    figure["layout"]["yaxis"] |= {"range": [0, 1], "autorange": False, "tickformat": ".0%", "nticks": 6}
    return figure


def chain_autocorrelation(rho: ArrayLike, *, family: str) -> Figure:
    """Autocorrelation of Gibbs chains over lags: (lags + 1,) values, 1 at lag 0."""
    rho = np.asarray(rho, np.float64)
    figure = drawing.blank("Lag, Gibbs transitions", "Autocorrelation")
    line = drawing.drawn_line(
        drawing.plain(np.arange(len(rho))), drawing.plain(rho), "autocorrelation", palette.hue(family), 2.0, "solid"
    )
    figure["data"].append(
        line
        | {"mode": "lines+markers", "marker": {"color": palette.hue(family), "size": 4}, "hovertemplate": "%{y:.3f}"}
    )
    figure["layout"]["uirevision"] = "autocorrelation"
    figure["layout"]["xaxis"] |= {"range": [0, len(rho) - 1], "autorange": False}
    figure["layout"]["yaxis"] |= {"range": [min(-0.1, float(rho.min())), 1.05], "autorange": False}
    return figure


@lru_cache(maxsize=16)
def upper_bound(dataset: Dataset) -> float | None:
    """What no model's mean log-likelihood can exceed: minus the entropy of the rows, in nats.

    Known where the rows that are tested are those that are learnt from; None elsewhere.
    """
    if dataset.test is not dataset.train or dataset.train.gray or dataset.train.weight is not None:
        return None
    _, counts = np.unique(dataset.train.v, axis=0, return_counts=True)
    share = counts / counts.sum()
    return float(np.sum(share * np.log(share)))


@lru_cache(maxsize=16)
def truth(dataset: Dataset) -> float | None:
    """Mean log-likelihood of the test rows under what they were drawn from, in nats; None where nobody knows that."""
    if dataset.truth is None:
        return None
    rows = dataset.test.distinct()
    return rows.average(dataset.truth.log_probability(rows.v))


# -- parts of a figure ------------------------------------------------------------------------------


def _curve(
    records: Sequence[Record],
    key: str,
    name: str,
    unit: str,
    family: str,
    along: Along,
) -> Figure:
    figure = drawing.over(along, unit)
    x, y = drawing.points_of(drawing.thinned(records), along, key)
    if x:
        figure["data"].append(drawing.drawn_line(x, y, name, palette.hue(family), 2.0, "solid"))
    limits = drawing.rounded(min([0.0, *y]), max([0.1, *y]))
    return drawing.framed(figure, along.reach(records), limits)


def _band(
    records: Sequence[Record],
    along: Along,
    kind: curve_selection.Likelihood,
    key: str,
    colour: str,
    limits: tuple[float, float],
) -> dict[str, Any]:
    """The interval of an estimate, shaded; an end that is not known reaches to the edge of the chart."""
    x, _ = drawing.points_of(records, along, key)
    ends = [kind.interval(r.values, key) for r in records if drawing.is_known(r, key)]
    low = [limits[0] if end is None else end for end, _ in ends]
    high = [limits[1] if end is None else end for _, end in ends]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x + x[::-1],
        "y": high + low[::-1],
        "name": "interval",
        "showlegend": False,
        "fill": "toself",
        "fillcolor": palette.translucent(colour, 0.22),
        "line": {"color": palette.translucent(colour, 0.4), "width": 1},
        "hoverinfo": "skip",
    }


def _between(kind: curve_selection.Likelihood, values: Mapping[str, float], key: str) -> str:
    low, high = kind.interval(values, key)
    return f" ({'?' if low is None else f'{low:.2f}'} to {'?' if high is None else f'{high:.2f}'})"


def _dead(rank: NDArray, activity: NDArray, shown: NDArray, dead: NDArray, text: str, names: NDArray) -> dict[str, Any]:
    """Marks of dead units, where their bars end."""
    at = np.flatnonzero(dead[shown])
    marker = {"symbol": "x-thin", "size": 7, "line": {"width": 1.5, "color": palette.REFERENCE}}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": drawing.plain(rank[at]),
        "y": drawing.plain(activity[shown][at]),
        "customdata": names[shown[at]].tolist(),
        "cliponaxis": False,
        "marker": marker,
        "name": text,
        "hovertemplate": f"hidden unit %{{customdata}}: {text}<extra></extra>",
    }


def lines_of(kind: curve_selection.Likelihood, *, tested_only: bool, alone: bool) -> list[tuple[str, str, float, str]]:
    """(figure, what it is of, width, dash) of the lines of a training; beside another one only the thick line."""
    if tested_only:
        return [(kind.train, "all rows", 3.5, "solid")]
    judges = [(kind.train, "training", 1.5, "solid"), (kind.validation, "validation", 2.0, "dot")]
    return [*(judges if alone else []), (kind.test, "test", 3.5, "solid")]


def _judges(kind: curve_selection.Likelihood, tested_only: bool) -> list[tuple[str, str]]:
    """(figure, what it is of) of the lines by which the best state may have been chosen, the first that there is."""
    held_out = [] if tested_only else [(kind.validation, "validation")]
    return [*held_out, (kind.train, "training")]


# -- numbers ----------------------------------------------------------------------------------------


def _spanned(
    shown: Sequence[Sequence[Record]], kinds: Sequence[curve_selection.Likelihood], *, tested_only: bool, alone: bool
) -> list[float]:
    """The values that the limits have to hold; of intervals, as much as leaves the values half of the height."""
    values, ends = [], []
    for records, kind in zip(shown, kinds, strict=True):
        keys = [kind.train] if tested_only else [kind.train, *([kind.validation] if alone else []), kind.test]
        known = [(r.values, key) for r in records for key in keys if drawing.is_known(r, key)]
        values += [figures[key] for figures, key in known]
        if kind.estimated:
            ends += [end for figures, key in known for end in kind.interval(figures, key) if end is not None]
    if not ends:
        return values
    room = (max(values) - min(values)) / 2 or 1.0
    return [*values, max(min(ends), min(values) - room), min(max(ends), max(values) + room)]


def likelihood_range(values: Sequence[float], base_rate: float | None, levels: Sequence[float]) -> tuple[float, float]:
    """Limits that hold the base rate, other levels and what was measured, and move only in round steps.

    A likelihood that has crashed is cut off a few spans under the base rate, or it would flatten all else.
    """
    known = [v for v in values if math.isfinite(v)]
    marks = [*levels, *([base_rate] if base_rate is not None else [])]
    if not known + marks:
        return 0.0, 1.0
    top, bottom = max(known + marks), min(known + marks)
    if base_rate is not None:
        top = max(top, min(base_rate + 0.25 * abs(base_rate), 0.0))
        bottom = max(bottom, base_rate - 2.0 * (top - base_rate))
    return drawing.rounded(bottom, top)
