"""Where routes of the app lie, for the server and for a browser."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from starlette.routing import Route

# For scripts of components. A page, whose own last part of the address is given, lies below the app's address, wherever
# a proxy has put that.
BASE_OF = """
const baseOf = (page) => location.pathname.replace(/\\/+$/, '').replace(new RegExp(`/${page || '(?!)'}$`), '');
"""


def based(path: str, serve: Callable[..., Any]) -> list[Route]:
    """The routes of a path: Streamlit puts those of an app under no base path, and a proxy may forward only that."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return [Route(f"{prefix}{path}", serve) for prefix in ("", *([f"/{base}"] if base else []))]


def number(text: str, digits: int = 6) -> int:
    """A whole number of a path, of at most so many digits; 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else 0
