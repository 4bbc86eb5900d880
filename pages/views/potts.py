"""View of a Potts model while it trains: its pseudo-likelihood, the couplings of pairs of columns and of the values of
a pair; and, if its states can be listed, answers to queries about its columns.
"""

from collections.abc import Sequence
from concurrent.futures import Future

from boltzcore.data.examples import Examples
from boltzcore.inference.samples import Samples, draw_samples, law_of
from boltzcore.models import Potts
from boltzcore.names import Names, column_names
from boltzcore.plotting import couplings
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from pages.common.working import limit_cost
from pages.figures import measurements, questions, value_couplings
from pages.figures.frame import Chart, Choice, Figures, Frame, Item, Panel, ViewInputs
from pages.views import answers, fvbm, generic
from pages.views.common import CHART_HEIGHT, exact_likelihood
from pages.web.background import in_background

FIRST, SECOND = "first", "second"  # choices of the columns of a pair

preview = generic.preview
goodness = generic.goodness


def frame(inputs: ViewInputs) -> Frame:
    """Return the frame of a training at one moment."""
    snapshot = inputs.snapshot
    figures = fvbm.pseudo_figures(snapshot.records, snapshot.prepared)
    curve = Item("curve", inputs.chart_sources, lambda: fvbm.pseudo_curve(inputs, TOO_LARGE), "numbers")
    if snapshot.prepared is None or snapshot.state is None:
        return Frame(figures, curve)
    model, names, of = snapshot.state.model, snapshot.prepared.dataset.names, inputs.parameter_sources
    order, pair = inputs.chosen.get(fvbm.ORDER, ""), (inputs.chosen.get(FIRST, ""), inputs.chosen.get(SECOND, ""))
    strengths = Item("couplings", (*of, order), lambda: _strengths(model, names, order), "samples")
    opened = Item("pair", (*of, *pair), lambda: _pair(model, names, *pair), "samples")
    listed = Item("strongest", of, lambda: _strongest(model, names), "samples")
    curves = []
    if measurements.likelihood(snapshot.records):
        curves.append(Item("likelihood", inputs.chart_sources, lambda: exact_likelihood(inputs, fvbm.EXACT), "numbers"))
    if (law := law_of(model)) is not None:
        question, rows, awaited = answers.items(inputs, law)
        asked = (question, *curves)
    else:
        rows, awaited = _sampled(inputs)
        asked = tuple(curves)
    below = tuple(row for row in ((opened, listed), asked, rows) if row)
    return Frame(figures, curve, (strengths,), below, awaited=(awaited,) if awaited else ())


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    return fvbm.pseudo_figures(records, prepared)


# -- the model ----------------------------------------------------------------------------------------

TOO_LARGE = "The exact log-likelihood sums over every state: these columns have too many of them."
GAUGE = (
    "In the zero-sum gauge the couplings of a value sum to 0 over the values of the other column. e^J is the factor by "
    "which two values occur together more often (J above 0) or less often (J below 0), relative to geometric means "
    "over the other values. If two columns are not coupled, every J is 0."
)
STRENGTHS = (
    "The strength of the coupling of two columns, given all others: the square root of the sum of the squared "
    "couplings of their values. White: given all other columns, the two are independent. Clustered: strongly coupled "
    "columns are adjacent. By strength: columns with the strongest couplings come first. Hover over a square for its "
    f"value. {GAUGE}"
)
PAIR = (
    "The coupling J(a, b) of each value of one column with each of another, given all other columns: blue above 0, red "
    f"below 0. {GAUGE}"
)
LIST = (
    f"The strongest couplings, at most {value_couplings.LISTED}: two columns, the strength of their coupling, and the "
    "values that it makes most and least often occur together, given all other columns. Weak couplings may be noise: "
    "a small price on pairs leaves most of them above 0."
)
SAMPLES = "Rows drawn from the model by annealed chains, next to rows of the data: it has too many states to list."
DOUBT = "Few chains are effective: these rows may not be like those of the model."
DRAWING, AT_REST, UNDER_WAY = "Drawing rows", "Rows are drawn when training is paused.", "Drawing rows."


def _strengths(model: Potts, names: Names | None, asked: str) -> Panel:
    return fvbm.couplings_panel(model.strengths(), None, column_names(names, model.n_visible), asked, STRENGTHS)


def _pair(model: Potts, names: Names | None, first: str, second: str) -> Panel:
    """Return the panel of the couplings of two columns' values, by default of the most strongly coupled ones."""
    strengths = model.strengths()[: couplings.MOST, : couplings.MOST]
    if not (strongest := couplings.strongest_pairs(strengths, 1)):
        return Panel("Coupling of two columns", about=PAIR, below="There is only one column.")
    titles = {str(k): name for k, name in enumerate(value_couplings.short_names(model, names)[: len(strengths)])}
    i = int(first) if first in titles else strongest[0][0]
    others = {k: title for k, title in titles.items() if k != str(i)}
    j = int(second if second in others else max(others, key=lambda k: strengths[i, int(k)]))
    choices = (Choice(FIRST, "Column", titles, str(i)), Choice(SECOND, "With", others, str(j)))
    sentence = value_couplings.sentence(model, (i, j), names)
    if model.n_visible > len(strengths):
        sentence += f" The first {len(strengths)} of {model.n_visible:,} columns can be chosen."
    chart = Chart(couplings.value_map(model, (i, j), names), CHART_HEIGHT, sentence)
    return Panel("Coupling of two columns", chart, ", value by value", PAIR, sentence, choices)


def _strongest(model: Potts, names: Names | None) -> Panel:
    """Return the panel of the pairs of columns with the strongest couplings."""
    strengths, d = model.strengths(), model.n_visible
    if (table := value_couplings.strongest(model, names, strengths)) is None:
        return Panel("Strongest couplings", about=LIST, below="No two columns are coupled.")
    rest = f", {len(table.columns[0].texts):,} of {d * (d - 1) // 2:,} pairs"
    return Panel("Strongest couplings", table, rest, LIST)


# -- rows of a model of too many states ----------------------------------------------------------------


_drawn_later = in_background(limit_cost(draw_samples, DRAWING), DRAWING)


def _sampled(inputs: ViewInputs) -> tuple[tuple[Item, ...], Future | None]:
    """Return rows of the model, drawn once it rests, and rows of the data; and the pending work."""
    snapshot, dataset, model = inputs.snapshot, inputs.snapshot.prepared.dataset, inputs.snapshot.state.model
    promise = None if snapshot.status in MOVING else _drawn_later(model, questions.PICTURES)
    found = promise.result() if promise and promise.done() else None
    why = found or (UNDER_WAY if promise else AT_REST)
    rows = Examples(found.v, levels=tuple(model.levels.tolist())) if isinstance(found, Samples) else why
    doubt = DOUBT * (isinstance(found, Samples) and not found.reliable)
    of = (*inputs.parameter_sources, found, promise is None)
    return answers.row_items(of, lambda: rows, dataset, SAMPLES, doubt), None if found else promise
