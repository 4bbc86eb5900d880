"""Where routes of the app lie, for the server and for a browser."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from starlette.routing import Route

# For scripts of components. A page, whose own last part of the address is given, lies below the app's address, wherever
# a proxy has put that.
# What a visitor has typed there is compared, and never a pattern.
BASE_OF = """
const asTyped = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
const baseOf = (page) => {
  let path = location.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  const at = path.lastIndexOf('/'), last = asTyped(path.slice(at + 1));
  return page && at >= 0 && (last === page || last === asTyped(page)) ? path.slice(0, at) : path;
};
"""


def based(path: str, serve: Callable[..., Any]) -> list[Route]:
    """The routes of a path: Streamlit puts those of an app under no base path, and a proxy may forward only that."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return [Route(f"{prefix}{path}", serve) for prefix in ("", *([f"/{base}"] if base else []))]


def number(text: str, digits: int = 6) -> int:
    """A whole number of a path, of at most so many digits; -1 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else -1
