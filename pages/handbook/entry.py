"""Entries of the reference, as Markdown, and the search for them."""

import re
import string
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boltzcore.parameters import Parameter, Parameters
from pages.common import entries
from pages.common.words import escape

_ESCAPES = re.compile("[\\\\\N{WORD JOINER}]")
_PUNCTUATION = string.punctuation + "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"


@dataclass(frozen=True)
class Entry:
    """An entry of the reference.

    id : its name in addresses; body : Markdown
    """

    id: str
    title: str
    body: str

    @property
    def words(self) -> str:
        """The text that is searched."""
        return _fold(f"{self.title}\n{_ESCAPES.sub('', self.body)}")

    def has(self, words: Iterable[str], *, title: bool = False) -> bool:
        """Return True if each of these words begins a word of the entry, or of its title."""
        text = _fold(self.title) if title else self.words
        return all(re.search(rf"(?<!\w){re.escape(word)}", text) for word in words)


@dataclass(frozen=True)
class Section:
    """Entries of one kind.

    short : whether they have a few lines each, and are all shown
    """

    title: str
    about: str
    entries: Sequence[Entry]
    short: bool = False


def entry(
    kind: str,
    name: str,
    title: str,
    *texts: str,
    facts: Iterable[tuple[str, str | Iterable[str]]] = (),
    declared: type[Parameters] | None = None,
    code: str = "",
) -> Entry:
    """Return an entry made of paragraphs, facts (label, value), the fields of a declaration and a text to copy. Empty
    ones are left out.
    """
    lines = [_whole(text) for text in texts if text]
    values = [(label, value if isinstance(value, str) else ", ".join(value)) for label, value in facts]
    items = [f"- **{_whole(label)}:** {_whole(value)}" for label, value in values if value]
    items += map(_field, declared.parameters() if declared else ())
    blocks = [*lines, "\n".join(items), f"```text\n{code}\n```" if code else ""]
    return Entry(entries.entry(kind, name), title, "\n\n".join(filter(None, blocks)))


def search_entries(sections: Iterable[Section], search: str) -> list[Entry]:
    """Return the entries that a search finds; first those that have its words in their titles."""
    words = [word for each in _fold(search).split() if (word := each.strip(_PUNCTUATION))]
    there = [each for section in sections for each in section.entries if words and each.has(words)]
    return sorted(there, key=lambda each: not each.has(words, title=True))


def _field(declared: Parameter) -> str:
    """Return the declaration of a hyper-parameter as text."""
    label = f"{declared.label} ({declared.symbol})" if declared.symbol else declared.label
    default = declared.write(declared.default) or "empty"
    scale, live = "on a logarithmic scale" * (declared.scale == "log"), "can be changed live" * declared.live
    takes = "; ".join(filter(None, (f"Default {default}", declared.allowed, scale, live)))
    return f"- **{_whole(label)}** `{declared.name}`: {_whole(declared.help)} {_whole(takes)}."


def _whole(text: str) -> str:
    """Return a text of any length as Markdown."""
    return escape(text, most=len(text))


def _fold(text: str) -> str:
    """Return a text without accents and capitals."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
