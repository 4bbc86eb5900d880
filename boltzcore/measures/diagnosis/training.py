"""Findings about parameters, and about the steps that a learner takes."""

import numpy as np

from boltzcore.measures.activity import always_off, always_on
from boltzcore.measures.diagnosis.case import BATCH, RATE, Case, Units, rounded
from boltzcore.measures.diagnosis.finding import Finding, Remedy
from boltzcore.measures.diagnosis.units import LEARNT
from boltzcore.models.rbm import base_rate_odds

SMALL = 0.01  # standard deviation of weights to start again with
LARGEST = 20.0  # log-odds that one pixel alone decides: e**20 to 1 is more than any table of rows can tell
CERTAIN = 10.0  # nats, root mean square of hidden units' log-odds: hardly a row leaves one in doubt
WORSE = 1.0  # nats under the likelihood of independent columns: then certainty is not of the data
STRIDE = 0.4  # nats that an update moves log-odds by: p(h = 1 | v) by up to a tenth, each mini-batch another way
EARLY_STRIDE = 0.1  # the same while units tell little, if it is also this share of all that they tell
CHANCE = 1.0  # nats that the chance of a mini-batch alone would move a unit's log-odds by that is in doubt
SLOW = 1e-3  # share of the weights that an update changes, while no unit has learnt: at first it is 1e-2 and more
LITTLE = 0.1  # nats above independent columns: a model that has learnt may rest
STILL = 1e-4  # share of the weights that an epoch changes, at most: a hundred epochs change them by 1 %
WANTED_CHANGE = 1e-2  # share of the weights that an update should change while they are small
MOST = 0.5  # of the units
USUAL = "an update usually changes the weights by 0.1 to 1 % of their size"
FEW = 8  # rows or chains: the mean of a coin over fewer is off by more than 0.18
ENOUGH_ROWS = 20  # in the data, for a mini-batch to be called small
WANTED = 50  # rows of a mini-batch, or chains, to go on with
BIASED = 0.5  # log-odds of pixel means, root mean square: below, means are near one half, and no start matters
TAKEN = 0.5  # of that size the visible biases should have
OFF = 0.4  # of the share of the rarer value, by which the model's means are off
STUCK = 0.25  # of the units: then it is these that make the means wrong


def exploding(case: Case) -> Finding | None:
    """Weights beyond what data can tell."""
    if case.units is None:
        return None
    largest = float(np.abs(case.model.W).max())
    with_biases, without = (np.sqrt(np.mean(each**2)) for each in (case.units.odds, case.units.odds - case.model.c))
    odds = float(min(with_biases, without))  # biases that are large by themselves are no matter of weights
    if largest > LARGEST:
        seen = f"the largest weight is {largest:.1f}"
    elif odds > CERTAIN and case.climbed is not None and case.climbed < -WORSE:
        seen = f"the model is {-case.climbed:.1f} nats per example worse than independent {case.pixels}"
    else:
        return None
    evidence = f"The log-odds of the hidden units are {odds:.1f} nats in size, and {seen}."
    advice = "Start again with a smaller learning rate and small weights: weights so large leave nothing in doubt."
    return Finding("weights explode", evidence, Remedy(advice, {"model.sigma": SMALL} | case.smaller_rate()))


def rate_too_large(case: Case) -> Finding | None:
    """Updates that undo each other, beside biases that fit, or have put most units beyond the reach of a gradient."""
    update, units = case.updates, case.units
    if update is None or units is None or biases_off(case) is not None:
        return None
    rate, told = case.field(RATE), _told(units)
    chance = rate * float(units.v.sum(axis=1).mean()) / 2 / np.sqrt(_rows_of_a_batch(case))
    if update.odds > max(min(STRIDE, EARLY_STRIDE * told), EARLY_STRIDE):
        evidence = (
            f"One update changes the weights by {_share(update.weights)} of their size, and moves the log-odds of "
            f"hidden units by {update.odds:.2g} nats; from row to row these vary by {told:.2g}."
        )
        first, live = "Go on", case.live(RATE)
    elif chance > CHANCE and _stuck(units) > MOST:
        evidence = (
            f"At rate {rate:g} the chance of a mini-batch alone moves the log-odds of a hidden unit by {chance:.2g} "
            f"nats, and {100 * _stuck(units):.0f} % of the units are always on or always off."
        )
        first, live = "Start again", False
    else:
        return None
    fields = case.smaller_rate()
    advice = f"{first} with a smaller learning rate, such as {fields['learner.rate']:g}: {USUAL}."
    return Finding("rate too large", evidence, Remedy(advice, fields, live))


