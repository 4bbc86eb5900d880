"""Pure functions that apply commands to the progress of a training."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from boltzcore.learners.base import State
from boltzcore.measures.merit import in_full, merit
from boltzcore.quoting import Refusal, quoted
from boltzcore.registry import info_of
from boltzcore.training.loop import Progress, Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import ENDED, Status
from boltzcore.training.stopping import HARMLESS, replayed_over, train_likelihood


def from_store(
    recipe: Recipe,
    state: State | None,
    best: State | None,
    records: Sequence[Record],
    status: Status | None = None,
    reason: str = "",
    best_value: float | None = None,
) -> Progress:
    """Return a stored training; `best_value` is used if the record of the best state is lost."""
    found = Progress(recipe, state, best, ended=status if status in ENDED else None, reason=reason)
    names = found.stage.entry.merit
    value = next((merit(r.values, names) for r in reversed(records) if best and r.count == best.count), best_value)
    return dataclasses.replace(found, best_value=value, highest=_highest(found, records))


def remaining(now: Progress, prepared: PreparedData) -> tuple[int, int] | None:
    """Return the largest numbers of (updates, records) left in a training; None before the last stage or the start."""
    if now.state is None or now.state.progress.stage + 1 < len(now.recipe.stages):
        return None
    timetable = now.recipe.timetable(prepared.updates_per_epoch)
    done = now.state.count - now.state.progress.from_count
    return max(0, timetable.length - done), timetable.left(done)


def may_end_early(recipe: Recipe) -> bool:
    """Return True if a rule may end a training before its full length."""
    schedule = recipe.schedule
    return bool(info_of(recipe.learner).stop_reason or schedule.patience or schedule.gap_limit or schedule.limit)


def end(now: Progress, status: Status, reason: str = "") -> Progress:
    """Return the training, ended with this status and reason; it may be resumed."""
    return dataclasses.replace(now, ended=status, reason=reason)


def resume(now: Progress) -> Progress:
    """Return the training resumed after an end; a harmless cause of a divergence is ignored from then on."""
    ignored = now.ignored
    if now.ended == Status.DIVERGED:  # the cause of a training read from disk is not known
        ignored |= {now.cause} & HARMLESS if now.cause else HARMLESS
    return dataclasses.replace(now, ended=None, reason="", cause="", ignored=ignored)


def tolerate(now: Progress) -> Progress:
    """Return the training with only the overflow of parameters as a reason to end it."""
    return dataclasses.replace(now, ignored=now.ignored | HARMLESS)


def change(now: Progress, fields: dict[str, Any]) -> Progress:
    """Return the training with other values of live fields from now on; itself if they are the same."""
    at, stage = now.count, now.stage
    learner = stage.learner_at(at)
    if learner.changed(**fields) == learner:
        return now
    # Of several changes at one update only the last counts.
    earlier = tuple(change for change in stage.changes if change[0] != at or change[1] not in fields)
    index = now.state.progress.stage if now.state else 0
    recipe = now.recipe.with_stage(index, dataclasses.replace(stage, changes=earlier).changed(at, **fields))
    return dataclasses.replace(now, recipe=recipe)


def extend(
    now: Progress, records: Sequence[Record], length: Any, prepared: PreparedData | None
) -> tuple[Progress, Sequence[Record]]:
    """Return the training with a greater length of its last stage, and the records that remain valid."""
    schedule = now.recipe.schedule
    if (longer := schedule.changed(length=length)).length <= schedule.length:
        raise Refusal(
            f"length must be above the {schedule.length:,} {schedule.unit} of this run, not {quoted(length)}.", "length"
        )
    recipe = dataclasses.replace(now.recipe, schedule=longer)
    made = dataclasses.replace(now, recipe=recipe, ended=None if now.ended == Status.FINISHED else now.ended)
    return reconcile(made, records, prepared) if prepared else (made, records)


def reconcile(now: Progress, records: Sequence[Record], prepared: PreparedData) -> tuple[Progress, Sequence[Record]]:
    """Return the training consistent with its recipe, and the records that remain valid.

    A record that was only taken because a shorter training ended there is removed, also from early stopping; one that
    was made in full for that reason alone is taken again. The best state stays.
    """
    state = now.state
    if state is None or not records or records[-1].count != state.count:
        return now, records
    stage, begun = now.stage, state.progress.from_count
    timetable = stage.timetable(prepared.stages[state.progress.stage].updates_per_epoch)
    due = timetable.due(done := state.count - begun)
    estimated = "ais_effective_sample_size" in records[-1].values and in_full(records[-1].values)
    again = due and estimated and not timetable.in_full(done)
    if (due and not again) or state.done:
        return now, records
    kept = records[:-1]
    seen = [record.values for record in _stage_records(state, kept)]
    same = now.best is not None and now.best.count == state.count
    state, best = (replayed_over(stage, each, seen) if each else None for each in (state, now.best if same else None))
    if again and state is not None:
        state = dataclasses.replace(state, progress=dataclasses.replace(state.progress, record_pending=True))
    back = dataclasses.replace(now, state=state, best=best if same else now.best)
    return dataclasses.replace(back, highest=_highest(back, kept)), kept


def _stage_records(state: State, records: Sequence[Record]) -> Sequence[Record]:
    """Return the records of a State's stage. The record at its first update belongs to the previous stage."""
    begun = state.progress.from_count
    first = max((k for k, record in enumerate(records) if record.count <= begun), default=0)
    return records[first:]


def _highest(now: Progress, records: Sequence[Record]) -> float | None:
    """Return the highest likelihood of the training rows among the records of the stage."""
    if now.state is None:
        return None
    found = [train_likelihood(record.values, now.stage) for record in _stage_records(now.state, records)]
    return max((measured[1] for measured in found if measured), default=None)


def restore_best(now: Progress, records: Sequence[Record]) -> tuple[Progress, Sequence[Record]]:
    """Return the training back at its best state, and the records up to there; later live changes are removed."""
    if now.best is None or now.state is None:
        raise Refusal("This run has no best state yet: no measure of its model's quality was taken.")
    best, count = now.best.count, now.state.count
    kept = tuple(change for change in now.stage.changes if not best < change[0] <= count)
    recipe = now.recipe.with_stage(now.state.progress.stage, dataclasses.replace(now.stage, changes=kept))
    back = dataclasses.replace(now, recipe=recipe, state=now.best, ended=None, reason="", ignored=frozenset())
    left = [record for record in records if record.count <= best]
    return dataclasses.replace(back, highest=_highest(back, left)), left
