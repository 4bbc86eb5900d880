"""Inside one step: an update of each learner that shows what it does, played and clickable."""

from difflib import get_close_matches

import streamlit as st

from boltzcore.figures import naming
from boltzcore.quoting import quoted
from boltzcore.runs.worked_examples import Example, step_named
from boltzcore.warmup import needed
from pages.common import address, keyboard
from pages.common.glossary import marked
from pages.common.setting import mirror, select
from pages.common.waiting import wait_for
from pages.common.words import plain, warn
from pages.inside.choosing import choice
from pages.inside.component import inside
from pages.parts import cockpit, examples

PAGE = "step"
STYLE = """<style>
@media (max-width: 640px) {
  .st-key-chosen [data-testid="stHorizontalBlock"] { flex-wrap: wrap; gap: .5rem; }
  .st-key-chosen [data-testid="stColumn"] { flex: 1 1 40%; min-width: 0; }
  .st-key-chosen [data-testid="stColumn"]:first-child { flex-basis: 100%; }
  .st-key-chosen h1 { font-size: 1.5rem; padding: 0 0 .5rem; }
  .st-key-step h2 { font-size: 1.2rem; padding: 0 0 .5rem; }
}
</style>"""
_CHOSEN, _REFUSED = "example of a step", "example of a step refused"


def arrive(there: dict[str, Example]) -> None:
    """Take the example of the address when the page opens and when the browser goes back."""
    if not address.arriving():
        return
    asked, first = st.query_params.get("example"), next(iter(there))
    if asked is not None or st.session_state.get(_CHOSEN) not in there:
        st.session_state[_CHOSEN] = asked if asked in there else first
    near = get_close_matches(asked or "", there)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    wrong = f"There is no example {quoted(asked)}.{meant} {there[first].title} is shown instead."
    known = asked is None or asked in there
    st.session_state[_REFUSED] = [*([] if known else [wrong]), *address.strange(st.query_params, "example".__eq__)]


def put(name: str) -> None:
    st.session_state[_CHOSEN], st.session_state[_REFUSED] = name, []


def choose(there: dict[str, Example], name: str) -> None:
    """Where one is, the model, and one of its examples."""
    group, firsts = examples.group_of(there[name]), {}
    for key, example in there.items():
        firsts.setdefault(examples.group_of(example), key)
    mine = [key for key in there if examples.group_of(there[key]) == group]
    title, left, right = st.columns([1.2, 1, 2], gap="small", vertical_alignment="bottom")
    with title:
        st.title("Inside one step", anchor=False)
    with left:
        about = "What learns; or two learners that go on from the same weights, with the same numbers drawn."
        select(
            "model of a step",
            "Model",
            firsts,
            examples.GROUPS,
            group,
            help=about,
            on_pick=lambda group: put(firsts[group]),
        )
    with right:
        about = "The learner, and what its step shows."
        select("which step", "Step", mine, examples.titles(there), name, help=about, on_pick=put)


def show(name: str, example: Example) -> None:
    """The question, what to watch, and the step itself."""
    st.header(example.title, anchor=False)
    st.markdown(f"**What to look for:** {marked(example.look_for)}")
    recipe = example.recipe
    if wait_for(needed(recipe), page=PAGE):
        return
    first, *others = examples.sides(name, example)
    step = step_named(first)
    beside = "".join(f"example/{other}" for other in others)
    inside(f"example/{first}", page=PAGE, beside=beside, row=step.row, choose=choice(step))
    after = f"after {step.update:,} update{'s' * (step.update > 1)}" if step.update else "before its first update"
    took = [naming.name(step_named(each).learner) for each in (first, *others)]
    both = f" {' and '.join(took)} take the next update from there." if others else ""
    st.caption(marked(plain(f"{cockpit.line(recipe)}, {after}.{both}")))
    st.page_link(
        "train.py",
        label="Train this yourself",
        icon=":material/arrow_forward:",
        icon_position="right",
        query_params=recipe.to_query(),
    )


there = examples.by_group()
arrive(there)
name = st.session_state[_CHOSEN]
keyboard.serve("Skip to the step", ["step"])
warn(st.session_state.get(_REFUSED, []))
st.html(STYLE)
with st.container(key="chosen"):
    choose(there, name)
with st.container(key="step"):
    show(name, there[name])
mirror({"example": name})
