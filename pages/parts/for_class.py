"""A link for a class: what of a page is hidden, and whether it is for a projector or for another site."""

import html
from collections.abc import Mapping

import streamlit as st

from pages.common import address, presenting
from pages.common.setting import one_of
from pages.common.words import plain
from pages.parts import codes

USUAL, PROJECTOR, WITHIN = "As usual", "On a projector", "Within another site"
SHOWN = {USUAL: {}, PROJECTOR: {address.DISPLAY: presenting.PROJECTOR}, WITHIN: presenting.EMBED}
ABOUT = {
    USUAL: "With the navigation, for the students' own screens.",
    PROJECTOR: "Larger text, labels and lines, and no navigation.",
    WITHIN: "For a frame in your own page or course, without navigation.",
}
WIDTH, HEIGHT = 700, 800  # pixels of a frame within another site
# As wide whatever is chosen: the list must not move from under the pointer.
STYLE = """<style>
[data-testid="stPopoverBody"]:has([class*="st-key-hidden-in-a-link"]) { width: min(44rem, calc(100vw - 2rem)); }
</style>"""


def for_class(page: str, query: Mapping[str, str], *, title: str, within: str, starts: bool = False) -> None:
    """Choose what is hidden and how it is shown, and take the link.

    page : the path of the page that it leads to, this one; query : what its address says else
    title : of what is shown, for who cannot see a frame; within : key of the popover that this is in
    starts : whether it may start to play when it is opened
    """
    parts = presenting.PARTS[page]
    st.html(STYLE)
    hide, shown, play = (f"{what} in a link to {page}" for what in ("hidden", "shown", "playing"))
    _kept(hide, list(presenting.hidden(page)))
    _kept(shown, USUAL)
    names = st.multiselect(
        "Hide",
        parts,
        format_func=lambda name: parts[name].title,
        placeholder="Nothing",
        key=hide,
        on_change=_keep,
        args=(hide,),
        help="What is hidden from whoever opens the link. Nothing else changes, and the address says what is hidden.",
    )
    way = st.radio("Shown", SHOWN, captions=ABOUT.values(), key=shown, on_change=_keep, args=(shown,))
    way = one_of(way, SHOWN, USUAL)
    if starts:
        _kept(play, False)
        at_once = st.checkbox("Start at once", key=play, on_change=_keep, args=(play,))
        query = {**query, **({"play": "1"} if at_once else {})}
    link = presenting.link(query, presenting.hiding(name for name in parts if name in names) | SHOWN[way])
    codes.offered(link, f"**Scan it** to open {plain(title)} on your own screen.", key=f"class {page}", within=within)
    if way == WITHIN:
        st.code(frame(link, title), language="html", wrap_lines=True)


def _keep(key: str) -> None:
    """Keep what was chosen: Streamlit forgets it when the popover closes."""
    st.session_state[f"kept {key}"] = st.session_state[key]


def _kept(key: str, otherwise: object) -> None:
    """Before a widget that is drawn anew: what was chosen there before."""
    if key not in st.session_state:
        st.session_state[key] = st.session_state.get(f"kept {key}", otherwise)


def frame(link: str, title: str) -> str:
    """What another site has to hold to show a link, HTML."""
    src, name = html.escape(link), html.escape(title)
    return (
        f'<iframe src="{src}" title="{name}" width="{WIDTH}" height="{HEIGHT}" loading="lazy" style="border: 0; '
        'max-width: 100%"></iframe>'
    )