def rate_too_small(case: Case) -> Finding | None:
    """Updates that will not have changed anything for a long time."""
    update, units = case.updates, case.units
    if update is None or units is None or case.learner is None or _stuck(units) > MOST:
        return None
    epoch = update.weights * -(-len(case.dataset.train) // _rows_of_a_batch(case))
    slow = update.weights < SLOW and _told(units) < LEARNT
    unlearnt = case.climbed is not None and case.climbed < LITTLE
    if not slow and not (unlearnt and 0 < epoch < STILL):
        return None
    evidence = (
        f"One update changes the weights by {_share(update.weights)} of their size, and the log-odds of hidden units "
        f"vary by only {_told(units):.2g} nats from row to row."
        if slow
        else f"An epoch changes the weights by {_share(epoch)} of their size at most."
    )
    rate, usual = case.field(RATE), case.learner.named(RATE).default
    new = rounded(max(2 * rate, min(usual, rate * WANTED_CHANGE / max(update.weights, STILL**2))))
    advice = f"Go on with a larger learning rate, such as {new:g}: {USUAL}."
    return Finding("rate too small", evidence, Remedy(advice, {"learner.rate": new}, case.live(RATE)))


def small_batch(case: Case) -> Finding | None:
    """Mini-batches of a few rows."""
    if case.field(BATCH) is None or len(case.dataset.train) < ENOUGH_ROWS:
        return None
    size = _rows_of_a_batch(case)
    if size >= FEW:
        return None
    evidence = _of_few(f"A mini-batch has {size} of {len(case.dataset.train):,} rows", size)
    new = min(WANTED, len(case.dataset.train))
    advice = f"Start again with mini-batches of {new} rows."
    return Finding("batch too small", evidence, Remedy(advice, {"learner.batch_size": new}))


def few_chains(case: Case) -> Finding | None:
    """A model term of a few chains that go on."""
    if case.own_chains is None or len(case.own_chains) >= FEW:
        return None
    n = len(case.own_chains)
    evidence = _of_few(f"The model's part of the gradient averages over {n} chain{'s' * (n > 1)}", n)
    more = -(-WANTED // n)
    per_row = case.field("chains_per_row")
    fields = {} if per_row is None else {"learner.chains_per_row": per_row * more}
    return Finding("chains too few", evidence, Remedy(f"Start again with {n * more} chains.", fields))


def biases_off(case: Case) -> Finding | None:
    """Visible biases, at 0 or ruined, with which the model's means are not those of the data."""
    if case.units is None or case.mean_error <= OFF or _stuck(case.units) > STUCK:
        return None
    size, biases = (
        float(np.sqrt(np.mean(each.astype(np.float64) ** 2))) for each in (base_rate_odds(case.mean), case.model.b)
    )
    evidence = (
        f"The model's means of {case.pixels} are off by {100 * case.mean_error:.0f} % of how often these have their "
        f"rarer value. Its visible biases are {biases:.2g} in size; the means alone ask for {size:.2g}."
    )
    fields = {"model.visible_bias": "base rate"}
    if size >= BIASED and biases < TAKEN * size:
        advice = "Start again with visible biases at the base rate: then the weights need not learn the mean first."
        return Finding("mean not learnt", evidence, Remedy(advice, fields))
    advice = "Go back to an earlier state, or start again with visible biases at the base rate: these do not fit."
    return Finding("biases off", evidence, Remedy(advice, fields))


def _rows_of_a_batch(case: Case) -> int:
    n, size = len(case.dataset.train), case.field(BATCH)
    return min(size, n) if size else n


def _told(units: Units) -> float:
    """How much the log-odds of the median unit vary from row to row, nats."""
    return float(np.median(units.spread))


def _stuck(units: Units) -> float:
    """The share of the units that are always on or always off."""
    return float((always_off(units.activity) | always_on(units.activity)).mean())


def _of_few(what: str, n: int) -> str:
    return f"{what}: the share of a unit that is on is off by up to {0.5 / n**0.5:.2f} by chance."


def _share(value: float) -> str:
    return f"{100 * value:.2g} %"
