"""Charts of the papers' figures and tables, from the rows of their studies; `CHARTS` names them all.

They lie beside the studies and not in them: how rows are drawn changes none of their numbers. Pages are named where the
copy of a paper that we follow has them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from boltzcore.papers.charts import conditional, dc_programming, frank_wolfe, log_linear, pseudo_likelihood
from boltzcore.papers.charts.plots import PlotRows
from boltzcore.papers.study import Row


@dataclass(frozen=True)
class Charts:
    """How the rows of a study are drawn for a figure or table.

    draw : of any of the study's rows; empty where these are none that it draws
    theirs : which of the paper's values are drawn with them, and where it has them
    """

    draw: Callable[[Sequence[Row]], PlotRows]
    theirs: str


_NO_CURVES = "the values of its curves are in no text, so ours are drawn alone"


def _large(section: str, figure: str) -> str:
    return f"From the paper: {figure}, section {section}; {_NO_CURVES}."


def _table(study: str, table: str) -> Charts:
    return Charts(
        partial(conditional.errors, study),
        f"From the paper: {table}, section 6, drawn as diamonds.",
    )


CHARTS: Mapping[tuple[str, str], Mapping[str, Charts]] = {  # {(paper, label of an exhibit): {study: its charts}}
    ("1", "Figure 1"): {
        "bslm-figure-1": Charts(
            pseudo_likelihood.figure_1,
            "From the paper: figure 1, section 5; the mean squared errors are in its text, drawn as diamonds; "
            f"{_NO_CURVES}.",
        )
    },
    ("2", "Figure 1"): {
        "dcp-small": Charts(
            partial(dc_programming.small, "shifting-bar"),
            "From the paper: figure 1, section 4.2.1; its text gives the bound, and where CD and PCD stay; "
            f"{_NO_CURVES}.",
        )
    },
    ("2", "Figure 2"): {
        "dcp-small": Charts(
            partial(dc_programming.small, "bars-and-stripes"),
            f"From the paper: figure 2, section 4.2.1; its text gives the bound; {_NO_CURVES}.",
        )
    },
    ("2", "Figure 3"): {"dcp-mnist": Charts(partial(dc_programming.of_learners, "MNIST"), _large("4.2.2", "figure 3"))},
    ("2", "Figure 4"): {
        "dcp-omniglot": Charts(partial(dc_programming.of_learners, "OMNIGLOT"), _large("4.2.2", "figure 4"))
    },
    ("2", "Figure 5"): {
        "dcp-spectral": Charts(partial(dc_programming.of_learners, "Batches of 1,000"), _large("4.2.2", "figure 5"))
    },
    ("2", "Figure 6"): {
        "dcp-rates": Charts(partial(dc_programming.of_settings, "Rates"), _large("5.1", "figure 6a")),
        "dcp-inner-steps": Charts(partial(dc_programming.of_settings, "d x K'"), _large("5.2", "figure 6b")),
    },
    ("2", "Figure 7"): {
        "dcp-batches": Charts(partial(dc_programming.of_settings, "Batch sizes"), _large("5.3", "figure 7a")),
        "dcp-starts": Charts(partial(dc_programming.of_settings, "Starts"), _large("5.4", "figure 7b")),
    },
    ("2", "Table 1"): {
        "dcp-starts": Charts(
            dc_programming.of_starts,
            "From the paper: table 1, section 5.4, which names the four starts and has no results, so ours are drawn "
            "alone.",
        )
    },
    ("3", "Figure 1"): {
        "fw-figure-1": Charts(
            frank_wolfe.figure_1,
            "From the paper: figure 1, section 4, page 3069; its text gives the sizes that the gap selects, 460 units "
            f"on MNIST and 550 on the silhouettes, drawn where the axis reaches them; {_NO_CURVES}.",
        )
    },
    ("3", "Figure 2"): {"fw-figure-2": Charts(frank_wolfe.figure_2, _large("4, page 3070", "figure 2"))},
    ("4", "Table 1 and figure 3"): {
        "fsll-table-1": Charts(
            log_linear.table_1,
            "From the paper: table 1, section 3.6, drawn as diamonds; its figure 3 draws values of that table.",
        )
    },
    ("4", "Figure 4"): {
        "fsll-table-1": Charts(
            log_linear.figure_4,
            "From the paper: the seconds of table 1, section 3.6, drawn as diamonds; its figure 4 draws them.",
        )
    },
    ("5", "Table 1"): {name: _table(name, "table 1") for name in ("crbm-noise-10", "crbm-noise-20")},
    ("5", "Table 2"): {name: _table(name, "table 2") for name in ("crbm-occlusion-8", "crbm-occlusion-12")},
    ("5", "Table 3"): {name: _table(name, "table 3") for name in ("crbm-caltech-noise", "crbm-caltech-occlusion")},
    ("5", "Figure 3"): {"crbm-sizes": Charts(conditional.sizes, _large("6", "figure 3"))},
    ("5", "Figure 4"): {
        "crbm-occlusion-8": Charts(
            conditional.convergence,
            "From the paper: figure 4, section 6; its text gives the epoch near which convergence changes, 3; "
            f"{_NO_CURVES}.",
        )
    },
}
