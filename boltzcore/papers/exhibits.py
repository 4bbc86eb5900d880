"""The eighteen figures and tables of the five papers that are made here, and how near ours are."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from boltzcore.papers import STUDIES, claims, stored
from boltzcore.papers.verdicts import NOT_ATTEMPTED, Check, Rows, Verdict, verdict


@dataclass(frozen=True)
class Paper:
    """A paper and its question."""

    title: str
    question: str


PAPERS = {
    "1": Paper(
        "BSLM for fully visible Boltzmann machines (Nguyen and Wood 2016)",
        "Can a fully visible Boltzmann machine be fitted without a step size to choose? Blocks of one parameter, each "
        "moved to the top of a lower bound, are said to raise the pseudo-likelihood in every sweep.",
    ),
    "2": Paper(
        "Learning RBM with a DC Programming Approach (Upadhya and Sastry 2017)",
        "The log-likelihood of an RBM is a difference of two convex functions. Does a learner that keeps one of them "
        "fixed for several inner steps learn faster than contrastive divergence at the same cost?",
    ),
    "3": Paper(
        "Learning Infinite RBMs with Frank-Wolfe (Ping, Liu and Ihler 2016)",
        "How many hidden units does an RBM need? Frank-Wolfe inserts them one at a time and stops by a gap, and what "
        "it has reached is said to be a better start for contrastive divergence than random weights.",
    ),
    "4": Paper(
        "Full-Span Log-Linear Model and Fast Learning Algorithm (Takabatake and Akaho)",
        "Can a model with a term for every set of columns be learnt on 20 columns? A greedy search buys terms as long "
        "as they pay, and is compared with pairwise Boltzmann machines.",
    ),
    "5": Paper(
        "Belief Propagation in Conditional RBMs (Ping and Ihler)",
        "Which approximate inference should a conditional RBM learn with? Belief propagation is compared with "
        "sampling, mean field and max-margin learning at denoising and completing images.",
    ),
}


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of a paper.

    studies : whose rows it is judged by
    checks : what the paper reports of it, on those rows
    """

    paper: str
    label: str
    title: str
    studies: tuple[str, ...]
    checks: Callable[[Rows], list[Check]]


def judged(exhibit: Exhibit) -> tuple[Verdict, dict[str, stored.StoredResult]]:
    """(Verdict, {study: the whole result that it rests on}); not attempted where a study has no whole result. Raises
    ValueError where a stored file is damaged.
    """
    found = dict[str, stored.StoredResult]()
    for name in exhibit.studies:
        whole = [result for result in stored.results(name).values() if result.finished]
        if not whole:
            scales = "; ".join(f"{scale}: {what}" for scale, what in STUDIES[name].scales.items())
            return Verdict(NOT_ATTEMPTED, f"No whole result of study {name} is stored. {scales}."), {}
        found[name] = whole[0]
    given = verdict(exhibit.checks({name: result.rows for name, result in found.items()}))
    smaller = dict[str, list[str]]()
    for name, made in found.items():
        if made.scale != "paper":
            smaller.setdefault(STUDIES[name].scales[made.scale], []).append(name)
    if smaller:
        which = "; ".join(f"{', '.join(names)}: {what}" for what, names in smaller.items())
        given = dataclasses.replace(given, reason=f"{given.reason} At a smaller scale than the paper's ({which}).")
    return given, found


def _of(
    paper: str, label: str, title: str, checks: Callable[..., Callable[[Rows], list[Check]]], *studies: str
) -> Exhibit:
    """An exhibit whose checks are of just its studies."""
    return Exhibit(paper, label, title, studies, checks(*studies))


EXHIBITS = (
    Exhibit(
        "1", "Figure 1", "The pseudo-likelihood, sweep by sweep, from five starts", ("bslm-figure-1",), claims.sweeps
    ),
    Exhibit("2", "Figure 1", "Learners on Shifting Bar at two rates", ("dcp-small",), claims.shifting_bar),
    Exhibit("2", "Figure 2", "Learners on Bars & Stripes at two rates", ("dcp-small",), claims.bars_and_stripes),
    Exhibit("2", "Figure 3", "Learners on MNIST", ("dcp-mnist",), claims.mnist),
    Exhibit("2", "Figure 4", "Learners on OMNIGLOT", ("dcp-omniglot",), claims.omniglot),
    Exhibit("2", "Figure 5", "SSD beside the others", ("dcp-spectral",), claims.spectral),
    Exhibit(
        "2",
        "Figure 6",
        "Rates; inner steps and Gibbs steps of one cost",
        ("dcp-rates", "dcp-inner-steps"),
        claims.steps,
    ),
    _of("2", "Figure 7", "Batch sizes; starts", claims.insensitive, "dcp-batches", "dcp-starts"),
    _of("2", "Table 1", "The four starts of figure 7", claims.insensitive, "dcp-starts"),
    Exhibit("3", "Figure 1", "Log-likelihood by hidden units", ("fw-figure-1",), claims.units),
    Exhibit("3", "Figure 2", "Classification by hidden units", ("fw-figure-2",), claims.classes),
    Exhibit("4", "Table 1 and figure 3", "FL beside pairwise machines", ("fsll-table-1",), claims.full_span),
    Exhibit("4", "Figure 4", "CPU time to learn", ("fsll-table-1",), claims.cpu_time),
    _of("5", "Table 1", "Denoising MNIST", claims.wrong_pixels, "crbm-noise-10", "crbm-noise-20"),
    _of("5", "Table 2", "Completing MNIST", claims.wrong_pixels, "crbm-occlusion-8", "crbm-occlusion-12"),
    _of(
        "5",
        "Table 3",
        "Denoising and completing silhouettes",
        claims.wrong_pixels,
        "crbm-caltech-noise",
        "crbm-caltech-occlusion",
    ),
    Exhibit("5", "Figure 3", "Errors by the size of the patch", ("crbm-sizes",), claims.sizes),
    Exhibit("5", "Figure 4", "How often belief propagation converges", ("crbm-occlusion-8",), claims.convergence),
)
