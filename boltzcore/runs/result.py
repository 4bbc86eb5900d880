"""What a comparison has found: the records of every trial, figures of each, and what may be claimed of differences."""

import dataclasses
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Any

from boltzcore.measures import MEASURES
from boltzcore.measures.measure import SHARE
from boltzcore.measures.merit import in_words, judging, sign
from boltzcore.measures.paired import PairedDifference, least_p, paired_differences
from boltzcore.quoting import cell, listed, number
from boltzcore.runs.comparison import Comparison
from boltzcore.runs.outcome import Course, Outcome
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.probe import stages_of
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.scheduler import CANCELLED, ENDED, FAILED, Standing
from boltzcore.runs.trial import DIVERGED, FINISHED

if TYPE_CHECKING:
    import pandas

NORMAL = "differences between trials are about normal"
FEW = 6  # trials below which no difference can be told from chance at the 5 % level by signs alone


@dataclass(frozen=True)
class Result:
    """What a comparison has found so far.

    standings : {contender: its trials, in order}; a contender without any randomness has the same trial each time.
        While the comparison has a tuning these are its trainings
    tuning : what the tuning before the trials has found; None where there was none
    known : `courses` of the same trials at an earlier moment, which need not be read again

    >>> from boltzcore import Comparison, Recipe, compare
    >>> base = Recipe("rbm", "bars-and-stripes", "CD")
    >>> found = compare(Comparison(base, {"CD-1": {}, "CD-9": {"CD.K": 9}}, trials=2, budget=50_000))
    >>> found.figure, found.differences()["CD-9"].claimed  # two trials are too few
    ('train_log_likelihood', False)
    """

    comparison: Comparison
    standings: Mapping[str, Sequence[Standing]]
    tuning: "Result | None" = None
    known: Mapping[str, Sequence[Course]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def figure(self) -> str:
        """The name of the figure that is compared: of the test rows at the best State by the validation rows where both
        are measured, else of merit at the end; "" where nothing judges the models.
        """
        test = self.judge.replace("validation_", "test_", 1)
        return test if test != self.judge and self._measured(test) else self.judge

    @cached_property
    def judge(self) -> str:
        """The figure by which the best State is chosen."""
        names = self.comparison.merit
        figures = [judging(each.records[-1].values, names) for each in self._all if each.records]
        return next((name for name in figures if name), "")

    def _measured(self, name: str) -> bool:
        courses = (course for trials in self.courses.values() for course in trials)
        return all(name in record.values for course in courses for record in course.judged)

    @property
    def _all(self) -> list[Standing]:
        return [each for trials in self.standings.values() for each in trials]

    @property
    def over(self) -> bool:
        """Whether every trial has ended."""
        return all(each.ended for each in self._all)

    @property
    def whole(self) -> bool:
        """Whether every trial was trained as far as it goes."""
        return all(each.status in (FINISHED, DIVERGED, FAILED) for each in self._all)

    @property
    def share(self) -> float:
        """The share of all updates that are done, from 0 to 1."""
        return sum(each.share for each in self._all) / len(self._all)

    @property
    def shape(self) -> tuple[int, int] | None:
        """The shape of the images that are learnt from; None where they are none."""
        return PreparedData.from_recipe(self.comparison.contenders[0][1]).dataset.shape

    @cached_property
    def courses(self) -> dict[str, tuple[Course, ...]]:
        """{contender: what judges its trials over their cost}."""
        signs, axis, found = {name: sign(name) for name in self.comparison.merit}, self.comparison.axis, {}
        for name, trials in self.standings.items():
            known = self.known[name] if name in self.known else (Course(),) * len(trials)
            pairs = zip(trials, known, strict=True)
            found[name] = tuple(course.grown(each.records, signs, axis) for each, course in pairs)
        return found

    @cached_property
    def outcomes(self) -> dict[str, tuple[Outcome, ...]]:
        """{contender: the figures of its trials, in order}."""
        return {
            name: tuple(
                Outcome.of(each, course, self.figure, self.comparison)
                for each, course in zip(trials, self.courses[name], strict=True)
            )
            for name, trials in self.standings.items()
        }

    @property
    def scores(self) -> dict[str, dict[str, float | None]]:
        """{contender: {value tried: its median merit}} of a tuning, of the best State where the figure compared is of
        that; -inf where a training diverged or failed, None where one has not ended.
        """
        tuning = self.comparison.tuning
        assert tuning is not None
        found: dict[str, dict[str, float | None]] = {}
        for name, outcomes in self.outcomes.items():
            found[name] = {
                value: self._score(outcomes[k * tuning.trials : (k + 1) * tuning.trials])
                for k, value in enumerate(tuning.values)
            }
        return found

    def _score(self, outcomes: Sequence[Outcome]) -> float | None:
        if any(each.status not in ENDED or each.status == CANCELLED for each in outcomes):
            return None
        at_best = self.figure != self.judge
        values = [each.best if at_best else each.final for each in outcomes if each.whole]
        known = [value for value in values if value is not None]
        return median(known) if len(known) == len(outcomes) else -math.inf

    @property
    def taken(self) -> dict[str, str]:
        """{contender: the value that it takes} of a tuning: the best so far, of equal ones the first."""
        scores = {
            name: {value: -math.inf if score is None else score for value, score in each.items()}
            for name, each in self.scores.items()
        }
        return {name: max(each, key=each.__getitem__) for name, each in scores.items()}

    @cached_property
    def tuned_to(self) -> dict[str, str]:
        """{contender: the value that the tuning before the trials has given its field}; {} where there was none."""
        return {} if self.tuning is None else self.tuning.taken

    @property
    def tuned(self) -> Comparison:
        """The comparison that a tuning leads to."""
        return self.comparison.tuned(self.taken)

    def differences(self, reference: str | None = None) -> dict[str, PairedDifference]:
        """{contender: its paired difference from the reference, above 0 where it is better}, of the figure compared;
        without those whose trials are not all whole. Nothing is claimed of a difference that lies within what estimates
        may be off.

        reference : a contender; None for the first. Another one may have been chosen by the figures: its claims hold
            together with those of all pairs
        Raises Refusal for another name.
        """
        reference = self.comparison.contender(reference)
        found: dict[str, PairedDifference] = {}
        outcomes = {name: self.outcomes[name] for name in self.comparison.names}
        usable = [name for name, each in outcomes.items() if all(trial.whole for trial in each)]
        if reference not in usable:
            return found
        values = {name: [trial.value or 0.0 for trial in outcomes[name]] for name in usable}
        pairs = reference != self.comparison.names[0]
        for name, difference in paired_differences(values, reference, pairs=pairs).items():
            trials = zip(outcomes[name], outcomes[reference], strict=True)
            spread = sum(one.spread + other.spread for one, other in trials) / difference.n
            exact = difference.low is None and difference.mean != 0 and {name, reference} <= self.comparison.fixed
            found[name] = dataclasses.replace(difference, claimed=exact or difference.claimed).within(spread)
        return found

    @property
    def deterministic(self) -> bool:
        """Whether every trial of each contender is one and the same."""
        return self.comparison.fixed == set(self.comparison.names)

    @cached_property
    def records(self) -> "pandas.DataFrame":
        """Every record: contender, trial (from 0), count, epoch, work, operations, seconds, and every figure."""
        import pandas

        rows = [
            {
                "contender": name,
                "trial": index,
                "count": record.count,
                "epoch": record.epoch,
                "work": record.work,
                "operations": record.operations,
                "seconds": record.seconds,
                **record.values,
            }
            for name, trials in self.standings.items()
            for index, standing in enumerate(trials)
            for record in standing.records
        ]
        frame = pandas.DataFrame(rows)
        return frame.astype({"operations": "Int64"}) if rows else frame

    def csv(self, *, seconds: bool = True) -> str:
        """The records as CSV, to the last digit; without seconds it is the same wherever it is made. A contender whose
        name begins like a formula, which a spreadsheet would run, has an apostrophe in front.
        """
        frame = self.records if seconds else self.records.drop(columns="seconds", errors="ignore")
        if "contender" in frame:
            frame = frame.assign(contender=frame["contender"].map(cell))
        return str(frame.to_csv(index=False, lineterminator="\n"))

    def table(self, reference: str | None = None) -> "pandas.DataFrame":
        """A row for each contender: trials that are whole; medians over the trials of the figure compared, of the merit
        at the end and at its best, of the cost to the target and of the area; and the paired difference from the
        reference, above 0 where the contender is better, with its interval, the p of the exact sign-flip test, in how
        many of n trials it is better, and whether a difference is claimed. None where there is no difference.

        reference : a contender; None for the first
        """
        import pandas

        differences = self.differences(reference)
        rows = []
        for name, trials in self.outcomes.items():
            row: dict[str, Any] = {"contender": name, "trials": sum(trial.whole for trial in trials)}
            for column in ("value", "final", "best", "to_target", "area"):
                middle = _median([getattr(trial, column) for trial in trials])
                row[column] = middle if middle is None or column == "to_target" else sign(self.figure) * middle
            found = differences.get(name)
            row |= {
                "difference": found and found.mean,
                "low": found and found.low,
                "high": found and found.high,
                "p": found and found.p,
                "better_in": found and found.better_in,
                "n": found and found.n,
                "claimed": found and found.claimed,
            }
            rows.append(row)
        return pandas.DataFrame(rows).set_index("contender")

    def verdict(self, reference: str | None = None) -> str:
        """What was found in short: who is better and worse than the reference, and of whom no difference is shown."""
        reference, differences = self.comparison.contender(reference), self.differences(reference)
        if not self.figure or self.comparison.tuning is not None:
            return self.sentence(reference)
        exact, n = self.deterministic, self.comparison.trials
        claimed = {name: each for name, each in differences.items() if each.claimed or (exact and each.mean)}
        parts = [sentence for name in self.comparison.names for sentence in self._said_of_failures(name)]
        for side in ("better", "worse"):
            found = [name for name in claimed if (claimed[name].mean > 0) == (side == "better")]
            found.sort(key=lambda name: -abs(claimed[name].mean))
            if found:
                parts.append(f"{_names(found)} {'is' if len(found) == 1 else 'are'} {side} than {reference}.")
        if same := [name for name in differences if name not in claimed]:
            parts.append(f"No difference from {reference} is shown: {_names(same)}.")
        sure = f"{n} trial{'s' * (n > 1)}, 95 % sure of all claims together, as far as {NORMAL}"
        told = "deterministic" if exact else sure
        return f"By the {in_words(self.figure)} at the same cost ({told}): {' '.join(parts)}"

    def sentence(self, reference: str | None = None) -> str:
        """What was found, and how sure it is."""
        return " ".join(self.sentences(reference))

    def sentences(self, reference: str | None = None) -> list[str]:
        """The same, one by one."""
        comparison = self.comparison
        reference = comparison.contender(reference)
        if not self.figure:
            return ["Nothing that was measured judges these models."]
        n, differences, exact = comparison.trials, self.differences(reference), self.deterministic
        trials = f"{n} trial{'s' * (n > 1)}"
        if comparison.tuning is not None:
            return ["The tuning before the trials has not ended."]
        said = [f"By the {in_words(self.figure)}, {self._said_of_cost()}{'' if exact else f', over {trials}'}:"]
        for name in comparison.names:
            said += self._said_of_failures(name)
        claimed = [(name, each) for name, each in differences.items() if each.claimed or (exact and each.mean)]
        for side in ("Better", "Worse"):
            found = [(name, each) for name, each in claimed if (each.mean > 0) == (side == "Better")]
            found.sort(key=lambda pair: -abs(pair[1].mean))
            if found:
                parts = [f"{name} by {self._amount(each, exact=exact)}" for name, each in found]
                said.append(f"{side} than {reference}: {'; '.join(parts)}.")
        same = [name for name in differences if name not in dict(claimed)]
        if equal := [name for name in same if differences[name].low is None and not differences[name].mean]:
            every = "" if exact else " in every trial"
            said.append(f"Exactly as good as {reference}{every}: {_names(equal)}.")
        if same := [name for name in same if name not in equal]:
            said.append(f"No difference from {reference} shown by {trials}: {_names(same)}.")
        if any(each.low is not None for _, each in claimed):
            every = "" if reference == comparison.names[0] else ", whichever contender the others are compared with"
            told = f"In brackets are intervals that all hold together in 95 of 100 such comparisons{every}"
            said.append(f"{told}, as far as {NORMAL}.")
        said += self._said_of_tuning()
        if depends := digits_depend([each.recipe for each in self._all], {each.processor for each in self._all} - {""}):
            said.append(depends)
        if not exact and n < FEW:
            said.append(f"{n} pairs cannot get below p = {least_p(n):.2g} by their signs; 8 trials can.")
        return said

    def _said_of_cost(self) -> str:
        axis, cost = self.comparison.axis, self.comparison.cost
        if axis == "seconds":
            known = sorted({each.processor.partition(",")[0] for each in self._all if each.processor})
            return f"after {cost:,} processor seconds at one thread of {listed(known, 'an unknown processor')}"
        return f"after {cost:,} {'units of work' if axis == 'work' else axis}"

    def _said_of_tuning(self) -> list[str]:
        if self.tuning is None or (tuning := self.tuning.comparison.tuning) is None:
            return []
        taken = "; ".join(f"{name} took {value}" for name, value in self.tuning.taken.items())
        trainings = f"{tuning.trials} training{'s' * (tuning.trials > 1)} of each"
        return [f"Tuned before, by {trainings}, {tuning.field} of {listed(tuning.values, '')}: {taken}."]

    def _said_of_failures(self, name: str) -> list[str]:
        trials = self.outcomes[name]
        found = []
        for status in (DIVERGED, "failed", "cancelled"):
            if bad := sum(trial.status == status for trial in trials):
                found.append(f"{name} {'was ' * (status == 'cancelled')}{status} in {bad} of {len(trials)} trials.")
        if not found and not all(trial.whole for trial in trials):
            found.append(f"{name} has not ended in all trials.")
        return found

    def _amount(self, difference: PairedDifference, *, exact: bool) -> str:
        unit = next((f" {each.units[self.figure]}" for each in MEASURES.values() if self.figure in each.units), "")
        times = 100 if unit == f" {SHARE}" else 1
        unit = " percentage points" if times > 1 else unit
        text = f"{number(times * abs(difference.mean), '.3g')}{unit}"
        low, high = difference.low, difference.high
        if exact or low is None or high is None:
            return f"{text} (deterministic: an exact difference)"
        ends = [times * end for end in ((low, high) if difference.mean > 0 else (-high, -low))]
        better = difference.better_in if difference.mean > 0 else difference.worse_in
        interval = f"{number(ends[0], '.3g')} to {number(ends[1], '.3g')}"
        return f"{text} ({interval}; in {better} of {difference.n} trials)"


def digits_depend(recipes: Sequence[Recipe], processors: Collection[str]) -> str:
    """A sentence where the digits of trainings depend on the processor, and these are several; else ""."""
    titles = sorted({each.learner.title for each in stages_of(recipes) if not each.learner.same_everywhere})
    if not titles or len(processors) < 2:
        return ""
    return (
        f"The digits of {', '.join(titles)} depend on the processor, and here are {len(processors)} kinds: "
        f"{'; '.join(sorted(processors))}."
    )


def _names(names: Sequence[str]) -> str:
    """Contenders in a sentence: a name may hold commas."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if len(known) == len(values) and known else None
