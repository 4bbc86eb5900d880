"""What only an RBM shows while it trains: receptive fields, fantasy particles, weights, gap and reconstruction."""

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.figures import charts, images
from boltzcore.runs.engine import Snapshot
from boltzcore.runs.recipe import Recipe
from pages.parts.plot import live_plot, picture

CHART_HEIGHT = 260


def show(snapshot: Snapshot, recipe: Recipe, dataset: Dataset, *, axis: str, page: int) -> None:
    """Draw the model of a snapshot: `page` of its receptive fields, and curves over `axis`."""
    model = snapshot.state.model
    common = {"family": recipe.learner.family, "axis": axis, "budget": snapshot.budget or None, "updates_per_epoch": snapshot.updates_per_epoch or None}
    left, right = st.columns(2, gap="medium")
    with left:
        fields = images.weight_tiles(model.W.T, dataset.shape, page=page)
        st.markdown(f"**Receptive fields**, hidden units {fields.first} to {fields.last} of {fields.count}", help=RECEPTIVE_FIELDS)
        told = f"Weights of hidden units {fields.first} to {fields.last}, one tile each, from {-fields.limit:g} in red to {fields.limit:g} in blue."
        picture(fields.png, told, width=fields.width)
        _scale(fields.limit)
    with right:
        st.markdown("**Fantasy particles**", help=PARTICLES)
        if "particles" in snapshot.view:
            dreamt = images.pixel_tiles(snapshot.view["particles"], dataset.shape)
            picture(dreamt.png, f"{dreamt.count} images that the model dreams up.", width=dreamt.width)
    known = snapshot.records[-1].values if snapshot.records else {}
    tells = charts.TRAIN in known and dataset.test is not dataset.train  # else it is drawn large already, or zero
    weights, error, gap = st.columns(3, gap="medium")
    with weights:
        st.markdown("**Weights**", help="How many of the weights have which value; the colours are those of the receptive fields.")
        figure = charts.weight_histogram(model.W, fields.limit, "Weight")
        live_plot(figure, key="weights", height=CHART_HEIGHT, alt=f"Histogram of {model.W.size} weights.", version=snapshot.version)
    if tells:
        with gap:
            st.markdown("**Free-energy gap**", help=GAP)
            figure = charts.free_energy_gap(snapshot.records, **common)
            live_plot(figure, key="gap", height=CHART_HEIGHT, alt=charts.told(snapshot.records, charts.GAP, "Free-energy gap"), version=snapshot.version)
    with error:
        st.markdown("**Reconstruction error**, not a likelihood", help=RECONSTRUCTION)
        figure = charts.reconstruction_error(snapshot.records, **common)
        told = charts.told(snapshot.records, charts.RECONSTRUCTION, "Reconstruction error")
        live_plot(figure, key="reconstruction", height=CHART_HEIGHT, alt=told, version=snapshot.version)


RECEPTIVE_FIELDS = (
    "The weights between one hidden unit and all pixels, drawn as an image: blue pixels switch the unit on, red ones switch it off. All tiles share one scale."
)
PARTICLES = "Samples of the model's own: 40 Gibbs chains that go on while it learns. The better the model, the more they look like the data."
GAP = (
    "Mean free energy of validation minus training examples, in nats (of test examples where a data set has no validation part). "
    "Near zero the model treats both alike; a gap that keeps growing is a sign of overfitting."
)
RECONSTRUCTION = (
    "How far pixels are from what one step to the hidden units and back makes of them. It is not a likelihood: it can fall while the model gets worse."
)


def _scale(limit: float) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"\N{MINUS SIGN}{limit:g}", width="content")
        picture(images.weight_scale(), f"Colour scale from minus {limit:g} in red over zero in white to {limit:g} in blue.", width=160)
        st.caption(f"{limit:g}", width="content")
