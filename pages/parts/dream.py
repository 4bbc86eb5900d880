"""A model's fantasy particles on their way from noise: five seconds that move, then rest."""

import streamlit as st

from boltzcore.figures.images import pixel_tiles, weight_tiles
from boltzcore.inference.particles import STEPS, particles
from boltzcore.models import RBM
from pages.parts import lab
from pages.parts.plot import picture

LOOKS, FRAME = 20, 0.25  # more than five seconds of movement would need a button to stop it
SHOWN = 36


def dream(model: RBM, shape: tuple[int, int], *, key: str) -> None:
    """Pixels start as coin flips; every look is some Gibbs transitions further."""
    dreamt = st.session_state.setdefault(f"dream {key}", {"seed": 0, "looks": 0, "view": None})

    @st.fragment(run_every=FRAME if dreamt["looks"] < LOOKS else None)
    def look_again() -> None:
        if waiting := lab.ready():
            tiles = weight_tiles(model.W.T[:SHOWN], shape)
            picture(tiles.png, f"Weights of {tiles.count} hidden units of the model.")
            st.caption(waiting)
            return
        if dreamt["looks"] < LOOKS:
            dreamt["view"] = particles(model, dreamt["view"], seed=dreamt["seed"], step=dreamt["looks"])
            dreamt["looks"] += 1
            if dreamt["looks"] == LOOKS:
                st.rerun()  # once, so that the page no longer asks for looks
        tiles = pixel_tiles(dreamt["view"]["particles"][:SHOWN], shape)
        picture(tiles.png, f"{tiles.count} fantasy particles of the model, drawn as pixels.")
        st.caption(
            f"{tiles.count} fantasy particles, {dreamt['looks'] * STEPS} Gibbs transitions away from pure noise."
        )

    look_again()
    st.button(
        "From noise again",
        key=f"{key} again",
        on_click=lambda: dreamt.update(seed=dreamt["seed"] + 1, looks=0, view=None),
    )
