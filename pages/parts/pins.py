"""Pinned curves: kept in sight for later trainings, drawn where they can be compared."""

from collections.abc import Sequence

import streamlit as st

from boltzcore.figures import reading
from boltzcore.runs.engine import Run, Snapshot
from boltzcore.runs.recipe import Recipe
from pages.parts import lab
from pages.parts.form import SETTING


def pin_buttons(run: Run | None, snapshot: Snapshot | None, pinned: Sequence[Run]) -> None:
    """Keep the curve in sight for later trainings, or let pinned ones go."""
    if run not in pinned and (run is not None or not pinned):
        st.button(
            "Pin this curve",
            on_click=pin,
            args=(run,),
            disabled=snapshot is None or snapshot.state is None,
            help="Keep this curve on the chart. Then choose another learner or rate, or New seed, and play: all are "
            f"drawn together, up to {lab.PINS} pinned ones and one more.",
        )
    names = reading.names([each.recipe for each in pinned])
    if len(pinned) == 1:
        st.button(
            "Unpin",
            on_click=unpin,
            args=(pinned[0].id,),
            help=f"Draw the pinned curve no longer: {names[0]}, training {pinned[0].id}.",
        )
    elif pinned:
        with st.popover("Unpin"):
            for each, name in zip(pinned, names, strict=True):
                st.button(f"Unpin {name}", key=f"unpin {each.id}", on_click=unpin, args=(each.id,))
            st.button("Unpin all", on_click=unpin, args=[each.id for each in pinned])


def pin(run: Run) -> None:
    """Keep this curve, or say why not."""
    try:
        lab.pin(run)
    except ValueError as refusal:
        SETTING.refuse(str(refusal))
    else:
        SETTING.refuse()


def unpin(*run_ids: str) -> None:
    """Let these curves go, and what was said when there were too many."""
    lab.unpin(*run_ids)
    SETTING.refuse()


def drawn_beside(run: Run | None, recipe: Recipe | None, pinned: Sequence[Run]) -> list[Run]:
    """The pinned trainings that can be drawn beside the one in sight; a word on why others are not, and on what the
    next click does with them.
    """
    current, names = run.recipe if run is not None else recipe, reading.names([each.recipe for each in pinned])
    shown: list[Run] = []
    reasons: dict[str, list[str]] = {}
    for each, name in zip(pinned, names, strict=True):
        if current is not None and (why := reading.incomparable(each.recipe, current)):
            reasons.setdefault(why, []).append(name)
        elif run is None or each.id != run.id:
            shown.append(each)
    if reasons:
        told = [f"{' and '.join(of)},{' each' * (len(of) > 1)} because {why}" for why, of in reasons.items()]
        st.info(f"Pinned and not drawn: {'; '.join(told)}.")
    if run is not None and run in pinned:
        st.caption(
            f"**{names[pinned.index(run)]} is pinned.** Choose another learner or rate, or New seed, and press Play: "
            "its curve is drawn beside this one."
        )
    elif run is None and shown:
        of = [name for each, name in zip(pinned, names, strict=True) if each in shown]
        told = f"{of[0]} is pinned**: its curve is" if len(of) == 1 else f"{len(of)} are pinned**: their curves are"
        st.caption(f"**{told} drawn beside that of the training you start.")
    return shown
