"""Text from outside, shown as the text it is: Streamlit takes nearly all it is given for Markdown. And sentences on
fields, in the words that a page has for them.
"""

import re
from collections.abc import Iterable

import streamlit as st

from boltzcore.parameters import Parameter

MOST = 400  # characters of a sentence; the longest of our own have fewer
_JOINER = "\N{WORD JOINER}"  # without width: what it stands in is no address, no shortcode and no arrow any more
# What Markdown reads as it goes, at the beginning of a line above all.
_MARKS = re.compile(r"[\\`*\[\]<>#|~$&]|(?<![^\W_])_|_(?![^\W_])|^[-+=]")
_LIST = re.compile(r"^([0-9]+)([.)])")
# What is looked for once all marks have been read, where no backslash helps any more.
_FOUND = re.compile(r"(?<=:)(?=\S)|(?<=@)|(?<=www)(?=\.)|(?<=[-<>~])(?=[-=>])", re.IGNORECASE)
_SENTENCES = 8  # on what a link holds


def plain(text: object, *, most: int = MOST) -> str:
    """Markdown that shows a text, or the sentence of an error, as it is: one line of at most so many characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    if len(line) > most:
        line = line[: most - 1] + "…"
    return _LIST.sub(r"\1\\\2", _MARKS.sub(r"\\\g<0>", _FOUND.sub(_JOINER, line)))


def labelled(sentence: object, declared: Iterable[Parameter]) -> str:
    """A sentence on what is refused, with the labels of fields where it has their names: its first word, and names that
    are no words. What stands in quotation marks is what somebody has written.
    """
    text = str(sentence)
    for each in declared:
        names = rf"^{each.name}\b" + (rf"|(?<!['\w]){each.name}(?!['\w])" if "_" in each.name else "")
        text = re.sub(names, lambda _, label=each.label: label, text)
    return text


def warn(sentences: list[str]) -> None:
    """Sentences on what a link holds and cannot be taken; of many the first, and how many more there are."""
    if (more := len(sentences) - _SENTENCES) > 1:
        sentences = [*sentences[:_SENTENCES], f"{more:,} more parts of the link were ignored."]
    for sentence in sentences:
        st.warning(plain(sentence[:1].upper() + sentence[1:]))
