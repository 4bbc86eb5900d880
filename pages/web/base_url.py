"""Where routes of the app lie, for the server and for a browser."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from starlette.routing import Match, Route
from starlette.types import Scope

from boltzcore.figures.showing import Shows

# For scripts of components: the app's own address, wherever a proxy has put that, from the page's. `page` is the last
# part of the page's address, "" of the start page. It is compared as text: what a visitor has typed is no pattern.
BASE_URL_OF = """
const asTyped = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
const baseUrlOf = (page) => {
  let path = location.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  const at = path.lastIndexOf('/'), last = asTyped(path.slice(at + 1));
  return page && at >= 0 && (last === page || last === asTyped(page)) ? path.slice(0, at) : path;
};
"""


def base_path() -> str:
    """`server.baseUrlPath` with a slash before it; "" where there is none."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""


class Declared(Route):
    """A route that declares what it shows: what serves it finds that as `request.scope["shows"]`."""

    def __init__(self, path: str, serve: Callable[..., Any], shows: Shows, **given: Any) -> None:
        super().__init__(path, serve, **given)
        self.shows = shows

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, found = super().matches(scope)
        return match, {**found, "shows": self.shows}


def routes_at(path: str, serve: Callable[..., Any], shows: Shows | None = None, **given: Any) -> list[Declared]:
    """The routes of a path: at the root, and below `server.baseUrlPath`, where Streamlit does not put an app's routes
    although a proxy may forward only that. None where it is not declared what they show.
    """
    if shows is None:
        return []
    return [Declared(f"{prefix}{path}", serve, shows, **given) for prefix in dict.fromkeys(("", base_path()))]


def number(text: str, digits: int = 6) -> int:
    """A whole number of a path, of at most so many digits; -1 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else -1
