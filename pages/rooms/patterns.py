"""Patterns that a class draws on its phones: the teacher accepts them, and a learner stores and recalls them."""

from functools import partial

import streamlit as st

from boltzcore.data.drawn import MOST_PATTERNS, Patterns
from boltzcore.learners import BSLM, Hebbian
from boltzcore.models import FVBMSetup
from boltzcore.plotting.images import pixel_tiles
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab
from pages.common.setting import one_of
from pages.lessons.lesson import Scene
from pages.lessons.scenes import TrainingScene, run_action
from pages.rooms import session
from pages.rooms.room import Room
from pages.web.encoding import data_uri

_LEARNERS = {"Hopfield network": Hebbian(), "Fully visible machine": BSLM()}
_MACHINE = "machine of patterns"  # key
_LOOKED_AT, _LARGE = 12, 64  # drawings shown together, and their pixels
_PACE = 4.0  # updates a second
_SWEEPS = 40  # updates of the fully visible machine


class PatternsScene(Scene):
    """The drawings of the present room, and a training on the accepted ones. It finds nothing."""

    def choices(self) -> tuple[str, ...]:
        return (_MACHINE,)

    def draw(self, *, locked: bool = False) -> None:
        """Draw the drawings to accept, and the training."""
        room, steers = _room()
        if room is None:
            return
        if steers:
            _judge(room)
        if not room.drawings.accepted:
            if not steers:
                st.markdown(f"Sent: **{len(room.drawings.waiting)}**. No pattern is accepted yet.")
            return
        if steers:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                names = list(_LEARNERS)
                st.session_state.setdefault(_MACHINE, names[0])
                st.segmented_control("Machine", names, required=True, key=_MACHINE)
                st.button("Remove last", on_click=room.drawings.remove_last)
        with st.container(key="recall"):
            _training(room, steers=steers).draw()

    def parameters(self) -> dict[str, str]:
        """Return the URL parameters of the run, with its key."""
        room, steers = _room()
        return _training(room, steers=steers).parameters() if room is not None and room.drawings.accepted else {}


def _room() -> tuple[Room | None, bool]:
    """Return (the present room, whether this is its teacher's page)."""
    steers = not session.is_screen()
    return session.current() if steers else session.viewed(), steers


def _training(room: Room, *, steers: bool) -> TrainingScene:
    """Return the training on the accepted patterns, with the machine that the teacher has chosen."""
    run, names = lab.current_run(), list(_LEARNERS)
    name = one_of(st.session_state.get(_MACHINE), names, names[0])
    if not steers and run is not None:
        name = next((each for each, learner in _LEARNERS.items() if run.recipe.learner == learner), name)
    learner, bits = _LEARNERS[name], "".join(room.drawings.accepted)
    length = len(room.drawings.accepted) if isinstance(learner, Hebbian) else _SWEEPS
    schedule = Schedule(length=length, unit="updates")
    return TrainingScene(Recipe(FVBMSetup(variance=0.0), Patterns(bits=bits), learner, schedule), ("recall",), _PACE)


def _judge(room: Room) -> None:
    """Draw the waiting drawings, to be accepted or refused."""
    waiting = room.drawings.waiting
    st.markdown(f"**{len(waiting)}** to look at, **{len(room.drawings.accepted)}** of at most {MOST_PATTERNS} accepted")
    with st.container(horizontal=True, key="drawings"):
        for number, (name, bits) in enumerate(list(waiting.items())[:_LOOKED_AT], 1):
            with st.container(width="content"):
                tile = pixel_tiles(Patterns(bits=bits).load().train.v, (8, 8), largest=_LARGE)
                # phones show accepted ones alone
                st.image(data_uri(tile.png), width=_LARGE, alt=f"Drawing {number}.")
                for label, act in (("Accept", room.drawings.accept), ("Refuse", room.drawings.refuse)):
                    st.button(label, key=f"{label} {name}", on_click=run_action, args=(partial(act, name),))
    if len(waiting) > 1:
        seen = list(waiting)[:_LOOKED_AT]
        st.button("Accept all", on_click=run_action, args=(lambda: [room.drawings.accept(name) for name in seen],))
