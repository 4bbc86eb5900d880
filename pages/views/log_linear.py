"""What only a log-linear model shows while it trains: the length of the description, the terms that were bought, which
variables share them; and the answer to any question about its variables.
"""

from collections.abc import Mapping, Sequence, Set
from concurrent.futures import Future

from boltzcore.data import Dataset
from boltzcore.learners.log_linear.greedy import COST, TERMS
from boltzcore.learners.log_linear.tables import KL
from boltzcore.measures.estimates import Estimates
from boltzcore.models import LogLinear
from boltzcore.names import Names, column_names
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from pages.common.working import bounded
from pages.figures import measurements, model_curves, naming, questions, terms
from pages.figures.frame import Chart, Figures, Frame, Item, NamedFigure, Panel, ViewInputs
from pages.figures.questions import Answer
from pages.views import answers, generic
from pages.views.common import CHART_HEIGHT, LARGE, data_of, exact_likelihood, same_rows
from pages.web.background import in_background

preview = generic.preview
goodness = generic.goodness


def frame(inputs: ViewInputs) -> Frame:
    """A training at one moment."""
    snapshot = inputs.snapshot
    curve = Item("curve", inputs.chart_sources, lambda: _curve(inputs), "numbers")
    if snapshot.prepared is None or snapshot.state is None:
        return Frame(_figures(inputs), curve)
    dataset, state, learner = snapshot.prepared.dataset, snapshot.state, inputs.recipe.learner
    model, family = state.model, inputs.shown.family

    def bought() -> terms.Bought | None:
        return terms.bought(state, learner, dataset)

    intervals = _intervals(inputs)
    known = intervals.result() if intervals and intervals.done() else None
    searching = not state.done and snapshot.status != "finished"
    listed = Item(
        "terms",
        (*inputs.parameter_sources, learner, known, intervals is None, searching),
        lambda: _terms(model, dataset.names, bought(), known or (INTERVALS_UNDER_WAY if intervals else ""), searching),
        "samples",
    )
    shared = Item(
        "graph", (*inputs.parameter_sources, learner), lambda: _graph(model, dataset.names, bought(), family), "samples"
    )
    orders = Item("orders", inputs.parameter_sources, lambda: _orders(model, family), "numbers")
    curves = [orders]
    if measurements.likelihood(snapshot.records):
        curves.append(
            Item(
                "likelihood", inputs.chart_sources, lambda: exact_likelihood(inputs, EXACT, best=inputs.best), "numbers"
            )
        )
    offered = questions.choices(model, dataset.names, inputs.chosen)
    given = questions.evidence(offered)
    promise = answers.promised(inputs, given)
    found = promise.result() if promise and promise.done() else None
    waits = model.n_states > answers.AT_ONCE and found is None

    def answer() -> Answer | str:
        if waits:
            return answers.UNDER_WAY if promise else answers.AT_REST
        return found or answers.answer_at_once(model, dataset, given)

    of = (*inputs.parameter_sources, str(given), found, waits, promise is None)
    sizes = model.layout.cardinalities
    question = Item(
        "question", of, lambda: answers.question_panel(answer(), dataset, sizes, dict(given), offered, family), "rows"
    )
    states = Item("states", of, lambda: answers.states_panel(answer(), dataset), "rows")
    rows = answers.row_items(of, answer, dataset)
    below = ((question, shared), tuple(curves), (states, *rows))
    asked = ((promise, found), (intervals, known))
    return Frame(
        _figures(inputs), curve, (listed,), below, awaited=tuple(each for each, kept in asked if each and not kept)
    )


# -- figures ------------------------------------------------------------------------------------------

TO_DATA, LENGTH, TO_TRUTH, COUNT = "KL to the data, nats", "Cost, nats", "KL to the truth, nats", "Terms"
TEST, ALL = "Test, nats", "All rows, nats"
ABOUT = {
    LENGTH: "What describing data and model takes beyond the entropy of the data: KL to the data and the prices of all "
    "terms, in nats per example. "
    "The search makes it as small as it can, a step at a time, and it never rises.",
    TO_DATA: "KL(data || model), in nats per example: how much longer the rows are in the model's words than they "
    "have to be. 0 for a model that has every row as often as the data.",
    TO_TRUTH: "KL(truth || model), in nats per example, exact: how far the model is from what the rows were drawn "
    "from. It tells whether terms were bought that fit only chance.",
    COUNT: "Parameters that are not 0, of as many as there are states, less one.",
    TEST: "Mean log-likelihood of rows that are not learnt from, in nats per example, exact. Over at most 5,000.",
    ALL: "Mean log-likelihood, in nats per example, exact. Over at most 5,000 rows.",
}


def _figures(inputs: ViewInputs) -> Figures:
    snapshot = inputs.snapshot
    measured = snapshot.records[-1].values if snapshot.records else {}
    now = snapshot.state.figures if snapshot.state is not None else {}  # what the search reports at every update
    now = {name: now[name] for name in (COST, KL, TERMS) if name in now}
    titles = (LENGTH, TO_DATA, TO_TRUTH, COUNT, TEST, ALL)
    return _named_figures({**measured, **now}, data_of(snapshot.prepared), titles, measured.keys() - now.keys())


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    known = records[-1].values if records else {}
    return _named_figures(known, data_of(prepared), (LENGTH, TO_DATA, TO_TRUTH, COUNT))


