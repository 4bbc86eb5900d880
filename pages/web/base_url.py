"""Addresses of the app's routes, for the server and for a browser."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from starlette.routing import Route

from pages.web.access import may_see

# For scripts of components: the app's own address behind any proxy, from the page's. `page` is the last part of the
# page's address, "" of the start page.
BASE_URL_OF = """
const baseUrlOf = (page) => {
  let path = location.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return page && path.endsWith(`/${page}`) ? path.slice(0, -page.length - 1) : path;
};
"""


def base_path() -> str:
    """Return `server.baseUrlPath` with a slash before it; "" if there is none."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""


def routes_at(path: str, serve: Callable[..., Any], shows: str = "", **given: Any) -> list[Route]:
    """Return the routes of a path: at the root, and below `server.baseUrlPath`, where Streamlit does not put an app's
    routes although a proxy may forward only that. None unless it is declared what they show at most.
    """
    prefixes = dict.fromkeys(("", base_path())) if may_see(shows, "rows") else ()
    return [Route(f"{prefix}{path}", serve, **given) for prefix in prefixes]


def number(text: str, digits: int = 6) -> int:
    """Return a whole number of a path, of at most `digits` digits; -1 if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else -1
