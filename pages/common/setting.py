"""A setting as texts, in the form of links: widgets edit them, the URL mirrors them.

The texts are kept here and not in bound widgets: a bound widget silently drops a value that it cannot hold, and
leaves the URL when another page opens.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.data.table import names_of, text_of
from boltzcore.parameters import Parameter, Parameters
from boltzcore.quoting import Refusal
from pages.common import address, presenting
from pages.common.words import escape, use_labels
from pages.web.session import SESSION

Link = Mapping[str, str]


@dataclass(frozen=True)
class Setting:
    """One setting of a session.

    place : its key in the session
    declared : {key: declaration} of the fields that a setting with these texts has
    admitted : the part of some texts that this session may have, checked each time
    prefix : of the names of its widgets
    present : the texts that an edit of these starts from
    edited : called with the texts after each edit
    """

    place: str
    declared: Callable[[Link], Mapping[str, Parameter]]
    prefix: str = ""
    admitted: Callable[[Link], dict[str, str]] = dict
    present: Callable[[Link], Link] = dict
    edited: Callable[[Link], object] = dict

    def texts(self) -> dict[str, str]:
        """Return {key: text} of the setting."""
        held = SESSION.settings.setdefault(self.place, {})
        if (texts := self.admitted(held)) != held:
            SESSION.settings[self.place] = held = texts
        return held

    def refused(self) -> list[str]:
        """Return a sentence for each refused value of the link, until something is edited."""
        return SESSION.refused.get(self.place, [])

    def put(self, texts: Link, refused: Iterable[str] = ()) -> None:
        """Make these the setting."""
        SESSION.settings[self.place] = self.admitted(texts)
        self.refuse(*refused)

    def refuse(self, *sentences: str) -> None:
        """Make these the sentences on refused values of the link."""
        SESSION.refused[self.place] = list(sentences)

    def arrive(
        self,
        query: Link,
        ours: Callable[[str], bool],
        read: Callable[[Link], tuple[Link, list[str]]],
        otherwise: Link | None = None,
    ) -> None:
        """Take the setting of the address; if it has none, the session's stays.

        ours : whether a URL parameter belongs to the setting
        read : (texts, sentences on refused values) of the parameters that do
        otherwise : the parameters of a new session
        """
        link = {key: text for key, text in query.items() if ours(key)}
        if link or self.place not in SESSION.settings:
            self.put(*read(link or otherwise or {}))

    def edit(self, key: str, text: str) -> None:
        """Change one field, if the setting still has it; at its default it leaves the link."""
        texts = dict(self.present(self.texts()))
        if declared := self.declared(texts).get(key):
            texts[key] = text
            if is_default(declared, text):
                del texts[key]
        self.put(texts)
        self.edited(texts)

    def problems(self, texts: Link) -> dict[str, str]:
        """Return {key: sentence} of the texts that their fields refuse."""
        sentences = {}
        for key, declared in self.declared(texts).items():
            if key in texts:
                try:
                    declared.parse(texts[key])
                except Refusal as refusal:
                    sentences[key] = use_labels(refusal, [declared])
        return sentences

    # -- widgets --------------------------------------------------------------------------------------

    def field(self, key: str, problems: Mapping[str, str], *, otherwise: Any = None, disabled: bool = False) -> None:
        """Draw the widget of one field.

        otherwise : its value if nothing is set; None is its default
        """
        texts = self.texts()
        declared, name, on_edit = self.declared(texts)[key], f"{self.prefix}{key}", partial(self.edit, key)
        text = texts.get(key, declared.write(declared.default if otherwise is None else otherwise))
        field_widget(name, declared, text, problems.get(key), on_edit=on_edit, disabled=disabled)

    def several(self, key: str, names: Iterable[str], problems: Mapping[str, str], *, otherwise: str) -> None:
        """Draw a field that lists some of these names, separated by commas.

        otherwise : its value if nothing is set
        """
        declared, there = self.declared(self.texts())[key], tuple(names)
        listed = names_of(self.texts().get(key, otherwise))
        value = [name for name in there if name in listed]
        name, titles = f"{self.prefix}{key}", dict(zip(there, there, strict=True))
        several(
            name, declared.label, titles, value, help=declared.help, on_pick=lambda now: self.edit(key, text_of(now))
        )
        show_refusals(f"{self.prefix}{key}", problems.get(key))

    def pick(self, key: str, label: str, titles: Mapping[str, str], value: str, *, help: str) -> None:
        """Draw a field with choices, shown by their titles."""
        select(f"{self.prefix}{key}", label, titles, titles, value, help=help, on_pick=partial(self.edit, key))

    def choose(self, key: str, label: str, titles: Mapping[str, str], value: str) -> None:
        """Draw a field with a few choices, all in sight."""
        changed = _change_args(f"{self.prefix}{key}", value, partial(self.edit, key), titles)
        st.segmented_control(label, list(titles), format_func=titles.get, default=value, required=True, **changed)

    def slide(self, key: str, value: Any) -> None:
        """Draw a slider between the bounds of a number's declaration; that of a share is in percent."""
        declared = self.declared(self.texts())[key]
        kind, times = declared.kind, 100 if declared.kind is float else 1
        low, high, at = (kind(round(times * each, 9)) for each in (declared.low, declared.high, value))
        shares = {"format": "%g\N{NO-BREAK SPACE}%%", "step": 1.0} if times > 1 else {}
        changed = _change_args(f"{self.prefix}{key}", at, lambda now: self.edit(key, declared.write(kind(now / times))))
        st.slider(declared.label, low, high, at, help=declared.help, **shares, **changed)


