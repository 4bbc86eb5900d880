"""Findings of a diagnosis: thresholds, with evidence and sentences for values beyond them."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.equilibrium import UNSOUND, differs, misses
from boltzcore.measures.diagnosis.case import Case, round_digits
from boltzcore.measures.likelihood import base_rate_log_likelihood
from boltzcore.models import FVBM, RBM, LogLinear, Potts
from boltzcore.models.rbm import base_rate_odds
from boltzcore.quoting import listed, number

# Columns
FEWEST_ROWS = 8  # in fewer rows, columns are alike by chance
RARER = 5  # rows with a column's rarer values: with fewer, columns that are nearly constant are alike by chance
FEW_ROWS = 200  # in fewer rows, columns may be (nearly) alike by chance: then a fifth must have the rarer values

# Updates
STRIDE = 0.4  # nats by which an update moves log-odds: p(h = 1 | v) moves by up to a tenth, in random directions
EARLY_STRIDE = 0.1  # the same while units carry little information, if it is also this share of their spread
CHANCE = 1.0  # nats by which the noise of a mini-batch alone would move an undecided unit's log-odds
MOST = 0.5  # share of the units
SLOW = 1e-3  # relative change of the weights in an update, while no unit has learnt: at first it is 1e-2 and more
LITTLE = 0.1  # nats above independent columns: a model that has learnt may change slowly
STILL = 1e-4  # largest relative change of the weights in an epoch: a hundred epochs change them by 1 %
WANTED_CHANGE = 1e-2  # relative change of the weights that an update should make while they are small
USUAL = "as a rule of thumb, an update changes the weights by 0.1 to 1 % of their size"
FEW = 8  # rows: the mean of a coin over fewer is off by more than 0.18
ENOUGH_ROWS = 20  # rows of data, for a mini-batch to be called small
WANTED = 50  # suggested rows of a mini-batch

# Parameters
BIASED = 0.5  # log-odds of pixel means, root mean square: below this, means are near one half, and any start is good
TAKEN = 0.5  # share of that size that the visible biases should have
OFF = 0.4  # error of the model's means, relative to the share of the rarer value
STUCK = 0.25  # share of the units: then these units cause the error of the means
SMALL = 0.01  # standard deviation of weights for a restart
LARGEST = 20.0  # log-odds decided by a single pixel: no table of rows can support odds of e**20 to 1
CERTAIN = 10.0  # nats, root mean square of hidden units' log-odds: hardly any row leaves a unit undecided
WORSE = 1.0  # nats below the likelihood of independent columns: then certainty does not come from the data

# Hidden units
SHARE = 0.05  # share of the units: most large models have a few idle ones, which cost little
FLAT = 0.05  # nats by which a unit's log-odds vary over rows: its p(h = 1 | v) then varies by 1 % at most
LEARNT = 0.3  # nats: if units vary this much, training has learnt to distinguish rows

# Likelihood and chains
FELL = 0.15  # share of the gain on training rows that was lost again
LEAST = 1.0  # smallest gain in nats that this share refers to
LOST = 0.25  # share of the gain on training rows that is missing on held-out ones
ERRORS = 3.0  # standard errors of the loss that rule out chance
FAR = 1.0  # nats between log Z from either side: chains then miss most of the model
MILD = 3.0  # nats up to which more Gibbs steps may bring chains back
# Chi-square of hidden means: twelve times that of the verdict shown with a training, because chains that lag a little
# are still useful, and many chains of many units reveal a small difference.
LAGGING = 12 * UNSOUND
EXACT = "train_log_likelihood"
SAMPLER, TEMPERED = "TrajectoryTempering", ("TrajectoryTempering", "TemperedPCD")


@dataclass(frozen=True)
class Remedy:
    """Advice for a finding.

    advice : a sentence
    fields : {"learner.rate": the value to continue with, "model.hidden": ..., "learner": the name of another one}:
        fields of a recipe to change, prefixed by their part; {} if no field helps
    live : True if the running training may continue with them; otherwise a new one starts with them
    """

    advice: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    live: bool = False


@dataclass(frozen=True)
class Finding:
    """A problem in a model, its data or its training.

    name : constant name of the problem, in two or three words
    evidence : the observation, with numbers, in a sentence
    remedy : suggested changes
    """

    name: str
    evidence: str
    remedy: Remedy


def _columns(case: Case) -> Iterator[Finding]:
    """Yield findings on constant columns, and on columns that repeat an earlier one or are its opposite in each row."""
    v, names = case.dataset.train.v, case.dataset.names

    def found(name: str, which: NDArray, seen: str, texts: list[str], why: str) -> Finding:
        evidence = f"{len(which):,} of {v.shape[1]:,} {case.pixels} {seen} in all rows: {listed(texts, '')}."
        fields = {} if names is None else {"data.leave_out": tuple(names.columns[i] for i in which)}
        return Finding(name, evidence, Remedy(f"Leave {'it' if len(which) == 1 else 'them'} out: {why}.", fields))

    same = (v == v[0]).all(axis=0)
    if (shape := case.dataset.shape) is not None:  # the border of most images is constant
        from scipy.ndimage import binary_propagation  # importing it takes 40 milliseconds

        edge = same.reshape(shape).copy()
        edge[1:-1, 1:-1] = False
        same &= ~binary_propagation(edge, mask=same.reshape(shape)).reshape(-1)
    if len(v) > 1 and same.any() and not same.all():
        which = np.flatnonzero(same)
        seen = "has one value" if len(which) == 1 else "have one value"
        why = "a constant column carries no information"
        yield found("constant columns", which, seen, case.named(which), why)

    first: dict[bytes, int] = {}
    again: list[int] = []
    texts: list[str] = []
    rarer = RARER if len(v) >= FEW_ROWS else max(RARER, len(v) / 5)
    for i, column in enumerate(np.ascontiguousarray(v.T) if len(v) >= FEWEST_ROWS else ()):
        if len(v) - np.bincount(column).max() < rarer:
            continue
        opposite = column.max() - column + column.min()
        before = first.setdefault(min(column.tobytes(), opposite.tobytes()), i)
        nearly = (np.count_nonzero(v != each[:, None], axis=0) == 1 for each in (column, opposite))
        if before != i and not (len(v) < FEW_ROWS and any(each.any() for each in nearly)):
            again.append(i)
            one, other = case.named(np.array([i, before]))
            texts.append(f"{one} as {'' if (v[:, before] == column).all() else 'the opposite of '}{other}")
    if again:
        seen = "repeats another" if len(again) == 1 else "repeat others"
        yield found("duplicated columns", np.array(again), seen, texts, "a repeated column counts twice")


def _biases(case: Case) -> Iterator[Finding]:
    """Yield findings on visible biases, at 0 or ruined, that make the model's means differ from those of the data."""
    if not _are_biases_off(case):
        return
    size, biases = (
        float(np.sqrt(np.mean(each.astype(np.float64) ** 2))) for each in (base_rate_odds(case.mean), case.model.b)
    )
    evidence = (
        f"The model's means of {case.pixels} are off by {number(case.mean_error, '.0%')} of the frequency of the rarer "
        f"value. The visible biases have size {number(biases, '.2g')}; the means require {number(size, '.2g')}."
    )
    name = "biases off"
    advice = "Go back to an earlier state, or start again with visible biases at the base rate."
    if size >= BIASED and biases < TAKEN * size:
        name = "mean not learnt"
        advice = "Start again with visible biases at the base rate, so that the weights need not learn the mean first."
    yield Finding(name, evidence, Remedy(advice, {"model.visible_bias": "base rate"}))


