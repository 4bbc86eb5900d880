"""What a comparison has found: the records of every trial, figures of each, and what may be claimed of differences."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.outcome import Course, Outcome
from boltzcore.comparison.scheduler import CANCELLED, ENDED, FAILED, Standing
from boltzcore.comparison.trial import DIVERGED, FINISHED
from boltzcore.measures import MEASURES
from boltzcore.measures.measure import SHARE
from boltzcore.measures.merit import in_words, judging, sign
from boltzcore.measures.paired import FEWEST, PairedDifference, paired_difference
from boltzcore.quoting import cell, listed, number
from boltzcore.registry import info_of
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe

if TYPE_CHECKING:
    import pandas

NORMAL = "differences between trials are about normal"


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
        are measured, else of merit at the end; "" where nothing judges the models. No tuning is by test rows.
        """
        return self.judge if self.comparison.tuning is not None else self._tested or self.judge

    @property
    def in_words(self) -> str:
        """The figure that is compared, and at which State."""
        state = "at the end" if self.figure == self.judge else "at the best state by the validation rows"
        return f"{in_words(self.figure)} {state}"

    @property
    def briefly(self) -> str:
        """The rows and the State that are compared, in a few words."""
        rows = in_words(self.figure).partition(" of the ")[2].partition(",")[0]
        return ", ".join(filter(None, (rows, "last state" if self.figure == self.judge else "best state")))

    @cached_property
    def _tested(self) -> str:
        """The same figure of the test rows as judges by the validation rows; "" where it is not measured."""
        test = self.judge.replace("validation_", "test_", 1)
        return test if test != self.judge and self._measured(test) else ""

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
        best = self.figure != self.judge
        return {
            name: tuple(
                Outcome.of(each, course, self.figure, self.comparison, best=best)
                for each, course in zip(trials, self.courses[name], strict=True)
            )
            for name, trials in self.standings.items()
        }

    @property
    def scores(self) -> dict[str, dict[str, float | None]]:
        """{contender: {value tried: its median merit}} of a tuning, of the best State where trials are compared at
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
        values = [max(each.merits) if self._tested else each.merits[-1] for each in outcomes if each.whole]
        return median(values) if len(values) == len(outcomes) else -math.inf

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
        without those whose trials are not all whole, of which nothing is claimed. The intervals hold together over all
        pairs of contenders, whichever of them is asked for; those from the comparison's own reference over these alone.

        reference : a contender; None for the comparison's own, else the first
        Raises Refusal for another name.
        """
        reference = self.comparison.contender(reference)
        usable = {name: each for name, each in self.outcomes.items() if all(trial.whole for trial in each)}
        n, own = len(self.comparison.names), reference == self.comparison.reference
        beside, found = usable.pop(reference, ()), {}
        for name, trials in usable.items() if beside else ():
            spread = sum(one.spread + other.spread for one, other in zip(trials, beside, strict=True)) / len(trials)
            found[name] = paired_difference(
                [each.value or 0.0 for each in trials],
                [each.value or 0.0 for each in beside],
                n - 1 if own else n * (n - 1) // 2,
                spread=spread,
                fixed={name, reference} <= self.comparison.fixed,
            )
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
        return pandas.DataFrame(rows)

    def csv(self, *, seconds: bool = True) -> str:
        """The records as CSV, to the last digit; without seconds it is the same wherever it is made. A contender whose
        name begins like a formula, which a spreadsheet would run, has an apostrophe in front.
        """
        frame = self.records if seconds else self.records.drop(columns="seconds", errors="ignore")
        if "contender" in frame:
            frame = frame.assign(contender=frame["contender"].map(cell))
        return str(frame.to_csv(index=False, lineterminator="\n"))

    def table(self, reference: str | None = None) -> "pandas.DataFrame":
        """A row for each contender, of the figure compared at the State compared: trials that are whole; over these
        the mean of the figure, and medians of the cost to the target and of the mean over the cost; and the paired
        difference from the reference, above 0 where the contender is better, with its interval, its p, in how many of
        n trials it is better, and whether a difference is claimed. None where there is none. Last its `pace`, seconds
        in updates for 10**9 operations, by the clock: no figure of it is the same again.

        reference : as of `differences`
        """
        import pandas

        differences = self.differences(reference)
        rows = []
        for name, outcomes in self.outcomes.items():
            trials = [trial for trial in outcomes if trial.whole]
            row: dict[str, Any] = {"contender": name, "trials": len(trials)}
            for column in ("value", "to_target", "area"):
                over: Callable[[Sequence[float]], float] = fmean if column == "value" else median
                middle = _over([getattr(trial, column) for trial in trials], over)
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
            row["pace"] = _over([_pace(each) for each in self.standings[name]], median)
            rows.append(row)
        return pandas.DataFrame(rows, dtype=object).set_index("contender")

    def verdict(self, reference: str | None = None) -> str:
        """What was found in short: who is better and worse than the reference, and of whom no difference is shown."""
        reference, differences = self.comparison.contender(reference), self.differences(reference)
        if not self.figure or self.comparison.tuning is not None:
            return self.sentence(reference)
        n = self.comparison.trials
        parts = [sentence for name in self.comparison.names for sentence in self._said_of_failures(name)]
        for side, names in self._sides(differences).items():
            if names:
                parts.append(f"{join_names(names)} {'is' if len(names) == 1 else 'are'} {side} than {reference}.")
        parts += self._said_of_same(reference, differences, "is shown")
        told = "deterministic"
        if not self.deterministic:
            sure = f"95 % sure of all claims together, as far as {NORMAL}"
            few = f"fewer than {FEWEST}, which claim nothing of contenders with randomness"
            told = f"{n} trial{'s' * (n > 1)}, {sure if n >= FEWEST else few}"
        return f"By the {self.in_words}, at the same cost ({told}): {' '.join(parts)}"

    @staticmethod
    def _sides(differences: Mapping[str, PairedDifference]) -> dict[str, list[str]]:
        """{"better" and "worse": contenders that are claimed to be, those that differ most first}."""
        names = sorted(differences, key=lambda name: -abs(differences[name].mean))
        claimed = [name for name in names if differences[name].claimed]
        return {
            "better": [name for name in claimed if differences[name].mean > 0],
            "worse": [name for name in claimed if differences[name].mean < 0],
        }

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
        said = [f"By the {self.in_words}, {self._said_of_cost()}{'' if exact else f', over {trials}'}:"]
        for name in comparison.names:
            said += self._said_of_failures(name)
        for side, names in self._sides(differences).items():
            if names:
                parts = [f"{name} by {self._amount(differences[name])}" for name in names]
                said.append(f"{side.capitalize()} than {reference}: {'; '.join(parts)}.")
        said += self._said_of_same(reference, differences, f"shown by {trials}")
        if any(each.claimed and not each.exact for each in differences.values()):
            told = f"those {self.family(reference)}, hold together in 95 of 100 such comparisons, as far as {NORMAL}"
            said.append(f"In brackets are intervals that, with {told}.")
        said += self._said_of_tuning()
        if depends := digits_depend([each.recipe for each in self._all], {each.processor for each in self._all} - {""}):
            said.append(depends)
        if not exact and n < FEWEST:
            said.append(f"Fewer than {FEWEST} trials claim nothing of contenders with randomness.")
        return said

    def _said_of_same(self, reference: str, differences: Mapping[str, PairedDifference], shown: str) -> list[str]:
        equal = [name for name, each in differences.items() if each.equal]
        same = [name for name, each in differences.items() if not (each.claimed or each.equal)]
        every = "" if self.deterministic else " in every trial"
        said = [f"Exactly as good as {reference}{every}: {join_names(equal)}."] if equal else []
        return [*said, f"No difference from {reference} {shown}: {join_names(same)}."] if same else said

    def family(self, reference: str) -> str:
        """Whose intervals hold together where the differences from a contender are shown."""
        own = reference == self.comparison.reference
        return f"of all contenders against {reference}" if own else "of all pairs of contenders"

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

    def _amount(self, difference: PairedDifference) -> str:
        unit = next((f" {each.units[self.figure]}" for each in MEASURES.values() if self.figure in each.units), "")
        times = 100 if unit == f" {SHARE}" else 1
        unit = " percentage points" if times > 1 else unit
        text = f"{number(times * abs(difference.mean), '.3g')}{unit}"
        if difference.exact or difference.low is None or difference.high is None:
            return f"{text} (deterministic: an exact difference)"
        up = difference.mean > 0
        ends = (difference.low, difference.high) if up else (-difference.high, -difference.low)
        interval = " to ".join(number(times * end, ".3g") for end in ends)
        return f"{text} ({interval}; in {difference.better_in if up else difference.worse_in} of {difference.n} trials)"


def digits_depend(recipes: Sequence[Recipe], processors: Collection[str]) -> str:
    """A sentence where the digits of trainings depend on the processor, and these are several; else ""."""
    learners = [stage.learner for recipe in recipes for stage in recipe.stages]
    titles = sorted({info_of(each).title for each in learners if not each.same_everywhere})
    if not titles or len(processors) < 2:
        return ""
    return (
        f"The digits of {', '.join(titles)} depend on the processor, and here are {len(processors)} kinds: "
        f"{'; '.join(sorted(processors))}."
    )


def join_names(names: Sequence[str]) -> str:
    """Contenders in a sentence: a name may hold commas."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _over(values: Sequence[float | None], over: Callable[[Sequence[float]], float]) -> float | None:
    known = [value for value in values if value is not None]
    return over(known) if len(known) == len(values) and known else None


def _pace(trial: Standing) -> float | None:
    last = trial.records[-1] if trial.records else None
    return 1e9 * last.seconds / last.operations if last and last.operations else None
