"""Every page can be opened by its address, says what it is, and works for everyone."""

from urllib.parse import parse_qs, urlsplit

from pages.web.base_url import BASE_URL_OF
from tests.browser import modules
from tests.browser.conftest import tab_from

PAGES = {
    "": "Start",
    "learn": "Learn",
    "train": "Train",
    "step": "Inside one step",
    "compare": "Compare",
    "denoise": "Denoise & complete",
    "papers": "Papers",
    "classroom": "Class",
    "library": "Library",
    "reference": "Reference",
}
# [what was typed behind the app's address, the name of its page, that address]
TYPED = [
    ("/", "", ""),
    ("/train", "train", ""),
    ("/a/lab/train/", "train", "/a/lab"),
    ("/a/lab", "", "/a/lab"),
    ("/train)", "train)", ""),
    ("/a/lab/train%5C", "train\\", "/a/lab"),
    ("/a/lab/caf%C3%A9", "café", "/a/lab"),
    ("/a/lab/100%", "100%", "/a/lab"),
    ("/(.+)+[0]" + "a" * 40, "(.+)+[0]" + "a" * 40, ""),
]


def test_on_a_server_nobody_has_visited_pages_are_drawn_below_a_path_of_its_own(serve, page, settle, tmp_path):
    asked, tabs = [], {path: tab_from(page) for path in ("", "learn", "step", "reference", "classroom")}
    for tab in tabs.values():
        tab.on("request", lambda request: asked.append(urlsplit(request.url)))
    with serve(tmp_path, "--server.baseUrlPath", "a/lab") as address:
        for path, tab in tabs.items():
            tab.goto(f"{address}/{path}", wait_until="commit")
        for path, tab in tabs.items():
            settle(tab)
            assert tab.get_by_test_id("stTopNavLink").all_inner_texts() == list(PAGES.values())
            assert tab.title() == f"{PAGES[path]} · Boltzmann Lab"
        tabs[""].get_by_text("200 Gibbs transitions away from pure noise").wait_for()
        for tab in tabs.values():
            tab.close()
    assert not [each.geturl() for each in asked if each.hostname and not each.path.startswith("/a/lab")]


def test_the_shell_is_no_page(server, page, settle, axe):
    page.goto(f"{server}/shell")
    page.get_by_text("There is no page 'shell' here: the address is wrong, or cut off.").wait_for()
    settle(page)
    assert not page.get_by_role("dialog").count()
    assert not axe(page)


def test_an_address_that_was_cut_off_leads_on_with_what_came_after_it(server, page):
    page.goto(f"{server}/tra?preset=too-fast")
    page.get_by_role("link", name="Did you mean Train?").click()
    page.get_by_role("heading", level=1, name="Train").wait_for()
    page.wait_for_url("**/train?*rate*")
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()


def test_what_somebody_typed_for_a_page_is_a_name_and_no_pattern(server, page, settle):
    page.goto(f"{server}/train)%5C")
    page.get_by_role("heading", level=1, name="No such page").wait_for()
    settle(page)
    assert not page.get_by_test_id("stException").count()


def test_the_app_is_found_before_what_somebody_typed_for_a_page(page):
    modules.load(page)
    for typed, name, base in TYPED:
        page.evaluate("typed => history.pushState(null, '', typed)", typed)
        assert page.evaluate(f"name => {{ {BASE_URL_OF} return baseUrlOf(name); }}", name) == base, typed


def test_back_from_a_page_leads_past_no_address_that_never_was(server, page, settle):
    told = []  # what the server has sent to the browser
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(frame)))
    page.goto(f"{server}/")
    settle(page)
    page.get_by_role("link", name="Train", exact=True).click()
    page.wait_for_url("**/train?*model=*")
    settle(page)
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()
    settle(page)
    seen = []
    while urlsplit(page.url).path != "/":
        assert len(seen) < 6
        before, known = len(told), -1
        page.go_back()
        # Until the server has answered and been silent for a second: what a script writes late, it would write behind
        # the next path.
        while len(told) == before or len(told) != known:
            known = len(told)
            page.wait_for_timeout(1_000)
        settle(page)
        seen.append((urlsplit(page.url).path, set(parse_qs(urlsplit(page.url).query))))
    assert seen[-1] == ("/", set())
    assert not any(path == "/train" and "view" in keys for path, keys in seen)


def test_the_heart_beats_on_a_page_that_shows_no_training_and_no_script_runs_for_it(server, page, settle):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.clock.install()
    page.goto(f"{server}/train?preset=real-digits")
    settle(page)
    page.get_by_role("button", name="Step", exact=True).click()
    page.wait_for_url("**/train?*run=*")
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()
    settle(page)
    before = len(sent)
    with page.expect_request("**/live/*/alive") as beat:
        page.clock.fast_forward(21_000)
    assert beat.value.response().status == 204
    assert len(sent) == before
