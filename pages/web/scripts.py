"""ES modules for browsers: they lie in the folders of the rooms that draw, with one server and one loader of them.

A browser keeps a module for good: the address of all of them names their content, so that another content has another
address. Modules find each other by relative paths, as they do in the folders.
"""

import gzip
import hashlib
import json
import posixpath
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.web.base_url import BASE_URL_OF, routes_at

Component = Callable[..., Any]  # mounts a component of Streamlit's
MODULES: dict[str, bytes] = {}  # {"<room>/<file>": code} of all rooms
PREFIX = "/vendor"
_CONSTANTS = "constants.js"
_IMPORT = re.compile(r"from '(\.[^']+)';$", re.MULTILINE)
_KEPT = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}
_packing = Lock()

# A component's own script, which Streamlit sends anew whenever its data change: it fetches the modules, which stay.
_LOADER = """
let loaded;
export default function (given) {
  const root = given.parentElement.querySelector(`.${STYLE}`), base = baseUrlOf(given.data.page);
  root.style.minHeight ||= `${given.data.height ?? 0}px`;          // until what is drawn has a height
  if (!loaded) for (const path of IMPORTED) {                      // all at once, and not one after the other
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: base + path }));
  }
  (loaded ??= import(location.origin + base + MODULE)).then((module) => module.draw(root, given, base), () => {
    loaded = undefined;
    root.textContent = 'The script that draws this did not load. Reload the page.';
  });
  return () => { if (!root.isConnected) loaded?.then((module) => module.leave?.(root)); };
}
"""


class Scripts:
    """The modules in a room's folder.

    below : rooms that they may import from
    constants : what they import from the room's `constants.js`
    """

    def __init__(self, folder: Path, *below: "Scripts", **constants: Any) -> None:
        self._room = folder.name
        self._reached = {self._room}.union(*(each._reached for each in below))
        for file in folder.rglob("*.js"):
            MODULES[f"{self._room}/{file.relative_to(folder).as_posix()}"] = file.read_bytes()
        if constants:
            declared = (f"export const {name} = {json.dumps(value)};\n" for name, value in constants.items())
            MODULES[f"{self._room}/{_CONSTANTS}"] = "".join(declared).encode()

    def component(self, name: str, file: str, style: str, waiting: str = "") -> Component:
        """A component that a module draws: it exports `draw(root, given, base)`, which is called at each run of the
        page's script, and may export `leave(root)`.

        style : the class of the element to draw in; waiting : HTML in it until the module draws
        """

        @cache
        def registered() -> Component:  # when it is drawn first: all rooms are there by then
            module = f"{self._room}/{file}"
            values = {"MODULE": address(module), "IMPORTED": [*map(address, self.imported(module))], "STYLE": style}
            declared = "".join(f"const {key} = {json.dumps(value)};\n" for key, value in values.items())
            mount: Component = st.components.v2.component(
                name,
                html=f'<div class="{style}">{waiting}</div>',
                js=declared + BASE_URL_OF + _LOADER,
                isolate_styles=False,
            )
            return mount

        return lambda **given: registered()(**given)

    def imported(self, module: str) -> list[str]:
        """The modules that one imports, and those that they import. ValueError where one is in no room below."""
        found: dict[str, None] = {}
        todo = [module]
        while todo:
            at = todo.pop()
            for path in _IMPORT.findall(MODULES[at].decode()):
                other = posixpath.normpath(posixpath.join(posixpath.dirname(at), path))
                if other.partition("/")[0] not in self._reached or other not in MODULES:
                    raise ValueError(f"{at} must import a module of its own room, or of one below, not {path!r}.")
                if other not in found:
                    found[other] = None
                    todo.append(other)
        return list(found)

    @property
    def modules(self) -> list[str]:
        """Their names, "<room>/<file>"."""
        return [name for name in MODULES if name.startswith(f"{self._room}/")]

    @property
    def routes(self) -> list[Route]:
        """Those that serve them."""
        return routes_at(f"{PREFIX}/{{digest}}/{self._room}/{{file:path}}", self._serve, "numbers")

    def _serve(self, request: Request) -> Response:
        module = f"{self._room}/{request.path_params['file']}"
        if request.path_params["digest"] != _digest(len(MODULES)) or module not in MODULES:
            return Response(status_code=404)
        return script(MODULES[module])


def run_again() -> None:
    """What a run of the script is asked for with; the run is all that is wanted."""


def text_of(folder: Path, name: str) -> str:
    """The text of a file of a room's folder, a style or a page."""
    return (folder / name).read_text(encoding="utf-8")


def address(module: str) -> str:
    """Where a browser finds a module, "<room>/<file>", below the app's own address."""
    return f"{PREFIX}/{_digest(len(MODULES))}/{module}"


def script(code: bytes) -> Response:
    """An answer with a script, which a browser keeps for good."""
    with _packing:  # compressed once, and not for each browser of a classroom
        packed = _packed(code)
    return Response(packed, media_type="text/javascript", headers=_KEPT)


@cache
def _packed(code: bytes) -> bytes:
    return gzip.compress(code, 6)


@cache
def _digest(_modules: int) -> str:
    """Of all that there are by now, this many."""
    return hashlib.blake2s(repr(sorted(MODULES.items())).encode(), digest_size=8).hexdigest()
