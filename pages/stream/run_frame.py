"""The frame of a run: the parts that all models share, and the view of its model."""

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.jobs.stopwatch import Left
from boltzcore.plotting import palette
from boltzcore.plotting.drawing import AXES
from boltzcore.quoting import span
from boltzcore.registry import info_of
from boltzcore.training.baseline_gain import gain
from boltzcore.training.loop import progress_record
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from boltzcore.training.stopping import early_reason
from pages.figures import measurements, naming
from pages.figures.frame import Figures, Frame, Light, Line, NamedFigure, ViewInputs
from pages.views import view_of
from pages.views.equilibrium import light_of
from pages.views.landscape import energy_landscape, every_state
from pages.web.background import waits_for

WORDS = {"queued": "Waiting", "starting": "Starting", "running": "Training", "stopped": "Ended", "diverged": "Diverged"}
OLD = 0.25  # share of the updates so far from which on a record is old
STATUS, SPEED = "Status", "Updates a second"
ABOUT = {
    "Epoch": "One epoch is one pass over all training rows. The count pauses while the model is measured.",
    "Update": "One step of the learner. The count pauses while the model is measured.",
    "Stage": "Each stage has its own learner and starts from the best model of the previous stage.",
    SPEED: "Averaged over about the last half second, including the time for measurements.",
}


def drawn(
    run: Run, pinned: Sequence[Run], chosen: Mapping[str, str], snapshots: Sequence[Snapshot]
) -> tuple[Frame, dict[str, Any]]:
    """Return the frame of a run with pinned ones, and its further fields as JSON holds them.

    snapshots : of the run and of the pinned ones
    """
    (snapshot, *others), recipe = snapshots, run.recipe
    beside = [(each, of_it.recipe) for each, of_it in zip(others, pinned, strict=True)]
    frame = frame_of(recipe, snapshot, beside, chosen)
    return frame, {
        "run": run.id,
        "status": snapshot.status,
        "resumed": run.resumed,
        "count": snapshot.count,
        "records": len(snapshot.records),
        "around": page_key(recipe, snapshot),
        "at": _axis_places(snapshot),
        "waits": waits(snapshot, frame.awaited),
    }


def _axis_places(snapshot: Snapshot) -> dict[str, float] | None:
    """Return the place of a snapshot on each axis of the curves; None before there is a model."""
    if snapshot.state is None or snapshot.prepared is None:
        return None
    stands = progress_record(snapshot.prepared, snapshot.state)
    return {axis: where(stands) for axis, where in AXES.items()}


def frame_of(
    recipe: Recipe,
    snapshot: Snapshot,
    pinned: Sequence[tuple[Snapshot, Recipe]] = (),
    chosen: Mapping[str, str] | None = None,
) -> Frame:
    """Return the frame of a training at one moment.

    pinned : trainings to be drawn with it, as soon as they have records
    chosen : {name of a choice: value} as a viewer asks for it
    """
    known = [each for each in pinned if each[0].records]
    stage = recipe.stages[snapshot.state.progress.stage if snapshot.state else 0]
    inputs = ViewInputs.from_snapshot(snapshot, recipe, known, chosen)
    shown = replace(inputs.shown, family=info_of(stage.learner).family, dash=naming.dash(stage.learner))
    inputs = replace(inputs, recipe=stage, shown=shown)
    frame, light = view_of(stage.model.name).frame(inputs), light_of(inputs)
    small = tuple(row for row in (energy_landscape(inputs), every_state(inputs)) if row)
    updates = snapshot.updates_per_second
    decimals = 0 if updates >= 10 or not updates else 1
    speed = NamedFigure(SPEED, f"{updates:,.{decimals}f}", ABOUT[SPEED])  # last: it may go if the row is cut off
    return replace(
        frame,
        below=(*small, *frame.below),
        figures=[*_progress(recipe, snapshot), *frame.figures, speed],
        lines=_list_runs(inputs, [of_it for _, of_it in known]),
        summary=_summary(recipe, snapshot),
        aria_text=_aria_text(snapshot, light),
        measured=_last_record(recipe, snapshot),
        old=_is_old(snapshot),
        light=light,
    )


def stopped_early(recipe: Recipe, snapshot: Snapshot) -> str:
    """Return why a rule of the schedule ended a training; "" if none did, or it has not ended."""
    best, state = snapshot.best, snapshot.state
    if snapshot.status != "finished" or best is None or state is None:
        return ""
    why = early_reason(recipe.schedule, state)
    return f"{why}. The best state is that after update {best.count:,}." if why else ""


def unlearnt(recipe: Recipe, snapshot: Snapshot) -> str:
    """Return a sentence if a training has ended without having learnt; "" otherwise."""
    if snapshot.status != "finished" or snapshot.prepared is None or not snapshot.records:
        return ""
    found = gain(recipe, snapshot.prepared, snapshot.records[-1].values)
    return found.sentence if found else ""