def _named_figures(
    known: Mapping[str, float], dataset: Dataset | None, titles: Sequence[str], measured: Set[str] = frozenset()
) -> Figures:
    alike = same_rows(dataset)
    keys = {
        LENGTH: COST,
        TO_DATA: KL,
        TO_TRUTH: model_curves.TO_TRUTH,
        COUNT: TERMS,
        ALL if alike else TEST: "train_log_likelihood" if alike else "test_log_likelihood",
    }
    return [
        NamedFigure(title, measurements.figure(known[key], 0 if title == COUNT else 4), ABOUT[title], key in measured)
        for title in titles
        if (key := keys.get(title)) in known
    ]


# -- curves -------------------------------------------------------------------------------------------

DESCRIPTION = (
    "How long a description is, less the entropy of the rows, which every description takes, in nats per example: "
    "lower is better. The thin line is the KL divergence from the data "
    "to the model, which every term makes smaller. The thick line adds what the terms cost, each the more the more "
    "variables it depends on and the fewer rows there are: the search takes the step that lowers that sum most, and "
    "ends when no step lowers it by more than its threshold. The dotted line, where the source of the rows is known, "
    "is the KL divergence from that truth: were terms bought that only chance made, it would rise."
)
EXACT = (
    "How probable the model makes a whole row: the mean of its natural logarithm, in nats per example, exact, by a sum "
    "over every state. Over at most 5,000 rows of a split. Training rows are drawn thin, "
    "validation rows dotted, test rows thick."
)


def _curve(inputs: ViewInputs) -> Panel:
    """The length of the description."""
    figure = model_curves.description_length(inputs.curves)
    describe = model_curves.description_sentence
    alt = naming.together(describe(inputs.shown.records), inputs.shown, inputs.beside, describe)
    return Panel("Description length", Chart(figure, LARGE, alt), "", DESCRIPTION, choices=(inputs.axis,))


# -- terms --------------------------------------------------------------------------------------------

LIST = (
    "The terms that the model holds. A term's function is +1 in some states and \N{MINUS SIGN}1 in the others; a line "
    "says when it is +1. A positive value makes that more frequent than the other terms alone make it, a negative "
    "value less frequent. {interval}{search}Press a heading to sort."
)
INTERVAL = (
    "95 % from, to: the confidence interval of the value of maximum likelihood, from its sandwich standard error. "
    "Which terms there are stays fixed, as if they had been chosen before: of terms that the same rows have chosen "
    "the intervals are too narrow. "
)
SEARCH = (
    "Gain: what the KL divergence fell by in all steps that touched the term; price: what it costs, both in nats per "
    "example; update: when it was bought. "
)
SAYS = "“More often” and “less often” mean: than the other terms alone would make it."
SEARCHING = "No term yet: the search for the first one that is worth its price is not over."
NONE = "No term: every state is as likely as any other. Few rows pay for few terms."
CONDITIONAL = "Intervals hold the terms fixed, as if they had been chosen before."
INTERVALS_UNDER_WAY = "Intervals of the values are being worked out."
SHARED = (
    "The variables of more than one value on a circle. Two are joined where a term depends on both: the thicker, the "
    "more such terms gain together, or, where no search bought them, the larger their parameters. Point at the middle "
    "of a line for its number."
)
ORDERS = (
    "How many terms depend on one variable, on two, on three and so on. A model of pairs has none beyond two; this one "
    "may hold terms of any order, and buys them where they pay."
)


INTERVALS = "Working out intervals of the values"
_intervals_later = in_background(bounded(terms.intervals_of, INTERVALS), INTERVALS)


def _intervals(inputs: ViewInputs) -> Future | None:
    """What the intervals of a model's values that rests will be; None while it moves, and where it has no term."""
    snapshot = inputs.snapshot
    if snapshot.status in MOVING or not snapshot.state.model.n_terms:
        return None
    return _intervals_later(snapshot.state.model, snapshot.prepared.dataset)


def _terms(
    model: LogLinear,
    names: Names | None,
    found_terms: terms.Bought | None,
    intervals: Estimates | str = "",
    searching: bool = False,
) -> Panel:
    """The table; `intervals` are those of the values, or what there is to say instead."""
    found = intervals if isinstance(intervals, Estimates) else None
    said = [SAYS] if model.n_terms else [SEARCHING if searching else NONE]
    if model.n_terms > terms.LISTED:
        said.append(f"{terms.LISTED:,} of {model.n_terms:,} terms are listed.")
    said.append(CONDITIONAL if found else str(intervals))
    rest = f", {model.n_terms:,} of {model.n_states - 1:,}"
    table = terms.table(model, names, found_terms, found)
    about = LIST.format(interval=INTERVAL if found else "", search=SEARCH if found_terms else "")
    return Panel("Terms", table, rest, about, " ".join(filter(None, said)))


def _graph(model: LogLinear, names: Names | None, found_terms: terms.Bought | None, family: str) -> Panel:
    called = column_names(names, model.n_visible)
    chart = Chart(
        terms.graph(model, called, found_terms, family=family), LARGE, terms.graph_sentence(model, called, found_terms)
    )
    return Panel("Who shares terms", chart, "", SHARED)


def _orders(model: LogLinear, family: str) -> Panel:
    chart = Chart(terms.orders(model, family=family), CHART_HEIGHT, terms.orders_sentence(model))
    return Panel("Orders of the terms", chart, "", ORDERS)
