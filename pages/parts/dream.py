"""A model's fantasy particles on their way from noise: five seconds that move, then rest."""

import hashlib
from typing import Any

import streamlit as st

from boltzcore.inference.particles import STEPS, particles
from boltzcore.models import RBM
from boltzcore.plotting.images import pixel_tiles
from pages.figures.frame import Frame, Item, Panel, Picture
from pages.stream.films import Film, play

FRAMES, FRAME = 20, 0.25  # more than five seconds of movement would need a button to stop it
SHOWN, HEIGHT = 36, 300


def dream(model: RBM, shape: tuple[int, int], *, page: str) -> None:
    """Pixels start as coin flips; every frame is some Gibbs transitions further.

    page : as `component.play` has it
    """
    seed = st.session_state.setdefault("seed of dream", 0)
    play("dream", film(model, shape, seed), page=page, plays=True, every=FRAME, height=HEIGHT)
    st.button("From noise again", on_click=_again)


def film(model: RBM, shape: tuple[int, int], seed: int) -> Film:
    """The frames of a model's dream, the same for all who watch."""
    digest = hashlib.blake2s(b"".join(getattr(model, name).tobytes() for name in ("W", "b", "c"))).hexdigest()
    views: list[dict[str, Any]] = []

    def frame(at: int) -> Frame:
        while len(views) < at:
            views.append(particles(model, views[-1] if views else None, seed=seed, step=len(views)))
        rows = views[at - 1]["particles"][:SHOWN]
        below = f"{len(rows)} fantasy particles, {at * STEPS} Gibbs transitions away from pure noise."
        alt = f"{len(rows)} fantasy particles of the model, drawn as pixels."
        content = (Picture.from_tiles(pixel_tiles(rows, shape), alt),)
        return Frame(curve=Item("particles", (), lambda: Panel("", content, below=below), "samples"))

    return Film(("dream", digest, shape, seed), FRAMES, frame)


def _again() -> None:
    st.session_state["seed of dream"] += 1
