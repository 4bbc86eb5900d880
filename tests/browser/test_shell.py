"""Addresses and the way back."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from pages.web.base_url import BASE_URL_OF
from tests.browser import modules

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


def test_an_address_that_was_cut_off_leads_on_with_what_came_after_it(server, page, for_everyone):
    page.goto(f"{server}/train)%5C")  # a name, and no pattern
    page.get_by_role("heading", level=1, name="No such page").wait_for()
    for_everyone(page)
    page.goto(f"{server}/tra?preset=too-fast")
    page.get_by_role("link", name="Train").last.click()
    page.get_by_role("heading", level=1, name="Train").wait_for()
    page.wait_for_url("**/train?*rate*")


def test_the_app_is_found_before_what_somebody_typed_for_a_page(page):
    modules.load(page)
    for typed, name, base in TYPED:
        page.evaluate("typed => history.pushState(null, '', typed)", typed)
        assert page.evaluate(f"name => {{ {BASE_URL_OF} return baseUrlOf(name); }}", name) == base, typed


def test_back_brings_the_setting_before_and_leads_past_no_address_that_never_was(server, page, settle):
    told = []  # what the server has sent to the browser
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(frame)))
    page.goto(f"{server}/")
    settle(page)
    page.get_by_role("link", name="Train", exact=True).click()
    page.wait_for_url("**/train?*model=*")
    settle(page)
    rate = page.get_by_role("textbox", name="Learning rate")
    expect(rate).not_to_have_value("")  # a field is there before its value
    was = rate.input_value()
    rate.fill("0.2")
    rate.press("Enter")
    page.wait_for_url("**rate=0.2*")
    settle(page)
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()
    settle(page)
    seen = []
    while urlsplit(page.url).path != "/":
        assert len(seen) < 6
        before, known = len(told), -1
        page.go_back()
        # Until the server has answered and been silent for two seconds: what a script writes late would go behind
        # the next path.
        while len(told) == before or len(told) != known:
            known = len(told)
            page.wait_for_timeout(2_000)
        settle(page)
        if rate.count():
            expect(rate).to_have_value("0.2" if "rate=0.2" in page.url else was)
        seen.append((urlsplit(page.url).path, set(parse_qs(urlsplit(page.url).query))))
    assert seen[-1] == ("/", set())
    assert not any(path == "/train" and "view" in keys for path, keys in seen)
