"""Modules of the pages in a browser that asks no server for them."""

from playwright.sync_api import Page, Route

from pages import routes
from pages.web.scripts import MODULES, PREFIX, address

assert routes.ROUTES  # all rooms have their modules by now
ORIGIN = "http://localhost"  # nothing of it is asked for
LOAD = "paths => Promise.all(paths.map((path) => import(path))).then((all) => { Object.assign(window, ...all); })"


def load(page: Page, *modules: str) -> None:
    """Open an empty document in which all that these modules export, "<room>/<file>", is known by its name."""
    page.route(f"{ORIGIN}/**", _answer)
    page.goto(ORIGIN)
    page.evaluate(LOAD, [*map(address, modules)])


def _answer(route: Route) -> None:
    path = route.request.url.removeprefix(ORIGIN)
    if not path.startswith(PREFIX):
        route.fulfill(body="<!doctype html><title>Modules</title>", content_type="text/html")
        return
    _, _, _, module = path.split("/", 3)
    route.fulfill(body=MODULES[module], content_type="text/javascript")
