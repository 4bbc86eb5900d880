"""Taking a training away: its link, its trace, its model, the code that repeats it."""

import io
import json
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from boltzcore.learners import State
from boltzcore.names import Names
from boltzcore.runs.engine import Run
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.snapshot import Snapshot
from boltzcore.runs.trace import trace_csv
from pages.common import lab
from pages.parts import codes, pins
from pages.parts.presets import UNLISTED, preset_of

_SEED, OPEN, _CODE = "schedule.seed", "share", "link shown as a code"


def link(recipe: Recipe, run: Run | None, pinned: Sequence[Run]) -> str:
    """The address of a setting, live changes included, of a run to watch, and of those that are pinned. Never of the
    owner's key, nor of what a run on an uploaded table learns from.
    """
    if run is not None and recipe.private:
        return f"{(st.context.url or '').partition('?')[0]}?{urlencode({'run': run.id})}"
    return _address(recipe.to_query() | ({"run": run.id} if run else {}), recipe, pinned)


def playing(recipe: Recipe, pinned: Sequence[Run]) -> str:
    """The address of a setting that starts to play when it is opened: of a preset by its name, so that it is short."""
    query, name = recipe.to_query(), preset_of(recipe)
    if name != UNLISTED and not recipe.changes:
        default = PRESETS[name].recipe.schedule.seed == recipe.schedule.seed
        query = {"preset": name} | ({} if default else {_SEED: str(recipe.schedule.seed)})
    return _address(query | {"play": "1"}, recipe, pinned)


def _address(query: Mapping[str, str], recipe: Recipe, pinned: Sequence[Run]) -> str:
    pins_of = pins.parameters(recipe.to_query(), pinned, recipes=True)
    return f"{(st.context.url or '').partition('?')[0]}?{urlencode({**query, **pins_of}, safe=':;,=')}"


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
    popover = st.popover("Share", disabled=recipe is None, key=OPEN, on_change="rerun")
    if (shown := st.session_state.pop(_CODE, None)) is not None:
        codes.show(*shown)
    if recipe is None or not popover.open:
        return
    with popover:
        st.caption("The address bar of your browser holds the key to your run: share these links instead.")
        if recipe.private:
            st.caption(
                "Your table stays here: these links open it for nobody else, who has to bring the same rows. The first "
                "two name the columns that you have left out."
            )
        st.markdown("**Link that starts playing**: who opens it watches a training of their own begin, like this one.")
        offered(playing(recipe, pinned), "**Scan it:** on your own screen, a training begins.", key="play")
        st.markdown("**Link to this setting**, live changes included: who opens it can run the same training.")
        st.code(link(recipe, None, pinned), language=None, wrap_lines=True)
        if run:
            st.markdown("**Link to watch this run**: others see it live and cannot touch it.")
            if recipe.private:
                st.caption(
                    "They see what its pictures show, the names of columns included, but no rows, and get no model."
                )
            offered(link(recipe, run, pinned), "**Scan it:** watch this training on your own screen.", key="watch")
            _downloads(run)
        st.markdown("**Python** that repeats it, number for number:")
        st.code(code(recipe), language="python")


def _downloads(run: Run) -> None:
    """The trace and the model of a training, as they are when they are asked for."""
    check = lab.check_later(run.recipe)

    def now() -> Snapshot:
        check()
        return run.snapshot

    with st.container(horizontal=True):
        st.download_button("Trace as CSV", lambda: trace_csv(now().records), "trace.csv", "text/csv", on_click="ignore")
        st.download_button(
            "Model as .npz",
            lambda: model_file(now().state, names_of(run.recipe)),
            "model.npz",
            "application/octet-stream",
            on_click="ignore",
            disabled=run.snapshot.state is None,
        )


def offered(address: str, what: str, *, key: str) -> None:
    """A link to copy, or to show as a code; what: what happens to who scans that."""
    st.code(address, language=None, wrap_lines=True)
    st.button("Show as QR code", key=f"code {key}", on_click=_show, args=(what, address))


def _show(what: str, address: str) -> None:
    """Show a link as a code, and close the popover, which would lie on it."""
    st.session_state[OPEN], st.session_state[_CODE] = False, (what, address)


def model_file(state: State, names: Names | None) -> bytes:
    """The model of a State as an .npz file, with the names of the columns that it is about."""
    out = io.BytesIO()
    state.model.save(out, names=names)
    return out.getvalue()


def names_of(recipe: Recipe) -> Names | None:
    """The names of the columns of a training's data, where this session may see them."""
    if not lab.may_use(recipe):
        return None
    try:
        return recipe.data.load().names if recipe.data.at_hand() else None
    except ValueError:  # they were damaged since
        return None
