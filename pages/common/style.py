"""Shared style of pages: the icon, the few rules that theming cannot express, and short texts in words."""

import streamlit as st

from boltzcore.home import asset
from boltzcore.plotting import palette
from pages.common import presenting

ICON = asset("icon.png")

RULES = """
[data-testid="stImage"] img { image-rendering: pixelated; border-radius: 0;
  outline: 1px solid rgba(128, 128, 128, 0.4); }
@media (max-width: 640px) { [data-testid="stImage"] img { image-rendering: auto; } }
[data-testid="stMetricValue"], [data-testid="stMarkdownContainer"] { font-variant-numeric: tabular-nums; }
[data-testid="stApp"] [data-testid="stCaptionContainer"] { color: inherit; opacity: 0.8; }
[data-testid="stApp"] [data-testid^="stBaseButton-primary"]:enabled { color: light-dark(#FFFFFF, #14171B); }
[data-testid="stApp"] [data-tag] * { color: light-dark(#FFFFFF, #14171B); }
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-unseen, .st-key-presented:empty)) { display: none; }
[data-testid="stSidebar"][data-collapsed="true"] { visibility: hidden; }
[data-testid="stExpandSidebarButton"] > * { display: none; }
[data-testid="stExpandSidebarButton"]::after { content: "Menu"; }
[class*="st-key-refused-"] [data-testid="stAlertContainer"] { background: none; padding: 0; }
[data-testid="stSelectbox"] input { text-overflow: ellipsis; }
[data-testid="stHeader"] :is(a, button):focus-visible { outline: 3px solid; outline-offset: -3px; }
[data-testid="stTooltipContent"] { max-width: 20rem; }
[data-testid="stApp"] a[href^="reference?entry=term-"] { color: inherit; text-decoration: underline dotted 1px;
  text-underline-offset: 0.2em; }
[data-testid="stPageLink"] a { padding-left: 0; padding-right: 0; background: none; }
[data-testid="stPageLink"] :is(a, span, p) { white-space: normal; overflow: visible; }
[data-testid="stPageLink"] p { text-decoration: underline; text-underline-offset: 0.2em; }
@media print {
  [data-testid="stHeader"], [data-testid="stButton"], .st-key-transport, .st-key-messages, .st-key-way, .lab-skip,
    [data-testid="stPageLink"], :is(.back, .film, .keys, .corner, .about, .choices) { display: none !important; }
  [data-testid="stApp"] { print-color-adjust: exact; }
  [data-testid="stMainBlockContainer"] { padding: 0 !important; }
  :is(.panel, .lab-lines, figure, tr) { break-inside: avoid; }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation-duration: 1ms !important;
  animation-iteration-count: 1 !important; transition-duration: 1ms !important; scroll-behavior: auto !important; } }
/* a row that is scrolled sideways fades at its edge until its end is in sight */
@keyframes lab-more { from, 90% { mask-size: 100% 100%; } to { mask-size: calc(100% + 4rem) 100%; } }
@supports (animation-timeline: scroll()) { @media (max-width: 640px), (max-height: 600px) {
  .st-key-transport, .lab-figures { mask: linear-gradient(90deg, #000 calc(100% - 4rem), #0000) no-repeat;
    mask-size: calc(100% + 4rem) 100%; animation: lab-more linear both; animation-timeline: scroll(self inline); }
} }
"""
HUES = "".join(
    f'[class*="st-key-family-{family}-"] {{ border-top: 4px solid {hue}; }}' for family, hue in palette.FAMILIES.items()
)


def dress(title: str) -> None:
    """Set the browser tab, width and style; once per run of the script."""
    st.set_page_config(page_title=f"{title} · Boltzmann Lab", page_icon=ICON, layout="wide")
    st.logo(ICON, size="large")
    st.html(f"<style>{RULES}{HUES}{presenting.css()}</style>")


def format_bytes(count: int) -> str:
    """Return a number of bytes in words."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB"
