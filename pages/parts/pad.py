"""A pad to draw on, or to erase on: its strokes."""

from collections.abc import Mapping, Sequence

import streamlit as st

from boltzcore.data.strokes import PENS, POINTS, SIDE, Stroke, plain_strokes, strokes_from
from boltzcore.plotting import palette
from boltzcore.quoting import Refusal
from pages.common.words import escape
from pages.web.encoding import data_uri
from pages.web.scripts import component
from pages.web.session import SESSION

HEIGHT = 360  # pixels, reserved until it is drawn
INK, HATCH = "#FFFFFF", ("#333333", palette.LOST)  # ink, and ground and stripes of erased pixels
KEYS = "Keyboard: arrow keys move the pen, Space lowers or lifts it, Backspace undoes, Delete clears."

_pad = component("lab_pad", "parts/pad.js", "lab-pad", "Loading …")


def pad(
    key: str,
    *,
    rev: str,
    strokes: Sequence[Stroke],
    label: str,
    hint: str,
    presets: Sequence[Sequence[Stroke]] = (),
    for_me: str = "",
    pens: Mapping[str, float] = PENS,
    ground: bytes = b"",
    boxed: bool = False,
) -> list[Stroke]:
    """Return the strokes on the pad, white on black; over a picture they are hatched: they cover lost pixels.

    rev : another one puts `strokes` on the pad; otherwise the drawing stays
    label, hint : its name, and its use; how the keyboard draws is added
    presets : drawings that a button each puts on the pad, under the words `for_me`
    pens : {name: width}, an odd number; the middle one is the first choice
    ground : PNG bytes of a square picture under the strokes
    boxed : one stroke drags a box, from corner to corner
    An invalid drawing from the browser has its sentence below, and changes nothing.
    """
    kept = SESSION.pads.setdefault(key, {})
    if kept.get("rev") != rev:
        kept |= {"rev": rev, "strokes": list(strokes)}
    settings = {
        "rev": rev,
        "strokes": plain_strokes(kept["strokes"]),
        "side": SIDE,
        "points": POINTS,
        "pens": list(pens.items()),
        "pen": list(pens.values())[len(pens) // 2],
        "colour": INK,
        "hatch": HATCH if ground else (),
        "boxed": boxed,
        "label": label,
        "hint": hint,
        "keys": KEYS,
        "presets": [plain_strokes(each) for each in presets],
        "forMe": for_me,
        "ground": data_uri(ground) if ground else "",
        "height": HEIGHT,
    }
    drawn = _pad(key=key, data=settings, default={"drawn": None}, on_drawn_change=lambda: None).drawn
    if isinstance(drawn, Mapping) and drawn.get("rev") == rev:
        try:
            kept["strokes"] = strokes_from(drawn.get("strokes"))
        except Refusal as refusal:
            st.error(escape(refusal))
    return kept["strokes"]
