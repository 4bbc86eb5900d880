"""State of a visitor's session: each key of `st.session_state` with its type and its default. Keys of widgets are
declared where the widget is drawn.
"""

from collections import OrderedDict
from collections.abc import Callable
from secrets import randbelow
from types import NoneType
from typing import Any, Generic, TypeVar

import streamlit as st

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.data.source import Source
from boltzcore.jobs.work import Work
from boltzcore.training.recipe import Recipe

Value = TypeVar("Value")
Texts = dict[str, str]


class SessionKey(Generic[Value]):
    """Attribute whose value is kept in the session under the attribute's name.

    make : makes the value of a session that has none
    """

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, _session: "Session", _owner: type) -> Value:
        if self._name not in st.session_state:
            st.session_state[self._name] = self._make()
        return st.session_state[self._name]

    def __set__(self, _session: "Session", value: Value) -> None:
        st.session_state[self._name] = value


class Session:
    """The session of the visitor whose script runs."""

    # the page
    page = SessionKey[str | None](NoneType)  # last part of its address, "" of Start
    arrived = SessionKey[bool](bool)  # whether the page has taken its setting from the address
    address_due = SessionKey[Texts | None](NoneType)  # parameters that are written once the browser shows the page
    display = SessionKey[str](str)  # "projector", or "" for the usual display
    refused = SessionKey[dict[str, list[str]]](dict)  # sentences on refusals, by the place that shows them
    settings = SessionKey[dict[str, Texts]](dict)  # texts of each setting, by its place
    widget_turns = SessionKey[dict[str, int]](dict)  # how often a widget of this name was replaced by a new one
    code_asked = SessionKey[tuple[str, str] | None](NoneType)  # the purpose of a QR code, and its link
    films = SessionKey[OrderedDict[str, Any]](OrderedDict)  # `Film` by its token
    pads = SessionKey[dict[str, dict[str, Any]]](dict)  # revision and strokes of each drawing pad

    # long work
    results = SessionKey[dict[str, Any]](dict)  # results of long work, by its name
    work = SessionKey[tuple[str, Work | None]](lambda: ("", None))  # the present work, with its name

    # trainings and tables
    run = SessionKey[str](str)  # id of the training that is shown
    run_keys = SessionKey[Texts](dict)  # keys of own trainings and races, by their ids
    run_of_setting = SessionKey[str](str)  # id of the training that the setting was taken from
    table_secrets = SessionKey[list[str]](list)
    used_file = SessionKey[str](str)  # id of the uploaded file whose table was chosen last
    own_data = SessionKey[dict[str, Source]](dict)  # the table and the patterns used last, by the name of their kind
    pinned = SessionKey[list[str]](list)  # ids of trainings

    # Train
    settings_open = SessionKey[str | None](NoneType)  # id of the training whose settings are open, "none" before one
    readable = SessionKey[Recipe | None](NoneType)  # the last recipe whose texts could all be read
    live_texts = SessionKey[dict[str, tuple[str, str]]](dict)  # refused texts of live fields, each with its sentence
    visit = SessionKey[int](lambda: randbelow(10**9))  # in the keys of live fields
    departed = SessionKey[tuple[str, Texts] | None](NoneType)  # a pinned training, and the setting edited from it
    speed_preset = SessionKey[str | None](NoneType)  # preset of the chosen speed, "" for settings of one's own
    inside = SessionKey[set[str]](set)  # ids of trainings whose next step is shown
    inside_versions = SessionKey[Texts](dict)  # the version of the step that was seen last, by training
    diagnoses = SessionKey[dict[str, Any]](dict)  # `Diagnosis` by the id of its training
    remedy_taken = SessionKey[bool](bool)

    # Compare
    comparison = SessionKey[Comparison](lambda: next(iter(COMPARISON_PRESETS.values())).comparison)
    predicted = SessionKey[tuple[Comparison | None, str]](lambda: (None, ""))  # the predicted winner
    refused_texts = SessionKey[dict[str, tuple[str, str]]](dict)  # of fields of the comparison, with sentences
    card_orders = SessionKey[int](int)  # how often contenders came, went or moved
    race = SessionKey[str | None](NoneType)  # id of the race that is shown, "" once it was left

    # Restore
    last_good = SessionKey[dict[str, Any]](dict)  # the last value of each field that could be read
    pad_texts = SessionKey[dict[str, tuple[str, int]]](dict)  # a pad's drawing, and how often a link put one there
    explained = SessionKey[tuple[str, str]](lambda: ("", ""))  # picture and pixel that were picked
    too_long = SessionKey[set[str]](set)  # pads whose drawing has too many points for a link

    # One step, Learn, and classes
    example = SessionKey[str](str)
    lesson = SessionKey[str](str)  # "" while all lessons are listed
    step = SessionKey[int](int)  # of the lesson, from 0
    replies = SessionKey[dict[str, list[Any]]](dict)  # `Reply` of each step, by lesson
    reasons = SessionKey[Texts](dict)  # of predictions, by lesson and step
    lesson_runs = SessionKey[dict[str, tuple[float, ...]]](dict)  # numbers that repeat a step's run, by lesson and step
    just_answered = SessionKey[str](str)  # the step that was answered in the run before
    scene_seeds = SessionKey[dict[str, int]](dict)
    held_units = SessionKey[dict[str, list[str]]](dict)  # ways in which a hidden unit was held, by scene, in order
    scene_runs = SessionKey[dict[Recipe, str]](dict)  # ids of trainings by the recipes of their scenes
    loops = SessionKey[dict[Any, Any]](dict)  # inferences tried in the lesson on loops
    plan = SessionKey[tuple[Any, ...]](tuple)  # items of the plan of a class that has no room yet
    room = SessionKey[tuple[str, str]](lambda: ("", ""))  # code and teacher's key
    viewed_room = SessionKey[tuple[str, str] | None](NoneType)  # code and key of the view for a projector
    room_shown = SessionKey[Texts](dict)  # the room's run when this page followed it last
    subject = SessionKey[Any](NoneType)  # `Subject` of the next question


SESSION = Session()
