"""The setting of a training as texts, the way a link writes them: widgets edit them, the URL mirrors them.

The texts are kept here and not in bound widgets: a bound widget drops a value it cannot hold without a
word, and leaves the URL when another page opens.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from boltzcore.parameters import Parameter, Parameters, Refusal
from boltzcore.registry import DATASETS, LEARNERS, MODELS, SECTIONS, entry, learners_of
from boltzcore.runs.course import Course
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import BEFORE, NAMED, Recipe, declarations

WHOLE = ("measures", "changes")  # what a link says of a recipe in one piece
_KEPT = "setting"  # where the session keeps the texts
_TURNS = "turns of widgets"
_LEFT = "settings left"  # {model: the texts it had when another one was chosen}
_REFUSED = "setting refused"  # sentences about a link's values that could not be taken


@dataclass(frozen=True)
class Reading:
    """What the texts say: a recipe, or None and a sentence for each field that cannot be taken."""

    recipe: Recipe | None
    problems: Mapping[str, str] = field(default_factory=dict)


def makers(texts: Mapping[str, str]) -> dict[str, type[Parameters]]:
    """{prefix of the keys: declarations} of the parts of the recipe that the texts describe."""
    return declarations({name: texts[name] for name in NAMED})


def read(texts: Mapping[str, str]) -> Reading:
    """The recipe that the texts describe, each field that cannot be taken with its sentence."""
    problems = {}
    for owner, maker in makers(texts).items():
        for declared in maker.parameters():
            if (key := f"{owner}.{declared.name}") in texts:
                try:
                    declared.parse(texts[key])
                except ValueError as wrong:
                    problems[key] = str(wrong)
    if problems:
        return Reading(None, problems)
    try:
        recipe = Recipe.from_query(texts)
        if recipe.data.at_hand() or not recipe.data.downloadable:
            Course.of(
                recipe
            )  # refuses data that nobody has, a patch larger than the images, a batch larger than the data
    except Refusal as wrong:
        return Reading(None, {wrong.field if "." in wrong.field else "": str(wrong)})
    except ValueError as wrong:
        return Reading(None, {"": str(wrong)})
    return Reading(recipe)


def needed(recipe: Recipe | None, section: str) -> bool:
    """Whether a section of the recipe matters for a model of this size, or may."""
    if recipe is None or not recipe.data.at_hand():
        return True
    return recipe.model.needs(section, recipe.data.load().train.n_visible)


# -- the link -----------------------------------------------------------------------------------------


def is_setting(key: str) -> bool:
    """Whether a URL parameter belongs to a recipe."""
    owners = (*MODELS, *DATASETS, *LEARNERS, "schedule", *SECTIONS)
    return key in (*NAMED, "preset", *WHOLE) or key.startswith(BEFORE) or key.partition(".")[0] in owners


def from_link(query: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """(texts, sentences about what could not be taken) of a link; what is good of it is kept.

    A value out of bounds stays in the texts, so that its field shows it with the sentence beside it.
    """
    refused = []
    start = next(iter(PRESETS.values())).recipe.to_query()
    told = {key: text for key, text in query.items() if is_setting(key)}
    if (name := told.pop("preset", None)) is not None:
        try:
            told = entry(PRESETS, "preset", name).recipe.to_query() | told
        except ValueError as wrong:
            refused.append(str(wrong))
    texts = {}
    for what, table in (("model", MODELS), ("data", DATASETS), ("learner", LEARNERS)):
        options = learners_of(texts["model"]) if what == "learner" else table
        # a link written by hand may name a learner by its fields alone
        named = [name for name in options if any(key.startswith(f"{name}.") for key in told)]
        usual = start[what] if start[what] in options else next(iter(options))
        texts[what] = named[0] if len(named) == 1 and what not in told else usual
        if what in told:
            try:
                entry(options, what, told[what])
                texts[what] = told[what]
            except ValueError as wrong:
                refused.append(str(wrong))
    if not told:
        return start, refused
    for owner, maker in makers(texts).items():
        for key in (key for key in told if key.startswith(f"{owner}.")):
            try:
                maker.named(key.removeprefix(f"{owner}."))
                texts[key] = told[key]
            except ValueError as wrong:
                refused.append(str(wrong))
    fields = [key for key in told if "." in key and not key.startswith(BEFORE)]
    strangers = sorted({key.partition(".")[0] for key in fields} - set(makers(texts)))
    refused += [f"{owner} is not part of this setting: its fields in the link are passed over." for owner in strangers]
    earlier = [key for key in told if key.startswith(BEFORE)]
    for keys in (*([key] for key in WHOLE if key in told), *([earlier] if earlier else [])):
        given = {key: told[key] for key in keys}
        try:
            Recipe.from_query({name: texts[name] for name in NAMED} | given)
            texts |= given
        except ValueError as wrong:
            refused.append(str(wrong))
    return texts, refused + list(read(texts).problems.values())


def arrive(query: Mapping[str, str], otherwise: Recipe | None) -> None:
    """Take the setting of the URL; where it has none, the session's, else `otherwise`, else the first preset."""
    if any(is_setting(key) for key in query):
        texts, refused = from_link(query)
    elif _KEPT in st.session_state:
        return
    else:
        texts, refused = from_link(otherwise.to_query() if otherwise else {})
    put(texts)
    st.session_state[_REFUSED] = refused


def put(texts: Mapping[str, str]) -> None:
    """Make these the setting."""
    st.session_state[_KEPT] = dict(texts)
    st.session_state[_REFUSED] = []


def texts() -> dict[str, str]:
    """The setting of this session."""
    return st.session_state[_KEPT]


def refused() -> list[str]:
    """What the link held that could not be taken, a sentence each, until something is edited."""
    return st.session_state.get(_REFUSED, [])


