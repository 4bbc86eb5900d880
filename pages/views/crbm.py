"""What only a conditional RBM shows while it trains: wrong pixels, restored images, how its inference converges,
receptive fields.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.figures import charts, errors, images, reading
from boltzcore.figures.drawing import Along
from boltzcore.models import CRBM
from boltzcore.runs.course import Course
from boltzcore.runs.engine import Snapshot
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import Record
from pages.parts.plot import live_plot, picture
from pages.views.common import CHART_HEIGHT, LARGE, Figures, data_of, first_images, scale, tile_shape, weights

TILES = "Hidden units"
PREVIEW = (
    "**Press Play**\n\n"
    "The model is shown damaged images and learns to restore them. The share of pixels that are **still wrong** is "
    "drawn here, for images it does not "
    "learn from, below the share that is wrong if **nothing is done**. Below it: **restored images**, on how many of "
    "them the inference **converges**, "
    "and the **receptive fields** of the hidden units."
)
IN_A_ROW = 8
ALL, CHANGED, TEST, CONVERGED, BEST = "all pixels", "changed pixels", "Test, all pixels", "Converged", "Best"
ABOUT = {
    ALL: "All error: the share of pixels that are wrong after restoring, of all pixels.",
    CHANGED: "Changed error: the share of pixels that are wrong after restoring, of those that the damage had changed. "
    "The rest of All is new damage.",
    CONVERGED: "The share of test images on which the inference came to rest, no marginal changing by the tolerance, "
    "within the iterations it was allowed.",
    BEST: "The lowest error so far of the images that judge the training: its state is kept, and ringed on the curve.",
}


def units(snapshot: Snapshot) -> int:
    model = snapshot.state.model
    return model.n_hidden if model.W.any() else model.n_visible


def preview(recipe: Recipe, course: Course) -> None:
    dataset = course.dataset
    pairs = first_images(dataset, recipe, 2 * IN_A_ROW)
    st.markdown(
        f"**What it learns from**: {recipe.data.title}, {len(dataset.train):,} images, {recipe.corruption.title}",
        help=recipe.data.about,
    )
    for rows, title in ((pairs.x, "Damaged: what the model is given"), (pairs.v, "Clean: what it is to make of it")):
        shown = images.pixel_tiles(rows, dataset.shape, columns=IN_A_ROW)
        st.caption(title)
        picture(shown.png, f"{title}. The first images of {recipe.data.title}.", width=shown.width)


def figures(snapshot: Snapshot, recipe: Recipe) -> Figures:
    records, dataset = snapshot.records, data_of(snapshot.course)
    if not (split := reading.judged(records)):
        return []
    over = f" Measured over {reading.measured(getattr(dataset, split))}." if dataset else ""
    shown = [
        (f"{split.capitalize()}, {name}", reading.share(records, f"{split}_{key}"), ABOUT[name] + over)
        for name, key in KEYS.items()
    ]
    if split != "test":
        over = f" Measured over {reading.measured(dataset.test)}." if dataset else ""
        shown.append((TEST, reading.share(records, "test_error"), ABOUT[ALL] + over))
    return [*shown, *_converged(records, recipe), (BEST, reading.lowest_error(records), ABOUT[BEST])]


def _converged(records: Sequence[Record], recipe: Recipe) -> Figures:
    """How often the inference converges; nothing for a learner without hidden units, which has nothing to infer."""
    return (
        [(CONVERGED, reading.share(records, "test_converged"), ABOUT[CONVERGED])] if recipe.learner.hidden_units else []
    )


KEYS = {ALL: "error", CHANGED: "changed_error"}


def compared(records: Sequence[Record], recipe: Recipe, course: Course | None) -> Figures:
    split = reading.judged(records)
    shown = [
        (name[0].upper() + name[1:], reading.share(records, f"{split}_{key}"), ABOUT[name])
        for name, key in KEYS.items()
    ]
    return [*shown, (BEST, reading.lowest_error(records), ABOUT[BEST]), *_converged(records, recipe)]


ERROR = (
    "All error: the share of wrong pixels once each pixel is set to the value of higher marginal, over images that are "
    "not learnt from; lower is better. "
    "A marginal is the probability that one pixel is on, whatever the others are, as the inference works it out. "
    "Doing nothing is the share that is wrong in the damaged images themselves. The ring marks the best state so far."
)


def curve(shown: reading.Curve, beside: reading.Curve | None, snapshot: Snapshot, recipe: Recipe, along: Along) -> None:
    """The share of wrong pixels of images that are not learnt from."""
    split = reading.judged(shown.records)
    st.markdown(f"**Wrong pixels**{', of ' + split + ' images' if split else ''}", help=ERROR)
    nothing = errors.doing_nothing(snapshot.course.rows) if snapshot.course else None
    best = snapshot.best.count if snapshot.best else None
    figure = errors.pixel_error(shown, pinned=beside, nothing=nothing, changes=recipe.changes, best=best, along=along)
    alt = (
        f"{reading.share_sentence(shown.records, f'{split}_error', 'Wrong pixels')} Doing nothing leaves "
        f"{reading.percent(nothing)} wrong."
    )
    if beside:
        alt = (
            f"{shown.name}: {alt} Pinned, {beside.name}: "
            f"{reading.share_sentence(beside.records, f'{split}_error', 'Wrong pixels')}"
        )
    live_plot(figure, key="curve", height=LARGE, alt=alt, version=snapshot.version)


def show(snapshot: Snapshot, recipe: Recipe, along: Along, page: int) -> None:
    """Draw the model of a snapshot."""
    model, records, family = snapshot.state.model, snapshot.records, recipe.learner.family
    dataset = snapshot.course.dataset
    common = {"family": family, "along": along}
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _restored(snapshot, dataset)
    with right:
        split = reading.judged(records)
        st.markdown("**Wrong among changed pixels**", help=ABOUT[CHANGED])
        alt = reading.share_sentence(records, f"{split}_changed_error", "Wrong among changed pixels")
        live_plot(
            errors.changed_error(records, **common),
            key="changed",
            height=CHART_HEIGHT,
            alt=alt,
            version=snapshot.version,
        )
    st.space("small")
    if not model.W.any():  # logistic regression: no hidden unit takes part, and nothing is inferred
        tiles, histogram = st.columns([3, 2], gap="medium")
        with tiles:
            _tiles("Weights from the input", FROM_INPUT, "to pixels", model.W_vx, dataset, page)
        with histogram:
            _histogram(snapshot, "W_vx")
        return
    converged, changes, histogram = st.columns(3, gap="medium")
    with converged:
        st.markdown("**Converged**", help=CONVERGENCE)
        alt = reading.share_sentence(records, "test_converged", "Test images on which the inference converged")
        live_plot(
            errors.convergence(records, **common),
            key="converged",
            height=CHART_HEIGHT,
            alt=alt,
            version=snapshot.version,
        )
    with changes:
        _residuals(snapshot, recipe)
    with histogram:
        _histogram(snapshot, "W")
    outwards, inwards = st.columns(2, gap="medium")
    with outwards:
        _tiles("Receptive fields", RECEPTIVE_FIELDS, "hidden units", model.W.T, dataset, page)
    with inwards:
        _tiles("Weights from the input", FROM_INPUT_TO_HIDDEN, "hidden units", model.W_hx, dataset, page)


def _restored(snapshot: Snapshot, dataset: Dataset) -> None:
    """The same few images in each look: clean, damaged, restored."""
    st.markdown("**Restored images**", help=RESTORED)
    if "restored" not in snapshot.view:
        return
    for key, title in SHOWN.items():
        tiles = images.pixel_tiles(snapshot.view[key][:IN_A_ROW], dataset.shape, columns=IN_A_ROW)
        st.caption(title)
        picture(tiles.png, f"{title}. {tiles.count} images that the model does not learn from.", width=tiles.width)


def _residuals(snapshot: Snapshot, recipe: Recipe) -> None:
    st.markdown("**Residuals**", help=RESIDUALS)
    if (found := snapshot.view.get("residuals")) is not None and snapshot.updates_per_epoch:
        how = recipe.inference(snapshot.state.count, snapshot.updates_per_epoch)
        figure = errors.residuals(found[:IN_A_ROW], how.tolerance, family=recipe.learner.family)
        alt = f"Residuals of the restored images over the iterations of {how.kind}, tolerance {how.tolerance:g}."
        live_plot(figure, key="residuals", height=CHART_HEIGHT, alt=alt, version=snapshot.version)


def _histogram(snapshot: Snapshot, name: str) -> None:
    weights = getattr(snapshot.state.model, name)
    st.markdown(
        f"**Weights {name}**",
        help="How many of the weights have which value; the colours are those of the tiles below.",
    )
    figure = charts.weight_histogram(weights, images.symmetric_limit(weights), "Weight")
    live_plot(
        figure,
        key="weights",
        height=CHART_HEIGHT,
        alt=f"Histogram of {weights.size} weights {name}.",
        version=snapshot.version,
    )


def _tiles(title: str, about: str, what: str, rows: Any, dataset: Dataset, page: int) -> None:
    tiles = images.weight_tiles(rows, dataset.shape, page=page)
    st.markdown(f"**{title}**, {what} {tiles.first} to {tiles.last} of {tiles.count}", help=about)
    alt = (
        f"{title}, {what} {tiles.first} to {tiles.last}, one tile each, from {-tiles.limit:g} in red to "
        f"{tiles.limit:g} in blue."
    )
    picture(tiles.png, alt, width=tiles.width)
    scale(tiles.limit)


def goodness(recipe: Recipe, reached: float) -> str:
    """How good a model was at its last measurement, in words."""
    return f"{recipe.corruption.title}, {reading.percent(-reached)} of pixels wrong in images not learnt from"


def look_into(model: CRBM, dataset: Dataset, key: str) -> None:
    """A model out of a file: its weights."""
    fields, beside = st.columns(2, gap="large")
    with fields:
        weights("Receptive fields", "Weights of hidden units", model.W.T, tile_shape(dataset))
    if model.n_x == dataset.train.n_visible:
        with beside:
            weights("Weights from the input", "Weights from the input to hidden units", model.W_hx, tile_shape(dataset))


SHOWN = {
    "clean": "Clean",
    "seen": "Damaged: what the model is given",
    "restored": "Restored: the marginal of each pixel, gray where in doubt",
}
RESTORED = (
    "Images that the model does not learn from, the same ones each time: as they are, as the model is given them, and "
    "what it makes of them. "
    "Each restored pixel is as bright as its marginal, the probability that it is on."
)
CONVERGENCE = (
    "On how many images the inference comes to rest, no belief changing by the tolerance, within the iterations that "
    "an epoch allows: "
    "training images of the epoch under way (thin), where the learner infers, and test images (thick). "
    "As weights grow it takes more iterations, and later epochs allow more."
)
RESIDUALS = (
    "The residual of an iteration is the largest change of any belief in it, here for each of the restored images "
    "above. "
    "The inference of an image has converged, and stops, once its residual is under the tolerance."
)
RECEPTIVE_FIELDS = (
    "W: the weights between one hidden unit and all pixels of the restored image, drawn as an image. "
    "Blue pixels go with the unit, red ones against it. All tiles share one scale."
)
FROM_INPUT_TO_HIDDEN = (
    "W_hx: the weights from all pixels of the damaged image to one hidden unit, drawn as an image. "
    "Blue pixels switch the unit on, red ones switch it off."
)
FROM_INPUT = (
    "W_vx: the weights from all pixels of the damaged image to one pixel of the restored one, drawn as an image. "
    "Logistic regression has no others: no hidden unit takes part."
)
