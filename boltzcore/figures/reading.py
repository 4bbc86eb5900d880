"""What is read off a training: which figure is its likelihood, how sure it is, when it had climbed, what it is
called.
"""

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference import Annealing
from boltzcore.inference.effort import chains_of
from boltzcore.measures.activity import always_off, always_on
from boltzcore.measures.chains import autocorrelation_time
from boltzcore.measures.climb import flattened
from boltzcore.measures.likelihood import EFFORT
from boltzcore.measures.merit import in_general, judging, merit
from boltzcore.measures.restoration import MERIT as ERRORS
from boltzcore.measures.rows import ROWS
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.runs.recipe import Change, Recipe
from boltzcore.runs.recipe_diff import confounders
from boltzcore.runs.stopwatch import MOMENT, Wait
from boltzcore.runs.training import Record

UNLIKE = " \N{DAGGER}"  # behind the name of a training that differs in more than learner and rate
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")

COUNTING = "ais_effective_sample_size"
FEWEST = 5  # chains that have to count for an estimate to be relied on


@dataclass(frozen=True)
class Likelihood:
    """The names of a record's log-likelihoods, nats per example: exact ones, or estimates with an interval.

    title : what they are called
    """

    train: str
    validation: str
    test: str
    estimated: bool = False
    title: str = "Log-likelihood"

    def interval(self, values: Mapping[str, float], key: str) -> tuple[float | None, float | None]:
        """(low, high) of a figure of these; None for an end that is not known to be finite. An exact figure is its own
        interval.
        """
        if not self.estimated:
            return values[key], values[key]
        return values.get(f"{key}_low"), values.get(f"{key}_high")


EXACT = Likelihood("train_log_likelihood", "validation_log_likelihood", "test_log_likelihood")
ESTIMATE = Likelihood(
    "train_log_likelihood_ais", "validation_log_likelihood_ais", "test_log_likelihood_ais", estimated=True
)
PSEUDO = Likelihood(
    "train_log_pseudo_likelihood",
    "validation_log_pseudo_likelihood",
    "test_log_pseudo_likelihood",
    title="Log-pseudo-likelihood",
)


def likelihood(records: Sequence[Record]) -> Likelihood | None:
    """The kind of log-likelihood in the last record; None where it has none."""
    return likelihood_in(records[-1].values) if records else None


def likelihood_in(values: Mapping[str, float]) -> Likelihood | None:
    """The log-likelihood among figures; None where there is none."""
    return next((kind for kind in (EXACT, ESTIMATE) if kind.train in values), None)


def judged(records: Sequence[Record]) -> str:
    """The split whose pixel error judges a training: "validation", or "test" where the data have no such split; ""
    before the first record.
    """
    name = judging(records[-1].values, ERRORS) if records else None
    return name.removesuffix("_error") if name else ""


@dataclass(frozen=True)
class Curve:
    """A training as it is drawn: the hue of its family, the dash of the variant, a short name."""

    records: Sequence[Record]
    family: str
    dash: str
    name: str


def dash(learner: Any) -> str:
    """The dash of a learner: of those of its family that fit the same models, the first in the registry is solid."""
    family = [
        each for each in LEARNERS.values() if each.family == learner.family and set(each.models) & set(learner.models)
    ]
    return DASHES[family.index(type(learner)) % len(DASHES)]


def name(learner: Any, changes: Sequence[Change] = ()) -> str:
    """A learner in short: what its title has in brackets, the K of "CD-K" or d and K' in figures, its main field, and
    what `changes` make of its fields.
    """
    values, text, main = learner.values(), short(learner), _main(learner)
    moved = [field for field in values if field == main or any(field == each for _, each, _ in changes)]
    successive = {field: [values[field], *(new for _, each, new in changes if each == field)] for field in moved}
    return ", ".join(
        [text, *(f"{_symbol(learner, field)} {value_sequence(each)}" for field, each in successive.items())]
    )


def short(learner: Any) -> str:
    """The shortest name of a learner: what its title has in brackets, with its cost in figures."""
    return _short(learner)[0]


def stages(recipe: Recipe) -> str:
    """What is trained one after the other, in a sentence; "" of a recipe of one stage."""
    if recipe.before is None:
        return ""
    parts = []
    for stage in recipe.before.stages:
        learner, schedule, main = stage.learner, stage.schedule, _main(stage.learner)
        field = [f"{type(learner).named(main).label.lower()} {_plain(learner.values()[main])}"] if main else []
        what = ", ".join([*field, f"{schedule.length:,} {schedule.unit}"])
        parts.append(f"{re.sub(r' [(][^()]+[)]$', '', learner.title)} ({what})")
    return f"First: {'; then '.join(parts)}; then {short(recipe.learner)} from its best model."


