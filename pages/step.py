"""One step: updates that show what a learner does, played and clickable."""

from difflib import get_close_matches

import streamlit as st

from boltzcore.quoting import quoted
from boltzcore.warmup import needed
from pages.common import address, keyboard
from pages.common.glossary import link_terms
from pages.common.setting import mirror, select
from pages.common.waiting import wait_for
from pages.common.words import escape, warn
from pages.inside.component import inside
from pages.inside.worked_examples import STEPS
from pages.parts import cockpit
from pages.parts.examples import MODEL_TITLES, of_model
from pages.parts.saving import save_page
from pages.web.session import SESSION

STYLE = """<style>
@media (max-width: 640px) {
  [class*="st-key-which-step"] * { font-size: .8rem; }
  .st-key-chosen h1 { font-size: 1.5rem; padding: 0 0 .5rem; }
  .st-key-step h2 { font-size: 1.2rem; padding: 0 0 .5rem; }
}
</style>"""
_PLACE = "example"  # of refusals


def arrive() -> None:
    """Take the example of the address when the page opens and when the browser goes back."""
    if not address.is_arriving():
        return
    asked, first = st.query_params.get("example"), next(iter(STEPS))
    if asked is not None or SESSION.example not in STEPS:
        SESSION.example = asked if asked in STEPS else first
    near = get_close_matches(asked or "", STEPS)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    wrong = f"There is no example {quoted(asked)}.{meant} Showing “{STEPS[first].title}”"
    known = asked is None or asked in STEPS
    SESSION.refused[_PLACE] = [*([] if known else [wrong]), *address.unknown_params(st.query_params, "example".__eq__)]


def set_example(name: str) -> None:
    SESSION.example, SESSION.refused[_PLACE] = name, []


def choose(name: str) -> None:
    """Draw the choice of the model and one of its examples."""
    model = STEPS[name].recipe.model.name
    title, left, right = st.columns([1.2, 1, 2], gap="small", vertical_alignment="bottom")
    with title:
        st.title("One step", anchor=False)
    with left:
        select(
            "model of a step",
            "Model",
            MODEL_TITLES,
            MODEL_TITLES,
            model,
            help="The model that learns.",
            on_pick=lambda chosen: set_example(next(iter(of_model(chosen)))),
        )
    with right:
        about, titles = "The learner and what its step shows.", of_model(model)
        select("which step", "Step", titles, titles, name, help=about, on_pick=set_example)


def show(name: str) -> None:
    """Draw the question, what to watch, and the step itself."""
    step = STEPS[name]
    st.header(step.title, anchor=False)
    st.markdown(f"**What to look for:** {link_terms(step.look_for)}")
    if wait_for(needed(step.recipe)):
        return
    inside(f"example/{name}", row=step.row, choose=step.choose)
    after = f"after {step.update:,} update{'s' * (step.update > 1)}" if step.update else "before its first update"
    st.caption(link_terms(escape(f"{cockpit.line(step.recipe)}, {after}.")))
    st.page_link(
        "train.py",
        label="Train this yourself",
        icon=":material/arrow_forward:",
        icon_position="right",
        query_params=step.recipe.to_query(),
    )
    save_page("one-step")


arrive()
name = SESSION.example
keyboard.serve("Skip to the step", ["step"])
warn(SESSION.refused.get(_PLACE, []))
st.html(STYLE)
with st.container(key="chosen"):
    choose(name)
with st.container(key="step"):
    show(name)
mirror({"example": name})
