"""A served app, a real Chromium, and what every page promises to its visitors."""

import fcntl
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, TimeoutError, expect, sync_playwright

from boltzcore.data import Dataset
from boltzcore.learners.base import Learner, State
from boltzcore.reference import trace
from pages.inside.trace import Trace
from pages.web.scripts import address
from tests.browser import modules
from tests.browser.journeys import button
from tests.tools.chromium import find, launched
from tests.tools.served import ADDRESS, app

expect.set_options(timeout=20_000)

DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NARROW = 320
HERE = ("localhost", urlsplit(os.environ.get(ADDRESS, "")).hostname, None)  # hosts that a page may ask
# Drawn, with the project's own style, which Streamlit puts in last, with the scripts that listen to keys, and nothing
# fading: what fades has less contrast for a moment.
AT_REST = """() => [...document.querySelectorAll('style')]
        .some(style => style.textContent.includes('stCaptionContainer'))
    && (!document.querySelector('.st-key-keyboard') || document.querySelector('.lab-skip'))
    && !document.querySelector('[data-stale="true"], [data-testid="stStatusWidget"]')
    && !document.getAnimations().some(each => each instanceof CSSTransition && each.playState === 'running')"""
IN_SCHEME = """scheme => {
  const [red, green, blue] = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor
    .match(/\\d+/g).map(Number);
  return (red + green + blue < 384) === (scheme === 'dark');
}"""
# Lines of Streamlit about a visitor that leaves just while something is sent: its own, and harmless.
LEFT = re.compile(r"Traceback \(most recent call last\):\n(?: .*\n)+starlette\.websockets\.WebSocketDisconnected: ")

# The view of a trace as it came, and the sums of each block for all phases and all that can be chosen.
OPEN = """async ([head, path]) => {
  const { view: viewOf } = await import(path);
  const trace = { ...head, units: new Map(), models: head.models.map(arraysOf),
    phases: head.phases.map(phaseOf) };
  trace.unit = () => undefined;
  const lab = { still: true, redraw() {}, choose: (what) => { lab.chosen = what; } };
  const view = viewOf(trace, lab);
  document.body.replaceChildren(view.stage);
  view.layout(360);
  view.draw(0, 1, themeOf(document.body));
  window.opened = { trace, lab, view };
}"""
SUM = """([i, pick, index]) => {
  const { lab, view } = opened;
  lab.choose({ pick, index });
  view.draw(i, 1, themeOf(document.body));
  const sumOf = ({ terms }) => terms.reduce((all, each) => all + each.value, 0);
  return view.sum(i).blocks.filter(({ terms }) => terms).map(sumOf);
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A browser on a busy machine may miss its moment, or see a page while it is drawn anew, with the old and
            # the new of an element; one that waits in vain twice has found something.
            missed = ["TimeoutError", "with timeout", "strict mode violation"]
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=missed))
            item.add_marker(pytest.mark.timeout(400))  # for both attempts together
    # The slowest begin first: at the end no process works alone for long.
    items.sort(key=lambda item: Path(__file__).parent not in item.path.parents)


@contextmanager
def served(folder: Path, *options: str, port: int = 0) -> Iterator[str]:
    """The address of an app with this data folder, at the pace of tests. It must log no traceback."""
    with app(folder, *options, module="tests.browser.paced", port=port) as (host, _):
        yield f"http://{host}"
    logged = LEFT.sub("", (folder / "server.log").read_text())
    assert "Traceback" not in logged, logged


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app that all tests share: the one that the environment names, or one that the first of the
    processes starts for all and ends when no other needs it.
    """
    if there := os.environ.get(ADDRESS, "").rstrip("/"):
        yield there
        return
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "app"
    folder.mkdir(exist_ok=True)
    address = folder / "address"
    with (folder / "changes").open("w") as changes, (folder / "use").open("w") as use, ExitStack() as own:
        fcntl.flock(changes, fcntl.LOCK_EX)
        if started := not address.exists():
            address.write_text(own.enter_context(served(folder)))
        fcntl.flock(use, fcntl.LOCK_SH)
        fcntl.flock(changes, fcntl.LOCK_UN)
        yield address.read_text()
        if started:
            fcntl.flock(changes, fcntl.LOCK_EX)
            fcntl.flock(use, fcntl.LOCK_EX)  # waits for the other processes
            address.unlink()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if find() is None:
        pytest.skip("no Chromium: install the package chromium, or run `python -m playwright install chromium`")
    # A proxy that `tests/tools/proxies.py` has started shows a certificate of its own.
    quiet = ["--ignore-certificate-errors"] if os.environ.get(ADDRESS) else []
    with sync_playwright() as playwright:
        opened = launched(playwright, *quiet)
        yield opened
        opened.close()


def tab_from(opener: Page) -> Page:
    """An empty tab that shares the cache of the one it is opened from."""
    with opener.expect_popup() as tab:
        opener.evaluate("() => { window.open('about:blank'); }")
    return tab.value


