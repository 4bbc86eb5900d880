"""Measurements of a training as texts: its kind of likelihood, errors, dead units."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference import Annealing
from boltzcore.measures.activity import always_off, always_on
from boltzcore.measures.likelihood import QUICK
from boltzcore.measures.measure import ROWS
from boltzcore.measures.merit import judging, merit
from boltzcore.measures.restoration import MERIT as ERRORS
from boltzcore.quoting import number
from boltzcore.training.loop import Record

BY_AIS = "_ais"  # end of the names of estimates
COUNTING = "ais_effective_sample_size"
FEWEST = 5  # effective chains of a reliable estimate


@dataclass(frozen=True)
class Likelihood:
    """The names of a record's log-likelihoods, nats per example: exact ones, or estimates with an interval.

    title : their common name
    """

    train: str
    validation: str
    test: str
    title: str = "Log-likelihood"

    @property
    def estimated(self) -> bool:
        """True of estimates by annealed importance sampling, which have an interval."""
        return self.train.endswith(BY_AIS)


EXACT = Likelihood("train_log_likelihood", "validation_log_likelihood", "test_log_likelihood")
ESTIMATE = Likelihood("train_log_likelihood_ais", "validation_log_likelihood_ais", "test_log_likelihood_ais")
PSEUDO = Likelihood(
    "train_log_pseudo_likelihood",
    "validation_log_pseudo_likelihood",
    "test_log_pseudo_likelihood",
    "Log-pseudo-likelihood",
)


def likelihood(records: Sequence[Record]) -> Likelihood | None:
    """Return the kind of log-likelihood in the last record; None if it has none."""
    values = records[-1].values if records else {}
    return next((kind for kind in (EXACT, ESTIMATE) if kind.train in values), None)


def judging_split(records: Sequence[Record]) -> str:
    """Return the split whose pixel error judges a training: "validation", or "test" if the data have no such split; ""
    before the first record.
    """
    name = judging(records[-1].values, ERRORS) if records else None
    return name.removesuffix("_error") if name else ""


def figure(value: float | None, decimals: int = 3) -> str:
    """Return a number with a minus of its full width; a dash if there is none."""
    return "\N{EN DASH}" if value is None else number(value, f".{decimals}f")


def nats(kind: Likelihood, values: Mapping[str, float], key: str) -> str:
    """Return a log-likelihood; an estimate, in hundredths, with the longer side of its interval, or with a question
    mark if it has too few effective chains for the interval to mean anything.
    """
    value = values.get(key)
    if value is None or not kind.estimated:
        return figure(value)
    if is_unreliable(values):
        return f"{figure(value, 2)} \N{PLUS-MINUS SIGN} ?"
    low, high = values.get(f"{key}_low"), values.get(f"{key}_high")
    if low is None or high is None:
        ends = f"at least {figure(low, 2)}" if low is not None else f"at most {figure(high, 2)}"
        return f"{figure(value, 2)}, {'no interval' if low is high else ends}"
    reach = max(high - value, value - low)
    return f"{figure(value, 2)} \N{PLUS-MINUS SIGN} {figure(reach, 2) if reach >= 0.005 else '< 0.01'}"


def at(record: Record, unit: str) -> str:
    """Place of a record in its training, in "epochs" or "updates"."""
    return f"{record.count:,}" if unit == "updates" else re.sub(r"\.?0+$", "", f"{record.epoch:,.2f}")


def percent(share: float | None, decimals: int = 2) -> str:
    """Return a share in [0, 1] as a percentage; a dash if there is none, or if it is of nothing (nan)."""
    return figure(None) if share is None or share != share else number(share, f".{decimals}%")


def share(records: Sequence[Record], key: str) -> str:
    """Return a share in [0, 1] of the last record as a percentage."""
    return percent(records[-1].values.get(key) if records else None)


def lowest_error(records: Sequence[Record]) -> str:
    """Return the lowest pixel error so far of the split that judges the training."""
    found = highest(records, ERRORS)
    return percent(None if found is None else -found)


def highest(records: Sequence[Record], names: Sequence[str]) -> float | None:
    """Return the highest merit so far, by the figures of these names; None without any."""
    return max((value for record in records if (value := merit(record.values, names)) is not None), default=None)


def best(records: Sequence[Record]) -> str:
    """Return the highest test log-likelihood so far."""
    kind = likelihood(records)
    known = [r for r in records if kind and kind.test in r.values]
    if kind is None or not known:
        return figure(None)
    return nats(kind, max(known, key=lambda r: r.values[kind.test]).values, kind.test)


def last(records: Sequence[Record]) -> str:
    """Return the test log-likelihood of the last record."""
    kind = likelihood(records)
    return figure(None) if kind is None else nats(kind, records[-1].values, kind.test)


def sentence(records: Sequence[Record], key: str, name: str, factor: float = 1.0) -> str:
    """Return a sentence as text alternative of a curve: its first and last value, and its length."""
    known = [r for r in records if key in r.values]
    if not known:
        return f"{name}: not measured yet."
    first, last = (f"{factor * r.values[key]:.2f} at epoch {r.epoch:.4g}" for r in (known[0], known[-1]))
    return f"{name} from {first} to {last}."


def share_sentence(records: Sequence[Record], key: str, name: str) -> str:
    """Return the same for a share, in %."""
    return sentence(records, key, f"{name}, in %,", 100)


def likelihood_sentence(records: Sequence[Record]) -> str:
    """Return the same for the test log-likelihood, which may be an estimate."""
    kind = likelihood(records) or EXACT
    return sentence(records, kind.test, f"Test log-likelihood{', estimated by AIS,' * kind.estimated}")


def row_text(split: Examples) -> str:
    """Return the number of rows of a split that are measured, and of all."""
    return f"{ROWS:,} of {len(split):,} rows" if len(split) > ROWS else f"all {len(split):,} rows"


def is_unreliable(values: Mapping[str, float]) -> bool:
    """True for an estimate with too few effective chains to rely on it."""
    return values.get(COUNTING, FEWEST) < FEWEST


def count_chains(values: Mapping[str, float], annealing: Annealing) -> str:
    """Number of effective chains of an estimate, with a warning if they are too few."""
    text = f"{figure(values.get(COUNTING), 0)} of {values.get(QUICK, annealing.chains):,.0f}"
    return f"{text}: unreliable" if is_unreliable(values) else text


def dead_units(activity: NDArray) -> str:
    """Return the numbers of hidden units that are always off or always on, of (n_hidden,) mean activities."""
    counts = {"always off": int(always_off(activity).sum()), "always on": int(always_on(activity).sum())}
    parts = [f"{count} of {len(activity)} {text}" for text, count in counts.items() if count]
    return f"dead units: {', '.join(parts)}" if parts else "no dead units"
