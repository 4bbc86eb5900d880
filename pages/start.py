"""Start: what this place is, a trained machine at work, and where to go.

The machine was made by
python -m boltzcore train --learner PCD --data mnist --set hidden=100 --set rate=0.02 --set batch_size=100 --set K=2
--epochs 60 --out assets/mnist-rbm.npz
"""

from functools import cache

import streamlit as st

from boltzcore.data import Own
from boltzcore.home import asset
from boltzcore.models import RBM
from boltzcore.recorded import restoration_of_a_digit
from boltzcore.registry import LEARNERS, info_of
from boltzcore.training.presets import GROUPS, PRESETS
from boltzcore.warmup import FIRST as LARGE
from boltzcore.warmup import RESTORING
from pages.common import lab, style
from pages.common.glossary import marked
from pages.common.picture import picture
from pages.common.waiting import show_waiting
from pages.figures import restoration as figures
from pages.parts import cockpit, recorded
from pages.parts.dream import dream

FIRST = next(iter(PRESETS))
SHAPE = (28, 28)
IN_A_ROW = 3


@cache
def trained() -> RBM:
    return RBM.load(asset("mnist-rbm.npz"))


@cache
def example() -> tuple[bytes, bytes]:
    """A digit of ours with flipped pixels, and what the first conditional RBM makes of it."""
    damaged, restored = restoration_of_a_digit()
    return figures.digit(damaged, SHAPE), figures.digit(restored, SHAPE)


def brought_back() -> None:
    """The example side by side; as it was recorded, until the kernels are there."""
    if lab.ready(RESTORING):
        kept = recorded.recorded()
        damaged, restored = figures.digit(kept.damaged, SHAPE), figures.digit(kept.restored, SHAPE)
        st.caption(f"{recorded.SINCE}.")
    else:
        damaged, restored = example()
    before, after = st.columns(2, gap="medium")
    with before:
        picture(damaged, "A handwritten three with a tenth of its pixels flipped.", caption="What the model sees")
    with after:
        picture(restored, "The three that the model has restored.", caption="What it makes of it")


words, machine = st.columns([1, 1], gap="large", vertical_alignment="center")
with words:
    st.title("Boltzmann Lab", anchor=False)
    st.markdown(
        marked(
            "A Boltzmann machine learns by comparing what it has seen with what it dreams up. "
            "Here you watch it happen: choose a model, data and a way to learn, press play, and see likelihood, "
            "weights and dreams change."
        )
    )
    if st.button("Watch a machine learn handwriting", type="primary"):
        st.switch_page("train.py", query_params={"preset": FIRST, "play": "1"})
    st.caption("Trained now on scanned digits, in seconds, by the computer that serves this page.")
    st.page_link(
        "learn.py",
        label="What is a Boltzmann machine? The first lesson",
        icon=":material/arrow_forward:",
        icon_position="right",
        query_params={"lesson": "boltzmann-machine"},
    )
    st.page_link(
        "step.py",
        label="How does it learn? Inside one step",
        icon=":material/arrow_forward:",
        icon_position="right",
    )
with machine, st.container(border=True):
    st.markdown(
        marked(
            "**Dreamt, not written.** A restricted Boltzmann machine that has learnt 60,000 handwritten digits draws "
            "new ones out of noise."
        )
    )
    if waiting := lab.ready():
        recorded.dreams(page="")
        show_waiting(LARGE, waiting, page="")
    else:
        dream(trained(), SHAPE, page="")

with st.container(border=True):
    invitation, pictures = st.columns(2, gap="large", vertical_alignment="center")
    with invitation:
        st.header("Draw a digit, damage it, get it back", anchor=False)
        st.write(
            marked(
                "A conditional RBM sees only what is left of a digit. Belief propagation finds out, pixel by pixel, "
                "what was there."
            )
        )
        st.page_link("denoise.py", label="Draw one yourself", icon=":material/arrow_forward:", icon_position="right")
    with pictures:
        brought_back()


def cards(group: str, *, in_a_row: int) -> None:
    """The trainings of a group: the question, what one will see, and in a small line what is trained."""
    names = [name for name, preset in PRESETS.items() if preset.group == group]
    for row in (names[first : first + in_a_row] for first in range(0, len(names), in_a_row)):
        for column, name in zip(st.columns(in_a_row), row, strict=False):
            preset = PRESETS[name]
            with column, style.card(name, info_of(preset.recipe.learner).family):
                st.subheader(preset.title, anchor=False)
                st.write(marked(preset.about))
                st.space("stretch")
                st.caption(marked(cockpit.line(preset.recipe)))
                st.page_link(
                    "train.py",
                    label=f"Open: {preset.title}",
                    icon=":material/arrow_forward:",
                    icon_position="right",
                    query_params={"preset": name},
                )


first, *others = GROUPS
st.header(GROUPS[first], anchor=False)
cards(first, in_a_row=IN_A_ROW)
st.header("More experiments, by question", anchor=False)
for group in others:
    with st.expander(GROUPS[group]):
        cards(group, in_a_row=IN_A_ROW)

st.header("Bring your own", anchor=False)
with st.container(border=True):
    st.write(
        marked(
            "A table to learn from (yes and no, categories or numbers), or a model file to look into. The library also "
            "keeps every training, its trace and its model."
        )
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Upload a table", icon=":material/upload:"):
            st.switch_page("library.py", query_params={"view": "data", "set": Own.name})
        st.page_link("library.py", label="Data", query_params={"view": "data"})
        st.page_link("library.py", label="Models", query_params={"view": "models"})
        st.page_link("library.py", label="Trainings", query_params={"view": "trainings"})

with st.expander("The algorithms, and where they come from"):
    for info in LEARNERS.values():
        st.markdown(marked(f"**{info.title}.** {info.source}"))
