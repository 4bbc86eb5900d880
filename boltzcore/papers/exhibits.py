"""The eighteen figures and tables of the five papers that the project reproduces, one declaration each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.papers import STUDIES, charts, claims, frank_wolfe, log_linear, races, stored, table_claims
from boltzcore.papers.dc_programming import DCP, RATES
from boltzcore.papers.plots import PlotRows
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import IN_PART, NOT_REPRODUCED, UNDECIDED, Check, Rows, Verdict, means, verdict

Checks = Callable[[Rows], list[Check]]
Draw = Callable[[Sequence[Row]], PlotRows]
Races = Mapping[str, Callable[[], Comparison]]  # {description of the comparison: its factory}


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A figure or table of a paper.

    claim : its main claim in the paper's words, with the section
    checks : the paper's claims, checked on the rows of the studies
    charts : {study: function that draws its rows}
    races : its comparisons of learners
    experiments : {further study: function that returns a sentence on its rows}; the first one explains the differences
    """

    paper: str
    label: str
    title: str
    claim: str
    checks: Checks
    charts: Mapping[str, Draw]
    races: Races = field(default_factory=dict)
    experiments: Mapping[str, Callable[[Sequence[Row]], str]] = field(default_factory=dict)

    @property
    def studies(self) -> tuple[str, ...]:
        """The studies whose rows decide the verdict."""
        return tuple(self.charts)


def whole_results(studies: Iterable[str]) -> dict[str, stored.StoredResult]:
    """Return the first complete result of each study, omitting studies without one. Raises Refusal if a stored file
    is damaged.
    """
    found = {name: [each for each in stored.results(name).values() if each.finished] for name in studies}
    return {name: results[0] for name, results in found.items() if results}


def judge_exhibit(exhibit: Exhibit) -> Verdict:
    """Return the verdict by the first complete result of each study; undecided if a study has none. Raises Refusal
    if a stored file is damaged.
    """
    found = whole_results(exhibit.studies)
    if missing := [name for name in exhibit.studies if name not in found]:
        return Verdict(UNDECIDED, f"No complete result of study {missing[0]} is stored.")
    lacking = {name: STUDIES[name].full.get(result.scale) for name, result in found.items()}
    made = verdict(
        exhibit.checks({name: result.rows for name, result in found.items()}),
        [name for name, lack in lacking.items() if lack is None],
    )
    caveat = "; ".join(dict.fromkeys(filter(None, lacking.values()))) if made.verdict != UNDECIDED else ""
    others = {name: exhibit.experiments[name](each.rows) for name, each in whole_results(exhibit.experiments).items()}
    first = next(iter(exhibit.experiments), "") if made.verdict in (IN_PART, NOT_REPRODUCED) else ""
    return replace(made, cause=others.get(first, ""), caveat=caveat, experiments=others)


def scale_sentence(exhibit: Exhibit) -> str:
    """Return our scale for each study, and the paper's scale with its cost if ours is smaller."""
    parts = []
    for name, result in whole_results(exhibit.studies).items():
        study = STUDIES[name]
        ours = study.scales[result.scale]
        shown = ours if result.scale in study.full else f"{ours} (the paper: {study.theirs}; {study.cost})"
        parts.append(shown if len(exhibit.studies) == 1 else f"{study.title}: {shown}")
    return "; ".join(parts)


def _small(label: str, name: str, data: str, claim: str, checks: Checks, **experiments: Any) -> Exhibit:
    of_rates = {f"rate {rate:g}": partial(races.small, data, rate) for rate in RATES}
    drawn = {"dcp-small": partial(charts.small, data)}
    return Exhibit("2", label, f"Learners on {name} at two rates", claim, checks, drawn, of_rates, **experiments)


def _large(
    label: str, title: str, claim: str, checks: Checks, drawn: Mapping[str, str], made: Races, **experiments: Any
) -> Exhibit:
    """Return a figure on trainings with 500 hidden units; `drawn` maps each study to the title of its chart."""
    shown = {name: partial(charts.large, of) for name, of in drawn.items()}
    return Exhibit("2", label, title, claim, checks, shown, made, **experiments)


def _of_each(study: str) -> Races:
    """Return a comparison of all settings for each of the two learners: together they are too many."""
    return {f"{name}, all settings": partial(races.large, study, f"{name} ") for name in DCP}


def _errors(label: str, title: str, claim: str, tasks: Mapping[str, str], **experiments: Any) -> Exhibit:
    """Return a table of paper 5; `tasks` maps each short title to a study."""
    drawn = {name: partial(charts.errors, name) for name in tasks.values()}
    made = {f"six methods, {short}": partial(races.restoring, name) for short, name in tasks.items()}
    return Exhibit("5", label, title, claim, table_claims.wrong_pixels, drawn, made, **experiments)


