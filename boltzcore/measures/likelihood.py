"""Likelihoods, exact if enumeration is feasible and otherwise estimated, and measures that do not need log Z."""

import math

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.measures.equilibrium import annealed_particles
from boltzcore.measures.measure import NATS, SPLITS, Figures, MeasureContext, measure
from boltzcore.models import FVBM, RBM, InfiniteRBM, Potts
from boltzcore.models.base import ExactModel
from boltzcore.ticks import portion

ENERGIES = 0.05  # approximate share of a likelihood's time: log Z takes the rest
QUICK = "ais_chains"  # number of chains of a quick estimate, which judges no model
_ENDS = ("", "_ais", "_ais_low", "_ais_high")
# Figures that may judge a model, best first: held-out rows before training rows.
MERIT = tuple(f"{split}_log_likelihood{end}" for split in ("validation", "train") for end in ("", "_ais"))
PSEUDO_MERIT = tuple(f"{split}_log_pseudo_likelihood" for split in ("validation", "train"))


@measure(
    {f"{split}_log_likelihood{end}": NATS for split in SPLITS for end in _ENDS}
    | {"ais_effective_sample_size": "chains", QUICK: "chains"},
    uses=("annealing",),
    title="likelihood",
    about="The mean log-likelihood of the rows of a split. Exact if a layer is small enough to sum over its states; "
    "otherwise an estimate by annealed importance sampling, with an interval of three standard errors of log Z.",
)
def log_likelihood(model: RBM | InfiniteRBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Return the mean log-likelihood of the rows of each split, nats per example: exact, or estimated by annealed
    importance sampling.

    Exact figures are train_log_likelihood, validation_log_likelihood and test_log_likelihood. For estimates, these
    names end in _ais; with the further suffixes _low and _high they are the ends of the interval of three standard
    errors of log Z's estimate (omitting infinite ends), and there is ais_effective_sample_size. AIS tends to
    underestimate log Z, and so to overestimate the likelihood. Between two records in full an estimate is quick, and
    has ais_chains.
    """
    energies = {}
    for i, (name, split) in enumerate(rows.splits.items()):
        tick = portion(context.tick, ENERGIES * i / len(rows.splits), ENERGIES / len(rows.splits))
        energies[name] = split.average(model.free_energy(split.v, tick=tick))
    tick = portion(context.tick, ENERGIES, 1 - ENERGIES)
    if model.enumerable and context.exact:
        log_z = model.log_partition(tick=tick)
        return {f"{name}_log_likelihood": -energy - log_z for name, energy in energies.items()}
    annealing = context.annealing if context.in_full else context.annealing.quick()
    if context.in_full and isinstance(model, RBM):
        found = annealed_particles(model, rows, context, tick).log_z
    else:
        mean = rows.train.mean()
        found = annealing.log_partition(model, mean, seed=context.seed, step=context.step, tick=tick)
    figures: Figures = {} if context.in_full else {QUICK: float(annealing.chains)}
    for name, energy in energies.items():
        for end, log_z in (("", found.value), ("_low", found.high), ("_high", found.low)):
            if not math.isinf(log_z):
                figures[f"{name}_log_likelihood_ais{end}"] = -energy - log_z
    return figures | {"ais_effective_sample_size": found.effective_sample_size}


def _exact(model: ExactModel, rows: Dataset, context: MeasureContext) -> Figures:
    if not model.enumerable:
        return {}
    codes = np.concatenate([split.v for split in rows.splits.values()])  # exact sums are for all splits at once
    found = model.log_likelihood(codes, tick=context.tick)
    ends = np.cumsum([len(split) for split in rows.splits.values()])
    each = zip(rows.splits.items(), np.split(found, ends[:-1]), strict=True)
    return {f"{name}_log_likelihood": split.average(values) for (name, split), values in each}


log_likelihood.register(ExactModel, _exact)


@measure(
    {f"{split}_log_pseudo_likelihood": NATS for split in SPLITS},
    all_rows=True,
    title="pseudo-likelihood",
    about="The sum over the columns of the log-probability of each column given all others: exact for models of any "
    "size.",
)
def log_pseudo_likelihood(model: FVBM | Potts, rows: Dataset, context: MeasureContext) -> Figures:
    """Mean log-pseudo-likelihood of the rows of each split, nats per example: P_n / n of Nguyen and Wood 2016, eq. 2.1.

    The sum over the columns of how probable each is, given all others; exact, whatever the size of the model. It is
    that of all rows, for on a sample of them a training that climbs would not always rise.
    """
    figures = {}
    for name, split in rows.splits.items():
        few = split.distinct()
        figures[f"{name}_log_pseudo_likelihood"] = few.average(model.log_pseudo_likelihood(few.v, tick=context.tick))
    return figures


@measure(
    {"free_energy_gap": NATS},
    about="The mean log-likelihood of training rows minus that of held-out rows, in which log Z cancels. It "
    "grows as a model overfits.",
)
def free_energy_gap(model: RBM | InfiniteRBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Return the mean log-likelihood of training rows minus that of held-out rows, nats: log Z cancels.

    Held-out rows are the validation rows, or the test rows if there are none. The gap grows as a model overfits (Ping,
    Liu and Ihler 2016, section 3.2).
    """
    held_out, learnt = (
        split.average(model.free_energy(split.v, tick=context.tick))
        for split in (rows.validation or rows.test, rows.train)
    )
    return {"free_energy_gap": held_out - learnt}


def base_rate_log_likelihood(train: Examples, rows: Examples, *, pseudocount: float = 1.0) -> float:
    """Return the mean log-likelihood in nats of rows under independent columns with the rates of the training rows.

    pseudocount : a code's rate is smoothed as (count + pseudocount) / (n + levels pseudocount), so that held-out rows
        may have codes that training rows lack; 0 gives the maximum for independent columns on the training rows
    For gray rows it is the expectation over their binarisation.

    >>> import numpy as np
    >>> from boltzcore.data import examples
    >>> from boltzcore.measures import base_rate_log_likelihood
    >>> rows = examples([[0, 1], [1, 0]])
    >>> round(float(base_rate_log_likelihood(rows, rows) / np.log(2)), 6)
    -2.0
    """
    rates, occurs = smoothed_rates(train, pseudocount), rows.rates()
    return float(np.sum(occurs * np.log(np.where(occurs > 0, rates, 1.0))))  # codes that never occur cost nothing


def smoothed_rates(train: Examples, pseudocount: float = 1.0) -> NDArray[np.float64]:
    """Return the smoothed rates of codes, (n_visible, most levels), as in `base_rate_log_likelihood`."""
    levels = np.broadcast_to(2 if train.gray else train.levels, train.n_visible)
    return (train.rates() * train.total + pseudocount) / (train.total + levels * pseudocount)[:, None]
