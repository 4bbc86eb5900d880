"""View of an infinite RBM while it trains: the latest unit, the gallery of all units in the order in which they came,
the inputs that one of them responds to, and the number of units over time.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from boltzcore.learners.insertion.frank_wolfe import ACCEPTED, ALPHA, EFFECTIVE, OBJECTIVE, UNITS
from boltzcore.measures.merit import judging
from boltzcore.models import InfiniteRBM
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from pages.figures import charts, generic, measurements, units
from pages.figures.curves import TrainingCurves
from pages.figures.frame import Chart, Figures, Frame, Item, NamedFigure, Panel, ViewInputs
from pages.figures.units import Gallery
from pages.views import inserted_units, likelihood, rbm
from pages.views.common import CHART_HEIGHT, curve_chart, same_rows

LEAST = 0.01  # nats that an axis spans

preview = rbm.preview
goodness = rbm.goodness


def frame(inputs: ViewInputs) -> Frame:
    """Return the frame of a training at one moment."""
    snapshot = inputs.snapshot
    curve = Item("curve", inputs.chart_sources, lambda: _curve(inputs), "numbers")
    if snapshot.prepared is None or snapshot.state is None:
        return Frame(_figures(inputs), curve)
    gallery = Gallery.from_state(snapshot.state)
    number = inputs.number(inserted_units.UNIT, range(1, len(gallery) + 1))
    chosen = str(number or "")  # "" for the newest, whichever it is
    page, of = inputs.chosen.get(inserted_units.PAGE), inputs.parameter_sources
    of_all = Item(
        "gallery", (*of, page, chosen), lambda: inserted_units.gallery_panel(inputs, gallery, chosen), "samples"
    )
    of_one = Item("unit", (*of, chosen), lambda: inserted_units.unit_panel(inputs, gallery, chosen), "rows")
    curves = [Item("size", inputs.chart_sources, lambda: _size(inputs), "numbers")]
    if any(OBJECTIVE in record.values for record in snapshot.records):
        curves.append(Item("objective", inputs.chart_sources, lambda: _objective(inputs), "numbers"))
    # otherwise it is drawn large already, or zero
    if measurements.likelihood(snapshot.records) and not same_rows(snapshot.prepared.dataset):
        curves.insert(0, Item("gap", inputs.curve_sources, lambda: _gap(inputs), "numbers"))
    numbers, empty = [place + 1 for place in gallery.present], inserted_units.explain_empty(snapshot)
    activity = partial(rbm.activity_panel, inputs, ACTIVITY, numbers, empty)
    particles = Item("particles", (snapshot.observation, snapshot.prepared), lambda: _particles(inputs), "samples")
    curves.append(Item("activity", (snapshot.observation,), activity, "numbers"))
    return Frame(_figures(inputs), curve, (of_one,), ((of_all, particles), tuple(curves)))


# -- figures ------------------------------------------------------------------------------------------

COUNT, SUM, CHOSEN, SAMPLES = "Hidden units", "Alpha", "Best size", "Effective sample size"
ABOUT = {
    COUNT: "Current number of units. An update inserts one and may remove some.",
    SUM: "The sum of all counts, which is the effective number of hidden units.",
    CHOSEN: "Hidden units of the best state so far, by the log-likelihood of the validation rows. Without validation "
    "rows, the last state before the gap rose, if the schedule limits it, or the best on the training rows.",
    SAMPLES: "Effective sample size of the persistent chains after reweighting. If it is small, the step is "
    "unreliable.",
}


def _figures(inputs: ViewInputs) -> Figures:
    snapshot, records = inputs.snapshot, inputs.snapshot.records
    known = likelihood.likelihood_figures(snapshot, inputs.recipe)
    shown = []
    if snapshot.state is not None and isinstance(snapshot.state.model, InfiniteRBM):
        now = snapshot.state.figures
        shown.append((COUNT, f"{snapshot.state.model.n_units:,}"))
        if (best := _best_record(records, inputs.best)) is not None:
            shown.append((CHOSEN, f"{best.values[UNITS]:,.0f}"))
        if ALPHA in now and now[ALPHA] != now.get(UNITS):
            shown.append((SUM, f"{now[ALPHA]:,.1f}"))
        if EFFECTIVE in now:
            shown.append((SAMPLES, f"{now[EFFECTIVE]:,.0f} of {len(snapshot.state.chains):,}"))
    return [*(NamedFigure(name, value, ABOUT[name]) for name, value in shown), *known]


def _best_record(records: Sequence[Record], best: int | None) -> Record | None:
    """Return the record of the best state; None if no record has its number of units."""
    return next((r for r in records if r.count == best and UNITS in r.values), None)


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    size = f"{records[-1].values[UNITS]:,.0f}" if records and UNITS in records[-1].values else measurements.figure(None)
    return [NamedFigure(COUNT, size, ABOUT[COUNT]), *likelihood.compared(records, recipe, prepared)]


# -- curves -------------------------------------------------------------------------------------------

MARKED = (
    " The dotted line marks the best state and its number of hidden units. An update inserts one unit, so the curve "
    "over updates shows the value of each additional unit."
)
OVERFITS = (
    "Mean free energy of held-out rows (validation, or test if there is no validation part) minus that of training "
    "rows, in nats; log Z cancels. It rises as the model overfits. The dashed line is the smallest gap plus the gap "
    "limit of the schedule. Once the gap exceeds it at several measurements in a row, no further unit is inserted."
)
SIZE = (
    "The number of hidden units. Alpha is the sum of their counts, drawn dotted if it differs (with pinned runs only "
    "the units are drawn). Without correction all counts are equal, usually 1."
)
J = (
    "J, the objective that the corrections increase: the exact log-likelihood of the training rows less the penalty, "
    "lambda / 2 times the squared length of each unit's weights times its count. With full correction J never falls; "
    "the likelihood may fall slightly if the penalty falls by more. Without correction each unit is inserted with the "
    "same count, usually 1, and J may fall."
)


def _curves(inputs: ViewInputs) -> TrainingCurves:
    """Return the curves of this stage alone, to its end, and not to that of a stage after it."""
    along = inputs.along
    if along.budget:
        along = replace(along, budget=min(along.budget, inserted_units.last_update(inputs)))
    return replace(inputs.curves, along=along)


def _curve(inputs: ViewInputs) -> Panel:
    """Return the panel of the log-likelihood, with the best size marked."""
    panel = likelihood.likelihood_curve(inputs)
    chart, records = panel.content, inputs.shown.records
    assert isinstance(chart, Chart)
    figure = units.mark_size(chart.figure, records, inputs.along, inputs.best)
    best = _best(inputs)
    alt = f"{chart.alt} {best}".strip()
    return replace(
        panel,
        content=replace(chart, figure=figure, alt=alt),
        about=panel.about + MARKED,
        below=" ".join(filter(None, (panel.below, best))),
    )


def _best(inputs: ViewInputs) -> str:
    """Return the update and size of the best state, and what judged it; "" if it is unknown."""
    if (found := _best_record(inputs.shown.records, inputs.best)) is None:
        return ""
    if (judging(found.values, inputs.recipe.entry.merit) or "").startswith("validation_"):
        by = "validation rows"
    else:
        by = "gap limit" if inputs.recipe.schedule.gap_limit and charts.GAP in found.values else "training rows"
    return f"Best by the {by}: after update {found.count:,}, with {units.count_units(found.values[UNITS])}."


def _gap(inputs: ViewInputs) -> Panel:
    figure = units.gap(_curves(inputs), inputs.recipe.schedule.gap_limit)
    alt = measurements.sentence(inputs.snapshot.records, charts.GAP, "Free-energy gap")
    return Panel("Free-energy gap", Chart(figure, CHART_HEIGHT, alt), ", indicates overfitting", OVERFITS)


def _size(inputs: ViewInputs) -> Panel:
    rest = ", alpha dotted" if units.alpha_differs(inputs.shown.records) and not inputs.beside else ""
    return Panel("Size", curve_chart(inputs, units.size(_curves(inputs)), units.size_sentence), rest, SIZE)


def _objective(inputs: ViewInputs) -> Panel:
    figure = generic.plot_over_time(replace(_curves(inputs), best=None), OBJECTIVE, least=LEAST)
    describe = partial(measurements.sentence, key=OBJECTIVE, name="Objective J")
    return Panel("Objective J", curve_chart(inputs, figure, describe), ", exact", J)


# -- the model at work --------------------------------------------------------------------------------------------

PARTICLES = (
    "Samples from 40 persistent chains, which need not be at equilibrium. If all counts are whole numbers, the model "
    "is an RBM and the chains are Gibbs chains; otherwise each Gibbs step is a Metropolis-Hastings proposal. The "
    "better the model, the more the samples look like the data."
)
ACTIVITY = (
    "The mean probability that each hidden unit is on, over the training rows, whatever its count. A unit below 1 % "
    "or above 99 % is dead: it hardly distinguishes the rows."
)


def _particles(inputs: ViewInputs) -> Panel:
    accepted = inputs.snapshot.state.figures.get(ACCEPTED, 1.0)
    share = measurements.percent(accepted, 0)
    below = f"{share} of the proposals of the last update were accepted." if accepted < 1 else ""
    return rbm.fantasy_particles(inputs, "particles", PARTICLES, below=below)
