"""A link for a class: what of a page is hidden, and whether it is for a projector or for another site."""

import html
from collections.abc import Mapping

import streamlit as st

from pages.common import address, presenting
from pages.common.setting import one_of
from pages.parts import codes

USUAL, PROJECTOR, WITHIN = "As usual", "On a projector", "Within another site"
SHOWN = {USUAL: {}, PROJECTOR: {address.DISPLAY: presenting.PROJECTOR}, WITHIN: presenting.EMBED}
ABOUT = {
    USUAL: "With the navigation, for screens of their own.",
    PROJECTOR: "Larger text, labels and lines, and no navigation.",
    WITHIN: "For a frame in your own page or course, without navigation.",
}
WIDTH, HEIGHT = 700, 500  # pixels of a frame within another site


def for_class(page: str, query: Mapping[str, str], *, title: str, within: str) -> None:
    """Choose what is hidden and how it is shown, and take the link.

    page : the path of the page that it leads to, this one; query : what its address says else
    title : of what is shown, for who cannot see a frame; within : key of the popover that this is in
    """
    parts = presenting.PARTS[page]
    names = st.multiselect(
        "Hide",
        parts,
        presenting.hidden(page),
        format_func=lambda name: parts[name].title,
        placeholder="Nothing",
        key=f"hidden in a link to {page}",
        help="What is not shown to who opens the link. Nothing else changes, and the address tells what is hidden.",
    )
    way = st.radio("Shown", SHOWN, captions=ABOUT.values(), key=f"shown in a link to {page}")
    way = one_of(way, SHOWN, USUAL)
    link = presenting.link(query, presenting.hiding(name for name in parts if name in names) | SHOWN[way])
    codes.offered(link, f"**Scan it** to open {title} on your own screen.", key=f"class {page}", within=within)
    if way == WITHIN:
        st.code(frame(link, title), language="html", wrap_lines=True)


def frame(link: str, title: str) -> str:
    """What another site has to hold to show a link, HTML."""
    src, name = html.escape(link), html.escape(title)
    return (
        f'<iframe src="{src}" title="{name}" width="{WIDTH}" height="{HEIGHT}" loading="lazy" style="border: 0; '
        'max-width: 100%"></iframe>'
    )
