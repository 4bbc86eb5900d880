"""Terms of art in texts: each is a link to its entry in the reference, with its explanation as the link's title."""

import re
from collections.abc import Iterator
from functools import cache

from pages.common import entries
from pages.common.terms import TERMS

_OF_FORM = {form: key for key, term in TERMS.items() for form in term.forms}


def _pattern(form: str) -> str:
    """A form as a regular expression; a small first letter may be a capital."""
    first, rest = form[0], re.escape(form[1:])
    return (f"[{first}{first.upper()}]" if first.islower() and len(form) > 1 else re.escape(first)) + rest


@cache
def pattern() -> str:
    """Return a regular expression of every form, the longest first, as whole words."""
    forms = sorted(_OF_FORM, key=len, reverse=True)
    return rf"(?<![\w'#/.-])(?:{'|'.join(map(_pattern, forms))})(?![\w']|-[A-Za-z])"


def key_of(found: str) -> str:
    """Return the key of a form as it is written in a text."""
    return _OF_FORM[found if found in _OF_FORM else found[0].lower() + found[1:]]


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Cut a text into (piece, key of its term): each term at its first place, "" for all else."""
    found, start = set[str](), 0
    for each in re.finditer(pattern(), text):
        if (key := key_of(each[0])) not in found:
            found.add(key)
            yield text[start : each.start()], ""
            yield each[0], key
            start = each.end()
    yield text[start:], ""


def link_terms(text: str) -> str:
    """Return a Markdown text of ours in which each term links to its explanation at its first place."""
    return "".join(f'[{piece}]({address_of(key)} "{TERMS[key].text}")' if key else piece for piece, key in pieces(text))


def address_of(key: str) -> str:
    """The address of a term's entry in the reference, from any page."""
    return f"{entries.PAGE}?entry={entries.entry('term', key)}"
