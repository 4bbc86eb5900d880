"""Controls of a training: play, pause, step, reset."""

import dataclasses
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import streamlit as st

from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from boltzcore.training.stopping import has_ended
from pages.common import lab
from pages.common.setting import one_of
from pages.common.words import run_action
from pages.parts import cockpit
from pages.parts.form import SETTING, current_recipe, drop_changes, is_of, read
from pages.parts.speed import set_initial, speed

STEPS = {"1 update": 1, "10 updates": 10, "1 epoch": None}
_STEP, _KEEP = "step", "keep going"


def show_refusals(callback: Callable[..., None]) -> Callable[..., None]:
    """Return a callback whose refusals are shown: the run may have moved on since the button was drawn."""
    return wraps(callback)(partial(run_action, SETTING.place, callback))


def owner_only(callback: Callable[..., None]) -> Callable[..., None]:
    """Drop a call on another session's run: a browser may send the click of a disabled button. Refusals are shown."""

    @wraps(callback)
    def called(run: Run | None, *arguments: Any) -> None:
        if run is None or lab.owns(run):
            show_refusals(callback)(run, *arguments)

    return called


def stage_of(run: Run) -> int:
    """Return the number, from 0, of the stage that a run is in."""
    state = run.snapshot.state
    return state.progress.stage if state else 0


def begin(recipe: Recipe, *, play: bool) -> Run:
    """Begin a new training of this session; the one before ends, and stays in the library."""
    before = lab.current_run()
    run = lab.create(recipe)
    if before is not None and lab.owns(before) and before.snapshot.status != "finished":
        before.stop()
    set_initial(run)
    if play:
        run.play()
    lab.attach(run)
    return run


def transport(run: Run | None, snapshot: Snapshot | None, recipe: Recipe | None, *, mine: bool, same: bool) -> None:
    """Draw the buttons, for a row of the page.

    snapshot : of the run, the one that the rest of the page is drawn from
    recipe : of the form, None while something in it is refused
    mine : whether this session may control the run; same : whether the run is one of `recipe`
    """
    status = snapshot.status if snapshot and same else ""
    if run is not None and not mine:
        st.button(
            "Start my own copy",
            type="primary",
            on_click=_copy,
            args=(run,),
            disabled=lab.is_foreign(run),
            help="Starts your own run with the same settings. Runs on someone else's table cannot be copied.",
        )
    elif status == "finished":
        length, about = min(2 * run.recipe.schedule.length, run.recipe.longest), "Double the training length."
        over = has_ended(run.recipe.schedule, snapshot.state) or length == run.recipe.schedule.length
        st.button("Train longer", type="primary", on_click=train_on, args=(run, length), disabled=over, help=about)
    else:
        play(run, recipe, status)
    st.button(
        "Pause",
        on_click=owner_only(Run.pause),
        args=(run,),
        disabled=not mine or snapshot is None or snapshot.status not in MOVING,
        help="Pause after the current update.",
    )
    can = mine and recipe is not None and recipe.data.at_hand() and status != "finished"
    st.button(
        "Step",
        on_click=_step,
        args=(run,),
        disabled=not can,
        help="Train one step, then pause. Set its size under More.",
    )
    st.button(
        "Reset",
        on_click=_again,
        args=(run, False),
        disabled=not (run and mine and recipe),
        help="Go back to update 0 with the current settings and the same seed. Pinned curves stay.",
    )


def play(run: Run | None, recipe: Recipe | None, status: str) -> None:
    """Draw the button that begins or continues a training."""
    st.button(
        "Play",
        type="primary",
        on_click=_play,
        args=(run,),
        disabled=recipe is None or status in MOVING,
        help="Start or continue training.",
    )


def draw_more(run: Run | None, snapshot: Snapshot | None, recipe: Recipe | None, *, mine: bool, same: bool) -> None:
    """Draw the less frequent controls, behind one button; parameters as in `transport`."""
    with st.popover("More", key=f"more {run.id if run else ''}"):  # a new run closes it
        st.button(
            "New seed",
            on_click=_again,
            args=(run, True),
            disabled=not (mine and recipe),
            help="Start again with another random seed.",
        )
        speed(run, recipe, mine=mine)
        first = next(iter(STEPS))
        st.segmented_control("Updates per step", STEPS, default=first, required=True, key=_STEP, disabled=not mine)
        if run is not None:
            keep = run.keep_going
            st.toggle(
                "Keep training",
                keep,
                key=f"{_KEEP} {run.id}",
                help="Continue after this tab is closed.",
                on_change=_keep,
                args=(run,),
                disabled=not mine,
            )
            status = snapshot.status if snapshot and same else ""
            st.button(
                "End run",
                on_click=owner_only(Run.stop),
                args=(run,),
                disabled=not mine or status in ("stopped", "finished"),
                help="Stop and free the memory. Play continues from here.",
            )


def _with_form(callback: Callable[..., None]) -> Callable[..., None]:
    """Return a callback that takes the recipe of the form as well, with what was typed just before the click, and
    whether the run is one of it; it is not called while a field is refused.
    """

    @wraps(callback)
    def called(run: Run | None, *arguments: Any) -> None:
        if (recipe := read(SETTING.texts()).recipe) is not None:
            callback(run, recipe, run is not None and is_of(run, recipe), *arguments)

    return owner_only(called)


@_with_form
def _play(run: Run | None, recipe: Recipe, same: bool) -> None:
    if run is not None and same:
        lab.check_run(run)
        run.play()
        cockpit.fold_up()
    else:
        begin(recipe, play=True)


@_with_form
def _step(run: Run | None, recipe: Recipe, same: bool) -> None:
    if run is None or not same:
        run = begin(recipe, play=False)
    lab.check_run(run)
    asked = one_of(st.session_state[_STEP], STEPS, next(iter(STEPS)))
    run.step(STEPS[asked] or PreparedData.from_recipe(recipe).stages[stage_of(run)].updates_per_epoch)


@owner_only
def train_on(run: Run, length: int) -> None:
    """Continue a finished training to a greater length."""
    lab.check_run(run)
    run.extend(length)
    SETTING.put(drop_changes(run.recipe).to_query())
    run.play()
    cockpit.fold_up()


@_with_form
def _again(run: Run | None, recipe: Recipe, same: bool, new_seed: bool) -> None:
    """Start again with the present values: a rate that was changed during the run stays changed, and open settings stay
    open.
    """
    open_there = run is None or not same or cockpit.is_open(run.id)
    recipe = current_recipe(run) if run is not None and same else recipe
    if new_seed:
        recipe = dataclasses.replace(recipe, schedule=recipe.schedule.changed(seed=recipe.schedule.seed + 1))
    lab.check(recipe)
    SETTING.put(recipe.to_query())
    moving = run is not None and run.snapshot.status in MOVING
    fresh = begin(recipe, play=moving)
    if open_there and not moving:
        cockpit.put_open(fresh.id)
    else:
        cockpit.fold_up()


@show_refusals
def _copy(run: Run) -> None:
    if lab.is_foreign(run):  # a browser may send the click of a disabled button
        return
    SETTING.put(run.recipe.to_query())
    begin(run.recipe, play=True)


@owner_only
def _keep(run: Run) -> None:
    run.keep_going = st.session_state[f"{_KEEP} {run.id}"]