def keyed_fields(owners: Mapping[str, type[Parameters]]) -> dict[str, Parameter]:
    """{key in a link: declaration} of the fields of these owners; those of the owner "" go by their name alone."""
    return {
        f"{owner}.{declared.name}" if owner else declared.name: declared
        for owner, maker in owners.items()
        for declared in maker.parameters()
    }


def is_default(declared: Parameter, text: str) -> bool:
    """True if a text is the default of its field."""
    return text.strip() == declared.write(declared.default)


def mirror(texts: Link) -> None:
    """Write these texts and the display into the address. Once per run, and late in it: a browser that comes from
    another page would attach early parameters to the path of that page, and each write is a step of its history.
    """
    address.write(dict(texts) | presenting.parameters())


def field_widget(
    name: str,
    declared: Parameter,
    text: str,
    problem: str | None,
    *,
    on_edit: Callable[[str], None],
    disabled: bool = False,
) -> None:
    """Draw one hyper-parameter with the widget of its declaration; a refused text has its sentence below.

    A number is typed into a text field, so that every input is answered in words and never clamped silently.
    """
    label = f"{declared.label} ({declared.symbol})" if declared.symbol else declared.label
    live = " Can be changed during training; changes are marked on the curve." if declared.live else ""
    allowed = "" if declared.pattern else f" Allowed: {declared.allowed}."
    common: dict[str, Any] = {"help": f"{declared.help}{allowed}{live}", "disabled": disabled}
    if declared.choices:
        choices, shown = declared.choices, text if text in declared.choices else declared.default
        common["format_func"] = lambda choice: choice[:1].upper() + choice[1:]
        st.selectbox(label, choices, choices.index(shown), **common, **_change_args(name, shown, on_edit, choices))
    elif declared.kind is bool:
        on = text.strip().lower() in ("true", "yes", "1")  # as `parse` reads a link
        st.toggle(label, on, **common, **_change_args(name, on, lambda now: on_edit(declared.write(now))))
    else:
        st.text_input(label, text, **common, **_change_args(name, text, on_edit))
    show_refusals(name, problem)


def show_refusals(name: str, problem: str | None) -> None:
    """Show below a field why its value was refused."""
    if problem:
        with st.container(key=f"refused {name}"):
            st.error(escape(problem))


def one_of(value: Any, options: Container[Any], otherwise: Any) -> Any:
    """Return the value of a widget if it is one of its options: a browser may report none, or any other."""
    return value if value in options else otherwise


def select(
    name: str,
    label: str,
    options: Iterable[str],
    titles: Mapping[str, str],
    value: str,
    *,
    help: str,
    on_pick: Callable[[str], None],
    disabled: bool = False,
) -> None:
    """Draw a choice of one of several options, shown by their titles."""
    there = list(options)
    changed = _change_args(name, value, on_pick, there)
    st.selectbox(label, there, there.index(value), titles.get, help=help, disabled=disabled, **changed)


def several(
    name: str,
    label: str,
    titles: Mapping[str, str],
    value: list[str],
    *,
    help: str,
    on_pick: Callable[[list[str]], None],
    disabled: bool = False,
) -> None:
    """Draw a choice of any number of options, shown by their titles."""
    changed, there = _change_args(name, value, on_pick), list(titles)
    st.multiselect(label, there, value, titles.get, help=help, placeholder="None", disabled=disabled, **changed)


def _change_args(
    name: str, value: Any, on_change: Callable[[Any], None], among: Container[Any] | None = None
) -> dict[str, Any]:
    """Return the arguments of a widget that shows `value`, so that `on_change` gets its new value.

    A browser that lags behind may report a widget that another one has replaced, with the value it was drawn with:
    that is no choice. Any other value that it reports is one.

    among : the only values that count, as a browser may report any; None for all
    """
    key = _widget_key(name, value)

    def changed() -> None:
        replaced, now = key != _turn_key(name, SESSION.widget_turns.get(name, 0)), st.session_state[key]
        if among is not None:
            now = one_of(now, among, None)
        if now is not None and not (replaced and now == value):  # a browser may report no choice
            on_change(now)

    return {"key": key, "on_change": changed}


def _widget_key(name: str, value: Any) -> str:
    """Return the key of the widget that shows `value`: a new one unless the widget itself brought the change.

    A new widget starts with the value it is given. Assigning to an old one's state instead is lost when the script
    runs again before the browser has heard of it, and the browser's old value then counts as an edit.
    """
    turns = SESSION.widget_turns
    turn = turns.get(name, 0)
    if st.session_state.get(_turn_key(name, turn), value) != value:
        turns[name] = turn = turn + 1
    return _turn_key(name, turn)


def _turn_key(name: str, turn: int) -> str:
    return f"{name} {turn}" if turn else name
