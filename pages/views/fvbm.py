"""View of a fully visible machine while it trains: its pseudo-likelihood and the increase per sweep, its couplings, its
states; once it rests, standard errors.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from boltzcore.data import Dataset
from boltzcore.data.drawn import Patterns
from boltzcore.learners import Hebbian
from boltzcore.learners.pseudo_likelihood import INCREASE, MONOTONE, PROVED
from boltzcore.measures.estimates import Estimates
from boltzcore.names import column_names
from boltzcore.plotting import couplings, images
from boltzcore.registry import info_of
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from pages.common.working import limit_cost
from pages.figures import charts, estimating, measurements, model_curves, recall
from pages.figures.frame import Chart, Choice, Figures, Frame, Item, NamedFigure, Panel, Picture, ViewInputs
from pages.views import generic
from pages.views.common import LARGE, curve_chart, data_of, exact_likelihood, same_rows
from pages.web.background import in_background

ORDER, PAGE = "order", "fields"  # choices

preview = generic.preview
goodness = generic.goodness


def frame(inputs: ViewInputs) -> Frame:
    """Return the frame of a training at one moment."""
    snapshot, recipe = inputs.snapshot, inputs.recipe
    curve = Item("curve", inputs.chart_sources, lambda: pseudo_curve(inputs, TOO_LARGE), "numbers")
    if snapshot.prepared is None or snapshot.state is None:
        return Frame(pseudo_figures(snapshot.records, snapshot.prepared), curve)
    dataset = snapshot.prepared.dataset
    maximises = not isinstance(recipe.learner, Hebbian)  # standard errors are of a maximum
    rests = snapshot.state.count and snapshot.status not in MOVING
    promise = _later(snapshot.state.model, dataset) if maximises and rests else None
    found = promise.result() if promise and promise.done() else None
    order = inputs.chosen.get(ORDER, "")
    model, names = snapshot.state.model, _names(dataset)
    panel = partial(couplings_panel, model.M, model.b, names, order, COUPLINGS)
    pairs = Item("couplings", (*inputs.parameter_sources, order), panel, "samples")
    curves = []
    if INCREASE in info_of(recipe.learner).units:
        curves.append(Item("increase", inputs.chart_sources, lambda: _increase(inputs), "numbers"))
    if measurements.likelihood(snapshot.records):
        curves.append(Item("likelihood", inputs.chart_sources, lambda: exact_likelihood(inputs, EXACT), "numbers"))
    estimates = found or (UNDER_WAY if promise else AT_REST)
    last = []
    if maximises:
        last.append(Item("estimates", (estimates,), lambda: _estimates(estimates, dataset), "samples"))
    if dataset.shape is not None:
        of = *inputs.parameter_sources, inputs.chosen.get(PAGE)
        last.insert(0, Item("pixels", of, lambda: _pixels(inputs), "samples"))
    if isinstance(recipe.data, Patterns):
        of = *inputs.parameter_sources, inputs.chosen.get(recall.PATTERN)
        curves.append(Item("recall", of, lambda: recall.panel(inputs), "rows"))
    below = tuple(tuple(row) for row in (curves, last) if row)
    figures = pseudo_figures(snapshot.records, snapshot.prepared)
    return Frame(figures, curve, (pairs,), below, awaited=(promise,) if promise and not found else ())


# -- figures ------------------------------------------------------------------------------------------

PSEUDO_TEST, PSEUDO_ALL, PSEUDO_TRAINING = "Test, pseudo, nats", "All rows, pseudo, nats", "Training, pseudo, nats"
EXACT_TEST, EXACT_ALL = "Test, exact, nats", "All rows, exact, nats"
BEST = "Best, pseudo, nats"
_PSEUDO = "Mean log-pseudo-likelihood{of}, in nats per example: {why}."
_EXACT = "Mean log-likelihood{of}, in nats per example, exact: a sum over every state. {over}"
ABOUT = {
    PSEUDO_TEST: _PSEUDO.format(of=" of held-out rows", why="shows whether the model overfits"),
    PSEUDO_ALL: _PSEUDO.format(of="", why="all rows are used for both training and testing"),
    PSEUDO_TRAINING: _PSEUDO.format(of=" of the training rows", why="the objective of the learner"),
    EXACT_TEST: _EXACT.format(of=" of held-out rows", over="Over at most 5,000 rows."),
    EXACT_ALL: _EXACT.format(of="", over="Over at most 5,000 rows."),
    BEST: "The highest log-pseudo-likelihood so far, of the validation rows if there are any, otherwise of the "
    "training rows.",
}


def pseudo_figures(records: Sequence[Record], prepared: PreparedData | None) -> Figures:
    """Return the last log-pseudo-likelihoods, and exact log-likelihoods if there are some."""
    known = records[-1].values if records else {}
    alike = same_rows(data_of(prepared))
    names = {PSEUDO_ALL: "train_log_pseudo_likelihood", EXACT_ALL: "train_log_likelihood"}
    if not alike:
        names = {
            PSEUDO_TEST: "test_log_pseudo_likelihood",
            PSEUDO_TRAINING: "train_log_pseudo_likelihood",
            EXACT_TEST: "test_log_likelihood",
        }
    shown = [(title, measurements.figure(known[key])) for title, key in names.items() if key in known]
    return [NamedFigure(title, value, ABOUT[title], title in names) for title, value in shown]


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    known = records[-1].values if records else {}
    last = PSEUDO_ALL if same_rows(data_of(prepared)) else PSEUDO_TEST
    key = "train_log_pseudo_likelihood" if last == PSEUDO_ALL else "test_log_pseudo_likelihood"
    best = measurements.highest(records, recipe.entry.merit)
    shown = ((last, known.get(key)), (BEST, best))
    return [NamedFigure(title, measurements.figure(value), ABOUT[title]) for title, value in shown]


# -- curves -------------------------------------------------------------------------------------------

PSEUDO = (
    "The log-pseudo-likelihood of a row is the sum, over its columns, of the log-probability of each column given all "
    "others. The curve is its mean over the rows, P_n / n, in nats per example: higher is better. It needs no sum over "
    "all states, and its maximiser is a consistent estimator, as is that of the likelihood. {rows}The base rate is the "
    "value for independent columns."
)
HELD_OUT = "Training rows are drawn thin, test rows thick and validation rows dotted. "
EXACT = (
    "Exact mean log-likelihood of the rows, in nats per example, by a sum over every state, over at most 5,000 rows of "
    "a split. The learner does not maximise it, so it may fall while the pseudo-likelihood rises."
)
INCREASES = (
    "The increase of P_n, the log-pseudo-likelihood of all training rows together, per sweep over all parameters, in "
    "nats, on a logarithmic scale. If P_n fell there is a gap, and a cross shows by how much. Training ends below the "
    f"tolerance. Parameters move in steps of \N{GREEK SMALL LETTER MU}. Up to {PROVED} (BSLM's step) there is a proof "
    f"that P_n never falls; up to {MONOTONE} it also holds, because each step gains; beyond {MONOTONE} P_n may fall, "
    "and training may never end."
)
TOO_LARGE = "The exact log-likelihood sums over every state: it is computed for at most 25 columns."
NOT_MEASURED = "The log-pseudo-likelihood is not among the measures of this run."


def pseudo_curve(inputs: ViewInputs, too_large: str) -> Panel:
    """Return the panel of the log-pseudo-likelihood, with a sentence if the exact likelihood is out of reach."""
    snapshot, records = inputs.snapshot, inputs.shown.records
    kind, dataset = measurements.PSEUDO, data_of(snapshot.prepared)
    alike, base_rate = same_rows(dataset), snapshot.prepared.base_rate_of_all if snapshot.prepared else None
    figure = charts.likelihood(inputs.curves, which=kind, base_rate=base_rate, alike=alike)
    describe = partial(measurements.sentence, key=kind.train if alike else kind.test, name=kind.title)
    alt = f"{describe(records)} Base rate {measurements.figure(base_rate)}."
    chart = curve_chart(inputs, figure, describe, alt, height=LARGE)
    below = ""
    if records and kind.train not in records[-1].values:
        below = NOT_MEASURED
    elif snapshot.state is not None and not snapshot.state.model.enumerable:
        below = too_large
    about = PSEUDO.format(rows="" if alike else HELD_OUT)
    return Panel(kind.title, chart, ", P_n / n", about, below, (inputs.axis,))


def _increase(inputs: ViewInputs) -> Panel:
    """Return the panel of the increase per sweep."""
    records, describe = inputs.shown.records, model_curves.increase_sentence
    figure = model_curves.increase(inputs.curves, inputs.recipe.learner.tau)
    alt = f"Increase of the log-pseudo-likelihood per sweep. {describe(records)}"
    chart = curve_chart(inputs, figure, describe, alt)
    return Panel("Increase per sweep", chart, ", on a logarithmic scale", INCREASES, describe(records))


# -- the model ----------------------------------------------------------------------------------------

COUPLINGS = (
    "The coupling m_jk of two columns, given all others: blue if they tend to agree, red if they tend to differ, white "
    "if neither. Values are coded \N{MINUS SIGN}1 and +1, the second of a column +1: the coupling multiplies the odds "
    "that the two agree by e to the power of 2 m_jk, and their odds ratio is e to the power of 4 m_jk. At the right: "
    "the biases b_j, the tendency of each column on its own. Clustered: strongly coupled columns are adjacent, "
    "whatever the sign. By strength: columns with the strongest couplings come first. Hover over a square for its "
    "value."
)
PIXELS = (
    "The couplings of one pixel with all others, one tile per pixel: blue pixels tend to agree with it, red ones to "
    "differ. All tiles share one scale."
)


def couplings_panel(M: Any, b: Any, names: Sequence[str], asked: str, about: str) -> Panel:
    """The couplings of each two columns, in the order that a viewer asks for."""
    order = asked if asked in couplings.ORDERS else couplings.TABLE
    chart = Chart(couplings.heat_map(M, b, names, order=order), LARGE, couplings.sentence(M, names))
    d, most = len(M), couplings.MOST
    rest = f", the first {most} of {d:,} columns" if d > most else f" of {d:,} column{'s' * (d > 1)}"
    return Panel("Couplings", chart, rest, about, choices=(Choice(ORDER, "Order", couplings.ORDERS, order),))


def _pixels(inputs: ViewInputs) -> Panel:
    M = inputs.snapshot.state.model.M
    page, choices = inputs.page(PAGE, "Pixels", len(M))
    tiles = images.weight_tiles(M, inputs.snapshot.prepared.dataset.shape, page=page)
    which = f"pixels {tiles.first} to {tiles.last}"
    alt = f"Couplings of {which}, one tile each, from {-tiles.limit:g} in red to {tiles.limit:g} in blue."
    picture = Picture.from_tiles(tiles, alt)
    return Panel("Couplings of each pixel", (picture,), f", {which} of {tiles.count}", PIXELS, choices=choices)


def _names(dataset: Dataset) -> Sequence[str]:
    """Return the names of the columns."""
    return column_names(dataset.names, dataset.train.n_visible)


# -- standard errors ----------------------------------------------------------------------------------

ESTIMATES = (
    "Each parameter with its uncertainty: estimates from other rows of the same distribution vary by about one "
    "standard error. With many rows the 95 % interval covers the true value in 95 of 100 samples for which a maximiser "
    "exists. With few rows for many columns some samples have none, and so no interval; the intervals of the others "
    "cover the true value somewhat less often. z is the estimate divided by its standard error, p the probability of a "
    "z at least as far from 0 if the parameter were 0. Of many parameters that are 0, one in twenty has a p below "
    "0.05. The covariance is the sandwich estimator, valid for pseudo-likelihoods. Click a heading to sort."
)
AT_REST = "Standard errors are computed when training is paused."
UNDER_WAY = "Computing standard errors."

ERRORS = "Computing standard errors"
_later = in_background(limit_cost(estimating.estimates_of, ERRORS), ERRORS)


def _estimates(found: Estimates | str, dataset: Dataset) -> Panel:
    """Return the panel of the table, or why there is none."""
    if isinstance(found, str):
        return Panel("Estimates", about=ESTIMATES, below=found)
    rest = f" of {len(found.theta):,} parameters, with standard errors"
    table, below = estimating.table(found, _names(dataset)), f"From the {found.rows:,.0f} training rows."
    return Panel("Estimates", table, rest, ESTIMATES, below)
