"""Export of a training: its link, its trace, its model, and code that repeats it."""

import io
import json
from functools import partial

import streamlit as st

from boltzcore.data import Own
from boltzcore.data.table import REFUSE
from boltzcore.data.table_text import codes_of_table, filled_csv, rows_csv
from boltzcore.inference.filling import Rows, fill
from boltzcore.inference.samples import Sampled, draw_samples, sizes_of
from boltzcore.jobs.engine import Run
from boltzcore.learners.base import State
from boltzcore.names import Names
from boltzcore.ticks import Tick
from boltzcore.training.presets import PRESETS, unseeded
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from boltzcore.training.trace import trace_csv
from pages.common import lab, presenting
from pages.common.downloads import download
from pages.common.working import limit_cost
from pages.parts import qr
from pages.parts.for_class import for_class
from pages.parts.presets import UNLISTED, preset_of
from pages.parts.saving import save_page

_SEED, OPEN, FILL = "schedule.seed", "share", "fill gaps"


def link(recipe: Recipe, run: Run | None) -> str:
    """Return the address of a setting, live changes included, and of a run to watch. It never contains the owner's key,
    nor the settings of an uploaded table.
    """
    if run is not None and recipe.private:
        return presenting.link({"run": run.id})
    return presenting.link(recipe.to_query() | ({"run": run.id} if run else {}))


def short_query(recipe: Recipe) -> dict[str, str]:
    """Return the URL parameters of a setting: of a preset its name and, if it differs, the seed."""
    name = preset_of(recipe)
    if name == UNLISTED or recipe.changes or unseeded(recipe) != unseeded(PRESETS[name].recipe):
        return recipe.to_query()
    default = PRESETS[name].recipe.schedule.seed == recipe.schedule.seed
    return {"preset": name} | ({} if default else {_SEED: str(recipe.schedule.seed)})


def code(recipe: Recipe) -> str:
    """Return Python code that repeats the training, number for number."""
    query = json.dumps(recipe.to_query(), indent=4, ensure_ascii=False)
    return f"""from boltzcore import Recipe, train

recipe = Recipe.from_query({query})
for step in train(recipe):
    if step.record:
        print(step.record.epoch, dict(step.record.values))
step.state.model.save("model.npz", names=recipe.data.load().names)
"""


def share(recipe: Recipe | None, run: Run | None) -> None:
    """Draw a popover with all exports."""
    popover = st.popover("Share and download", disabled=recipe is None and run is None, key=OPEN, on_change="rerun")
    qr.show_asked()
    if recipe is None:  # on another visitor's table: the page is the only export
        if run is not None and popover.open:
            with popover:
                save_page("train")
        return
    if not popover.open:
        return
    with popover:
        if run is not None and lab.owns(run):
            st.caption("The address in your browser contains the key to your run: share these links instead.")
        if recipe.private:
            st.caption(
                "These links give no access to your table: others must upload the same rows. The first two links name "
                "the columns in your settings."
            )
        else:
            with st.expander("Link for a class"):
                name = preset_of(recipe)
                title = PRESETS[name].title if name in PRESETS else "this run"
                for_class(short_query(recipe), title=title, within=OPEN)
        st.markdown("**Link that starts automatically**: opens a new run with the same settings.")
        scanned = "**Scan** to start a run on your own screen."
        qr.draw_link(presenting.link(short_query(recipe) | {"play": "1"}), scanned, key="play", within=OPEN)
        st.markdown("**Link to these settings**, live changes included.")
        st.code(link(recipe, None), language=None, wrap_lines=True)
        if run:
            st.markdown("**Link to watch this run** live, without changing it.")
            if recipe.private:
                st.caption("Viewers see curves and figures, but no rows, samples or parameters.")
            scanned = "**Scan** to watch this run on your own screen."
            qr.draw_link(link(recipe, run), scanned, key="watch", within=OPEN)
            _downloads(run)
            save_page("train")
        st.markdown("**Python** that reproduces this run exactly:")
        st.code(code(recipe), language="python")


def _downloads(run: Run) -> None:
    """Draw the downloads of the trace and the model of a training, as they are at the press."""
    with st.container(horizontal=True):
        download("Trace as CSV", "trace.csv", lambda: trace_csv(run.snapshot.records), "numbers", run.recipe)
        for label, name in (("Last model (.npz)", "state"), ("Best model (.npz)", "best")):
            model = partial(model_of, run, name)
            none = getattr(run.snapshot, name) is None
            download(label, f"model-{label[:4].lower()}.npz", model, "samples", run.recipe, disabled=none)
    last, best = run.snapshot.state, run.snapshot.best
    if last is not None and best is not None and run.snapshot.status not in MOVING:
        st.caption(f"Last: update {last.count:,}. Best: update {best.count:,}. Looking back changes neither.")
    if last is not None and isinstance(model := last.model, Sampled):
        n = _number("samples")

        def samples() -> str:
            now = run.snapshot.state.model  # it may have learnt on since
            return rows_csv(draw_samples(now, n).v, names_of(run.recipe), sizes_of(now))

        download("Samples as CSV", "samples.csv", samples, "samples", run.recipe)


def model_of(run: Run, name: str) -> bytes:
    """Return the model of a training as an .npz file: of its last "state", or of its "best"."""
    return model_file(getattr(run.snapshot, name), names_of(run.recipe))


def fill_gaps(run: Run | None) -> None:
    """Draw a popover with the table of a training that keeps or drops rows with gaps, filled in by its model."""
    data = run and run.recipe.data
    if not isinstance(data, Own) or data.missing == REFUSE or not issubclass(run.recipe.entry.kind, Sampled):
        return
    last = run.snapshot.state
    about = "Your table with its missing values filled in by the last model."
    popover = st.popover("Fill gaps", disabled=last is None, key=FILL, on_change="rerun", help=about)
    if last is not None and popover.open and data.at_hand():
        with popover:
            draws = _number("draws")
            filled = limit_cost(
                lambda *, tick: _fill(data, names_of(run.recipe), run.snapshot.state.model, draws, tick=tick),
                "Filling the gaps",
            )
            download("Filled table as CSV", "filled.csv", filled, "rows", run.recipe)


def _fill(data: Own, names: Names | None, model: Sampled, draws: int, *, tick: Tick) -> str:
    """Return the table as CSV with its gaps filled in."""
    table, sizes = data.table(), sizes_of(model)
    codes = codes_of_table(table, names, sizes)
    return filled_csv(table, names, sizes, codes, fill(model, codes, draws=draws, tick=tick))


def _number(name: str) -> int:
    """Draw the field of this name for the number of rows to make."""
    each = Rows.named(name)
    return int(st.number_input(each.label, each.low, each.high, each.default, help=each.help, key=f"rows {name}"))


def model_file(state: State, names: Names | None) -> bytes:
    """Return the model of a State as an .npz file, with the names of its columns."""
    out = io.BytesIO()
    state.model.save(out, names=names)
    return out.getvalue()


def names_of(recipe: Recipe) -> Names | None:
    """Return the column names of a training's data; the caller has checked that this session may see them."""
    there = recipe.data.load_at_hand()
    return None if there is None else there.names
