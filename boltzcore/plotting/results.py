"""Pictures of trainings, comparisons and models, by one function that dispatches on their type."""

import base64
import html
from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from boltzcore.comparison.result import Result
from boltzcore.display import Displayed
from boltzcore.inference import draw_samples
from boltzcore.measures.measure import SPLITS
from boltzcore.measures.merit import describe_measure, judging, title_of
from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM, LogLinear, Potts
from boltzcore.models.base import Model
from boltzcore.models.term_words import case
from boltzcore.names import Names, column_names
from boltzcore.plotting import comparison_curves, couplings, drawing, images, palette
from boltzcore.plotting.drawing import AXES, Figure
from boltzcore.quoting import Refusal, number, quoted
from boltzcore.registry import entry
from boltzcore.training.loop import Fit

KINDS = ("parameters", "samples")
SAMPLES, TERMS = 24, 30  # numbers of drawn rows, and of a log-linear model's terms
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 240, 60, 12, 30  # pixels of a curve in a notebook, and of its margins


def as_html(result: Displayed) -> str:
    """Return HTML of a training, a comparison or a model for a notebook: its picture and its figures."""
    if isinstance(result, Model):
        try:
            picture = drawn(result)["data"][0].get("source")
        except Refusal:
            picture = None
        image = f'<br><img alt="Parameters" src="{picture}">' if picture else ""
        return f"<p><b>{type(result).__name__}</b>: {html.escape(result.size)}</p>{image}"
    if isinstance(result, Result):
        table = result.table().astype(object).fillna("").to_html(float_format="{:.4g}".format)
        return f"<p>{html.escape(result.sentence())}</p>{_svg(drawn(result))}{table}"
    assert isinstance(result, Fit)
    last, ended = (result.records[-1] if result.records else None), f"{result.ended or 'running'}"
    if last is None:
        return f"<p><b>{ended}</b></p>"
    rows = "".join(f"<tr><td>{title_of(name)}</td><td>{number(v, '.5g')}</td></tr>" for name, v in last.values.items())
    head = f"<p><b>{ended}</b>, update {last.count:,}, epoch {last.epoch:.4g}. {html.escape(result.reason)}</p>"
    return f"{head}{_svg(drawn(result))}<table>{rows}</table>"


@singledispatch
def drawn(result: Any, **_options: Any) -> Figure:
    """Return a figure as a dict for Plotly."""
    raise Refusal(f"result must be a training, a comparison or a model, not {quoted(result)}.", "result")


drawn.register(Result, comparison_curves.plot)


@drawn.register
def _(result: Fit, *, figure: str = "", axis: str = "epochs") -> Figure:
    judge = _judge(result, figure)
    split = next((f"{name}_" for name in SPLITS if judge.startswith(f"{name}_")), "")
    alike = [f"{name}_{judge.removeprefix(split)}" for name in SPLITS] if split and not figure else [judge]
    return _curves(result, [(title_of(each), result, each) for each in alike], describe_measure(judge), axis)


@drawn.register(Mapping)
def _(result: Mapping[str, Fit], *, figure: str = "", axis: str = "epochs") -> Figure:
    if not result or not all(isinstance(each, Fit) for each in result.values()):
        raise Refusal(f"result must be {{name: training}} of one or more trainings, not {quoted(result)}.", "result")
    first = next(iter(result.values()))
    judge = _judge(first, figure)
    return _curves(first, [(name, each, judge) for name, each in result.items()], title_of(judge), axis)


def _judge(training: Fit, figure: str) -> str:
    """Return the figure, or the one that judges the model if it is empty. Raises Refusal if no record has it."""
    known = {name: None for record in training.records for name in record.values}
    figure = figure or judging(dict.fromkeys(known, 0.0), training.recipe.entry.merit) or next(iter(known), "")
    entry(known, "figure", figure)
    return figure


