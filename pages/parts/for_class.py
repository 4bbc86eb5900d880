"""Link for a class: to the usual page, on a projector, or embedded in another site."""

import html
from collections.abc import Mapping

import streamlit as st

from pages.common import presenting
from pages.common.address import DISPLAY
from pages.common.setting import one_of
from pages.common.words import escape
from pages.parts import qr

USUAL, PROJECTOR, WITHIN = "Normal", "On a projector", "Embedded"
SHOWN = {USUAL: {}, PROJECTOR: {DISPLAY: presenting.PROJECTOR}, WITHIN: {"embed": "true"}}
ABOUT = {
    USUAL: "With navigation, for students' own screens.",
    PROJECTOR: "Larger text and lines, without navigation.",
    WITHIN: "To embed in your own page or course, without navigation.",
}
WIDTH, HEIGHT = 700, 800  # pixels of a frame within another site


def for_class(query: Mapping[str, str], *, title: str, within: str) -> None:
    """Draw the choice of the display, and the link.

    query : the other parameters of the address of this page
    title : of the page, also for screen readers; within : key of the popover that this is in
    """
    way = st.segmented_control("Display", SHOWN, default=USUAL, required=True, key=f"shown in {within}")
    way = one_of(way, SHOWN, USUAL)
    st.caption(ABOUT[way])
    link = presenting.link({**query, **SHOWN[way]})
    qr.draw_link(link, f"**Scan it** to open {escape(title)} on your own screen.", key="class", within=within)
    if way == WITHIN:
        st.code(frame(link, title), language="html", wrap_lines=True)


def frame(link: str, title: str) -> str:
    """Return the HTML that embeds a link in another site."""
    src, name = html.escape(link), html.escape(title)
    return (
        f'<iframe src="{src}" title="{name}" width="{WIDTH}" height="{HEIGHT}" loading="lazy" style="border: 0; '
        'max-width: 100%"></iframe>'
    )
