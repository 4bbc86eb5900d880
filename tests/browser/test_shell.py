"""Addresses and the way back."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.web.base_url import BASE_URL_OF
from tests.browser import modules
from tests.browser.journeys import open_library

# [what was typed behind the app's address, the name of its page, that address]
TYPED = [
    ("/", "", ""),
    ("/train", "train", ""),
    ("/a/lab/train/", "train", "/a/lab"),
    ("/a/lab", "", "/a/lab"),
    ("/a/lab/retrain", "train", "/a/lab/retrain"),
]


def test_an_address_that_is_no_page_leads_to_the_start_page(server, page, settle):
    page.goto(f"{server}/train)%5C")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    settle(page)
    assert urlsplit(page.url).path == "/"


def test_the_app_is_found_before_what_was_typed_for_a_page(page):
    modules.load(page)
    for typed, name, base in TYPED:
        page.evaluate("typed => history.pushState(null, '', typed)", typed)
        assert page.evaluate(f"name => {{ {BASE_URL_OF} return baseUrlOf(name); }}", name) == base, typed


def test_back_brings_the_setting_before_and_leads_past_no_address_that_never_was(server, page, settle):
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
    open_library(page)
    settle(page)
    seen = []
    while urlsplit(page.url).path != "/":
        assert len(seen) < 6
        page.go_back()
        settle(page)
        if rate.count():
            expect(rate).to_have_value("0.2" if "rate=0.2" in page.url else was)
        seen.append((urlsplit(page.url).path, set(parse_qs(urlsplit(page.url).query))))
    assert seen[-1] == ("/", set())
    assert not any(path == "/train" and "view" in keys for path, keys in seen)


@pytest.mark.nightly
def test_a_slow_browser_finds_the_way_back_to_the_step_of_a_lesson(server, page, settle):
    page.goto(f"{server}/learn?lesson=infinite-rbm&step=2")
    settle(page)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 8})
    page.get_by_role("link", name="Train", exact=True).click()
    page.wait_for_url("**/train?*model=*")
    settle(page)
    page.evaluate("history.go(-2)")
    page.wait_for_url("**/learn?lesson=infinite-rbm&step=2")


def test_parameters_that_arrive_after_the_way_back_do_not_stay_in_the_address(server, page, settle):
    came, held, sockets = [], [], []
    late = False

    def arrives(message):
        content = ForwardMsg.FromString(message)
        came.append(content.WhichOneof("type"))
        if late and (held or content.page_info_changed.query_string):
            held.append(message)
        else:
            sockets[0].send(message)

    def opened(socket):
        sockets.append(socket)
        away = socket.connect_to_server()
        away.on_message(arrives)
        socket.on_message(away.send)

    def until_finished():
        while "script_finished" not in came:
            page.wait_for_timeout(100)
        came.clear()

    page.route_web_socket("**/_stcore/stream", opened)
    page.goto(f"{server}/")
    settle(page)
    came.clear()
    late = True
    page.get_by_role("link", name="Train", exact=True).click()
    while not held:
        page.wait_for_timeout(100)
    until_finished()
    page.wait_for_url(f"{server}/train")
    page.go_back()
    late = False
    for message in held:
        sockets[0].send(message)
    until_finished()
    settle(page)
    assert urlsplit(page.url)[2:4] == ("/", "")