def refuse(sentence: str) -> None:
    """Say something more that the link held and that could not be taken."""
    st.session_state[_REFUSED] = [*refused(), sentence]


# -- widgets ------------------------------------------------------------------------------------------


def field_widget(
    declared: Parameter,
    key: str,
    value: str,
    problem: str | None,
    *,
    on_edit: Callable[[str, str], None],
    disabled: bool = False,
    live: bool = False,
) -> None:
    """One hyper-parameter: what it is declared to be decides the widget; a refused value has its sentence below.

    A number is typed into a text field, so that whatever is typed is answered in words and never clamped in silence.
    live : the widget shows a value of a training under way, not of the setting
    """
    shown = f"{declared.label} ({declared.symbol})" if declared.symbol else declared.label
    told = f"{declared.help} Takes {declared.allowed}." + (
        " May be changed while it trains; the curve is marked." if declared.live else ""
    )
    name = f"live {key}" if live else key
    common = {"help": told, "disabled": disabled, "on_change": _edited}
    if declared.choices:
        at = declared.choices.index(value) if value in declared.choices else declared.choices.index(declared.default)
        widget = widget_key(name, declared.choices[at])
        st.selectbox(shown, declared.choices, at, key=widget, args=(widget, key, on_edit), **common)
    elif declared.kind is bool:
        on = value == declared.write(True)
        widget = widget_key(name, on)
        st.toggle(shown, on, key=widget, args=(widget, key, on_edit), **common)
    else:
        widget = widget_key(name, value)
        st.text_input(shown, value, key=widget, args=(widget, key, on_edit), **common)
    if problem:
        st.markdown(f":red[{problem}]")


def widget_key(name: str, value: Any) -> str:
    """The key of the widget that shows `value`: another one when it was not the widget that brought the change.

    A new widget starts with the value it is given. Assigning to an old one's state instead is lost when the script
    runs again before the browser has heard of it, and the browser's old value then counts as an edit.
    """
    turns = st.session_state.setdefault(_TURNS, {})
    turn = turns.get(name, 0)
    if st.session_state.get(_turned(name, turn), value) != value:
        turns[name] = turn = turn + 1
    return _turned(name, turn)


def _turned(name: str, turn: int) -> str:
    return f"{name} {turn}" if turn else name


def _edited(widget: str, key: str, on_edit: Callable[[str, str], None]) -> None:
    value = st.session_state[widget]
    on_edit(key, value if isinstance(value, str) else str(value).lower())
    st.session_state[_REFUSED] = []


def edit(key: str, text: str) -> None:
    """Change one field of the setting, where it still has that field; at its default it leaves the link."""
    now = texts()
    owner, _, name = key.partition(".")
    if owner not in (there := makers(now)):
        return
    declared = there[owner].named(name)
    if text.strip() == declared.write(declared.default):
        now.pop(key, None)
    else:
        now[key] = text


def choose(what: str, label: str, options: Mapping[str, Any], told: str, *, disabled: bool = False) -> None:
    """A picker of model, data or learner; fields of model and learner keep their value in the next choice, and learners
    their cost.

    A model that is chosen again gets back the learner and the fields of its own that it was left with.
    """
    name = texts()[what]
    key = widget_key(f"choose {what}", name)
    title = {name: option.title for name, option in options.items()}
    st.selectbox(
        label,
        list(options),
        list(options).index(name),
        title.get,
        key=key,
        help=told,
        disabled=disabled,
        on_change=_chosen,
        args=(what, key),
    )


def _chosen(what: str, key: str) -> None:
    before, now = texts(), dict(texts())
    now[what] = st.session_state[key]
    left = st.session_state.setdefault(_LEFT, {})
    again = left.get(now["model"], {}) if now["model"] != before["model"] else {}
    left[before["model"]] = before
    if now["learner"] not in learners_of(now["model"]):
        now["learner"] = again.get("learner", next(iter(learners_of(now["model"]))))
    carried = {
        f"{now[kind]}.{name.removeprefix(prefix)}": text
        for kind in (("model",) if again else ("model", "learner"))
        for prefix in (f"{before[kind]}.",)
        for name, text in before.items()
        if name.startswith(prefix)
    }
    returned = {name: text for name, text in again.items() if _own(name, before, again)}
    there = {f"{owner}.{declared.name}" for owner, maker in makers(now).items() for declared in maker.parameters()}
    chosen = {name: text for name, text in (now | returned | carried).items() if name in there or name in NAMED}
    put(chosen if again else chosen | _of_equal_cost(before, chosen))


def _own(key: str, before: Mapping[str, str], again: Mapping[str, str]) -> bool:
    """Whether a field of the texts `again` is of their model alone, and not one that the texts `before` have, too."""
    owner, _, name = key.partition(".")
    shared = (
        {declared.name for declared in MODELS[before["model"]].setup.parameters()} if owner == again["model"] else ()
    )
    return owner in (again["model"], again["learner"], *MODELS[again["model"]].sections) and name not in shared


def _of_equal_cost(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Fields with which an update of another learner takes as many Gibbs steps as one of the learner before."""
    try:
        old, new = _learner_of(before), _learner_of(now)
    except ValueError:  # a field that cannot be taken says so itself
        return {}
    if old.transitions is None or new.transitions in (None, old.transitions):
        return {}
    return {
        f"{now['learner']}.{name}": new.named(name).write(value)
        for name, value in type(new).of_cost(old.transitions).items()
    }


def _learner_of(texts: Mapping[str, str]) -> Any:
    """The learner that the texts describe; ValueError where a field of it cannot be taken."""
    prefix = f"{texts['learner']}."
    return LEARNERS[texts["learner"]].from_text(
        {key.removeprefix(prefix): text for key, text in texts.items() if key.startswith(prefix)}
    )
