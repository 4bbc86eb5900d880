"""The component in which one update is played phase by phase, or two beside each other."""

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.inside.scripts import INSIDE
from pages.web.base_url import BASE_URL_OF

_inside = st.components.v2.component(
    "lab_inside",
    html='<div class="lab-inside"></div>',
    js=f"const CODE = {json.dumps(INSIDE.path)};"
    + BASE_URL_OF
    + """
let coming;
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.lab-inside'), base = baseUrlOf(data.page);
  root.style.minHeight ||= '700px';  // kept free until it is drawn
  (coming ??= import(location.origin + base + CODE)).then((inside) => inside.look(root, data, base), () => {
    coming = undefined;
    root.textContent = 'What draws the step did not load. Reload the page.';
  });
  return () => { if (!root.isConnected) coming?.then((inside) => inside.leave(root)); };
}
""",
    isolate_styles=False,
)


def inside(
    source: str,
    *,
    page: str,
    version: str = "",
    beside: str = "",
    row: int = 0,
    choose: Mapping[str, Any] | None = None,
) -> None:
    """One update, taken apart.

    source : of `sources`: "run/<id>" by `sources.of_run`, or "example/<name>"; beside : another, on the same row
    page : the last part of the page's own address
    version : where it becomes another, the update is asked for anew
    row : of the mini-batch, first; choose : what is looked at first, {"pick", "index"} as the view numbers it
    """
    data = {"of": [each for each in (source, beside) if each], "version": version, "row": row}
    _inside(key=f"inside {source} {beside}", data=data | {"page": page, "choose": choose})
