"""The one component that draws frames in place: those of a film one after another, or what `pages.live` gives it."""

import json

import streamlit as st

from pages.frames import films
from pages.frames.films import Film
from pages.frames.scripts import FRAMES
from pages.web.base_url import BASE_URL_OF

# Streamlit sends a component's script anew whenever its data change: this one fetches the rest, which stays.
draw_frames = st.components.v2.component(
    "lab_live",
    html='<div class="lab-live"></div>',
    js=f"const CODE = {json.dumps(FRAMES.path)};"
    + BASE_URL_OF
    + """
let coming;
export default function (told) {
  const root = told.parentElement.querySelector('.lab-live');
  const base = baseUrlOf(told.data.page);
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
    js=f"const CODE = {json.dumps(FRAMES.path)};"
    + BASE_URL_OF
    + """
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.lab-words');
  const base = baseUrlOf(data.page);
  import(location.origin + base + CODE).then((live) => live.explainIn(root), () => {});
}
""",
    isolate_styles=False,
)


def explain(page: str) -> None:
    """What opens beside a term or a question mark that was pressed: once on each page.

    page : the last part of its own address
    """
    _explain(key="words", data={"page": page})


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
    data = {"film": films.keep(film), "last": film.last, "plays": plays, "every": 1000 * every, "controls": controls}
    draw_frames(key=key, data=data | {"group": group, "page": page, "height": height}, on_moved_change=run_again)


def run_again() -> None:
    """What a run of the script is asked for with; the run is all that is wanted."""
