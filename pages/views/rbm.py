"""What only an RBM shows while it trains: receptive fields, fantasy particles, weights, activity, mixing, gap and reconstruction."""

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.figures import charts, images, reading
from boltzcore.runs.engine import Snapshot
from boltzcore.runs.recipe import Recipe
from pages.parts.plot import live_plot, picture

CHART_HEIGHT = 260
SCALE_WIDTH = 120  # with a figure on either side it fits the narrowest screen


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
    family = recipe.learner.family
    weights, activity, chains = st.columns(3, gap="medium")
    with weights:
        st.markdown("**Weights**", help="How many of the weights have which value; the colours are those of the receptive fields.")
        figure = charts.weight_histogram(model.W, fields.limit, "Weight")
        live_plot(figure, key="weights", height=CHART_HEIGHT, alt=f"Histogram of {model.W.size} weights.", version=snapshot.version)
    with activity:
        _hidden_activity(snapshot, family)
    with chains:
        _chain_autocorrelation(snapshot, family)
    error, gap = st.columns(2, gap="medium")
    with error:
        st.markdown("**Reconstruction error**, not a likelihood", help=RECONSTRUCTION)
        figure = charts.reconstruction_error(snapshot.records, **common)
        told = reading.told(snapshot.records, charts.RECONSTRUCTION, "Reconstruction error")
        live_plot(figure, key="reconstruction", height=CHART_HEIGHT, alt=told, version=snapshot.version)
    if reading.likelihood(snapshot.records) and dataset.test is not dataset.train:  # else it is drawn large already, or zero
        with gap:
            st.markdown("**Free-energy gap**", help=GAP)
            figure = charts.free_energy_gap(snapshot.records, **common)
            live_plot(figure, key="gap", height=CHART_HEIGHT, alt=reading.told(snapshot.records, charts.GAP, "Free-energy gap"), version=snapshot.version)


def _hidden_activity(snapshot: Snapshot, family: str) -> None:
    st.markdown("**Hidden activity**", help=ACTIVITY)
    if (activity := snapshot.view.get("activity")) is not None:
        figure, told = charts.hidden_activity(activity, family=family), reading.dead(activity)
        live_plot(figure, key="activity", height=CHART_HEIGHT, alt=f"Hidden activity of {len(activity)} units, {told}.", version=snapshot.version)
        st.caption(f"{told.capitalize()}.")


def _chain_autocorrelation(snapshot: Snapshot, family: str) -> None:
    st.markdown("**Chain autocorrelation**", help=AUTOCORRELATION)
    if (rho := snapshot.view.get("autocorrelation")) is not None:
        figure, told = charts.chain_autocorrelation(rho, family=family), reading.mixing(rho)
        live_plot(figure, key="autocorrelation", height=CHART_HEIGHT, alt=f"Autocorrelation of Gibbs chains. {told}", version=snapshot.version)
        st.caption(told)


RECEPTIVE_FIELDS = (
    "The weights between one hidden unit and all pixels, drawn as an image: blue pixels switch the unit on, red ones switch it off. All tiles share one scale."
)
PARTICLES = "Samples of the model's own: 40 Gibbs chains that go on while it learns. The better the model, the more they look like the data."
ACTIVITY = (
    "How often each hidden unit is on, over the training images: the mean of p(h = 1 | v). "
    "A unit that is on in fewer than 1 % or more than 99 % of them is dead: it tells the images hardly apart."
)
AUTOCORRELATION = (
    "How much the fantasy particles still resemble themselves after so many Gibbs transitions: 1 at first, 0 once they have forgotten where they were. "
    "Slow forgetting makes gradients from few Gibbs steps poor. Measured over the last 50 transitions of 40 chains."
)
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
        picture(images.weight_scale(), f"Colour scale from minus {limit:g} in red over zero in white to {limit:g} in blue.", width=SCALE_WIDTH)
        st.caption(f"{limit:g}", width="content")
