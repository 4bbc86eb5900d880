"""Slow motion of the next update of a training: the button that shows or hides it."""

import streamlit as st

from boltzcore.jobs.engine import Run
from boltzcore.reference import has_reference
from boltzcore.training.status import MOVING
from pages.common import lab
from pages.parts.transport import stage_of
from pages.web.session import SESSION

OPENS = "Shows the next update in slow motion, with all its numbers."
CLOSED = "Single updates of this learner cannot be shown."


def shown_version(run_id: str, version: str) -> str:
    """Return the version that is shown: this one, or else the last one; "" before any."""
    if version:
        SESSION.inside_versions[run_id] = version
    return SESSION.inside_versions.get(run_id, "")


def toggle(run: Run | None, *, mine: bool) -> None:
    """Draw its button, for a row of the page; a press pauses the training. Disabled if the learner traces no update."""
    there = run is not None and run.id in SESSION.inside
    closed = run is not None and not there and not has_reference(run.recipe.stages[stage_of(run)].learner)
    st.button(
        "Hide step" if there else "Look inside",
        key="look inside",
        on_click=_turn,
        args=(run, mine, not there),
        disabled=run is None or closed or lab.is_foreign(run),
        help=CLOSED if closed else OPENS,
    )


def _turn(run: Run, mine: bool, opens: bool) -> None:
    (SESSION.inside.add if opens else SESSION.inside.discard)(run.id)
    if opens and mine and run.snapshot.status in MOVING:
        run.pause()
