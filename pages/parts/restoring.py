"""The setting of "Denoise & complete" as texts, the way its link writes them: widgets edit them, the URL mirrors
them.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from boltzcore.data.corruption import Corruption
from boltzcore.inference import Inference
from boltzcore.parameters import Parameter, Parameters
from boltzcore.restoration import NONE, Choice, fitting
from boltzcore.trained import SHAPE, TRAINED
from pages.parts import form

_KEPT, _REFUSED, _GOOD = "restoring", "restoring refused", "restoring last good"
MEAN_FIELD = "mean field"
OWNERS: dict[str, type[Parameters]] = {
    "": Choice,
    "corruption": Corruption,
    "inference": Inference,
    "beside": Inference,
}
LEFT_OUT = {"corruption.kind", "corruption.redrawn"} | {
    f"beside.{declared.name}" for declared in Inference.parameters() if declared.name != "kind"
}


def keys() -> dict[str, Parameter]:
    """{key in the link: declaration} of everything that can be set."""
    there = {
        (f"{owner}.{p.name}" if owner else p.name): p for owner, maker in OWNERS.items() for p in maker.parameters()
    }
    there["corruption.size"] = dataclasses.replace(
        there["corruption.size"], high=min(SHAPE)
    )  # no larger than the image
    return {key: declared for key, declared in there.items() if key not in LEFT_OUT}


@dataclass(frozen=True)
class Setting:
    """What the texts say. A field that cannot be taken has a sentence in `problems`, and its last good value here.

    model, beside : names of trained models; the one made for the damage where none was chosen
    inference, inference_beside : theirs; as in the training of the model where nothing was chosen
    """

    choice: Choice
    corruption: Corruption
    model: str
    inference: Inference
    beside: str
    inference_beside: Inference
    problems: Mapping[str, str]


def arrive(query: Mapping[str, str]) -> None:
    """Take the setting of the address; what cannot be taken is kept to be told."""
    there = keys()
    given = {key: text for key, text in query.items() if key in there or key.partition(".")[0] in OWNERS}
    if not given and _KEPT in st.session_state:
        return
    refused, texts = [], {}
    for key, text in given.items():
        if key not in there:
            refused.append(f"{key[:40]} is no field of this page: it is passed over.")
            continue
        try:
            there[key].parse(text)
        except ValueError as wrong:
            refused.append(str(wrong))
        else:
            texts[key] = text
    st.session_state[_KEPT], st.session_state[_REFUSED], st.session_state[_GOOD] = texts, refused, {}


def texts() -> dict[str, str]:
    """What was set and is not the default."""
    return st.session_state[_KEPT]


def refused() -> list[str]:
    """What the link held that could not be taken, a sentence each, until something is edited."""
    return st.session_state[_REFUSED]


def mirror() -> None:
    """Write the setting into the address, and leave what is not of this page."""
    there = keys()
    wanted = {key: text for key, text in texts().items() if key in there}
    kept = {
        key: text
        for key, text in st.query_params.to_dict().items()
        if key not in there and key.partition(".")[0] not in OWNERS
    }
    if st.query_params.to_dict() != wanted | kept:
        st.query_params.from_dict(wanted | kept)


def edit(key: str, text: str) -> None:
    """Set one field; another damage brings the model that was made for it."""
    texts()[key] = text
    if key == "damage":
        texts().pop("model", None)
    if key in ("damage", "model"):
        for name in [name for name in texts() if name.startswith("inference.")]:
            texts().pop(name)
    if key == "beside":
        texts().pop("beside.kind", None)
    for key, declared in keys().items():
        if (
            key in texts()
            and not key.startswith(("inference.", "beside."))
            and key != "model"
            and texts()[key].strip() == declared.write(declared.default)
        ):
            texts().pop(key)
    st.session_state[_REFUSED] = []


def read() -> Setting:
    """The setting of this session."""
    problems: dict[str, str] = {}
    choice = _values("", Choice, {}, problems)
    corruption = Corruption(**_values("corruption", Corruption, {}, problems))
    model = choice["model"] if "model" in texts() else fitting(choice["damage"], corruption)[0]
    beside = choice["beside"]
    inference = Inference(**_values("inference", Inference, TRAINED[model].inference.values(), problems))
    kind = TRAINED[beside].inference.kind if beside != NONE else inference.kind
    if beside == model and kind == inference.kind:  # a comparison with itself would tell nothing
        kind = MEAN_FIELD if kind != MEAN_FIELD else Inference().kind
    like = inference.changed(kind=kind)
    return Setting(
        Choice(**choice),
        corruption,
        model,
        inference,
        beside,
        like.changed(**_values("beside", Inference, like.values(), problems, only="kind")),
        problems,
    )


def _values(
    owner: str, maker: type[Parameters], otherwise: Mapping[str, Any], problems: dict[str, str], *, only: str = ""
) -> dict[str, Any]:
    """{field: value} of one declaration; each refused text leaves its sentence in `problems`."""
    good, values, there = st.session_state[_GOOD], {}, keys()
    for declared in maker.parameters():
        key = f"{owner}.{declared.name}" if owner else declared.name
        if only and declared.name != only:
            continue
        values[declared.name] = otherwise.get(declared.name, declared.default)
        if key in texts():
            try:
                values[declared.name] = good[key] = there[key].parse(texts()[key])
            except ValueError as wrong:
                problems[key] = str(wrong)
                values[declared.name] = good.get(key, values[declared.name])
    return values


# -- widgets ------------------------------------------------------------------------------------------


def field(key: str, value: Any, problems: Mapping[str, str]) -> None:
    """The widget of one field, as everywhere; a refused text stays in it with the sentence below."""
    declared = keys()[key]
    form.field_widget(
        declared, f"restoring {key}", texts().get(key, declared.write(value)), problems.get(key), on_edit=_edit_field
    )


def _edit_field(key: str, text: str) -> None:
    edit(key.removeprefix("restoring "), text)


def choose(key: str, label: str, titles: Mapping[str, str], value: str) -> None:
    """A field with a few choices, all in sight."""
    widget = form.widget_key(f"restoring {key}", value)
    st.segmented_control(
        label,
        list(titles),
        format_func=titles.get,
        default=value,
        required=True,
        key=widget,
        on_change=_picked,
        args=(widget, key),
    )


def pick(key: str, label: str, titles: Mapping[str, str], value: str, *, told: str) -> None:
    """A field with choices, shown by their titles."""
    widget = form.widget_key(f"restoring {key}", value)
    st.selectbox(
        label,
        list(titles),
        list(titles).index(value),
        titles.get,
        key=widget,
        help=told,
        on_change=_picked,
        args=(widget, key),
    )


def slide(key: str, value: Any) -> None:
    """A number between the bounds of its declaration."""
    declared = keys()[key]
    widget = form.widget_key(f"restoring {key}", value)
    shares = {"format": "percent"} if declared.kind is float else {}
    low, high = declared.kind(declared.low), declared.kind(declared.high)
    st.slider(
        declared.label,
        low,
        high,
        value,
        key=widget,
        help=declared.help,
        on_change=_picked,
        args=(widget, key),
        **shares,
    )


def another(key: str, value: int, last: int | None = None) -> None:
    """The next value of a whole number, the first after the last: of its declaration, where no other is given."""
    declared = keys()[key]
    edit(key, declared.write(value + 1 if value < (declared.high if last is None else last) else declared.low))


def _picked(widget: str, key: str) -> None:
    edit(key, keys()[key].write(st.session_state[widget]))
