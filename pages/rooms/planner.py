"""The plan of a class on the teacher's page: a line to move through it, and its editor."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.common import presenting
from pages.common.downloads import download
from pages.common.setting import one_of
from pages.common.words import escape
from pages.parts import uploads
from pages.rooms import board, handouts
from pages.rooms import plan as plans
from pages.rooms.plan import MINUTES, Plan, PlanItem
from pages.rooms.questions import Subject
from pages.rooms.room import Room

Tried = Callable[..., None]  # does the action of a button, and shows its refusal
_CHOSEN, _FILE, _OPEN = "item of the plan", "plan file", "plan to edit"
_SHOWN = 90  # characters of a title


def line(room: Room, tried: Tried) -> None:
    """Draw the place of the class in its plan, and the buttons back and on."""
    plan, place = room.plan, room.place
    with st.container(key="plan-line", horizontal=True, vertical_alignment="center"):
        st.markdown("**Plan**" if place < 0 else f"**{place + 1} of {len(plan)}** · {_title(plan[place])}")
        used = [_used(room, item, each) for each, item in enumerate(plan)]
        st.caption(f"{sum(used)} of {sum(item.minutes for item in plan)} min used")
        there = {each: _title(plan[each]) if 0 <= each < len(plan) else None for each in (place - 1, place + 1)}
        standing, asked = room.standing, room.question
        judges = asked is not None and (asked.about.right is not None or asked.about.comparison is not None)
        done = standing.over or standing.explained or (standing.stage == 5 and not judges)
        done = done or standing.demonstration or not standing.round
        with st.container(key="plan-ways", horizontal=True, width="content"):
            for label, to, kind in (("Back", place - 1, "secondary"), ("Next", place + 1, "primary")):
                given = {"type": kind if done else "secondary", "disabled": there[to] is None, "help": there[to]}
                st.button(label, on_click=tried, args=(plans.go, room, to), **given)
            if room.question is not None:
                with st.popover("Edit plan", key=_OPEN, on_change=_mark, args=(room,)):
                    edit(room, tried)


def _mark(room: Room) -> None:
    """Choose the present item of the class when the editor opens."""
    if st.session_state[_OPEN] and room.place >= 0:
        st.session_state[_CHOSEN] = room.place


def _go(room: Room, place: int) -> None:
    """Go to an item, and close the editor, which would cover it."""
    st.session_state[_OPEN] = False
    plans.go(room, place)


def _title(item: PlanItem, room: Room | None = None, place: int = 0) -> str:
    used = f", {minutes} used" if room is not None and (minutes := _used(room, item, place)) else ""
    return f"{escape(item.subject.title, most=_SHOWN)} · {item.minutes} min{used}"


def _used(room: Room, item: PlanItem, place: int) -> int:
    """Return the minutes for which an item has been shown."""
    asked = item.subject.asked
    return round(room.seconds(asked, room.occasion(asked, place)) / 60)


def edit(room: Room | None, tried: Tried) -> None:
    """Draw the items of the plan, to edit; and ready plans, links and files."""
    plan = plans.current(room)
    if not plan:
        with st.container(horizontal=True):
            for label, text in plans.READY.items():
                st.button(f"Plan: {label}", on_click=tried, args=(plans.put, room, plans.from_text(text)))
    else:
        numbers = range(len(plan))
        if st.session_state.get(_CHOSEN, 0) not in numbers:
            st.session_state[_CHOSEN] = 0
        length = f"{len(plan)} item{'s' * (len(plan) != 1)} · {sum(item.minutes for item in plan)} min"
        at = st.radio(length, numbers, format_func=lambda k: f"{k + 1} · {_title(plan[k], room, k)}", key=_CHOSEN)
        _change(room, plan, one_of(at, numbers, 0), tried)
    with st.expander("Save or load"):
        if plan:
            _save(room, plan, tried)
        uploads.uploader("Plan file", type="json", key=_FILE, on_change=tried, args=(_load, room))


def _change(room: Room | None, plan: Plan, at: int, tried: Tried) -> None:
    """Draw the controls of one item."""
    before, here, after = list(range(len(plan)))[:at], at, list(range(len(plan)))[at + 1 :]
    with st.container(key="plan-item", horizontal=True, vertical_alignment="bottom"):
        key, minutes = f"minutes {plan[at].subject.name}", plan[at].minutes
        given = {"value": minutes}  # otherwise a field drawn late, in a popover, would show the minimum
        if st.session_state.get(key, minutes) != minutes:  # changed elsewhere
            st.session_state[key], given = minutes, {}
        changed = {"key": key, "on_change": tried, "args": (_last, room, plan[at].subject, at, key)}
        st.number_input("Minutes", *MINUTES, width=130, **given, **changed)
        up, down = [*before[:-1], here, *before[-1:], *after], [*before, *after[:1], here, *after[1:]]
        for label, order, chosen in (("Up", up, at - 1), ("Down", down, at + 1), ("Remove", before + after, at)):
            none = order == list(range(len(plan)))
            st.button(label, on_click=tried, args=(_arrange, room, plan, order, chosen), disabled=none)
        asked = plan[at].subject.asked
        if room is not None:
            here = (at, asked) == (room.place, room.question)
            st.button("Go to", on_click=tried, args=(_go, room, at), disabled=here)
    st.markdown(f"*Preview:* {escape(asked.text)}")
    board.draw_options(asked)


def _arrange(room: Room | None, plan: Plan, order: Sequence[int], chosen: int) -> None:
    """Put items in another order, unless the plan was changed elsewhere; the class stays at its item."""
    now = plans.current(room)  # with minutes that were typed just before the click
    if [item.subject for item in now] == [item.subject for item in plan]:
        place = room.place if room is not None else -1
        at = order.index(place) if place in order else sum(k < place for k in order) - 1
        plans.put(room, (now[k] for k in order), at)
        st.session_state[_CHOSEN] = min(chosen, len(order) - 1)


def _last(room: Room | None, subject: Subject, at: int, key: str) -> None:
    """Set the minutes of an item from its field, unless another item has taken its place."""
    plan = plans.current(room)
    if at < len(plan) and plan[at].subject == subject:
        item = replace(plan[at], minutes=st.session_state[key])
        plans.put(room, (*plan[:at], item, *plan[at + 1 :]))


def add(room: Room | None, subject: Subject) -> None:
    """Add an item at the end."""
    plan = plans.current(room)
    plans.put(room, (*plan, PlanItem(subject)))
    st.session_state[_CHOSEN] = len(plan)


def _save(room: Room | None, plan: Plan, tried: Tried) -> None:
    if link := plans.parameters(room):
        st.code(presenting.link(link), language=None, wrap_lines=True)
    else:
        st.caption("This plan is too long for a link. Download it.")
    with st.container(horizontal=True):
        download("Download plan", "plan.json", lambda: plans.to_json(plan), "columns")
        st.button("Clear plan", on_click=tried, args=(plans.put, room, (), -1))
    handouts.offer("Class plan", [item.subject for item in plan])


def _load(room: Room | None) -> None:
    """Load the plan of a file."""
    file: Any = st.session_state[_FILE]
    if file is not None:
        plans.put(room, plans.from_json(file.getvalue()), -1)