def _curves(first: Fit, lines: Sequence[tuple[str, Fit, str]], title: str, axis: str) -> Figure:
    """Return the lines (name, training, figure in its records) with a legend, omitting those without values."""
    entry(AXES, "axis", axis)
    shown = drawing.blank(drawing.axis_titles(first.recipe.entry.work)[axis], f"{title[:1].upper()}{title[1:]}")
    colours, dashes = comparison_curves.COLOURS, comparison_curves.DASHES
    for i, (name, training, figure) in enumerate(lines):
        known = [record for record in training.records if drawing.is_known(record, figure)]
        x, y = [float(AXES[axis](r)) for r in known], [float(r.values[figure]) for r in known]
        colour, dash = colours[i % len(colours)], dashes[i // len(colours) % len(dashes)]
        if known:
            shown["data"].append(drawing.drawn_line(x, y, drawing.labels([name], 60)[0], colour, 2.5, dash))
    drawing.show_legend(shown)
    shown["layout"]["yaxis"]["automargin"] = True  # numbers of any length
    return shown


@drawn.register
def _(
    model: Model,
    *,
    kind: str = KINDS[0],
    shape: tuple[int, int] | None = None,
    names: Names | None = None,
    order: str = couplings.TABLE,
    pair: tuple[str, str] | None = None,
    seed: int = 0,
) -> Figure:
    entry(dict.fromkeys(KINDS), "kind", kind)
    entry(couplings.ORDERS, "order", order)
    columns = column_names(names, model.n_visible)
    if pair is not None:
        if not isinstance(model, Potts) or len(pair) != 2 or len({*pair} & {*columns}) != 2:
            raise Refusal(f"pair must name two columns of a Potts model, not {quoted(pair)}.", "pair")
        return couplings.value_map(model, [columns.index(name) for name in pair], names)
    if kind == "parameters":
        if isinstance(model, FVBM):
            return couplings.heat_map(model.M, model.b, columns, order=order)
        if isinstance(model, Potts):
            return couplings.heat_map(model.strengths(), None, columns, order=order)
        if isinstance(model, LogLinear):
            return _terms(model, names)
        if isinstance(model, RBM | CRBM | InfiniteRBM):
            weights = model.units[:, :-1] if isinstance(model, InfiniteRBM) else model.W.T
            return picture(images.weight_tiles(weights, shape or _shape(model)))
    elif isinstance(model, RBM | InfiniteRBM | FVBM):
        return picture(images.pixel_tiles(draw_samples(model, SAMPLES, seed=seed).v, shape or _shape(model)))
    raise Refusal(f"kind must be something that can be drawn of a {type(model).__name__}, not {kind}.", "kind")


def picture(tiles: images.Tiles) -> Figure:
    """Return a figure with an image."""
    source = "data:image/png;base64," + base64.b64encode(tiles.png).decode()
    hidden = {"visible": False}
    layout: Figure = {"width": tiles.width, "height": tiles.height, "margin": dict.fromkeys("lrtb", 0)}
    trace = {"type": "image", "source": source, "hoverinfo": "skip"}
    return {"data": [trace], "layout": layout | {"xaxis": hidden, "yaxis": hidden}}


def _shape(model: Model) -> tuple[int, int]:
    return images.square(model.n_visible) or (1, model.n_visible)


def _terms(model: LogLinear, names: Names | None) -> Figure:
    """Return the largest terms of a log-linear model as bars, each named by the case in which its function is 1."""
    order = np.argsort(-np.abs(model.values), kind="stable")[:TERMS][::-1]  # the largest at the top
    texts = drawing.labels([case(model.digits()[k], 1, model.cardinalities, names) for k in order], 60)
    figure, values = drawing.blank("Parameter", ""), model.values[order].tolist()
    colours = [palette.FAMILIES["CD" if value > 0 else "LR"] for value in values]
    bar = {"type": "bar", "orientation": "h", "x": values, "y": texts, "marker": {"color": colours}}
    figure["data"].append(bar | {"hovertemplate": "%{y}: %{x:.4f}<extra></extra>"})
    figure["layout"] |= {"hovermode": "closest", "height": 22 * len(texts) + 90}
    figure["layout"]["yaxis"] |= {"automargin": True, "nticks": len(texts)}
    return figure


def _svg(figure: Figure) -> str:
    """Return the lines of a figure as SVG, which a notebook keeps and shows without scripts."""
    lines = [each for each in figure["data"] if each["type"] == "scatter"]
    points = [(x, y) for each in lines for x, y in zip(each["x"], each["y"], strict=True) if y is not None]
    if not points:
        return ""
    (x0, y0), (x1, y1) = np.min(points, axis=0).tolist(), np.max(points, axis=0).tolist()
    across, up = (WIDTH - LEFT - 8) / ((x1 - x0) or 1), (HEIGHT - TOP - BOTTOM) / ((y1 - y0) or 1)
    parts = []
    for each in lines:
        pieces: list[list[str]] = [[]]
        for x, y in zip(each["x"], each["y"], strict=True):
            if y is None:
                pieces.append([])
            else:
                pieces[-1].append(f"{LEFT + (x - x0) * across:.1f},{TOP + (y1 - y) * up:.1f}")
        stroke = f'fill="none" stroke="{each["line"]["color"]}" stroke-width="{each["line"]["width"] / 1.5:.1f}"'
        title = f"<title>{html.escape(html.unescape(each['name']))}</title>"
        parts += [f'<polyline {stroke} points="{" ".join(piece)}">{title}</polyline>' for piece in pieces if piece]
    upright = [(LEFT - 4, TOP + 8, y1, "end"), (LEFT - 4, HEIGHT - BOTTOM, y0, "end")]
    for x, y, value, anchor in (*upright, (LEFT, HEIGHT - 12, x0, "start"), (WIDTH - 8, HEIGHT - 12, x1, "end")):
        parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}">{number(value, ".4g")}</text>')
    middle = f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">'
    parts.append(f"{middle}{html.escape(figure['layout']['xaxis']['title']['text'])}</text>")
    label = html.escape(figure["layout"]["yaxis"]["title"]["text"])
    named = {each["name"]: each["line"]["color"] for each in lines if each.get("showlegend", True)}
    names = ", ".join(f'<span style="color: {colour}">\N{BLACK SQUARE}</span> {name}' for name, colour in named.items())
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" font-size="12" fill="currentColor"'
    return f'<p>{label}: {names}</p><svg role="img" aria-label="{label}" {size}>{"".join(parts)}</svg>'
