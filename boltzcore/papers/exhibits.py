"""The eighteen figures and tables of the five papers that are made here: one declaration of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from boltzcore.comparison.comparison import Comparison
from boltzcore.papers import STUDIES, charts, claims, frank_wolfe, log_linear, races, stored
from boltzcore.papers.dc_programming import DCP, RATES
from boltzcore.papers.plots import PlotRows
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import NOT_ATTEMPTED, Check, Rows, Verdict, verdict

Checks = Callable[[Rows], list[Check]]
Draw = Callable[[Sequence[Row]], PlotRows]
Races = Mapping[str, Callable[[], Comparison]]  # {what is compared: its maker}


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A figure or table of a paper.

    checks : what the paper claims, on the rows of the studies
    charts : {study: draws its rows}
    races : its comparisons of learners
    """

    paper: str
    label: str
    title: str
    checks: Checks
    charts: Mapping[str, Draw]
    races: Races = field(default_factory=dict)

    @property
    def studies(self) -> tuple[str, ...]:
        """The studies whose rows it is judged by."""
        return tuple(self.charts)


def judged(exhibit: Exhibit) -> Verdict:
    """Return the verdict, by the first whole result of each study; not attempted if a study has none. Raises ValueError
    if a stored file is damaged.
    """
    found = dict[str, Sequence[Row]]()
    for name in exhibit.studies:
        whole = [result for result in stored.results(name).values() if result.finished]
        if not whole:
            scales = "; ".join(f"{scale}: {what}" for scale, what in STUDIES[name].scales.items())
            return Verdict(NOT_ATTEMPTED, f"No complete result of study {name} is stored. {scales}.")
        found[name] = whole[0].rows
    return verdict(exhibit.checks(found))


def _small(label: str, name: str, data: str, checks: Checks) -> Exhibit:
    of_rates = {f"rate {rate:g}": partial(races.small, data, rate) for rate in RATES}
    drawn = {"dcp-small": partial(charts.small, data)}
    return Exhibit("2", label, f"Learners on {name} at two rates", checks, drawn, of_rates)


def _large(label: str, title: str, checks: Checks, drawn: Mapping[str, str], made: Races) -> Exhibit:
    """Return a figure of trainings with 500 hidden units; `drawn` are {study: title of its chart}."""
    return Exhibit("2", label, title, checks, {name: partial(charts.large, of) for name, of in drawn.items()}, made)


def _race(title: str, study: str) -> Races:
    return {title: partial(races.large, study)}


def _of_each(study: str) -> Races:
    """Return the settings of each of the two learners, which are too many for one comparison."""
    return {f"{name}, all settings": partial(races.large, study, f"{name} ") for name in DCP}


def _errors(label: str, title: str, tasks: Mapping[str, str]) -> Exhibit:
    """Return a table of paper 5; `tasks` are {short title: study}."""
    drawn = {name: partial(charts.errors, name) for name in tasks.values()}
    made = {f"six methods, {short}": partial(races.restoring, name) for short, name in tasks.items()}
    return Exhibit("5", label, title, claims.wrong_pixels, drawn, made)


_SWEEPS, _INNER = (
    "The pseudo-likelihood, sweep by sweep, from five starts",
    "Rates; inner steps and Gibbs steps of one cost",
)
_RATES = {**_race("rates", "dcp-rates"), **_of_each("dcp-inner-steps")}
_GROWN = {title: partial(races.after_frank_wolfe, name) for name, title in frank_wolfe.DATA.items()}
_TERMS = {name: partial(races.terms, name) for name in log_linear.SETS}
EXHIBITS = (
    Exhibit("1", "Figure 1", _SWEEPS, claims.sweeps, {"bslm-figure-1": charts.sweeps}),
    _small("Figure 1", "Shifting Bar", "shifting-bar", claims.shifting_bar),
    _small("Figure 2", "Bars & Stripes", "bars-and-stripes", claims.bars_and_stripes),
    _large("Figure 3", "Learners on MNIST", claims.mnist, {"dcp-mnist": "MNIST"}, _race("five learners", "dcp-mnist")),
    _large(
        "Figure 4",
        "Learners on OMNIGLOT",
        claims.omniglot,
        {"dcp-omniglot": "OMNIGLOT"},
        _race("five learners", "dcp-omniglot"),
    ),
    _large(
        "Figure 5",
        "SSD against the others",
        claims.spectral,
        {"dcp-spectral": "Batches of 1,000"},
        _race("six learners", "dcp-spectral"),
    ),
    _large("Figure 6", _INNER, claims.inner_steps, {"dcp-rates": "Rates", "dcp-inner-steps": "d x K'"}, _RATES),
    _large(
        "Figure 7",
        "Batch sizes; starts",
        claims.insensitive,
        {"dcp-batches": "Batch sizes", "dcp-starts": "Starts"},
        {**_race("batch sizes", "dcp-batches"), **_of_each("dcp-starts")},
    ),
    _large(
        "Table 1", "The four starts of figure 7", claims.insensitive, {"dcp-starts": "Starts"}, _of_each("dcp-starts")
    ),
    Exhibit(
        "3",
        "Figure 1",
        "Log-likelihood by hidden units",
        claims.units,
        {"fw-figure-1": partial(charts.by_units, "test")},
        _GROWN,
    ),
    Exhibit(
        "3",
        "Figure 2",
        "Classification by hidden units",
        claims.classes,
        {"fw-figure-2": partial(charts.by_units, "error")},
    ),
    Exhibit(
        "4",
        "Table 1 and figure 3",
        "FL against pairwise machines",
        claims.full_span,
        {"fsll-table-1": partial(charts.medians, [["kl_to_data", "kl_to_truth"], ["terms"]])},
        _TERMS,
    ),
    Exhibit(
        "4", "Figure 4", "CPU time to learn", claims.cpu_time, {"fsll-table-1": partial(charts.medians, [["seconds"]])}
    ),
    _errors("Table 1", "Denoising MNIST", {"10 % noise": "crbm-noise-10", "20 % noise": "crbm-noise-20"}),
    _errors("Table 2", "Completing MNIST", {"8 x 8 patch": "crbm-occlusion-8", "12 x 12 patch": "crbm-occlusion-12"}),
    _errors(
        "Table 3",
        "Denoising and completing silhouettes",
        {"20 % noise": "crbm-caltech-noise", "12 x 12 patch": "crbm-caltech-occlusion"},
    ),
    Exhibit("5", "Figure 3", "Errors by the size of the patch", claims.sizes, {"crbm-sizes": charts.sizes}),
    Exhibit(
        "5",
        "Figure 4",
        "How often belief propagation converges",
        claims.convergence,
        {"crbm-occlusion-8": charts.convergence},
    ),
)
