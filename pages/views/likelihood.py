"""Log-likelihood of the data while a model trains: its figures and its curve."""

from collections.abc import Sequence

from boltzcore.data import Dataset
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from pages.figures import charts, estimate_quality, measurements, naming
from pages.figures.curves import mark_stages
from pages.figures.frame import Chart, Figures, NamedFigure, Panel, ViewInputs
from pages.views.common import LARGE, curve_chart, data_of, same_rows

TEST, ALL, TRAINING = "Test, nats", "All patterns, nats", "Training, nats"
GAP, COUNTING, BEST = "Free-energy gap, nats", "Effective AIS chains", "Best, nats"
ABOUT = {
    TEST: "Mean exact log-likelihood of held-out rows, in nats per example.",
    ALL: "Mean exact log-likelihood of the patterns, in nats per example. All patterns are used for both training and "
    "testing.",
    TRAINING: "Mean exact log-likelihood of the training rows, in nats per example.",
    GAP: "Mean free energy of validation (or test) minus training rows.",
    BEST: "The highest test log-likelihood so far, in nats per example.",
    COUNTING: f"Effective sample size of the importance weights. If it is below {measurements.FEWEST}, neither the "
    "estimate nor its interval is reliable. More is no guarantee: it does not show modes that no chain has found.",
}
ESTIMATED = (
    " An estimate by annealed importance sampling: \N{PLUS-MINUS SIGN} is three standard errors of log Z alone, "
    "without the sampling error of the rows."
)


def likelihood_figures(snapshot: Snapshot, recipe: Recipe) -> Figures:
    records, dataset = snapshot.records, data_of(snapshot.prepared)
    known = records[-1].values if records else {}
    shown = []
    if kind := measurements.likelihood(records):
        keys = {ALL: kind.train} if same_rows(dataset) else {TEST: kind.test, TRAINING: kind.train}
        shown = [(name, measurements.nats(kind, known, key)) for name, key in keys.items()]
        if kind.estimated:
            shown += [(COUNTING, measurements.count_chains(known, recipe.annealing))]
    elif charts.GAP in known:
        shown = [(GAP, measurements.figure(known[charts.GAP]))]
    return [_make_figure(*each, kind, dataset) for each in shown]


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    dataset = data_of(prepared)
    kind = measurements.likelihood(records)
    last, best = measurements.last(records), measurements.best(records)
    shown = ((ALL if same_rows(dataset) else TEST, last), (BEST, best))
    return [_make_figure(*each, kind, dataset) for each in shown]


def _make_figure(name: str, value: str, kind: measurements.Likelihood | None, dataset: Dataset | None) -> NamedFigure:
    """Return one figure with its name and explanation: for a log-likelihood, how it was measured."""
    about, measured = ABOUT[name], name in (TEST, ALL, TRAINING, GAP, COUNTING)
    if name in (TEST, ALL, TRAINING, BEST) and dataset is not None:
        about += f" Measured over {measurements.row_text(dataset.test if name in (TEST, BEST) else dataset.train)}."
    if kind and kind.estimated and name in (TEST, ALL, TRAINING, BEST):
        name, about = f"{name}, estimate", about.replace("exact ", "") + ESTIMATED
    return NamedFigure(name, value, about, measured)


LIKELIHOOD = (
    "The mean log-likelihood of the rows, in nats per example. Higher is better. Training rows are drawn thin, "
    "test rows, which are held out, thick. The base rate is the log-likelihood of a model that knows only how often "
    "each training pixel is on. The ring marks the best state so far, on the curve that selects it: that of the "
    "validation rows (dotted) if there are any, otherwise that of the training rows."
)
ESTIMATE = (
    "This model is too large for its exact likelihood, a sum over every state of its smaller layer. Annealed "
    "importance sampling (AIS) estimates it here: {chains:,} chains go from the base rates to the model in "
    "{temperatures:,} temperatures. The band is three standard errors of log Z to either side; the sampling error of "
    "the rows is not included. On average the estimate of log Z is too low and that of the likelihood too high: "
    "distrust it if the band is wide or few chains are effective. "
)
IN_BETWEEN = "Intermediate measurements use fewer chains and temperatures. "
NO_LIKELIHOOD = (
    "The log-likelihood is not among the measures of this run. The free-energy gap is drawn instead: it indicates "
    "overfitting, not how good the model is."
)


def likelihood_curve(inputs: ViewInputs) -> Panel:
    """Return the panel of the log-likelihood or, if it is unavailable, of a sentence on that and the gap."""
    snapshot, recipe, records = inputs.snapshot, inputs.recipe, inputs.shown.records
    dataset = data_of(snapshot.prepared)
    kind = measurements.likelihood(records)
    if records and not kind:
        figure = charts.free_energy_gap(inputs.curves)
        gap = Chart(figure, LARGE, measurements.sentence(records, charts.GAP, "Free-energy gap"))
        return Panel("Free-energy gap", gap, about=ABOUT[GAP], below=NO_LIKELIHOOD, choices=(inputs.axis,))
    figure = charts.likelihood(
        inputs.curves,
        base_rate=snapshot.base_rate,
        upper_bound=charts.upper_bound(dataset) if dataset else None,
    )
    if recipe.before:
        mark_stages(figure, records, inputs.along, [naming.short(stage.learner) for stage in recipe.stages[1:]])
    alt = f"{measurements.likelihood_sentence(records)} Base rate {measurements.figure(snapshot.base_rate)}."
    alt += estimate_quality.count(kind, records)
    chart = curve_chart(inputs, figure, measurements.likelihood_sentence, alt, height=LARGE)
    rest, about = "", LIKELIHOOD + _count_rows(dataset)
    if kind and kind.estimated:
        rest, how = ", estimated by AIS", ESTIMATE.format(**recipe.annealing.values())
        about = f"{IN_BETWEEN if recipe.schedule.between else ''}{how}{estimate_quality.ABOUT}{about}"
    return Panel("Log-likelihood", chart, rest, about, choices=(inputs.axis,))


def _count_rows(dataset: Dataset | None) -> str:
    """Return the number of rows that a log-likelihood is measured over, in a sentence; "" without data."""
    if dataset is None:
        return ""
    if same_rows(dataset):
        return f" Measured over {measurements.row_text(dataset.train)}."
    return (
        f" Measured over {measurements.row_text(dataset.train)} for training and {measurements.row_text(dataset.test)} "
        "for testing."
    )
