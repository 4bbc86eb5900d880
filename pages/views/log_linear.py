"""View of a log-linear model while it trains: its description length, the terms that were bought, the variables that
share them; and answers to queries about its variables.
"""

from collections.abc import Mapping, Sequence, Set

from boltzcore.data import Dataset
from boltzcore.learners.log_linear.greedy import COST, TERMS
from boltzcore.learners.log_linear.tables import KL
from boltzcore.measures.estimates import Estimates
from boltzcore.measures.term_estimates import estimated_terms
from boltzcore.models import LogLinear
from boltzcore.names import Names, column_names
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from pages.common.working import limit_cost
from pages.figures import measurements, model_curves, terms
from pages.figures.frame import Chart, Figures, Frame, Item, NamedFigure, Panel, ViewInputs
from pages.views import answers, generic
from pages.views.common import LARGE, curve_chart, data_of, exact_likelihood, same_rows
from pages.web.background import in_background

preview = generic.preview
goodness = generic.goodness


def frame(inputs: ViewInputs) -> Frame:
    """Return the frame of a training at one moment."""
    snapshot = inputs.snapshot
    curve = Item("curve", inputs.chart_sources, lambda: _curve(inputs), "numbers")
    if snapshot.prepared is None or snapshot.state is None:
        return Frame(_figures(inputs), curve)
    dataset, state, learner = snapshot.prepared.dataset, snapshot.state, inputs.recipe.learner
    model, family = state.model, inputs.shown.family

    def bought() -> terms.Purchases | None:
        return terms.get_purchases(state, learner, dataset)

    rests = model.n_terms and snapshot.status not in MOVING
    intervals = _intervals_later(model, dataset.train) if rests else None
    known = intervals.result() if intervals and intervals.done() else None
    searching = not state.done and snapshot.status != "finished"
    gaps = 0 if dataset.train.gaps is None or not learner.takes_gaps else len(dataset.train.gaps)
    of, found = (*inputs.parameter_sources, learner), known or (INTERVALS_UNDER_WAY if intervals else "")
    listed = Item(
        "terms",
        (*of, known, intervals is None, searching),
        lambda: _terms(model, dataset.names, bought(), found, searching, gaps),
        "samples",
    )
    shared = Item("graph", of, lambda: _graph(model, dataset.names, bought(), family), "samples")
    likelihood = Item(
        "likelihood", inputs.chart_sources, lambda: exact_likelihood(inputs, EXACT, best=inputs.best), "numbers"
    )
    curves = (likelihood,) if measurements.likelihood(snapshot.records) else ()
    question, rows, answer = answers.items(inputs, model)
    below = ((question, shared), curves, rows)
    awaited = tuple(each for each in (answer, None if known else intervals) if each)
    return Frame(_figures(inputs), curve, (listed,), below, awaited=awaited)


# -- figures ------------------------------------------------------------------------------------------

TO_DATA, LENGTH, TO_TRUTH, COUNT = "KL to the data, nats", "Cost, nats", "KL to the truth, nats", "Terms"
TEST, ALL = "Test, nats", "All rows, nats"
ABOUT = {
    LENGTH: "Description length of data and model, less the entropy of the data: KL to the data plus the prices of all "
    "terms, in nats per example. The search minimises it step by step; it can rise only when rows with gaps are "
    "completed anew.",
    TO_DATA: "KL(data || model), in nats per example: the extra code length of the rows under the model. 0 if the "
    "model reproduces the frequencies of the data. Rows with gaps count as the search has completed them.",
    TO_TRUTH: "KL(truth || model), in nats per example, exact: the divergence of the model from the distribution of "
    "the rows. It rises if terms fit only noise.",
    COUNT: "Nonzero parameters, of the number of states minus one.",
    TEST: "Exact mean log-likelihood of at most 5,000 held-out rows, in nats per example.",
    ALL: "Exact mean log-likelihood of at most 5,000 rows, in nats per example.",
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
    "Description length, less the entropy of the rows, in nats per example: lower is better. The thin line is the KL "
    "divergence from the data to the model, which every term reduces. The thick line adds the prices of the terms; a "
    "term costs more if it depends on more variables or if there are fewer rows. The search takes the step that lowers "
    "this sum most, and ends when no step lowers it by more than the threshold. The dotted line is the KL divergence "
    "from the true distribution, if known; it rises if terms fit only noise. If rows with gaps are learnt from, "
    "cost and KL to the data are of all training rows, as the search has completed them."
)
EXACT = (
    "Exact mean log-likelihood of the rows, in nats per example, by a sum over every state, over at most 5,000 rows of "
    "a split. Training rows are drawn thin, validation rows dotted, test rows thick."
)