def compared(
    pinned: Sequence[tuple[Recipe, Sequence[Record]]], current: tuple[Recipe, Sequence[Record]]
) -> tuple[Curve, ...]:
    """Trainings on the same data as they are drawn together, the current one last: their names hold what they do not
    share, and those of one family have dashes of their own. One that differs in more than learner and rate is marked.
    """
    *texts, own = names([recipe for recipe, _ in pinned], current[0])
    curves: list[Curve] = []
    for (recipe, records), text in zip(pinned, texts, strict=True):
        learner = recipe.learner
        used = [each.dash for each in curves if each.family == learner.family]
        free = (each for each in (dash(learner), *DASHES) if each not in used)
        mark = UNLIKE if confounders(recipe, current[0]) else ""
        curves.append(Curve(records, learner.family, next(free, DASHES[-1]), f"{text}{mark}"))
    learner = current[0].learner  # whose family's pinned curves have another colour
    return *curves, Curve(current[1], learner.family, dash(learner), own)


def names(pinned: Sequence[Recipe], current: Recipe | None = None) -> list[str]:
    """The names of trainings, the pinned ones first: each with its values of the fields that it shares with another and
    has otherwise. Where several have one name, it says which of them is pinned.
    """
    recipes = [*pinned, *([current] if current else [])]
    texts = [_distinct_name(each, tuple(other for other in recipes if other is not each)) for each in recipes]
    shown = []
    for place, text in enumerate(texts):
        alike = [i for i, other in enumerate(texts) if other == text]
        if len(alike) > 1 and place < len(pinned):
            known = [i for i in alike if i < len(pinned)]
            text += f" (pinned {known.index(place) + 1})" if len(known) > 1 else " (pinned)"
        shown.append(text)
    return shown


def together(alt: str, shown: Curve, beside: Sequence[Curve], describe: Callable[[Sequence[Record]], str]) -> str:
    """What a chart shows, with what `describe` says of the pinned curves that are drawn beside."""
    if not beside:
        return alt
    return " ".join([f"{shown.name}: {alt}", *(f"Pinned, {each.name}: {describe(each.records)}" for each in beside)])


def incomparable(pinned: Recipe, current: Recipe) -> str:
    """Why a pinned training cannot be drawn beside another one, in a clause; empty where it can."""
    one, other = MODELS[pinned.model.name], MODELS[current.model.name]
    if one is not other:
        return f"it is of another model, {one.title}, and likelihoods and pixel errors cannot be compared"
    what = f"{in_general(one.merit[0])}s" if one.merit else "figures"
    if pinned.data != current.data:
        return f"its data are other data than these, and {what} of different data cannot be compared"
    if "corruption" in one.parts and pinned.corruption.title != current.corruption.title:
        return (
            f"its images are damaged in another way, {pinned.corruption.title}, and {what} of different damage "
            "cannot be compared"
        )
    return ""


def value_sequence(values: Sequence[Any]) -> str:
    """The values that a field takes one after the other, in short."""
    shown = [_plain(value) for value, before in zip(values, [None, *values], strict=False) if value != before]
    return " \N{RIGHTWARDS ARROW} ".join(shown if len(shown) <= 3 else [shown[0], "\N{HORIZONTAL ELLIPSIS}", shown[-1]])


@lru_cache(maxsize=256)  # asked for with each frame
def _distinct_name(recipe: Recipe, others: tuple[Recipe, ...]) -> str:
    """The name of a training, with its values of the fields that it shares with another and has otherwise."""
    moved = recipe.changes if any(other.changes != recipe.changes for other in others) else ()
    data = [recipe.data.title] if any(other.data.title != recipe.data.title for other in others) else []
    return ", ".join([name(recipe.learner, moved), *_begun(recipe, others), *_own(recipe, others), *data])


def _begun(recipe: Recipe, others: Sequence[Recipe]) -> list[str]:
    """What was trained before, where that is otherwise for another."""
    if all(other.before == recipe.before for other in others):
        return []
    return [f"after {short(recipe.before.learner)}" if recipe.before else "from its start"]


def _own(recipe: Recipe, others: Sequence[Recipe]) -> list[str]:
    """The fields that a recipe shares with another and has another value of, without those in its name."""
    parts = [
        (recipe.learner, [other.learner for other in others]),
        (recipe.model, [other.model for other in others]),
        (recipe.schedule, [other.schedule for other in others]),
    ]
    elsewhere = (
        _main(recipe.learner),
        *_short(recipe.learner)[1],
        "length",
        "unit",
        "every",
        "between",
        "patience",
    )  # a longer training is no other one
    redrawn = "corruption" in recipe.entry.parts and any(
        other.corruption.redrawn != recipe.corruption.redrawn for other in others
    )
    return [*([f"noise {recipe.corruption.redrawn}"] if redrawn else []), *_fields(parts, elsewhere)]


