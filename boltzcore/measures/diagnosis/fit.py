"""Findings about how far figures and chains of a model can be believed, and whether it overfits."""

import math

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.equilibrium import Gap
from boltzcore.inference.verdict import UNSOUND, differs, misses
from boltzcore.measures.diagnosis.case import Case
from boltzcore.measures.diagnosis.finding import Finding, Remedy
from boltzcore.models import RBM, InfiniteRBM

LOST = 0.25  # of what is gained on training rows, missing on held-out ones
ERRORS = 3.0  # standard errors that this is beyond chance
FAR = 1.0  # nats between log Z from one side and from the other: chains then miss most of the model
MILD = 3.0  # nats up to which more Gibbs steps may bring chains back
# Chi-square of hidden means that is told: three times what the verdict beside a training asks for, as chains that lag a
# little are of use all the same.
LAGGING = 3 * UNSOUND
SAMPLER, TEMPERED = "TrajectoryTempering", ("TrajectoryTempering", "TemperedPCD")


def overfitting(case: Case) -> Finding | None:
    """What is gained on training rows and missing on held-out ones, beyond what independent columns miss there."""
    held_out = case.rows.validation or case.rows.test
    learnt = case.rows.train
    if held_out is learnt or np.array_equal(held_out.v, learnt.v) or case.climbed is None or case.climbed <= 0:
        return None
    ours, theirs = (_beyond_base(case, rows) for rows in (learnt, held_out))
    lost = learnt.average(ours) - held_out.average(theirs)
    error = math.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    if lost <= LOST * case.climbed or lost <= ERRORS * error:
        return None
    evidence = (
        f"Held-out rows are {lost:.2f} ± {ERRORS * error:.2f} nats per example farther below the training rows than "
        f"they are under independent {case.pixels}: {100 * lost / case.climbed:.0f} % of the {case.climbed:.2f} gained."
    )
    advice = "Go back to the best state, or start again with fewer hidden units."
    half = {"model.hidden": max(1, case.model.n_hidden // 2)} if isinstance(case.model, RBM) else {}
    return Finding("overfitting", evidence, Remedy(advice, half))


def not_at_equilibrium(case: Case) -> Finding | None:
    """Chains that are not where their model is. The hidden means of chains that begin at training rows say nothing of
    it: they differ long after such chains are of use.
    """
    gap = case.gap
    if gap is None or not (misses(gap) or (case.own_chains is not None and differs(gap, LAGGING))):
        return None
    whose = "the learner's own chains" if case.own_chains is not None else "chains that begin at training rows"
    evidence = _missed(gap, whose)
    steps = case.field("K")
    if (
        steps is not None
        and case.own_chains is not None
        and (gap.value > -MILD or type(case.learner).__name__ in TEMPERED)
    ):
        new = min(5 * steps, int(case.learner.named("K").high or 5 * steps)) if case.learner else steps
        remedy = Remedy(
            f"Go on with more Gibbs steps, such as {new}, so that chains keep up.", {"learner.K": new}, case.live("K")
        )
    else:
        advice = (
            "Start again with parallel trajectory tempering, whose chains are exchanged with those of easier models."
        )
        remedy = Remedy(advice, {"learner": SAMPLER})
    return Finding("chains not at equilibrium", evidence, remedy)


def _missed(gap: Gap, whose: str) -> str:
    """In what chains differ from their model."""
    if misses(gap):
        return (
            f"log Z by annealing back from {whose} is {-gap.value:.1f} nats smaller than by annealing towards the "
            f"model: they miss about {100 * (1 - math.exp(gap.value)):.0f} % of it."
        )
    return (
        f"The means of hidden units over {whose} are not those of the model: the chi-square of their differences is "
        f"{gap.chi_square:.1f}, and about 1 at equilibrium."
    )


def likelihood_in_doubt(case: Case) -> Finding | None:
    """An estimate that rests on few chains, or that annealing back contradicts."""
    chains = case.likelihood.get("ais_effective_sample_size")
    if chains is None:
        return None
    gap = case.gap
    if "train_log_likelihood_ais_high" not in case.likelihood:
        evidence = (
            f"Of {case.context.annealing.chains:,} annealed chains {chains:.1f} count: the interval of the likelihood "
            "has no upper end."
        )
    elif gap is not None and gap.value > FAR and gap.low > 0:
        evidence = (
            f"Annealing back from the chains gives a log Z that is {gap.value:.1f} nats larger than annealing towards "
            "the model: the likelihood is too high by at most about as much."
        )
    else:
        return None
    more = 10 * case.context.annealing.temperatures
    advice = f"Estimate it with more temperatures, such as {more:,}; the chains that it rests on are counted beside it."
    return Finding("likelihood not to be believed", evidence, Remedy(advice, {"annealing.temperatures": more}))


def _beyond_base(case: Case, rows: Examples) -> NDArray[np.float64]:
    """(n,) log-likelihood of each row, but for log Z, less that of independent columns of the training rows' means."""
    model = case.model
    ours = -model.free_energy(rows.v) if isinstance(model, RBM | InfiniteRBM) else model.log_likelihood(rows.v)
    train = case.dataset.train
    rates = np.log(
        (train.rates() * train.total + 1) / (train.total + np.broadcast_to(_levels(train), train.n_visible)[:, None])
    )
    base = rates[np.arange(train.n_visible), rows.v.astype(np.int64)].sum(axis=1)
    found: NDArray[np.float64] = ours - base
    return found


def _levels(train: Examples) -> int | tuple[int, ...]:
    return 2 if train.gray else train.levels
