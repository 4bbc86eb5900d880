"""Taking a training away: its link, its trace, its model, the code that repeats it."""

import io
import json
from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from boltzcore.data import Own
from boltzcore.learners import State
from boltzcore.names import Names
from boltzcore.runs.engine import Run
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.trace import trace_csv
from pages.parts import lab


def link(recipe: Recipe, run: Run | None, pinned: Sequence[Run]) -> str:
    """The address of a setting, live changes included, of a run to watch, and of those that are pinned. Never of the
    owner's key.
    """
    pins = {"pin": ",".join(each.id for each in pinned)} if pinned else {}
    query = recipe.to_query() | ({"run": run.id} if run else {}) | pins
    return f"{(st.context.url or '').partition('?')[0]}?{urlencode(query, safe=':;,')}"


def code(recipe: Recipe) -> str:
    """Python that repeats the training, number for number."""
    query = json.dumps(recipe.to_query(), indent=4)
    return f"""from boltzcore import Recipe, train

recipe = Recipe.from_query({query})
for step in train(recipe):
    if step.record:
        print(step.record.epoch, dict(step.record.values))
step.state.model.save("model.npz", names=recipe.data.load().names)
"""


def share(recipe: Recipe | None, run: Run | None, pinned: Sequence[Run]) -> None:
    """A popover with everything that can be taken along."""
    with st.popover("Share", disabled=recipe is None):
        if recipe is None:
            return
        st.caption("The address bar of your browser holds the key to your run: share these links instead.")
        st.markdown("**Link to this setting**, live changes included: who opens it can run the same training.")
        st.code(link(recipe, None, pinned), language=None, wrap_lines=True)
        if run:
            st.markdown("**Link to watch this run**: others see it live and cannot touch it.")
            st.code(link(recipe, run, pinned), language=None, wrap_lines=True)
            with st.container(horizontal=True):
                st.download_button(
                    "Trace as CSV", lambda: trace_csv(run.snapshot.records), "trace.csv", "text/csv", on_click="ignore"
                )
                kind = "application/octet-stream"
                none = run.snapshot.state is None
                st.download_button(
                    "Model as .npz",
                    lambda: model_file(run.snapshot.state, names_of(run.recipe, mine=lab.owns(run))),
                    "model.npz",
                    kind,
                    on_click="ignore",
                    disabled=none,
                )
        st.markdown("**Python** that repeats it, number for number:")
        st.code(code(recipe), language="python")


def model_file(state: State, names: Names | None) -> bytes:
    """The model of a State as an .npz file, with the names of the columns that it is about."""
    out = io.BytesIO()
    state.model.save(out, names=names)
    return out.getvalue()


def names_of(recipe: Recipe, *, mine: bool) -> Names | None:
    """The names of the columns of a training's data: not those of somebody else's table."""
    if recipe.data.name == Own.name and not mine:
        return None
    try:
        return recipe.data.load().names if recipe.data.at_hand() else None
    except ValueError:  # they were damaged since
        return None
