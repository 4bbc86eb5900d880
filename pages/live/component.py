"""The one component that draws frames in place: those of a run as they come, or those of a film one after another."""

import json
from collections.abc import Sequence

import streamlit as st

from boltzcore.runs.engine import Run, Snapshot
from boltzcore.runs.recipe import Recipe
from pages.live import films
from pages.live.based import BASE_OF
from pages.live.films import Film
from pages.live.scene import around
from pages.live.vendor import LIVE
from pages.parts import lab

WATCHED = 900  # pixels, kept free until the first frame of a run

# Streamlit sends a component's script anew whenever its data change: this one fetches the rest, which stays.
_live = st.components.v2.component(
    "lab_live",
    html='<div class="lab-live"></div>',
    js=f"const CODE = {json.dumps(LIVE)};"
    + BASE_OF
    + """
let coming;
export default function (told) {
  const root = told.parentElement.querySelector('.lab-live');
  const base = baseOf(told.data.page);
  root.style.minHeight ||= `${told.data.height}px`;          // until the first frame tells the heights
  (coming ??= import(location.origin + base + CODE)).then((live) => live.draw(root, told, base), () => {
    coming = undefined;
    root.textContent = 'What draws the pictures did not load. Reload the page.';
  });
  return () => { if (!root.isConnected) coming?.then((live) => live.leave(root)); };
}
""",
    isolate_styles=False,
)


_explain = st.components.v2.component(
    "lab_words",
    html='<div class="lab-words"></div>',
    js=f"const CODE = {json.dumps(LIVE)};"
    + BASE_OF
    + """
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.lab-words');
  const base = baseOf(data.page);
  import(location.origin + base + CODE).then((live) => live.explainIn(root), () => {});
}
""",
    isolate_styles=False,
)


def explain(page: str) -> None:
    """What opens beside a term or a question mark that was pressed, once on each page; page: as for `watch`."""
    _explain(key="words", data={"page": page})


def watch(run: Run, recipe: Recipe, snapshot: Snapshot, pinned: Sequence[Run], *, page: str, mine: bool) -> None:
    """The frames of a run as they come, beside pinned ones, without the script.

    recipe, snapshot : of the run, as the script has drawn what is around
    page : the last part of the page's own address
    mine : whether the script runs again, in the fragment that this is in, once what it draws around the frames has to
        change; a watcher is told in the frame
    """
    told = {"run": run.id, "pin": ",".join(each.id for each in pinned), "mine": mine, "open": lab.opening_of(run)}
    told |= {"model": recipe.model.name, "around": around(recipe, snapshot), "page": page, "height": WATCHED}
    _live(key="live", data=told, on_moved_change=_nothing)


def play(
    key: str,
    film: Film,
    *,
    page: str,
    every: float,
    height: int,
    plays: bool = False,
    controls: str = "",
    group: str = "",
) -> None:
    """A film: it shows its last frame, or plays once from its beginning.

    every : seconds that a frame is shown; height : pixels, kept free until the first
    controls : what a frame is called, where there are buttons to step through them
    group : films of one group are stepped and played together
    """
    told = {"film": films.keep(film), "last": film.last, "plays": plays, "every": 1000 * every, "controls": controls}
    _live(key=key, data=told | {"group": group, "page": page, "height": height}, on_moved_change=_nothing)


def _nothing() -> None:
    """What a run of the script is asked for with; the run is all that is wanted."""
