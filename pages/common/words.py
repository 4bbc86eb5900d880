"""Text from outside, shown literally: Streamlit reads nearly all text as Markdown. And sentences on fields, with the
labels of a page.
"""

import re
from collections.abc import Callable, Iterable

import streamlit as st

from boltzcore.parameters import Parameter
from boltzcore.quoting import Refusal, explain
from pages.web.session import SESSION

MOST = 400  # characters of a sentence; the longest of our own have fewer
_JOINER = "\N{WORD JOINER}"  # without width: breaks addresses, shortcodes and arrows
# Characters that Markdown reads, at the beginning of a line above all.
_MARKS = re.compile(r"[\\`*\[\]<>#|~$&]|(?<![^\W_])_|_(?![^\W_])|^[-+=]")
_LIST = re.compile(r"^([0-9]+)([.)])")
# Read after all marks, so that a backslash does not help.
_FOUND = re.compile(r"(?<=:)(?=\S)|(?<=@)|(?<=www)(?=\.)|(?<=[-<>~])(?=[-=>])", re.IGNORECASE)
_SENTENCES = 8  # on the values of a link


def one_line(text: object) -> str:
    """Return a text as one line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def escape(text: object, *, most: int = MOST) -> str:
    """Return Markdown that shows a text, or an error's sentence, literally: one line of at most `most` characters."""
    line = one_line(text)
    if len(line) > most:
        line = line[: most - 1] + "…"
    return _LIST.sub(r"\1\\\2", _MARKS.sub(r"\\\g<0>", _FOUND.sub(_JOINER, line)))


def use_labels(sentence: object, declared: Iterable[Parameter]) -> str:
    """Return the sentence of a refusal with the labels of fields instead of their names: in its first word, and for
    names that are no words. Text in quotation marks is user input and stays.
    """
    text = str(sentence)
    for each in declared:
        names = rf"^{each.name}\b" + (rf"|(?<!['\w]){each.name}(?!['\w])" if "_" in each.name else "")
        text = re.sub(names, lambda _, label=each.label: label, text)
    return text


def warn(sentences: list[str], others: str = "parts of the link were ignored") -> None:
    """Show sentences on refused values, usually of a link; of many the first, and the number of the others."""
    if (more := len(sentences) - _SENTENCES) > 1:
        sentences = [*sentences[:_SENTENCES], f"{more:,} more {others}."]
    for sentence in sentences:
        st.warning(escape(sentence[:1].upper() + sentence[1:]))


def run_action(place: str, act: Callable[..., object], *arguments: object) -> None:
    """Do the action of a button; a refusal of it, or a failure of the disk, is kept for the place that shows it."""
    SESSION.refused[place] = []
    try:
        act(*arguments)
    except (Refusal, OSError) as error:
        SESSION.refused[place] = [explain(error, "The action failed")]
