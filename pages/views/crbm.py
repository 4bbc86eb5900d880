"""View of a conditional RBM while it trains: wrong pixels, restored images, the convergence of its inference, receptive
fields.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.data.examples import Examples
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.plotting import images
from boltzcore.registry import info_of
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from pages.common.picture import picture
from pages.figures import measurements, model_curves
from pages.figures.frame import Chart, Figures, Frame, Item, NamedFigure, Panel, Picture, ViewInputs
from pages.views.common import CHART_HEIGHT, LARGE, curve_chart, data_of, first_images

IN_A_ROW = 8
ALL, CHANGED, TEST, CONVERGED, BEST = "all pixels", "changed pixels", "Test, all pixels", "Converged", "Best"
ABOUT = {
    ALL: "All error: the share of all pixels that are wrong after restoration.",
    CHANGED: "Changed error: the share of the pixels changed by the damage that are wrong after restoration. The other "
    "wrong pixels are new errors.",
    CONVERGED: "The share of test images on which the inference converged within the allowed iterations, so that no "
    "marginal changed by the tolerance or more.",
    BEST: "The lowest error so far on the images that select the best state, which is kept and ringed on the curve.",
}


def preview(recipe: Recipe, prepared: PreparedData) -> None:
    dataset = prepared.dataset
    pairs = first_images(dataset, recipe, 2 * IN_A_ROW)
    st.markdown(
        f"**Training data**: {recipe.data.title}, {len(dataset.train):,} images, {recipe.corruption.title}",
        help=recipe.data.about,
    )
    for title, rows, lost in ((_given(recipe), pairs.x, _lost(pairs, recipe)), ("Clean: the target", pairs.v, None)):
        shown = images.pixel_tiles(rows, dataset.shape, columns=IN_A_ROW, lost=lost)
        st.caption(title)
        picture(shown.png, f"{title}. The first images of {recipe.data.title}.", width=shown.width)


def frame(inputs: ViewInputs) -> Frame:
    """Return the frame of a training at one moment."""
    snapshot, recipe = inputs.snapshot, inputs.recipe
    curve = Item("curve", inputs.chart_sources, lambda: _curve(inputs), "numbers")
    if snapshot.prepared is None or snapshot.state is None:
        return Frame(_figures(snapshot, recipe), curve)
    restored = Item("restored", (snapshot.observation,), lambda: _restored_panel(inputs), "rows")
    changed = Item("changed", inputs.curve_sources, lambda: _changed_panel(inputs), "numbers")
    of = *inputs.parameter_sources, inputs.chosen.get(PAGE)
    tiles = {name: Item(name, of, partial(_tiles, inputs, name), "samples") for name in TILES}
    if not snapshot.state.model.W.any():  # logistic regression: no hidden unit takes part, and nothing is inferred
        return Frame(_figures(snapshot, recipe), curve, (restored,), ((tiles["W_vx"], changed),))
    converged = Item("converged", inputs.curve_sources, lambda: _convergence(inputs), "numbers")
    below = (converged, changed), (tiles["W"], tiles["W_hx"])
    return Frame(_figures(snapshot, recipe), curve, (restored,), below)


def _figures(snapshot: Snapshot, recipe: Recipe) -> Figures:
    records, dataset = snapshot.records, data_of(snapshot.prepared)
    if not (split := measurements.judging_split(records)):
        return []
    over = f" Measured over {measurements.row_text(getattr(dataset, split))}." if dataset else ""
    shown = [
        NamedFigure(
            f"{split.capitalize()}, {name}", measurements.share(records, f"{split}_{key}"), ABOUT[name] + over, True
        )
        for name, key in KEYS.items()
    ]
    if split != "test":
        over = f" Measured over {measurements.row_text(dataset.test)}." if dataset else ""
        shown.append(NamedFigure(TEST, measurements.share(records, "test_error"), ABOUT[ALL] + over, measured=True))
    return [*shown, *_converged(records, recipe), NamedFigure(BEST, measurements.lowest_error(records), ABOUT[BEST])]


def _converged(records: Sequence[Record], recipe: Recipe) -> Figures:
    """Return the share of inferences that converge; [] for a learner without hidden units, which infers nothing."""
    if not info_of(recipe.learner).hidden_units:
        return []
    return [NamedFigure(CONVERGED, measurements.share(records, "test_converged"), ABOUT[CONVERGED], measured=True)]


KEYS = {ALL: "error", CHANGED: "changed_error"}


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    split = measurements.judging_split(records)
    shown = [
        NamedFigure(name[0].upper() + name[1:], measurements.share(records, f"{split}_{key}"), ABOUT[name])
        for name, key in KEYS.items()
    ]
    return [*shown, NamedFigure(BEST, measurements.lowest_error(records), ABOUT[BEST]), *_converged(records, recipe)]


ERROR = (
    "All error: the share of wrong pixels in held-out images if each pixel is set to its more probable value; lower is "
    "better. A marginal is the probability that one pixel is on, computed by the inference. No restoration is the "
    "share of wrong pixels in the damaged images. The ring marks the best state so far."
)


def _curve(inputs: ViewInputs) -> Panel:
    """Return the panel of the share of wrong pixels in held-out images."""
    prepared, records = inputs.snapshot.prepared, inputs.shown.records
    split = measurements.judging_split(records)
    nothing = model_curves.input_error(prepared.rows) if prepared else None
    describe = partial(measurements.share_sentence, key=f"{split}_error", name="Wrong pixels")
    alt = f"{describe(records)} No restoration leaves {measurements.percent(nothing)} wrong."
    chart = curve_chart(inputs, model_curves.pixel_error(inputs.curves, nothing), describe, alt, height=LARGE)
    rest = f", of {split} images" if split else ""
    return Panel("Wrong pixels", chart, rest, ERROR, choices=(inputs.axis,))


def _changed_panel(inputs: ViewInputs) -> Panel:
    records, title = inputs.snapshot.records, "Wrong among changed pixels"
    alt = measurements.share_sentence(records, f"{measurements.judging_split(records)}_changed_error", title)
    return Panel(title, Chart(model_curves.changed_error(inputs.curves), CHART_HEIGHT, alt), about=ABOUT[CHANGED])


def _convergence(inputs: ViewInputs) -> Panel:
    records = inputs.snapshot.records
    alt = measurements.share_sentence(records, "test_converged", "Test images on which the inference converged")
    return Panel("Converged", Chart(model_curves.convergence(inputs.curves), CHART_HEIGHT, alt), about=CONVERGENCE)


def _restored_panel(inputs: ViewInputs) -> Panel:
    """Return the panel of the same few images in each frame: clean, damaged, restored."""
    view, prepared = inputs.snapshot.observation, inputs.snapshot.prepared
    if "restored" not in view:
        return Panel("Restored images", about=RESTORED)
    rows = prepared.rows.validation or prepared.rows.test
    gone = {"seen": _lost(rows.head(IN_A_ROW), inputs.recipe)}
    captions = {"clean": "Clean", "seen": _given(inputs.recipe), "restored": MARGINALS}
    pictures = []
    for key, caption in captions.items():
        tiles = images.pixel_tiles(view[key][:IN_A_ROW], prepared.dataset.shape, columns=IN_A_ROW, lost=gone.get(key))
        alt = f"{caption}. {tiles.count} held-out images."
        pictures.append(Picture.from_tiles(tiles, alt, caption=caption))
    return Panel("Restored images", tuple(pictures), about=RESTORED)


def _lost(rows: Examples, recipe: Recipe) -> Any:
    """Return which pixels the damage hides in the first of these rows."""
    return recipe.corruption.lost(len(rows), rows.shape, seed=recipe.schedule.seed, split=rows.split)


def _given(recipe: Recipe) -> str:
    """Return the title of damaged images, with what the model knows of the lost pixels."""
    if not recipe.corruption.hides:
        return "Damaged: the input"
    return f"Damaged: hatched pixels are lost, the model's input is {'white' if recipe.corruption.value else 'black'}"


def _tiles(inputs: ViewInputs, name: str) -> Panel:
    """Return the panel of the weights of one kind of unit, a tile each."""
    title, what, about = TILES[name]
    array = getattr(inputs.snapshot.state.model, name)
    rows = array.T if name == "W" else array
    page, choices = inputs.page(PAGE, what[0].upper() + what[1:], len(rows))
    tiles = images.weight_tiles(rows, inputs.snapshot.prepared.dataset.shape, page=page)
    which = f"{what} {tiles.first} to {tiles.last}"
    alt = f"{title}, {which}, one tile each, from {-tiles.limit:g} in red to {tiles.limit:g} in blue."
    return Panel(title, (Picture.from_tiles(tiles, alt),), f", {which} of {tiles.count}", about, choices=choices)


def goodness(recipe: Recipe, reached: float, judge: str) -> str:
    """Return the merit of a model at its last measurement, in words."""
    return f"{recipe.corruption.title}, {measurements.percent(-reached)} of pixels wrong in held-out images"


PAGE = "fields"  # the choice of units
MARGINALS = "Restored: the marginal of each pixel, grey if uncertain"
RESTORED = (
    "The same held-out images at each measurement: clean, damaged and restored. The brightness of a restored pixel is "
    "its marginal, the probability that it is on."
)
CONVERGENCE = (
    "The share of images on which the inference converges, with no belief changing by the tolerance or more, within "
    "the iterations that the epoch allows: training images of the current epoch (thin), if the learner uses inference, "
    "and test images (thick). As weights grow, convergence takes more iterations, and later epochs allow more."
)
RECEPTIVE_FIELDS = (
    "W: the weights between one hidden unit and all pixels of the restored image. Positive weights are blue, negative "
    "ones red. All tiles share one scale."
)
FROM_INPUT_TO_HIDDEN = (
    "W_hx: the weights from all pixels of the damaged image to one hidden unit. Blue pixels switch the unit on, red "
    "ones off."
)
FROM_INPUT = (
    "W_vx: the weights from all pixels of the damaged image to one pixel of the restored image. Logistic regression "
    "has no other weights."
)
TILES = {  # title, content of a tile, explanation
    "W": ("Receptive fields", "hidden units", RECEPTIVE_FIELDS),
    "W_hx": ("Weights from the input", "hidden units", FROM_INPUT_TO_HIDDEN),
    "W_vx": ("Weights from the input", "pixels", FROM_INPUT),
}
