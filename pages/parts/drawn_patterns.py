"""A pad for patterns of one's own, which become the data of the setting."""

from functools import partial

import numpy as np
import streamlit as st

from boltzcore.data.drawn import MOST_PATTERNS, Patterns
from boltzcore.data.strokes import SIDE, touched
from boltzcore.plotting.images import pixel_tiles
from pages.common.picture import picture
from pages.parts.form import SETTING
from pages.parts.pad import pad

BITS = f"{Patterns.name}.bits"


def draw_patterns(*, disabled: bool) -> None:
    """Show the patterns of the setting, if its data are such, and a pad that adds one."""
    fields = [(key.partition("."), text) for key, text in SETTING.texts().items()]
    try:
        data = Patterns.from_text({name: text for (owner, _, name), text in fields if owner == Patterns.name})
    except ValueError:  # said at the field
        return
    digits, side = data.side**2 // 4, data.side
    pens = {"Thin pen": SIDE / side, "Medium pen": 1.3 * SIDE / side, "Thick pen": 2 * SIDE / side}
    draw, there = st.columns(2, gap="medium")
    with draw:
        hint = f"Squares that you cover by half are on: {side} x {side} of them."
        strokes = pad("pattern", rev=f"{side} {data.bits}", strokes=(), label="A new pattern", hint=hint, pens=pens)
        drawn = np.packbits(touched(strokes, side)).tobytes().hex()
    with there:
        rows = data.load().train.v
        count = len(rows)
        preview = np.vstack([rows, touched(strokes, side).reshape(1, -1)]) if strokes else rows
        tiles = pixel_tiles(preview, (side, side), largest=64)
        picture(tiles.png, f"{count} patterns" + ", and the one on the pad, which is not added yet." * bool(strokes))
        with st.container(horizontal=True):
            add, put = partial(st.button, disabled=disabled or not strokes or count == MOST_PATTERNS), SETTING.edit
            add("Add pattern", on_click=put, args=(BITS, data.bits + drawn))
            add("Replace all", on_click=put, args=(BITS, drawn))
            st.button("Remove last", on_click=put, args=(BITS, data.bits[:-digits]), disabled=disabled or count == 1)
