"""A model's fantasy particles on their way from noise: five seconds that move, then rest."""

import hashlib
from typing import Any

import streamlit as st

from boltzcore.data.examples import Examples
from boltzcore.figures.frame import Frame, Item, Panel, Picture, Table
from boltzcore.figures.images import pixel_tiles, weight_tiles
from boltzcore.figures.questions import rows_table
from boltzcore.inference.particles import STEPS, particles
from boltzcore.models import RBM
from boltzcore.names import Names
from boltzcore.warmup import FIRST
from pages.common import lab
from pages.common.picture import picture
from pages.common.waiting import show_waiting
from pages.frames.component import play
from pages.frames.films import Film

FRAMES, FRAME = 20, 0.25  # more than five seconds of movement would need a button to stop it
SHOWN, HEIGHT = 36, 300


def dream(model: RBM, shape: tuple[int, int] | None, names: Names | None, *, key: str, page: str) -> None:
    """Pixels, or the columns of rows that are no images, start as coin flips; every frame is some Gibbs transitions
    further. page: as `component.play` has it.
    """
    if waiting := lab.ready():
        if shape is not None:
            tiles = weight_tiles(model.W.T[:SHOWN], shape)
            picture(tiles.png, f"Weights of {tiles.count} hidden units of the model.")
        show_waiting(FIRST, waiting, page=page)
        return
    seed = st.session_state.setdefault(f"seed of dream {key}", 0)
    play(f"dream {key}", film(model, shape, names, seed), page=page, plays=True, every=FRAME, height=HEIGHT)
    st.button("From noise again", key=f"{key} again", on_click=_again, args=(key,))


def film(model: RBM, shape: tuple[int, int] | None, names: Names | None, seed: int) -> Film:
    """The frames of a model's dream, the same for all who watch."""
    digest = hashlib.blake2s(b"".join(getattr(model, name).tobytes() for name in ("W", "b", "c"))).hexdigest()
    views: list[dict[str, Any]] = []

    def frame(at: int) -> Frame:
        while len(views) < at:
            views.append(particles(model, views[-1] if views else None, seed=seed, step=len(views)))
        rows = views[at - 1]["particles"][:SHOWN]
        below = f"{len(rows)} fantasy particles, {at * STEPS} Gibbs transitions away from pure noise."
        content: Table | tuple[Picture, ...] = rows_table("particles", Examples(rows), names)
        if shape is not None:
            content = (
                Picture.from_tiles(
                    pixel_tiles(rows, shape), f"{len(rows)} fantasy particles of the model, drawn as pixels."
                ),
            )
        return Frame(curve=Item("particles", (), lambda: Panel("", content, below=below), "samples"))

    return Film(("dream", digest, shape, names, seed), FRAMES, frame)


def _again(key: str) -> None:
    st.session_state[f"seed of dream {key}"] += 1