@contextmanager
def visit(opener: Page) -> Iterator[Page]:
    """The page of a visitor, who leaves nothing in the browser. Neither it nor what it opens may ask another machine
    for anything, or load what the policy of a page blocks.

    opener : an empty tab; the page is opened from it, so that the scripts of the app are loaded and compiled once for
        all who visit from there, and a visit takes a third less time
    """
    context, wrong = opener.context, set[str]()

    def asked(request: Request) -> None:
        if urlsplit(request.url).hostname not in HERE:
            wrong.add(request.url)

    def received(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            wrong.add(message.text)

    context.on("request", asked)
    context.on("console", received)
    page = tab_from(opener)
    page.set_default_timeout(45_000)
    yield page
    for each in context.pages:
        if each != opener:
            each.close()
    context.remove_listener("request", asked)
    context.remove_listener("console", received)
    session = context.new_cdp_session(opener)
    session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "cookies,local_storage"})
    session.detach()
    assert not wrong


@pytest.fixture(scope="session")
def desk(browser: Browser) -> Page:
    return browser.new_context(**DESK).new_page()


@pytest.fixture(scope="session")
def handheld(browser: Browser) -> Page:
    return browser.new_context(**PHONE).new_page()


@pytest.fixture
def page(desk: Page) -> Iterator[Page]:
    """The page of a visitor with a large screen."""
    with visit(desk) as page:
        yield page


@pytest.fixture
def phone(handheld: Page) -> Iterator[Page]:
    """The page of a visitor with a phone, who taps."""
    with visit(handheld) as page:
        yield page


@pytest.fixture
def guest(browser: Browser) -> Iterator[Page]:
    """The page of another visitor, with a context, and with it a clock, that no other test has."""
    with browser.new_context(**DESK) as context, visit(context.new_page()) as page:
        yield page


@pytest.fixture(scope="session")
def settle() -> Callable[[Page], None]:
    """Waits until the page is drawn, the script rests and nothing is fading in or out."""

    def wait(page: Page) -> None:
        page.get_by_role("heading", level=1).first.wait_for()
        page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
        page.wait_for_function(AT_REST)

    return wait


def wrong(page: Page, scheme: str, rules: Any) -> list[str]:
    """The violations that axe-core finds in a page with this colour scheme. The uploader's own role conflict is
    Streamlit's, not ours.
    """
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(IN_SCHEME, arg=scheme)
    page.mouse.move(0, 0)  # a tooltip under the mouse is Streamlit's, and in no region of the page
    # At the top: elsewhere the bar that stays in sight covers half a button, and more or less of it by chance.
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    page.locator('[role="tooltip"]').wait_for(state="detached")
    page.wait_for_function(AT_REST)
    script = "" if page.evaluate("'axe' in window") else AXE_SCRIPT  # long, and once in a document is enough
    response = Axe(script).run(page, options={"resultTypes": ["violations"], "runOnly": rules}).response
    return [
        f"{scheme}: {rule['id']}: {node['target']} {node['html'][:200]}"
        for rule in response["violations"]
        for node in rule["nodes"]
        if not (rule["id"] == "presentation-role-conflict" and "stFileUploader" in node["html"] + str(node["target"]))
    ]


def fits(page: Page) -> None:
    """Assert that nothing needs sideways scrolling on a screen of 320 pixels."""
    size = page.viewport_size
    page.set_viewport_size({"width": NARROW, "height": 800})
    page.wait_for_timeout(300)
    with suppress(TimeoutError):  # on a busy machine charts take longer to be drawn anew
        page.wait_for_function(
            "width => document.querySelector('[data-testid=stMain]').scrollWidth <= width", arg=NARROW, timeout=30_000
        )
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= NARROW
    page.set_viewport_size(size)


@pytest.fixture(scope="session")
def for_everyone(settle: Callable[[Page], None]) -> Callable[..., None]:
    """Asserts that axe-core finds nothing wrong with a page, in dark and then in light, which stays, and that a narrow
    screen shows it without sideways scrolling.
    """
    contrast = {"type": "rule", "values": ["color-contrast"]}  # the only rule that a theme has to do with

    def check(page: Page, *, narrow: bool = True) -> None:
        settle(page)
        for scheme, rules in (("dark", contrast), ("light", RULES)):
            # A page that follows a class may begin to fade while axe-core looks at it: an error is found at each look.
            assert not all((found := wrong(page, scheme, rules)) for _ in range(3)), found
        if narrow:
            fits(page)

    return check


@pytest.fixture
def train(server: str) -> Callable[..., Page]:
    """Opens the Train page with a setting."""

    def opened(page: Page, **query: str) -> Page:
        page.goto(f"{server}/train?{urlencode(query)}")
        button(page, "All settings").wait_for()
        return page

    return opened


@pytest.fixture(scope="session")
def modules_page(browser: Browser) -> Iterator[Page]:
    """A page that has the modules which draw a step."""
    page = browser.new_page(viewport={"width": 400, "height": 1200})
    modules.load(page, "inside/trace.js", "inside/player.js", "draw/ink.js")
    yield page
    page.close()


@pytest.fixture
def look(modules_page: Page) -> Callable[..., Any]:
    """Takes the next update of a State apart and opens its view, without a server. Gives the UpdateTrace, what the
    browser got of it, the page, and a function of phase, pick and index that returns the sums.
    """
    page = modules_page

    def opened(learner: Learner, state: State, data: Dataset, row: int = 0) -> tuple[Any, ...]:
        taken = trace(learner, state, data.train, row=row)
        assert taken is not None
        whole = Trace(taken, learner, data, state.count)
        head = json.loads(json.dumps(whole.head()))
        page.evaluate(OPEN, [head, address(f"inside/families/{head['drawing']}.js")])
        return taken, head, page, lambda *what: page.evaluate(SUM, list(what))

    return opened
