"""Terms of art in texts: each is a button to its explanation.

In Streamlit's own texts `marked` makes a link of it, in what is drawn in place `words.js` does, by the same forms.
"""

import re
from functools import cache
from typing import Any

from pages.common.terms import TERMS

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


def marked(text: str) -> str:
    """A Markdown text of ours in which each term, where it stands first, is a link to its explanation."""
    linked: set[str] = set()

    def link(found: re.Match[str]) -> str:
        key = key_of(found[0])
        if key in linked:
            return found[0]
        linked.add(key)
        return f"[{found[0]}](#word-{key})"

    return re.sub(pattern(), link, text)


def as_plain() -> dict[str, Any]:
    """What a browser needs of it: the regular expression, the key of each form, and each explanation."""
    return {
        "pattern": pattern(),
        "forms": _OF_FORM,
        "words": {key: [term.title, term.text] for key, term in TERMS.items()},
    }
