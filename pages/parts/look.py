"""What pages share in look: the icon, the few rules of style that theming has no name for, and short texts in words."""

from pathlib import Path

import streamlit as st

ASSETS = Path(__file__).resolve().parents[2] / "assets"
ICON = ASSETS / "icon.png"

STYLE = """<style>
[data-testid="stImage"] img { image-rendering: pixelated; }
[data-testid="stMetricValue"], [data-testid="stTable"], [data-testid="stMarkdownContainer"] { font-variant-numeric: tabular-nums; }
</style>"""


def dress(title: str) -> None:
    """Browser tab, width and style; once in each run of the script."""
    st.set_page_config(page_title=f"{title} · Boltzmann Lab", page_icon=ICON, layout="wide")
    st.html(STYLE)


def size(count: int) -> str:
    """A number of bytes in words."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB"