def _curve(inputs: ViewInputs) -> Panel:
    """Return the panel of the description length."""
    figure = model_curves.description_length(inputs.curves)
    chart = curve_chart(inputs, figure, model_curves.description_sentence, height=LARGE)
    return Panel("Description length", chart, "", DESCRIPTION, choices=(inputs.axis,))


# -- terms --------------------------------------------------------------------------------------------

LIST = (
    "The terms of the model, the strongest first: which combinations of values each makes more frequent, and which "
    "less frequent, than the other terms alone would. The function of a term is +1 in some states and \N{MINUS SIGN}1 "
    "in the others; a positive value favours the first. Odds ratio, above 1, in favour of what is more frequent: "
    "exp(2^k |value|) for a term of k variables. For one variable it is the odds of its values, for two their odds "
    "ratio. {interval}{search}{higher}Click a heading to sort."
)
INTERVAL = (
    "Estimate: the odds ratio after all values are refitted together to the complete training rows by maximum "
    "likelihood; the model's own may differ, because the search moves one value at a time and may learn from rows with "
    "gaps. In brackets: its 95 % confidence interval, from a sandwich standard error. p: the p-value of Wald's test of "
    "no effect, corrected for all terms by Holm's method. The set of terms is treated as fixed: if the same rows "
    "selected the terms, the intervals are too narrow and p is too small. "
)
SEARCH = (
    "Gain: the decrease of the KL divergence in all steps on the term; price: its description length, both in nats per "
    "example; update: when it was added. "
)
HIGHER = (
    "A term of three or more variables may stand for pairs that are not in the model: check it against the Potts "
    "model, which has all pairs. "
)
SAYS = "More frequent than the other terms alone would make it; the strongest term first."
SEARCHING = "No terms yet: the search for the first term is still going on."
NONE = "No terms: all states are equally likely. Few rows justify few terms."
CONDITIONAL = "In brackets: 95 % intervals, which treat the set of terms as fixed."
INTERVALS_UNDER_WAY = "Computing intervals."
SHARED = (
    "The variables with more than one value, on a circle. A line joins two variables if a term depends on both: "
    "thicker for a larger total gain of these terms or, without a search, for larger parameters. Hover over the middle "
    "of a line for its value."
)
INTERVALS = "Computing intervals"
_intervals_later = in_background(limit_cost(estimated_terms, INTERVALS), INTERVALS)


def _terms(
    model: LogLinear,
    names: Names | None,
    found_terms: terms.Purchases | None,
    intervals: Estimates | str = "",
    searching: bool = False,
    gaps: int = 0,
) -> Panel:
    """Return the panel of the terms; `intervals` are those of the values, or the sentence in their place."""
    found = intervals if isinstance(intervals, Estimates) else None
    sentences = [SAYS] if model.n_terms else [SEARCHING if searching else NONE]
    if model.n_terms > terms.LISTED:
        sentences.append(f"{terms.LISTED:,} of {model.n_terms:,} terms are listed.")
    higher = HIGHER if ((model.digits() != 0).sum(axis=1) > 2).any() else ""
    sentences += [CONDITIONAL if found else str(intervals), higher.strip()]
    if gaps:
        sentences.append(f"{gaps:,} rows with gaps count, too; log-likelihoods and intervals are of complete rows.")
    rest = f", {model.n_terms:,} of {model.n_states - 1:,}"
    table = terms.table(model, names, found_terms, found)
    about = LIST.format(interval=INTERVAL if found else "", search=SEARCH if found_terms else "", higher=higher)
    return Panel("Terms", table, rest, about, " ".join(filter(None, sentences)))


def _graph(model: LogLinear, names: Names | None, found_terms: terms.Purchases | None, family: str) -> Panel:
    called = column_names(names, model.n_visible)
    figure = terms.graph(model, called, found_terms, family=family)
    chart = Chart(figure, LARGE, terms.graph_sentence(model, called, found_terms))
    return Panel("Shared terms", chart, "", SHARED)