def _fields(parts: Sequence[tuple[Any, Sequence[Any]]], elsewhere: Sequence[str]) -> list[str]:
    """The fields of a part of which a counterpart has another value, without those that stand elsewhere."""
    found = []
    for part, counterparts in parts:
        beside = [each.values() for each in counterparts]
        for field, value in part.values().items():
            if field not in elsewhere and any(each.get(field, value) != value for each in beside):
                shown = "all" if (field, value) == ("batch_size", 0) else _plain(value)
                found.append(f"{_symbol(part, field)} {shown}")
    return found


def _short(learner: Any) -> tuple[str, tuple[str, ...]]:
    """(the short name of a learner from the brackets of its title, with its cost in figures; the fields in it)."""
    values = learner.values()
    found = re.search(r"\(([^()]+)\)$", learner.title)
    text = found.group(1) if found else learner.title
    if "K" in values and text.endswith("-K"):
        return f"{text[:-1]}{values['K']}", ("K",)
    if "d" in values and "K_prime" in values:
        return f"{text} {values['d']}\N{MULTIPLICATION SIGN}{values['K_prime']}", ("d", "K_prime")
    return text, ()


def _main(learner: Any) -> str:
    """The field that stands in the name of a learner: where it has a rate the first that can be changed live, which is
    that rate or matters more; "" where it has none.
    """
    fields = type(learner).parameters()
    live = [declared.name for declared in fields if declared.live]
    return live[0] if live and "rate" in learner.values() else ""


def _symbol(part: Any, field: str) -> str:
    """What names a field in short: the symbol of a learner's, the words for one of model or schedule."""
    declared = type(part).named(field)
    return declared.symbol if declared.symbol and type(part) in LEARNERS.values() else declared.label.lower()


