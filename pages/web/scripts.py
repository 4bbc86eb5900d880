"""Scripts and styles of the pages: one static mount serves them, and one loader in a component runs them.

A browser keeps a file for good: the address of all of them contains their digest, so that changed files have another
address. Modules find each other by relative paths, as they do in the folders.
"""

import gzip
import hashlib
import json
import posixpath
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from pages.web.base_url import BASE_URL_OF, base_path
from pages.web.session import SESSION

Component = Callable[..., Any]  # mounts a component of Streamlit's
FOLDER = Path(__file__).parent.parent
PLOTLY = "plotly.min.js"  # the one inside its wheel
_PATH = "/scripts"
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_NEEDED = re.compile(r"(?:from |import |URL\()'(\.[^']+\.(?:js|css))'")  # a module's own, by its relative path
_KEPT = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}
_GROUND = "min-height: inherit; padding: 1rem; background: var(--st-secondary-background-color); border-radius: .5rem"
_packing = Lock()

# A component's own script, which Streamlit sends again whenever its data change: it loads the modules, which stay.
_LOADER = """
let loaded;
export default function ({ data, parentElement, setTriggerValue, setStateValue }) {
  const root = parentElement.querySelector(`.${STYLE}`), base = baseUrlOf(data.page);
  root.inert = Boolean(data.locked);
  root.dataset.module = base + NEEDED[0];
  root.style.minHeight ||= `${data.height ?? 0}px`;                // until what is drawn has a height
  if (!loaded) for (const path of NEEDED) {                        // all at once, and not one after the other
    const kind = path.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' };
    document.head.append(Object.assign(document.createElement('link'), { href: base + path, ...kind }));
  }
  (loaded ??= import(location.origin + base + NEEDED[0])).then(({ begin }) => {
    if (root.isConnected) (root.begun ??= begin(root, data)).set(data, setTriggerValue, setStateValue);
  }, () => {
    loaded = undefined;
    root.textContent = 'This component did not load. Reload the page.';
  });
  const end = () => {
    if (root.isConnected) return;
    clearInterval(root.minded);
    root.begun?.end?.();
    root.begun = root.minded = undefined;
  };
  root.minded ??= setInterval(end, 1_000);
  return end;
}
"""


def component(name: str, module: str, style: str, waiting: str = "") -> Component:
    """Return a component that a module draws, a file below `pages`: it exports `begin(root, data)`, which returns {
    set(data, send, keep), end(), saved(few) }. `set` is called at each run of the page's script, with functions that
    send a trigger value and keep a state value; `end`, which is optional, once the component has left the page; `saved`
    if the component is saved in a file (`parts/saving.js`).

    style : the class of the element to draw in
    waiting : a text on a ground as large as the drawing, until the module draws; "" if it takes no room
    """

    @cache
    def registered() -> Component:
        values = {"NEEDED": [*map(address, needed(module))], "STYLE": style}
        declared = "".join(f"const {key} = {json.dumps(value)};\n" for key, value in values.items())
        ground = f'<div role="status" style="{_GROUND}">{waiting}</div>' if waiting else ""
        html = f'<div class="{style}">{ground}</div>'
        js = declared + BASE_URL_OF + _LOADER
        return st.components.v2.component(name, html=html, js=js, isolate_styles=False)

    def mount(data: dict[str, Any], **given: Any) -> Any:
        return registered()(data={"page": SESSION.page or ""} | data, **given)

    return mount


def run_again() -> None:
    """Do nothing: a callback whose only effect is a run of the script."""


def files() -> list[str]:
    """Return the paths of all scripts and styles."""
    return sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.suffix in _TYPES)


def needed(module: str) -> list[str]:
    """Return the path of a module, and those of all modules and styles that it needs."""
    found = [module]
    for file in found:
        for path in _NEEDED.findall((FOLDER / file).read_text(encoding="utf-8")):
            if (other := posixpath.normpath(posixpath.join(posixpath.dirname(file), path))) not in found:
                found.append(other)
    return found


def address(file: str) -> str:
    """Return the address of a script or style, below the app's own address."""
    return f"{_PATH}/{_digest()}/{file}"


@cache
def _digest() -> str:
    digest = hashlib.blake2s(version("plotly").encode(), digest_size=8)
    for file in files():
        digest.update(file.encode() + (FOLDER / file).read_bytes())
    return digest.hexdigest()


@cache
def _packed(file: str) -> bytes:
    return gzip.compress(Path(file).read_bytes(), 6)


class _Scripts(StaticFiles):
    """Serves scripts and styles alone, below the digest of all of them."""

    def lookup_path(self, path: str) -> Any:
        digest, *file = Path(path).parts
        if digest != _digest() or Path(path).suffix not in _TYPES:
            return "", None
        found, stat = super().lookup_path(str(Path(*file)))
        if stat is not None:
            with _packing:  # in this thread, and once for all browsers of a classroom
                _packed(found)
        return found, stat

    def file_response(self, full_path: Any, *_: Any) -> Response:
        return Response(_packed(full_path), media_type=_TYPES[Path(full_path).suffix], headers=_KEPT)


_served = _Scripts(directory=FOLDER, packages=[("plotly", "package_data")])
ROUTES = [Mount(f"{prefix}{_PATH}", _served) for prefix in dict.fromkeys(("", base_path()))]