def _summary(recipe: Recipe, snapshot: Snapshot) -> str:
    """Return what happened to a training, for viewers that cannot act on it."""
    if early := stopped_early(recipe, snapshot):
        return f"Stopped early: {early}"
    return f"{snapshot.reason} {unlearnt(recipe, snapshot)}".strip()


def _aria_text(snapshot: Snapshot, light: Light | None) -> str:
    """Return the status of a training in words that stay while it advances."""
    at = "" if snapshot.status in MOVING or snapshot.state is None else f" at update {snapshot.state.count:,}"
    chains = f" Chains {light.word}." if light and light.when else ""
    return f"{_status(snapshot)}{at}.{chains}"


def _status(snapshot: Snapshot) -> str:
    place = f", place {snapshot.place}" if snapshot.status == "queued" else ""
    return WORDS.get(snapshot.status, snapshot.status.capitalize()) + place


def waits(snapshot: Snapshot, awaited: Sequence[Future[Any]]) -> dict[str, Any]:
    """Return the reason for waiting, so that the browser can count the seconds, and the time left.

    awaited : the parts that a frame was drawn without
    """
    progress, wait = "", snapshot.wait or waits_for(awaited)
    if snapshot.status == "queued":
        progress = _line(snapshot.place)
    elif snapshot.left:
        progress = format_left(snapshot.left)
    return {"wait": None if wait is None else vars(wait), "progress": progress}


def format_left(rest: Left) -> str:
    """Return the time left of a training, in words."""
    return f"{'at most' if rest.most else 'about'} {span(rest.seconds)} left"


def _line(place: int) -> str:
    """Return the place in the queue, in words."""
    if place < 2:
        return "Waiting for resources: next in line"
    ahead = "1 run is" if place == 2 else f"{place - 1} runs are"
    return f"Waiting for resources: {ahead} ahead of this run"


def page_key(recipe: Recipe, snapshot: Snapshot) -> str:
    """Return a key of what an owner's page draws around the frames: when it changes, the script must run."""
    state, best = snapshot.state, snapshot.best
    parts = (
        snapshot.status,
        snapshot.reason,
        state is not None,
        state is not None and state.count > 0,
        best and best.count if snapshot.status not in MOVING else best is not None,
        recipe.changes,
        recipe.schedule,
    )
    return hashlib.blake2s(repr(parts).encode(), digest_size=6).hexdigest()


def _progress(recipe: Recipe, snapshot: Snapshot) -> Figures:
    """Return the progress of a training, in figures that keep their places."""
    state, length = snapshot.state, recipe.schedule.length
    count = state.count if state else 0
    stages = len(recipe.stages)
    if _in_epochs(recipe) and snapshot.updates_per_epoch:
        epochs = f"{count / snapshot.updates_per_epoch:,.1f}"
        if snapshot.updates_per_epoch == 1 or snapshot.status not in MOVING:  # otherwise the next figure would jump
            epochs = epochs.removesuffix(".0")
        at = ("Epoch", f"{epochs} of {length:,}")
    else:
        at = ("Update", f"{count:,}" + (f" of {snapshot.budget:,}" if snapshot.budget else ""))
    shown = [(STATUS, _status(snapshot)), at]
    if stages > 1:
        shown.insert(1, ("Stage", f"{state.progress.stage + 1 if state else 1} of {stages}"))
    return [NamedFigure(name, value, ABOUT.get(name, "")) for name, value in shown]


def _in_epochs(recipe: Recipe) -> bool:
    """True if progress is given in epochs: with several stages, each has epochs of its own."""
    return recipe.schedule.unit == "epochs" and len(recipe.stages) == 1


def _last_record(recipe: Recipe, snapshot: Snapshot) -> str:
    """Return the epoch or update of the last record, in short; "" if there is none."""
    if not snapshot.records:
        return ""
    unit = "epochs" if _in_epochs(recipe) else "updates"
    return f"at {unit.removesuffix('s')} {measurements.at(snapshot.records[-1], unit)}"


def _is_old(snapshot: Snapshot) -> bool:
    """True if much of the training so far came after the last record."""
    if snapshot.state is None or not snapshot.records:
        return False
    return snapshot.state.count - snapshot.records[-1].count > OLD * snapshot.state.count


def _list_runs(inputs: ViewInputs, pinned: Sequence[Recipe]) -> tuple[Line, ...]:
    """Return a line of figures for each pinned training and this one, with the colour and dash of its curve."""
    if not pinned:
        return ()
    lines, unit, prepared, now = [], inputs.recipe.schedule.unit, inputs.snapshot.prepared, inputs.shown
    for each, recipe in zip((*inputs.beside, now), (*pinned, inputs.recipe), strict=True):
        title = "This run" if each is now else "Pinned"
        colour = palette.hue(each.family) if each is now else palette.pinned_colour(each.family, now.family)
        at = measurements.at(each.records[-1], unit) if each.records else measurements.figure(None)
        figures = [NamedFigure(title, each.name), NamedFigure(unit.capitalize().removesuffix("s"), at)]
        figures += view_of(recipe.model.name).compared(each.records, recipe, prepared)
        lines.append(Line(colour, each.dash, figures))
    return tuple(lines)
