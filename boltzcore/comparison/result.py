"""Result of a comparison: records and figures of all trials, and the differences that may be claimed."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median
from typing import TYPE_CHECKING

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.trial import Outcome, Trial
from boltzcore.display import Displayed
from boltzcore.measures import MEASURES
from boltzcore.measures.measure import SHARE
from boltzcore.measures.merit import judging, sign, title_of
from boltzcore.measures.paired import FEWEST, PairedDifference, paired_difference
from boltzcore.quoting import cell, listed, number, short_count
from boltzcore.training.status import MOVING, Status

if TYPE_CHECKING:
    import pandas

_BAD = (Status.DIVERGED, Status.FAILED, Status.STOPPED)


@dataclass(frozen=True)
class Result(Displayed):
    """Result of a comparison so far.

    trials : {contender: its trials, in order}; a contender without any randomness has the same trial each time. With a
        tuning these are its trainings, of the contenders that it tunes
    tuning : the result of the tuning before the trials; None if there was none

    >>> from boltzcore import Comparison, Recipe, compare
    >>> base = Recipe("rbm", "bars-and-stripes", "CD")
    >>> found = compare(Comparison(base, {"CD-1": {}, "CD-9": {"CD.K": 9}}, trials=2, budget=50_000))
    >>> found.figure, found.differences()["CD-9"].claimed  # two trials are too few
    ('train_log_likelihood', False)
    """

    comparison: Comparison
    trials: Mapping[str, Sequence[Trial]]
    tuning: "Result | None" = None

    # -- the figure that is compared ------------------------------------------------------------

    @cached_property
    def figure(self) -> str:
        """Name of the compared figure: that of the test rows at the best State by the validation rows if both are
        measured, else the merit at the end; "" if nothing judges the models. A tuning is compared by `judge`.
        """
        return self.judge if self.comparison.tuning is not None else self._test_figure or self.judge

    @cached_property
    def judge(self) -> str:
        """Figure by which the best State is chosen."""
        return next((name for values in self._last if (name := judging(values, self.comparison.merit))), "")

    @cached_property
    def _test_figure(self) -> str:
        """Figure of the test rows that corresponds to the judging one of the validation rows; "" if not measured."""
        test = self.judge.replace("validation_", "test_", 1)
        return test if test != self.judge and all(test in values for values in self._last) else ""

    @property
    def _last(self) -> list[Mapping[str, float]]:
        return [trial.records[-1].values for trial in self._all if trial.records]

    @property
    def _all(self) -> list[Trial]:
        return [trial for trials in self.trials.values() for trial in trials]

    @property
    def figure_title(self) -> str:
        """Description of the compared figure and its State."""
        state = "at the best state on the validation rows" if self._test_figure else "at the end"
        return f"{title_of(self.figure)} {state}"

    @cached_property
    def outcomes(self) -> dict[str, tuple[Outcome, ...]]:
        """Figures of each contender's trials, {contender: outcomes in order}."""
        return {
            name: tuple(Outcome.of(trial, self.comparison, self.judge, self.figure) for trial in trials)
            for name, trials in self.trials.items()
        }

    # -- how far it is --------------------------------------------------------------------------

    @property
    def whole(self) -> bool:
        """True if every trial ended normally."""
        return all(trial.ended and trial.status != Status.STOPPED for trial in self._all)

    @property
    def share(self) -> float:
        """Finished share of all updates, from 0 to 1."""
        return fmean(trial.share for trial in self._all)

    # -- tuning ---------------------------------------------------------------------------------

    @property
    def scores(self) -> dict[str, dict[str, float | None]]:
        """Scores of a tuning, {contender: {setting: its median merit}}, of the best State if trials are compared at
        that; -inf if a training diverged or failed, None if one has not ended.
        """
        settings, n = self.comparison.settings, self.comparison.tuning.trials
        return {
            name: {setting: self._score(each[k * n : (k + 1) * n]) for k, setting in enumerate(settings[name])}
            for name, each in self.outcomes.items()
        }

    def _score(self, outcomes: Sequence[Outcome]) -> float | None:
        if any(each.status in (*MOVING, Status.STOPPED) for each in outcomes):
            return None
        at_best = self._test_figure and not self.comparison.figure.startswith("test_")
        values = [max(each.merits) if at_best else each.merits[-1] for each in outcomes if each.whole]
        return median(values) if len(values) == len(outcomes) else -math.inf

    @property
    def taken(self) -> dict[str, str]:
        """Settings selected by a tuning, {contender: setting}: the best so far, the first of equal ones."""
        found = {}
        for name, scores in self.scores.items():
            known = {setting: -math.inf if score is None else score for setting, score in scores.items()}
            found[name] = max(known, key=known.__getitem__)
        return found

    @property
    def edges(self) -> dict[str, dict[str, str]]:
        """Selected values at an edge of a tuning's grid, {contender: {field: "smallest" or "largest"}}."""
        scores, contenders = self.scores, dict(self.comparison.contenders)
        best = {name: setting for name, setting in self.taken.items() if (scores[name][setting] or 0.0) > -math.inf}
        return {name: self.comparison.tuning.edges(contenders[name], setting) for name, setting in best.items()}

    def tried(self) -> "pandas.DataFrame":
        """Return a row for each contender and setting of a tuning: contender, every field (None if it lacks it), the
        median of the figure (`value`; None if a training has not ended, NaN if one diverged or failed), and `taken`,
        True if it is selected.
        """
        import pandas

        flip, taken, settings = sign(self.figure), self.taken, self.comparison.settings
        rows = [
            {
                "contender": name,
                **{field: settings[name][setting].get(field) for field, _ in self.comparison.tuning.grid},
                "value": None if score is None else flip * score if score > -math.inf else math.nan,
                "taken": setting == taken[name],
            }
            for name, scores in self.scores.items()
            for setting, score in scores.items()
        ]
        return pandas.DataFrame(rows, dtype=object).astype({"taken": bool})

    @property
    def tuned(self) -> Comparison:
        """Comparison that results from a tuning."""
        return self.comparison.tuned(self.taken)

    # -- claims ---------------------------------------------------------------------------------

    def differences(self, reference: str | None = None) -> dict[str, PairedDifference]:
        """Return {contender: its paired difference from the reference, above 0 if it is better}.

        Contenders with an incomplete trial are omitted, without claims about them. The intervals hold simultaneously
        over all pairs of contenders, for any reference; those from the comparison's own reference hold over these
        differences alone.

        Parameters
        ----------
        reference : a contender; None for the comparison's own, else the first

        Raises
        ------
        Refusal
            If it is not a contender.
        """
        reference = self.comparison.contender(reference)
        if self.comparison.tuning is not None:  # the trials have different settings, and are no pairs
            return {}
        usable = {name: each for name, each in self.outcomes.items() if all(trial.whole for trial in each)}
        n, own = len(self.comparison.names), reference == self.comparison.reference
        theirs, found = usable.pop(reference, ()), {}
        for name, ours in usable.items() if theirs else ():
            found[name] = paired_difference(
                [each.value or 0.0 for each in ours],
                [each.value or 0.0 for each in theirs],
                n - 1 if own else n * (n - 1) // 2,
                spread=sum(one.spread + other.spread for one, other in zip(ours, theirs, strict=True)) / len(ours),
                fixed={name, reference} <= self.comparison.fixed,
            )
        return found

    @property
    def deterministic(self) -> bool:
        """True if all trials of each contender are identical."""
        return self.comparison.fixed == set(self.comparison.names)

    @cached_property
    def ahead(self) -> tuple[str, ...]:
        """Contender with the highest mean difference, and those that it is not claimed to be better than, in the order
        of the comparison; () if no two contenders can be compared, or claims are only against a reference.
        """
        names = self.comparison.names
        if not self.figure or self.comparison.tuning is not None or self.comparison.reference:
            return ()
        for name in names:
            if found := self.differences(name):
                front = max((name, *found), key=lambda each: found[each].mean if each != name else 0.0)
                behind = {each for each, difference in self.differences(front).items() if difference.claimed}
                return (front, *(each for each in names if each != front and each not in behind))
        return ()

    @property
    def winner(self) -> str:
        """Contender that is claimed to be better than every other one; "" if there is none."""
        return self.ahead[0] if len(self.ahead) == 1 else ""

    # -- tables ---------------------------------------------------------------------------------

    @cached_property
    def records(self) -> "pandas.DataFrame":
        """Every record: contender, trial (from 0), count, epoch, work, operations, seconds, every figure, and `value`,
        the figure by which its trial is compared.
        """
        import pandas

        flip = sign(self.figure)
        return pandas.DataFrame(
            {"contender": name, "trial": index, **record.row(), "value": value and flip * value}
            for name, trials in self.trials.items()
            for index, trial in enumerate(trials)
            for value in (self.outcomes[name][index].value,)
            for record in trial.records
        )

    def csv(self, *, seconds: bool = True) -> str:
        """Return the records as CSV, with all digits; without seconds it is the same on every machine. A contender's
        name that starts like a formula, which a spreadsheet would run, is prefixed by an apostrophe.
        """
        frame = self.records if seconds else self.records.drop(columns="seconds", errors="ignore")
        if "contender" in frame:
            frame = frame.assign(contender=frame["contender"].map(cell))
        return str(frame.to_csv(index=False, lineterminator="\n"))

    def table(self, reference: str | None = None) -> "pandas.DataFrame":
        """Return a row for each contender with the compared figure at the compared State.

        Its columns are the number of complete trials; over these the mean of the figure (`value`) and the median cost
        to the target; the paired difference from the reference, above 0 if the contender is better, with its interval,
        its p, the number of n trials in which it is better, and True if a difference is claimed; and `pace`, seconds of
        updates for 10**9 operations, by the clock, so never reproducible. None if there is no value, NaN for p.

        reference : as in `differences`
        """
        import pandas

        differences, rows = self.differences(reference), []
        for name, outcomes in self.outcomes.items():
            whole = [trial for trial in outcomes if trial.whole]
            found = differences.get(name)
            columns = ("low", "high", "p", "better_in", "n", "claimed")
            rows.append(
                {
                    "contender": name,
                    "trials": len(whole),
                    "value": sign(self.figure) * fmean(each.value or 0.0 for each in whole) if whole else None,
                    "to_target": _median([each.to_target for each in whole]),
                    "difference": found and found.mean,
                    **{column: found and getattr(found, column) for column in columns},
                    "pace": _median([_pace(trial) for trial in self.trials[name]]),
                }
            )
        found = pandas.DataFrame(rows, dtype=object).set_index("contender")
        return found.astype({"p": float})  # pandas prints an object of 1e-9 as 0.0

    # -- sentences ------------------------------------------------------------------------------

    def sentence(self, reference: str | None = None) -> str:
        """Return the winner, the differences from a contender and their certainty, in sentences.

        reference : as in `differences`
        """
        comparison, reference = self.comparison, self.comparison.contender(reference)
        if not self.figure:
            return "No measure of these models' quality was taken."
        if comparison.tuning is not None:
            return "The tuning has not finished."
        differences, trials = self.differences(reference), f"{comparison.trials} trial{'s' * (comparison.trials > 1)}"
        over, every = ("", "") if self.deterministic else (f", over {trials}", " in every trial")
        sentences = [
            self.headline,
            f"The measure is the {self.figure_title}, after {short_count(comparison.cost)} {comparison.axis}{over}.",
        ]
        for name, outcomes in self.outcomes.items():
            bad = Counter(each.status for each in outcomes if each.status in _BAD)
            sentences += [f"{name} {status} in {n} of {len(outcomes)} trials." for status, n in bad.items()]
            if not bad and (lacking := sum(not each.whole for each in outcomes)):
                ended = all(each.status == Status.FINISHED for each in outcomes)
                what = "has no finite figure" if ended else "has not finished"
                sentences.append(f"{name} {what} in {lacking} of {len(outcomes)} trials.")
        names = sorted(differences, key=lambda name: -abs(differences[name].mean))
        for side, better in (("Better", True), ("Worse", False)):
            on_side = [each for each in names if differences[each].claimed and (differences[each].mean > 0) is better]
            if parts := [f"{name} by {self._amount(differences[name])}" for name in on_side]:
                sentences.append(f"{side} than {reference}: {'; '.join(parts)}.")
        if equal := [name for name, each in differences.items() if each.equal]:
            sentences.append(f"Exactly equal to {reference}{every}: {_join_names(equal)}.")
        if same := [name for name, each in differences.items() if not (each.claimed or each.equal)]:
            sentences.append(f"No significant difference from {reference}: {_join_names(same)}.")
        if any(each.claimed and not each.exact for each in differences.values()):
            sentences.append(
                f"The intervals in brackets hold simultaneously with those {self.family(reference)} with 95 % "
                "confidence, if differences between trials are approximately normal."
            )
        if self.tuning is not None:
            tuning, taken = self.tuning.comparison.tuning, self.tuning.taken.items()
            grid = "; ".join(f"{field} of {listed(values, '')}" for field, values in tuning.grid)
            sentences.append(
                f"Tuned in advance, with {tuning.trials} run{'s' * (tuning.trials > 1)} of each setting, {grid}: "
                f"{'; '.join(f'{name} took {setting}' for name, setting in taken)}. "
                f"{count_settings(self.tuning.comparison, 'tried')}."
            )
            edges = {name: each for name, each in self.tuning.edges.items() if each}
            if at := [f"{field} of {name} ({edge})" for name, each in edges.items() for field, edge in each.items()]:
                sentences.append(f"At the edge of the grid, where values beyond it may be better: {'; '.join(at)}.")
        if not self.deterministic and comparison.trials < FEWEST:
            sentences.append(f"Fewer than {FEWEST} trials show no significant difference from a randomised contender.")
        return " ".join(filter(None, sentences))

    @property
    def headline(self) -> str:
        """The winner in a sentence; "" if contenders cannot be compared."""
        if not (ahead := self.ahead):
            return ""
        if self.winner:
            return f"Winner: {self.winner}."
        found = self.differences(ahead[0])
        if incomplete := [name for name in ahead[1:] if name not in found]:
            return f"No clear winner: not all trials of {_join_names(incomplete)} have a figure."
        first = [name for name in ahead if name == ahead[0] or found[name].equal]
        if not (others := [name for name in ahead if name not in first]):
            return f"No clear winner: {_join_names(first)} are exactly equal."
        has, is_ = ("has", "is") if len(first) == 1 else ("have", "are")
        return (
            f"No clear winner: {_join_names(first)} {has} the best mean, but {is_} not significantly better than "
            f"{_join_names(others)}."
        )

    def family(self, reference: str) -> str:
        """Return a description of the differences whose intervals hold together with those from a contender."""
        own = reference == self.comparison.reference
        return f"of all contenders against {reference}" if own else "of all pairs of contenders"

    def _amount(self, difference: PairedDifference) -> str:
        unit = next((f" {each.units[self.figure]}" for each in MEASURES.values() if self.figure in each.units), "")
        times, unit = (100, " percentage points") if unit == f" {SHARE}" else (1, unit)
        text = f"{number(times * abs(difference.mean), '.3g')}{unit}"
        if difference.exact or difference.low is None or difference.high is None:
            return f"{text} (deterministic: an exact difference)"
        up = difference.mean > 0
        ends = (difference.low, difference.high) if up else (-difference.high, -difference.low)
        interval = " to ".join(number(times * end, ".3g") for end in ends)
        return f"{text} ({interval}; in {difference.better_in if up else difference.worse_in} of {difference.n} trials)"


def count_settings(comparison: Comparison, verb: str) -> str:
    """Return the numbers of settings of a tuning in words, the most first, such as "B tried 12 settings, A 4"."""
    counts = sorted(((name, len(each)) for name, each in comparison.settings.items()), key=lambda each: -each[1])
    (first, most), *others = counts
    if most == counts[-1][1]:
        return f"Each contender {verb} {most} settings"
    return _join_names([f"{first} {verb} {most} settings", *(f"{name} {n}" for name, n in others)])


def _join_names(names: Sequence[str]) -> str:
    """Return contenders for a sentence: separated by semicolons if a name has a comma."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _median(values: Sequence[float | None]) -> float | None:
    """Return the median; None if there are no values, or some are unknown."""
    known = [value for value in values if value is not None]
    return median(known) if known and len(known) == len(values) else None


def _pace(trial: Trial) -> float | None:
    last = trial.records[-1] if trial.records else None
    return 1e9 * last.seconds / last.operations if last and last.operations else None
