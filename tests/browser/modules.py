"""Modules of the pages in a browser that asks no server for them."""

import json

from playwright.sync_api import Page, Route

from pages.figures.frame import Frame, Item, Panel
from pages.stream.encoder import FrameEncoder
from pages.web.scripts import FOLDER, address

ORIGIN = "http://localhost"  # nothing of it is asked for
LOAD = "paths => Promise.all(paths.map((path) => import(path))).then((all) => { Object.assign(window, ...all); })"

DRAW = """(film) => {
    const there = document.querySelector('.lab-live');
    const root = there ?? Object.assign(document.createElement('main'), {className: 'lab-live'});
    if (!there) document.body.append(root);
    (root.begun ??= begin(root)).set({film, last: 1, every: 0}, () => {});
}"""


def load(page: Page, *modules: str) -> None:
    """Open an empty document in which all that these modules export, "<room>/<file>", is known by its name."""
    page.route(f"{ORIGIN}/**", _answer)
    page.goto(ORIGIN)
    page.evaluate(LOAD, [*map(address, modules)])


def draw_film(page: Page, name: str, panel: Panel, *, refusals: int = 0) -> None:
    """Draw a panel as a film of one frame with `stream/film.js`, in place of the one before, if there is one.

    refusals : how often a busy server refuses the frame first
    """
    encoder = FrameEncoder()
    encoder.take("film-1", Frame(below=((Item("panel", (), lambda: panel, "numbers"),),)), {})
    page.route(f"**/film/{name}/1", lambda route: route.fulfill(json=json.loads(encoder.since(""))))
    if refusals:
        busy = {"status": 429, "headers": {"Retry-After": "0"}, "body": "Wait."}
        page.route(f"**/film/{name}/1", lambda route: route.fulfill(**busy), times=refusals)
    page.evaluate(DRAW, name)


def _answer(route: Route) -> None:
    path = route.request.url.removeprefix(ORIGIN)
    if not path.startswith("/scripts/"):
        route.fulfill(body="<!doctype html><title>Modules</title>", content_type="text/html")
        return
    _, _, _, module = path.split("/", 3)
    kind = "text/css" if module.endswith(".css") else "text/javascript"
    route.fulfill(body=(FOLDER / module).read_bytes(), content_type=kind)
