"""Where routes of the app lie."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from starlette.routing import Route


def based(path: str, serve: Callable[..., Any]) -> list[Route]:
    """The routes of a path: Streamlit puts those of an app under no base path, and a proxy may forward only that."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return [Route(f"{prefix}{path}", serve) for prefix in ("", *([f"/{base}"] if base else []))]