def _plain(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


# -- in words -----------------------------------------------------------------------------------------


def figure(value: float | None, decimals: int = 3) -> str:
    """A number with a minus of its full width; a dash where there is none."""
    return "\N{EN DASH}" if value is None else f"{value:.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def nats(kind: Likelihood, values: Mapping[str, float], key: str, decimals: int = 3) -> str:
    """A log-likelihood; an estimate, in hundredths, with how far its interval reaches to the wider side, or with a
    question mark where so few chains count that the interval, too, is worth nothing.
    """
    value = values.get(key)
    if value is None or not kind.estimated:
        return figure(value, decimals)
    if few(values):
        return f"{figure(value, 2)} \N{PLUS-MINUS SIGN} ?"
    low, high = kind.interval(values, key)
    if low is None and high is None:
        return f"{figure(value, 2)}, no interval"
    if high is None:
        return f"{figure(value, 2)}, at least {figure(low, 2)}"
    if low is None:
        return f"{figure(value, 2)}, at most {figure(high, 2)}"
    reach = max(high - value, value - low)
    return f"{figure(value, 2)} \N{PLUS-MINUS SIGN} {figure(reach, 2) if reach >= 0.005 else '< 0.01'}"


def span(seconds: float) -> str:
    """A length of time, as round as an estimate should be."""
    if seconds < 10:
        return f"{max(1, round(seconds))} s"
    if seconds < 57.5:
        return f"{5 * round(seconds / 5)} s"
    if seconds < 115:
        minutes, over = divmod(10 * round(seconds / 10), 60)
        return f"{minutes} min {over} s" if over else f"{minutes} min"
    if (minutes := round(seconds / 60)) < 60:
        return f"{minutes} min"
    if seconds > 36_000:
        return f"{round(seconds / 3600):,} h"
    hours, over = divmod(10 * round(seconds / 600), 60)
    return f"{hours} h {over} min" if over else f"{hours} h"


LONG = 100  # seconds from which on minutes are given


def waited(wait: Wait) -> str:
    """A wait in words: its work, the seconds so far and about how many in all; worded as in the browser, which counts
    on by itself (`frame.js`).
    """
    if wait.seconds < MOMENT:
        return wait.what
    about = None if wait.about is None or wait.about <= wait.seconds else round(wait.about)
    of = "so far" if about is None else f"of about {about if about < LONG else _clock(about)}"
    return f"{wait.what}: {_clock(int(wait.seconds))} {of}"


def _clock(seconds: int) -> str:
    return f"{seconds} s" if seconds < LONG else f"{seconds // 60} min {seconds % 60} s"


def at(record: Record, unit: str) -> str:
    """How far a training was when a record was taken, in "epochs" or "updates"."""
    return f"{record.count:,}" if unit == "updates" else re.sub(r"\.?0+$", "", f"{record.epoch:,.2f}")


def climb(records: Sequence[Record], unit: str = "epochs") -> str:
    """The epoch (or update) of the first record at 90 % of the climb of the test log-likelihood so far; a dash where
    there is none, and while it climbs on.
    """
    kind = likelihood(records)
    reached = flattened(records, kind.test) if kind else None
    return "\N{EN DASH}" if reached is None else f"{unit.removesuffix('s')} {at(reached, unit)}"


def percent(share: float | None, decimals: int = 2) -> str:
    """A share in [0, 1] as a percentage; a dash where there is none."""
    return figure(None) if share is None else f"{figure(100 * share, decimals)}\N{NO-BREAK SPACE}%"


def share(records: Sequence[Record], key: str) -> str:
    """A share in [0, 1] of the last record as a percentage."""
    return percent(records[-1].values.get(key) if records else None)


def lowest_error(records: Sequence[Record]) -> str:
    """The lowest pixel error so far of the split that judges the training."""
    found = highest(records, ERRORS)
    return percent(None if found is None else -found)


def highest(records: Sequence[Record], names: Sequence[str]) -> float | None:
    """The highest merit so far, by the figures of these names; None where nothing judged."""
    return max((value for record in records if (value := merit(record.values, names)) is not None), default=None)


def best(records: Sequence[Record]) -> str:
    """The highest test log-likelihood so far."""
    kind = likelihood(records)
    known = [r for r in records if kind and kind.test in r.values]
    if kind is None or not known:
        return figure(None)
    return nats(kind, max(known, key=lambda r: r.values[kind.test]).values, kind.test)


def last(records: Sequence[Record]) -> str:
    """The test log-likelihood of the last record."""
    kind = likelihood(records)
    return figure(None) if kind is None else nats(kind, records[-1].values, kind.test)


def sentence(records: Sequence[Record], key: str, name: str) -> str:
    """One sentence for those who do not see the curve: from where to where, over how long."""
    known = [r for r in records if key in r.values]
    if not known:
        return f"{name}: nothing measured yet."
    first, last = known[0], known[-1]
    return (
        f"{name} from {first.values[key]:.2f} at epoch {first.epoch:.4g} to {last.values[key]:.2f} at epoch "
        f"{last.epoch:.4g}."
    )


def share_sentence(records: Sequence[Record], key: str, name: str) -> str:
    """The same of a share, in %."""
    known = [dataclasses.replace(r, values={key: 100 * r.values[key]}) for r in records if key in r.values]
    return sentence(known, key, f"{name}, in %,")


def likelihood_sentence(records: Sequence[Record]) -> str:
    """The same of the test log-likelihood, which may be an estimate."""
    kind = likelihood(records) or EXACT
    return sentence(
        records, kind.test, "Test log-likelihood, estimated by AIS," if kind.estimated else "Test log-likelihood"
    )


def measured(split: Examples) -> str:
    """The number of rows of a split on which measures are taken, of how many."""
    return f"{ROWS:,} of {len(split):,} images" if len(split) > ROWS else f"all {len(split):,} images"


def few(values: Mapping[str, float]) -> bool:
    """Whether a log-likelihood is an estimate of which too few chains count to rely on it."""
    return values.get(COUNTING, FEWEST) < FEWEST


def counting(values: Mapping[str, float], annealing: Annealing) -> str:
    """How many of the chains of an estimate count, of how many, and what follows where they are too few."""
    text = f"{figure(values.get(COUNTING), 0)} of {chains_of(annealing, values.get(EFFORT, 1.0)):,}"
    return f"{text}: do not trust it" if few(values) else text


def dead(activity: NDArray) -> str:
    """How many hidden units are always off or always on, of (n_hidden,) mean activities."""
    off, on = int(always_off(activity).sum()), int(always_on(activity).sum())
    if not off and not on:
        return "no unit is dead"
    parts = [f"{count} of {len(activity)} {text}" for count, text in ((off, "always off"), (on, "always on")) if count]
    return f"dead units: {', '.join(parts)}"


def mixing(rho: NDArray) -> str:
    """The autocorrelation time of chains, from their autocorrelation over lags, in a sentence."""
    time = autocorrelation_time(rho)
    if time is None:
        return "Autocorrelation time: longer than these lags can tell."
    return f"Autocorrelation time: {figure(time, 1)} Gibbs transitions."
