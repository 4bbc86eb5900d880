"""A model's samples, or its fantasy particles on their way from noise: five seconds that move, then rest."""

import hashlib
from typing import Any

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.data.examples import Examples
from boltzcore.figures.frame import Frame, Item, Panel, Picture, Table
from boltzcore.figures.images import pixel_tiles, weight_tiles
from boltzcore.figures.questions import rows_table
from boltzcore.inference.particles import CHAINS, STEPS, particles
from boltzcore.inference.samples import Samples, draw_samples
from boltzcore.models import RBM
from boltzcore.names import Names
from boltzcore.warmup import FIRST
from pages.common import lab
from pages.common.picture import picture
from pages.common.waiting import show_waiting
from pages.frames.component import play
from pages.frames.films import Film
from pages.web.background import in_background

FRAMES, FRAME = 20, 0.25  # more than five seconds of movement would need a button to stop it
SHOWN, HEIGHT = 36, 300
# weights, and factors of a sum over states, up to which samples of a model are drawn within seconds
LARGEST, LISTED = 2**19, 2**31


def _samples(model: RBM, seed: int, mean: tuple[float, ...] | None) -> Samples | None:
    try:
        return draw_samples(model, CHAINS, mean=mean, seed=seed)
    except ValueError:  # parameters beyond what can be annealed
        return None


_drawn = in_background(_samples, "Drawing samples")


def dream(
    model: RBM,
    shape: tuple[int, int] | None,
    names: Names | None,
    dataset: Dataset | None = None,
    *,
    key: str,
    page: str,
    noise: bool = False,
) -> None:
    """Pixels, or the columns of rows that are no images, start as samples of the model, or with `noise` (and where
    drawing them would take too long) as coin flips; every frame is some Gibbs transitions further.

    dataset : what the model is of, from whose means chains are annealed; page : as `component.play` has it
    """
    if waiting := lab.ready():
        if shape is not None:
            tiles = weight_tiles(model.W.T[:SHOWN], shape)
            picture(tiles.png, f"Weights of {tiles.count} hidden units of the model.")
        show_waiting(FIRST, waiting, page=page)
        return
    seed = st.session_state.setdefault(f"seed of dream {key}", 0)
    noise = noise or model.W.size > LARGEST or (model.enumerable and max(model.W.shape) << min(model.W.shape) > LISTED)
    mean = None if noise or dataset is None else tuple(dataset.train.mean().tolist())
    found = film(model, shape, names, seed, noise, mean)
    play(f"dream {key}", found, page=page, plays=True, every=FRAME, height=HEIGHT)
    st.button("From noise again" if noise else "Draw again", key=f"{key} again", on_click=_again, args=(key,))


def film(
    model: RBM,
    shape: tuple[int, int] | None,
    names: Names | None,
    seed: int,
    noise: bool,
    mean: tuple[float, ...] | None,
) -> Film:
    """The frames of a model's dream, the same for all who watch."""
    digest = hashlib.blake2s(b"".join(getattr(model, name).tobytes() for name in ("W", "b", "c"))).hexdigest()
    views: list[dict[str, Any]] = []

    def samples() -> Samples | None:
        return None if noise else _drawn(model, seed, mean).result()

    def frame(at: int) -> Frame:
        if (drawn := samples()) is not None and not views:
            views.append({"particles": drawn.v})
        while len(views) < at:
            views.append(particles(model, views[-1] if views else None, seed=seed, step=len(views)))
        rows = views[at - 1]["particles"][:SHOWN]
        below = f"{len(rows)} fantasy particles, {at * STEPS} Gibbs transitions away from pure noise."
        if drawn is not None:
            below = f"{len(rows)} samples of the model, {_quality(drawn)}; {(at - 1) * STEPS} Gibbs transitions later."
        content: Table | tuple[Picture, ...] = rows_table("particles", Examples(rows), names)
        if shape is not None:
            content = (
                Picture.from_tiles(
                    pixel_tiles(rows, shape), f"{len(rows)} fantasy particles of the model, drawn as pixels."
                ),
            )
        return Frame(curve=Item("particles", (), lambda: Panel("", content, below=below), "samples"))

    awaited = None if noise else lambda _: _drawn(model, seed, mean)
    return Film(("dream", digest, shape, names, seed, noise, mean), FRAMES, frame, awaited)


def _quality(drawn: Samples) -> str:
    if drawn.exact:
        return "exact and independent"
    mixing = "" if drawn.reliable else ", as chains do not mix"
    return f"drawn by annealing and worth {drawn.effective:.0f} independent ones of {len(drawn.v)}{mixing}"


def _again(key: str) -> None:
    st.session_state[f"seed of dream {key}"] += 1
