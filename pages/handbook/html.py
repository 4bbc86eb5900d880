"""The reference as HTML: every text escaped, every entry with its id, terms of art with a way to their explanation.

It is sent whole, so that the ends of `dt` and `dd`, which HTML does not ask for, are left out.
"""

from collections.abc import Iterable
from functools import cache, partial
from html import escape

from pages.common import entries
from pages.common.glossary import address_of, pieces
from pages.handbook.contents import sections
from pages.handbook.entry import Entry, Fact, Field, Link, Section, Table

STYLE = "lab-reference"
_written = partial(escape, quote=False)  # as text; what goes into an attribute has its quotes escaped, too


@cache
def document() -> str:
    """All of it: the table of contents, and every section."""
    contents = "".join(map(_listed, sections()))
    body = "".join(map(_section, sections()))
    return (
        f'<div class="{STYLE}"><nav aria-label="Contents"><ul>{contents}</ul></nav><div class="all">{body}</div></div>'
    )


def _listed(section: Section) -> str:
    """A line of the table of contents, with what stands below it where that is not a word list."""
    below = "" if section.short else "".join(f"<li>{_way(each.title, each.id)}</li>" for each in section.entries)
    inner = f"<ul>{below}</ul>" if below else ""
    return f'<li data-of="{section.id}">{_way(section.title, section.id)}{inner}</li>'


def _section(section: Section) -> str:
    style = ' class="short"' if section.short else ""
    inner = "".join(map(_entry, section.entries))
    return (
        f'<section id="{section.id}" aria-labelledby="{section.id}-head"{style} '
        f'data-also="{escape(section.also)}">'
        f'<h2 id="{section.id}-head">{_written(section.title)}</h2><p class="about">{_written(section.about)}</p>'
        f'<div class="entries">{inner}</div></section>'
    )


def _entry(entry: Entry) -> str:
    """An entry; terms are marked where they stand first in it, but its own."""
    own = [key for _, key in pieces(entry.title) if key]
    if entry.id.startswith("term-"):
        own = [key for form, key in pieces(entry.title) if entries.entry("term", key) == entry.id]
    name = f" <code>{_written(entry.name)}</code>" if entry.name else ""
    parts = [
        f"<h3>{_way(entry.title, entry.id)}{name}</h3>",
        *(f"<p>{_marked(text, own) if entry.marked else _written(text)}</p>" for text in entry.text),
        _equations(entry.equations),
        _facts(entry.facts),
        _table(entry.table, entry.title) if entry.table else "",
        f'<pre tabindex="0" aria-label="To copy: {escape(entry.title)}">{_written(entry.code)}</pre>'
        if entry.code
        else "",
        _fields(entry.fields),
    ]
    return f'<article id="{entry.id}">{"".join(parts)}</article>'


def _equations(equations: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f'<dt>{_written(of)}<dd class="math">{_written(text)}' for of, text in equations)
    return f'<dl class="equations">{rows}</dl>' if rows else ""


def _facts(facts: Iterable[Fact]) -> str:
    rows = "".join(f"<dt>{_written(each.label)}{_value(each.value)}" for each in facts)
    return f'<dl class="facts">{rows}</dl>' if rows else ""


def _value(value: str | tuple[Link, ...]) -> str:
    """A text, or links: what they lead to is found there, and not where they stand."""
    if isinstance(value, str):
        return f"<dd>{_written(value)}"
    ways = (
        f'<a href="{escape(each.to)}">{_written(each.title)}</a>' if "?" in each.to else _way(each.title, each.to)
        for each in value
    )
    return f'<dd class="ways">{", ".join(ways)}'


def _table(table: Table, title: str) -> str:
    heads = "".join(f'<th scope="col">{_written(each)}</th>' for each in table.heads)
    rows = "".join(
        f'<tr><th scope="row">{_written(first)}</th>{"".join(f"<td>{_written(each)}</td>" for each in others)}</tr>'
        for first, *others in table.rows
    )
    return f'<table aria-label="{escape(title)}"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _fields(fields: tuple[Field, ...]) -> str:
    """The hyper-parameters, folded up: what they are called can be seen."""
    if not fields:
        return ""
    names = ", ".join(_written(_called(each)) for each in fields)
    rows = "".join(map(_field, fields))
    counted = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
    return f"<details><summary>{counted}: {names}</summary><dl>{rows}</dl></details>"


def _field(field: Field) -> str:
    more = [f"Default {field.default}", field.takes, "on a logarithmic scale" * field.log]
    more.append("may be changed while it trains" * field.live)
    return (
        f'<div id="{field.id}"><dt>{_written(_called(field))} <code>{_written(field.name)}</code>'
        f"<dd>{_marked(field.help)}<dd>{_written('; '.join(filter(None, more)))}.</div>"
    )


def _called(field: Field) -> str:
    return f"{field.label} ({field.symbol})" if field.symbol else field.label


def _way(title: str, id: str) -> str:
    """A link to an entry of this page."""
    return f'<a href="?entry={id}">{_written(title)}</a>'


def _marked(text: str, known: Iterable[str] = ()) -> str:
    """A text in which each term, where it stands first, opens its explanation."""
    return "".join(
        f'<a href="{address_of(key)}">{_written(piece)}</a>' if key else _written(piece)
        for piece, key in pieces(text, set(known))
    )