def _updates(case: Case) -> Iterator[Finding]:
    """Yield findings on updates that undo each other or change nothing for long, and on too small mini-batches."""
    change, units, rate = case.change, case.units, case.field("rate")
    n, batch = len(case.dataset.train), case.field("batch_size")
    size = min(batch or n, n)
    if change is not None and units is not None:
        typical = float(np.median(units.spread))
        seen = f"One update changes the weights by {number(change.weights, '.2g%')} of their size, and "
        chance = rate * float(units.v.sum(axis=1).mean()) / 2 / np.sqrt(size)
        large = change.odds > max(min(STRIDE, EARLY_STRIDE * typical), EARLY_STRIDE)
        if not _are_biases_off(case) and (large or (chance > CHANCE and units.stuck > MOST)):
            evidence = (
                f"{seen}moves the log-odds of hidden units by {number(change.odds, '.2g')} nats; from row to row these "
                f"vary by {number(typical, '.2g')}."
                if large
                else f"At rate {rate:g} the sampling noise of a mini-batch alone moves the log-odds of a hidden unit "
                f"by {chance:,.1f} nats, and {number(units.stuck, '.0%')} of the units are always on or always off."
            )
            fields, go_on = case.smaller_rate(), "Continue" if large else "Start again"
            advice = f"{go_on} with a smaller learning rate, such as {fields['learner.rate']:g}: {USUAL}."
            yield Finding("rate too large", evidence, Remedy(advice, fields, large and case.is_live("rate")))

        epoch = change.weights * -(-n // size)
        slow = 0 < change.weights < SLOW and typical < LEARNT
        if units.stuck <= MOST and (slow or (0 < epoch < STILL and case.gain is not None and case.gain < LITTLE)):
            evidence = (
                f"{seen}the log-odds of hidden units vary by only {number(typical, '.2g')} nats from row to row."
                if slow
                else f"An epoch changes the weights by at most {number(epoch, '.2g%')} of their size."
            )
            field, enough = case.learner.named("rate"), rate * WANTED_CHANGE / max(change.weights, STILL**2)
            new = min(round_digits(max(2 * rate, min(field.default, enough))), field.high)
            advice = f"Continue with a larger learning rate, such as {new:g}: {USUAL}."
            yield Finding("rate too small", evidence, Remedy(advice, {"learner.rate": new}, case.is_live("rate")))

    if batch is not None and size < FEW and n >= ENOUGH_ROWS:
        evidence = f"A mini-batch has {size} of {n:,} rows: its means have standard errors up to {0.5 / size**0.5:.2f}."
        advice = f"Start again with mini-batches of {min(WANTED, n)} rows."
        yield Finding("batch too small", evidence, Remedy(advice, {"learner.batch_size": min(WANTED, n)}))


def _weights(case: Case) -> Iterator[Finding]:
    """Yield findings on weights too large to be supported by data."""
    if case.units is None:
        return
    largest = float(np.abs(case.model.W).max())
    with_biases, without = (np.sqrt(np.mean(each**2)) for each in (case.units.odds, case.units.odds - case.model.c))
    odds = float(min(with_biases, without))  # large biases alone are not the fault of the weights
    if largest > LARGEST:
        seen = f"the largest weight is {largest:.1f}"
    elif odds > CERTAIN and case.gain is not None and case.gain < -WORSE:
        seen = f"the model is {-case.gain:.1f} nats per example worse than independent {case.pixels}"
    else:
        return
    evidence = f"The root mean square of the hidden units' log-odds is {odds:.1f} nats, and {seen}."
    advice = "Start again with a smaller learning rate and small weights."
    yield Finding("weights explode", evidence, Remedy(advice, {"model.sigma": SMALL} | case.smaller_rate()))


def _hidden_units(case: Case) -> Iterator[Finding]:
    """Yield findings on hidden units that hardly distinguish training rows."""
    units = case.units
    if units is None:
        return
    n, flat = len(units.spread), units.spread < FLAT
    off, on = units.off & ~flat, units.on & ~flat
    if _are_many(off | on):
        evidence = (
            f"Of {n:,} hidden units {off.sum():,} are off and {on.sum():,} are on in more than 99 % of the training "
            "rows."
        )
        advice = "Start again with a smaller learning rate: dead units get almost no gradient."
        yield Finding("dead units", evidence, Remedy(advice, case.smaller_rate()))

    if _are_many(flat) and (case.state is None or units.spread.max() >= LEARNT):  # at the start no unit has learnt
        evidence = (
            f"{flat.sum():,} of {n:,} hidden units have almost no weights: their log-odds vary by less than {FLAT} "
            "nats from row to row."
        )
        alive = int((~flat).sum())
        advice = f"Start again with {alive:,} hidden unit{'s' * (alive > 1)}: the others do nothing."
        remedy = Remedy(advice, {"model.hidden": alive}) if alive else Remedy("Continue: no unit has learnt anything.")
        yield Finding("unused units", evidence, remedy)


def _likelihood(case: Case) -> Iterator[Finding]:
    """Yield findings on a fall of the training rows' likelihood, and on a low one of held-out rows."""
    lows, highs = (
        [(values[name], count) for count, values in case.records for name in names if name in values]
        for names in ((EXACT, f"{EXACT}_ais_low"), (EXACT, f"{EXACT}_ais_high"))
    )
    if lows and highs:
        (best, before), (last, now), train = max(lows), highs[-1], case.dataset.train
        gained = best - base_rate_log_likelihood(train, train, pseudocount=0)
        # an estimate without an upper end is no evidence of a fall
        if before < now == lows[-1][1] and best - last > FELL * max(gained, LEAST):
            evidence = (
                f"The log-likelihood of the training rows was at least {number(best, '.2f')} nats per example at "
                f"update {before:,} and is at most {number(last, '.2f')} at update {now:,}."
            )
            yield Finding("likelihood fell", evidence, _gentler(case))

    held_out, learnt = case.rows.validation or case.rows.test, case.rows.train
    if held_out is learnt or np.array_equal(held_out.v, learnt.v) or case.gain is None:
        return
    sides = [(rows, case.beyond_base(rows)) for rows in (learnt, held_out)]
    ours, theirs = (rows.average(x) for rows, x in sides)
    lost = ours - theirs
    error = ERRORS * math.sqrt(sum(rows.average((x - rows.average(x)) ** 2) / rows.total for rows, x in sides))
    if lost > LOST * (case.gain if case.gain > 0 else 1.0) and lost > error:
        share = (
            f"{number(lost / case.gain, '.0%')} of the {case.gain:.2f} gained" if case.gain > 0 else "nothing gained"
        )
        evidence = (
            f"Training rows are ahead of held-out rows by {lost:.2f} ± {error:.2f} nats per example more than under "
            f"independent {case.pixels}: {share}."
        )
        yield Finding("overfitting", evidence, _simpler(case))


def _gentler(case: Case) -> Remedy:
    """Return advice for a training that has lowered the likelihood."""
    back, correction, mu = "Go back to the best state", case.field("correction"), case.field("mu")
    if correction == "none":
        return Remedy("Start again with the full correction of all counts.", {"learner.correction": "full"})
    if mu is not None and mu > 2:  # up to 2 the pseudo-likelihood never falls
        return Remedy(f"{back} and continue with a step of 1.", {"learner.mu": 1.0}, case.is_live("mu"))
    if case.learner is not None and (correction is not None or case.field("rate") is None):
        return Remedy(f"{back}.")
    return Remedy(f"{back} and continue with a smaller learning rate.", case.smaller_rate(), case.is_live("rate"))


def _simpler(case: Case) -> Remedy:
    """Return advice for a model that has learnt the noise of its rows."""
    back, price = "Go back to the best state, or ", case.field("price")
    if price is not None:
        declared = case.learner.named("price")
        live = declared.live and case.state is not None and not case.state.done
        larger = min(round_digits(2 * price) or declared.default, declared.high)
        advice = f"{'continue' if live else 'start again'} with a larger price, such as {larger:g}."
        return Remedy(back + advice, {"learner.price": larger}, live)
    if isinstance(case.model, Potts | LogLinear):
        name = "PottsPseudoLikelihood" if isinstance(case.model, Potts) else "GreedyMDL"
        return Remedy(f"{back}start again with a learner that has a price, or with a larger price.", {"learner": name})
    if isinstance(case.model, FVBM):
        return Remedy("Leave columns out, learn from more rows, or use a Potts model, which has a price of couplings.")
    half = {"model.hidden": max(1, case.model.n_hidden // 2)} if isinstance(case.model, RBM) else {}
    return Remedy(f"{back}start again with fewer hidden units.", half)


def _chains(case: Case) -> Iterator[Finding]:
    """Yield findings on chains not at equilibrium, and on estimates that rest on few chains or are contradicted.

    Hidden means of chains that start at training rows are ignored: they differ long after such chains are useful.
    """
    gap, own = case.gap, case.own_chains is not None
    if gap is not None and (misses(gap) or (own and differs(gap, LAGGING))):
        whose = "the learner's own chains" if own else "chains that start at training rows"
        evidence = (
            f"log Z by annealing back from {whose} is {-gap.value:.1f} nats smaller than by annealing towards the "
            f"model: they miss about {number(1 - math.exp(gap.value), '.0%')} of its probability."
            if misses(gap)
            else f"The means of hidden units over {whose} differ from the model's: the reduced chi-square of their "
            f"differences is {gap.chi_square:.1f}; at equilibrium it is about 1."
        )
        advice = "Start again with parallel trajectory tempering, whose chains swap with samples of earlier models."
        remedy, steps = Remedy(advice, {"learner": SAMPLER}), case.field("K")
        new = min(5 * steps, int(case.learner.named("K").high or 5 * steps)) if steps and own else 0
        if new > (steps or 0) and (gap.value > -MILD or type(case.learner).__name__ in TEMPERED):
            advice = f"Continue with more Gibbs steps, such as {new}, so that the chains keep up."
            remedy = Remedy(advice, {"learner.K": new}, case.is_live("K"))
        yield Finding("chains not at equilibrium", evidence, remedy)

    chains = case.likelihood.get("ais_effective_sample_size")
    if chains is None:
        return
    if f"{EXACT}_ais_high" not in case.likelihood:
        evidence = (
            f"Of {case.context.annealing.chains:,} annealed chains only {chains:.1f} are effective: the interval of "
            "the likelihood has no upper end."
        )
    elif gap is not None and gap.value > FAR and gap.low > 0:
        evidence = (
            f"Annealing back from the chains gives a log Z that is {gap.value:.1f} nats larger than annealing towards "
            "the model: the estimated likelihood may be too high by about this much."
        )
    else:
        return
    more = min(10 * case.context.annealing.temperatures, 1_000_000)
    advice = f"Estimate it with more temperatures, such as {more:,}, and check the number of effective chains."
    yield Finding("unreliable likelihood", evidence, Remedy(advice, {"annealing.temperatures": more}))


# Causes come before their possible consequences.
LOOKED_FOR: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    _columns,
    _biases,
    _updates,
    _weights,
    _hidden_units,
    _likelihood,
    _chains,
)


def _are_biases_off(case: Case) -> bool:
    return case.units is not None and case.mean_error > OFF and case.units.stuck <= STUCK


def _are_many(which: NDArray[np.bool_]) -> bool:
    return bool(which.any() and which.mean() >= SHARE)
