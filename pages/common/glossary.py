"""Terms of art in texts: each is a button to its explanation.

In Streamlit's own texts `marked` makes a link of it, in what is drawn in place `words.js` does, by the same forms.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from pages.common import entries
from pages.common.terms import TERMS

LINK = "#word-"  # and a key: opens its explanation
_OF_FORM = {form: key for key, term in TERMS.items() for form in term.forms}


def _pattern(form: str) -> str:
    """A form as a regular expression, for Python and for a browser; a small first letter may be a capital."""
    first, rest = form[0], re.escape(form[1:]).replace("\\ ", " ").replace("\\-", "-")
    return (f"[{first}{first.upper()}]" if first.islower() and len(form) > 1 else re.escape(first)) + rest


@cache
def pattern() -> str:
    """A regular expression of every form, the longest first, where it stands as a word of its own."""
    forms = sorted(_OF_FORM, key=len, reverse=True)
    return rf"(?<![\w'#/.-])(?:{'|'.join(map(_pattern, forms))})(?![\w']|-[A-Za-z])"


def key_of(found: str) -> str:
    """The key of a form as it stands in a text."""
    return _OF_FORM[found if found in _OF_FORM else found[0].lower() + found[1:]]


def pieces(text: str, known: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """A text cut into (piece, key of the term that it is): each term where it stands first, "" for all else.

    known : keys of terms that are left as they are
    """
    found, start = set(known), 0
    for each in re.finditer(pattern(), text):
        if (key := key_of(each[0])) not in found:
            found.add(key)
            yield text[start : each.start()], ""
            yield each[0], key
            start = each.end()
    yield text[start:], ""


def marked(text: str) -> str:
    """A Markdown text of ours in which each term, where it stands first, is a link to its explanation."""
    return "".join(f"[{piece}]({LINK}{key})" if key else piece for piece, key in pieces(text))


def as_plain() -> dict[str, Any]:
    """What a browser needs of it: the regular expression, the key of each form, and each explanation; and for
    the way on, the page of the reference, the fields that it lists, and the sections on what is picked.
    """
    return {
        "page": entries.PAGE,
        "fields": entries.fields(),
        "sections": entries.SECTIONS,
        "pattern": pattern(),
        "forms": _OF_FORM,
        "words": {key: [term.title, term.text] for key, term in TERMS.items()},
    }
