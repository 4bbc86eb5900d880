"""Findings about how far figures and chains of a model can be believed, and whether it overfits."""

import math

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.verdict import UNSOUND, differs, misses
from boltzcore.measures.diagnosis.case import RATE, Case
from boltzcore.measures.diagnosis.finding import Finding, Remedy
from boltzcore.measures.likelihood import base_rate_log_likelihood
from boltzcore.models import RBM, InfiniteRBM

FELL = 0.15  # of what was gained on training rows, lost again
LEAST = 1.0  # nats that this is a share of, at least
LOST = 0.25  # of what is gained on training rows, missing on held-out ones
ERRORS = 3.0  # standard errors that this is beyond chance
FAR = 1.0  # nats between log Z from one side and from the other: chains then miss most of the model
MILD = 3.0  # nats up to which more Gibbs steps may bring chains back
# Chi-square of hidden means that is named: twelve times what the verdict beside a training asks for, as chains that lag
# a little are of use all the same, and many chains of many units show a small difference.
LAGGING = 12 * UNSOUND
EXACT = "train_log_likelihood"
SAMPLER, TEMPERED = "TrajectoryTempering", ("TrajectoryTempering", "TemperedPCD")


def likelihood_fell(case: Case) -> Finding | None:
    """A likelihood of training rows that was better before, beyond the intervals of both estimates."""
    lows, highs = (
        [(values[name], count) for count, values in case.records for name in names if name in values]
        for names in ((EXACT, f"{EXACT}_ais_low"), (EXACT, f"{EXACT}_ais_high"))
    )
    if not lows or not highs:
        return None
    (best, before), (last, now) = max(lows), highs[-1]
    train = case.dataset.train
    if not before < now == lows[-1][1]:  # an estimate without an upper end says nothing of a fall
        return None
    if best - last <= FELL * max(best - base_rate_log_likelihood(train, train, pseudocount=0), LEAST):
        return None
    fields = case.smaller_rate()
    evidence = (
        f"The log-likelihood of the training rows was {best:.2f} nats per example at update {before:,}, or more, and "
        f"is {last:.2f} at update {now:,}, or less."
    )
    advice = "Go back to the best state, and go on with a smaller learning rate."
    return Finding("likelihood fell", evidence, Remedy(advice, fields, bool(fields) and case.live(RATE)))


def overfitting(case: Case) -> Finding | None:
    """What is gained on training rows and missing on held-out ones, beyond what independent columns miss there."""
    held_out = case.rows.validation or case.rows.test
    learnt = case.rows.train
    if held_out is learnt or np.array_equal(held_out.v, learnt.v) or case.climbed is None:
        return None
    ours, theirs = (_beyond_base(case, rows) for rows in (learnt, held_out))
    lost = learnt.average(ours) - held_out.average(theirs)
    error = math.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    gained = case.climbed > 0
    if lost <= LOST * (case.climbed if gained else 1.0) or lost <= ERRORS * error:
        return None
    share = f"{100 * lost / case.climbed:.0f} % of the {case.climbed:.2f} gained" if gained else "nothing was gained"
    evidence = (
        f"Held-out rows are {lost:.2f} ± {ERRORS * error:.2f} nats per example farther below the training rows than "
        f"they are under independent {case.pixels}: {share}."
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
    evidence = (
        f"log Z by annealing back from {whose} is {-gap.value:.1f} nats smaller than by annealing towards the model: "
        f"they miss about {100 * (1 - math.exp(gap.value)):.0f} % of it."
        if misses(gap)
        else f"The means of hidden units over {whose} are not those of the model: the chi-square of their differences "
        f"is {gap.chi_square:.1f}, and about 1 at equilibrium."
    )
    steps, tempered = case.field("K"), type(case.learner).__name__ in TEMPERED
    if case.learner and steps and case.own_chains is not None and (gap.value > -MILD or tempered):
        new = min(5 * steps, int(case.learner.named("K").high or 5 * steps))
        remedy = Remedy(
            f"Go on with more Gibbs steps, such as {new}, so that chains keep up.", {"learner.K": new}, case.live("K")
        )
    else:
        advice = (
            "Start again with parallel trajectory tempering, whose chains are exchanged with those of easier models."
        )
        remedy = Remedy(advice, {"learner": SAMPLER})
    return Finding("chains not at equilibrium", evidence, remedy)


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
    levels = np.broadcast_to(2 if train.gray else train.levels, train.n_visible)
    rates = np.log((train.rates() * train.total + 1) / (train.total + levels[:, None]))
    base = rates[np.arange(train.n_visible), rows.v.astype(np.int64)].sum(axis=1)
    found: NDArray[np.float64] = ours - base
    return found
