"""Markdown in texts of a page, and texts from outside that try to be read as Markdown."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from streamlit.testing.v1 import AppTest

HARMLESS = "word"
HOSTILE = (
    "![x](http://h.example/i.png)",
    "[Log in](http://h.example)",
    "<http://h.example>",
    "http://h.example/x",
    "www.h.example",
    "me@h.example",
    "<img src=x>",
    "</p><b>b</b>",
    "&lt;b&gt;",
    "**b** __b__ *i* _i_ ~~d~~",
    "`code`",
    "```",
    "$x^2$ $$y$$",
    "# head",
    "- item",
    "1. item",
    "12) item",
    "> quote",
    "| a | b |",
    "a\n===",
    "a\n\n    code",
    "---",
    ":red[x] :blue-badge[y]",
    ":help",
    ":rocket: :+1:",
    ":material/home: :streamlit:",
    ":::note",
    "]( ) [^1] [x]: y",
    "a -> b <-> c",
    "\\*x\\* \\",
    "'**x**'",
    '"_x_"',
    "\u202e\u2028# x",
)
_JOINER = "\u2060"
# After the escapes: marks, and what is looked for in the text that they leave. A joiner in between makes it none.
_ALIVE = re.compile(
    r"[\\`*\[\]<>#|~$&]|(?<![^\W_])_|_(?![^\W_])|:(?=[\w/+-])|@(?=\w)|www\.|[-<>~](?=[->=])"
    r"|^\s*(?:[-+=]|[0-9]+[.)])(?=\s|$)|\n",
    re.MULTILINE | re.IGNORECASE,
)
_FIELDS = {"body", "label", "help", "caption", "text", "delta"}


def alive(markdown: str) -> list[str]:
    """Return the Markdown elements other than text, in order."""
    return _ALIVE.findall(re.sub(r"\\[!-/:-@\[-`{-~]", "x", markdown))


def structure(test: AppTest) -> list[tuple[str, list[str]]]:
    """(kind of element, what is more than text in it), for each text of a page in its order."""
    return [
        (kind, _tags(text) if kind == "Html" else alive(text))
        for kind, text in _texts(test._tree)  # type: ignore[attr-defined]
        if kind != "Code"
    ]


def shown(markdown: str) -> str:
    """A text as a reader sees it."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace(_JOINER, "")


def _texts(node: Any) -> Iterator[tuple[str, str]]:
    if (proto := getattr(node, "proto", None)) is not None and hasattr(proto, "ListFields"):
        yield from _strings(proto)
    for child in getattr(node, "children", {}).values():
        yield from _texts(child)


def _strings(proto: Any) -> Iterator[tuple[str, str]]:
    for field, value in proto.ListFields():
        if field.name in _FIELDS and isinstance(value, str):
            yield proto.DESCRIPTOR.name, value
        elif hasattr(value, "ListFields"):
            yield from _strings(value)


def _tags(html: str) -> list[str]:
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append(f"{tag} {' '.join(name for name, _ in attrs)}")

    Reader().feed(html)
    return found
