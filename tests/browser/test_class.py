"""A class: the teacher's page in a browser, a phone beside it, and others by their routes."""

import http.client
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from pages.rooms.room import FEWEST
from tests.browser.conftest import PHONE, RULES
from tests.tools.load.wire import Place


def post(server, path, body=None, **headers):
    at = Place.at(server)
    if at.secure:
        connection = http.client.HTTPSConnection(at.name, at.port, timeout=15, context=at.trust)
    else:
        connection = http.client.HTTPConnection(at.name, at.port, timeout=15)
    named = {key.replace("_", "-"): text for key, text in headers.items()}
    connection.request("POST", at.base + path, None if body is None else json.dumps(body), named)
    found = json.load(connection.getresponse())
    connection.close()
    return found


def opened(page, server, question="lesson=rbm&step=1"):
    """The code of a room that a teacher's page has opened."""
    page.goto(f"{server}/classroom?{question}")
    page.get_by_role("button", name="Open a room").click()
    return page.locator(".lab-room").inner_text()


def answers(server, code, number, *options):
    for option in options:
        token = post(server, f"/join/{code}/join")["token"]
        post(server, f"/join/{code}/answer", {"round": number, "option": option}, X_Token=token)


def end(page):
    page.get_by_role("button", name="End the room").click()
    page.get_by_role("button", name="End it for all").click()


def accessible(page):
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"resultTypes": ["violations"], "runOnly": RULES}).response["violations"]
        assert not found, found


def test_a_class_answers_and_the_teacher_sees_how_many_and_then_how(server, phone, page, axe, narrow, settle):
    code = opened(page, server)
    phone.goto(f"{server}/join/no{code[:4]}")  # mistyped
    field = phone.get_by_label("Code of the room")
    expect(field).to_have_value(f"no{code[:4]}")
    expect(phone.get_by_text("There is no room of this code.")).to_be_visible()
    accessible(phone)
    field.fill(code.lower())
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_text("You are in.")).to_be_visible()
    expect(page.locator(".lab-count")).to_have_text("1 phone has joined")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(phone.locator("#options button")).to_have_count(3)
    expect(phone.locator("#before")).to_be_hidden()
    phone.get_by_text("What it is about").tap()
    expect(phone.locator("#before")).to_contain_text("restricted Boltzmann machine")
    answers(server, code, 1, 1, 1, 0, 2)
    second = phone.locator("#options button").nth(1)
    second.tap()
    expect(second).to_have_attribute("aria-pressed", "true")
    accessible(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".lab-count")).to_have_text("5 phones have joined, 5 have answered")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(second).to_be_disabled()
    page.get_by_role("button", name="Reopen").click()
    expect(second).to_be_enabled()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Show the answers").click()
    expect(page.get_by_text("5 answers", exact=True)).to_be_visible()
    settle(page)
    assert not axe(page)
    narrow(page)
    page.get_by_role("button", name="End the room").click()
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()  # one click ends nothing
    page.get_by_role("button", name="End it for all").click()
    expect(phone.get_by_text("The class is over. Thank you.")).to_be_visible()
    expect(field).to_be_hidden()


@pytest.mark.nightly
def test_a_projector_follows_what_the_teacher_does(server, page, axe, settle):
    page.set_viewport_size({"width": 1280, "height": 800})
    code = opened(page, server)
    with page.expect_popup() as opening:
        page.get_by_role("link", name="On a projector").click()
    view = opening.value
    view.set_viewport_size({"width": 1920, "height": 1080})
    at = parse_qs(urlsplit(page.url).query)
    assert at["teacher"][0] not in view.url
    expect(view.locator(".lab-room")).to_have_text(code)
    page.get_by_role("button", name="Ask", exact=True).click()
    for each in (view, page):
        expect(each.get_by_role("heading", name="How far will")).to_be_visible()
    expect(view.get_by_text("even number of ones")).to_be_visible()  # what the data are
    answers(server, code, 1, *[1] * FEWEST)
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Show the answers").click()
    for each in (view, page):
        expect(each.get_by_text(f"{FEWEST} (100 %)")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    for each in (view, page):
        expect(each.locator(".st-key-scene .curve .lab-plot[data-version]")).to_be_visible()
        box = each.locator(".st-key-scene .curve .lab-plot").bounding_box()
        assert box["y"] + box["height"] <= each.viewport_size["height"]  # the curve is in sight beside the answers
    expect(view.locator("[data-testid='stButton']:visible")).to_have_count(0)
    settle(view)
    assert not axe(view)
    page.get_by_role("button", name="Ask again").click()
    for each in (page, view):
        expect(each.locator(".lab-answers")).to_have_count(0)
    end(page)
    expect(view.get_by_text("The class is over")).to_be_visible()


def proxy_saying(status):
    return lambda route: route.fulfill(status=status, body="<h1>Bad", content_type="text/html")


@pytest.mark.nightly
def test_a_phone_finds_back_after_a_proxy_has_answered_for_the_server(server, browser, page):
    code = opened(page, server)
    page.get_by_role("button", name="Ask", exact=True).click()
    with browser.new_context(**PHONE) as context:  # whose clock is its own
        phone = context.new_page()
        phone.clock.install()
        phone.goto(f"{server}/join/{code}")
        options, said = phone.locator("#options button"), phone.locator("#said")
        expect(said).to_have_text("Choose one answer. Nobody sees whose it is.")
        for status in (404, 502):
            phone.route("**/seen", proxy_saying(status))
            phone.clock.run_for(2_000)
            expect(said).to_have_text("The connection is lost; trying again.")
            expect(options).to_have_count(3)
            phone.unroute("**/seen")
            phone.clock.run_for(7_000)
            expect(said).to_have_text("Choose one answer. Nobody sees whose it is.")
    end(page)