def _starts(studies: Sequence[str], rows: Sequence[Row]) -> str:
    shown = (
        "The cause is open. Distance of LR from this table by the start of the input weights, here 4 or 8, mean in %"
    )
    return means(shown, ("input_weight",), table_claims.distance, [row for row in rows if row["study"] in studies])


_NOISE, _PATCH = ("crbm-noise-10", "crbm-noise-20"), ("crbm-occlusion-8", "crbm-occlusion-12")
_MAIN = '"All" is "the main measurement" (section 6, results).'
_SENSITIVE = (
    '"both S-DCP and CS-DCP algorithms are less sensitive to the initial values of weights and biases" (section 5.4).'
)
EXHIBITS = (
    Exhibit(
        "1",
        "Figure 1",
        "The pseudo-likelihood, sweep by sweep, from five starts",
        '"the log-pseudo-likelihood values are increasing in each simulation [...] most of the increase [...] occurs '
        'in early iterations, and the algorithm appears to converge rapidly" (section 5, page 6).',
        claims.sweeps,
        {"bslm-figure-1": charts.sweeps},
        experiments={"bslm-figure-1": claims.compare_by_maximiser},
    ),
    _small(
        "Figure 1",
        "Shifting Bar",
        "shifting-bar",
        '"the CD and PCD algorithms become stuck in a local minimum achieving ATLL around -3.15 for both the learning '
        "rates [...]. We observe that the CG algorithm is able to escape from this local minima when a higher learning "
        "rate [...] is used. However, S-DCP and CS-DCP algorithms are able to reach almost the same ATLL independent "
        'of the learning rate" (section 4.2.1).',
        claims.shifting_bar,
    ),
    _small(
        "Figure 2",
        "Bars & Stripes",
        "bars-and-stripes",
        '"the CS-DCP/S-DCP and CG algorithms perform almost the same in terms of the achieved ATLL. However CD and PCD '
        "algorithms are sensitive to the learning rate and fail to achieve the ATLL achieved by CS-DCP/S-DCP. "
        "Moreover, the speed of learning, indicated in the figure by the epoch at which the model achieve 90% of the "
        'maximum ATLL, shows the effectiveness of both CS-DCP and S-DCP algorithms" (section 4.2.1).',
        claims.bars_and_stripes,
        experiments={"dcp-longer-chains": lambda rows: claims.longer_chains(rows).sentence},
    ),
    _large(
        "Figure 3",
        "Learners on MNIST",
        '"CS-DCP converges faster when a small learning rate is used. However, all the algorithms achieve almost the '
        'same ATLL at the end of 200 epochs" (section 4.2.2).',
        claims.mnist,
        {"dcp-mnist": "MNIST"},
        {"five learners": partial(races.large, "dcp-mnist")},
    ),
    _large(
        "Figure 4",
        "Learners on OMNIGLOT",
        '"both S-DCP and CS-DCP algorithms are superior to all the other algorithms both in terms of speed and the '
        'achieved ATLL" (section 4.2.2).',
        claims.omniglot,
        {"dcp-omniglot": "OMNIGLOT"},
        {"five learners": partial(races.large, "dcp-omniglot")},
    ),
    _large(
        "Figure 5",
        "SSD against the others",
        '"both CS-DCP and SSD have similar performance and are superior compared to all the other algorithms" (section '
        "4.2.2).",
        claims.spectral,
        {"dcp-spectral": "Batches of 1,000"},
        {"six learners": partial(races.large, "dcp-spectral")},
    ),
    _large(
        "Figure 6",
        "Rates; inner steps and Gibbs steps at equal cost",
        '"for a small learning rate η=0.01, as epoch progress, there is an increase in the ATLL for most epochs" '
        '(section 5.1). "As d is increased, the number of gradient updates per epoch increases leading to faster '
        "learning [...]. However, irrespective of the values d and K' both the algorithms converge eventually to the "
        'same ATLL" (section 5.2).',
        claims.inner_steps,
        {"dcp-rates": "Rates", "dcp-inner-steps": "d × K'"},
        {"rates": partial(races.large, "dcp-rates"), **_of_each("dcp-inner-steps")},
    ),
    _large(
        "Figure 7",
        "Batch sizes; starts",
        '"the S-DCP eventually reaches almost the same ATLL, after 200 epochs of training, irrespective of the batch '
        f'size considered" (section 5.3). {_SENSITIVE}',
        claims.insensitive,
        {"dcp-batches": "Batch sizes", "dcp-starts": "Starts"},
        {"batch sizes": partial(races.large, "dcp-batches"), **_of_each("dcp-starts")},
        experiments={"dcp-batches": claims.compare_by_updates},
    ),
    _large(
        "Table 1",
        "The legend of the starts of figure 7",
        _SENSITIVE,
        claims.insensitive,
        {"dcp-starts": "Starts"},
        _of_each("dcp-starts"),
    ),
    Exhibit(
        "3",
        "Figure 1",
        "Log-likelihood by hidden units",
        '"FW can correctly identify an appropriate hidden layer size with high test log-likelihood [...]. In addition, '
        "CD initialized by FW gives higher test likelihood than random initialization for the same number of hidden "
        'units" (section 4, caption on page 7).',
        claims.units,
        {"fw-figure-1": partial(charts.by_units, "test")},
        {title: partial(races.after_frank_wolfe, name) for name, title in frank_wolfe.DATA.items()},
        {
            "fw-starts": partial(means, "Mean test log-likelihood, nats", ("start", "rate"), itemgetter("test")),
            "fw-penalties": partial(
                means,
                "Share of the sizes measured, of at most 60 units, at which the gap has risen by 5 nats",
                ("data", "method"),
                itemgetter("risen"),
            ),
        },
    ),
    Exhibit(
        "3",
        "Figure 2",
        "Classification by hidden units",
        '"the CD initialized by FW outperforms CD using the best of 5 random initializations" (section 4, page 8).',
        claims.classes,
        {"fw-figure-2": partial(charts.by_units, "error")},
    ),
    Exhibit(
        "4",
        "Table 1 and figure 3",
        "FL against pairwise machines",
        '"the accuracy of the model distribution was remarkably improved as the size of training data increased in FL. '
        'In contrast, BMs could not fit p* even if a large training dataset was supplied" (section 3.6).',
        table_claims.full_span,
        {"fsll-table-1": partial(charts.medians, [["kl_to_data", "kl_to_truth"], ["terms"]])},
        {name: partial(races.terms, name) for name in log_linear.SETS},
    ),
    Exhibit(
        "4",
        "Figure 4",
        "CPU time to learn",
        '"BM-PCD was the fastest, and FL was faster than BM-DI for five out of six training datasets" (section 3.6).',
        table_claims.cpu_time,
        {"fsll-table-1": partial(charts.medians, [["seconds"]])},
    ),
    _errors(
        "Table 1",
        "Denoising MNIST",
        '"MLE-BP works best and provides 4% and 7% relative improvement over CD-PercLoss on two datasets [...]. MSSVM '
        f'performs worse than MLE-BP, but better than the other methods"; {_MAIN}',
        dict(zip(("10 % noise", "20 % noise"), _NOISE, strict=True)),
        experiments={
            "crbm-seeds": lambda rows: table_claims.pairs(rows).sentence,
            "crbm-starts": partial(_starts, _NOISE),
        },
    ),
    _errors(
        "Table 2",
        "Completing MNIST",
        '"Here MLE-BP provides 4% and 10% relative improvement over CD-PercLoss on the two datasets, respectively '
        f'[...]. Here MSSVM performs worse than MLE-BP, but better than the other methods"; {_MAIN}',
        dict(zip(("8 × 8 patch", "12 × 12 patch"), _PATCH, strict=True)),
        experiments={"crbm-occlusion-8-from-0": table_claims.from_0, "crbm-starts": partial(_starts, _PATCH)},
    ),
    _errors(
        "Table 3",
        "Denoising and completing silhouettes",
        '"MLE-BP and MSSVM perform the best for image denoising and image completion, respectively" (section 6, '
        "results).",
        {"20 % noise": "crbm-caltech-noise", "12 × 12 patch": "crbm-caltech-occlusion"},
    ),
    Exhibit(
        "5",
        "Figure 3",
        "Errors by the size of the patch",
        '"MLE-BP works better than CD-10, unless the images are almost fully occluded" (section 6, results).',
        table_claims.sizes,
        {"crbm-sizes": charts.sizes},
    ),
    Exhibit(
        "5",
        "Figure 4",
        "How often belief propagation converges",
        '"The model undergoes a change of convergence behaviour around epoch 3, but we can still make progress as BP '
        'converges on the majority of training instances" (section 6, discussion).',
        table_claims.convergence,
        {"crbm-occlusion-8": charts.convergence},
        experiments={
            "crbm-convergence": partial(
                means,
                f"Images converged in epoch {table_claims.TURN}, % (the figure: rate 0.02, tolerance 0.001, weight 8)",
                ("rate", "tolerance", "input_weight"),
                lambda row: row["converged"][table_claims.TURN - 1],
            )
        },
    ),
)
