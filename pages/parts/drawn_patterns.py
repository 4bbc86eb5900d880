"""A pad for patterns of one's own, which become the data of the setting."""

import streamlit as st

from boltzcore.data.drawn import MOST_PATTERNS, Patterns, hex_of
from boltzcore.data.strokes import SIDE, coverage
from boltzcore.parameters import texts_of
from boltzcore.plotting.images import pixel_tiles
from boltzcore.quoting import Refusal
from pages.common.picture import picture
from pages.parts.form import SETTING
from pages.parts.pad import pad
from pages.web.session import SESSION

BITS = f"{Patterns.name}.bits"


def draw_patterns(*, disabled: bool) -> None:
    """Show the patterns of the setting, if its data are such, and a pad that adds one."""
    try:
        data = Patterns.from_text(texts_of(SETTING.texts(), Patterns.name))
    except Refusal:  # shown at the field
        return
    SESSION.own_data[Patterns.name] = data
    digits, side = data.side**2 // 4, data.side
    pens = {"Thin pen": SIDE / side, "Medium pen": 1.3 * SIDE / side, "Thick pen": 2 * SIDE / side}
    draw, there = st.columns(2, gap="medium")
    with draw:
        hint = f"The pattern has {side} × {side} squares; a square is on if you cover at least half of it."
        strokes = pad("pattern", rev=f"{side} {data.bits}", strokes=(), label="A new pattern", hint=hint, pens=pens)
        drawn = hex_of(coverage(strokes, side))
    with there:
        count = len(data.bits) // digits
        shown = data.changed(bits=data.bits + drawn) if strokes and count < MOST_PATTERNS else data
        tiles = pixel_tiles(shown.load().train.v, (side, side), largest=64)
        on_pad = ", and the one on the pad, not added yet" * bool(strokes)
        words = f"{count} of at most {MOST_PATTERNS} patterns{on_pad}"
        picture(tiles.png, f"{words}.", width=tiles.width)
        st.caption(f"{words}.")
        with st.container(horizontal=True):
            for label, bits, possible in (
                ("Add pattern", data.bits + drawn, strokes and count < MOST_PATTERNS),
                ("Replace all", drawn, strokes),
                ("Remove last", data.bits[:-digits], count > 1),
            ):
                st.button(label, on_click=SETTING.edit, args=(BITS, bits), disabled=disabled or not possible)
