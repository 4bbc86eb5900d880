"""A class: the teacher's page in a browser, a phone beside it, and others by their routes."""

import http.client
import json
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import RULES
from tests.lesson_walks import PHONE


def post(server, path, body=None, **headers):
    at = urlsplit(server)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=15)
    named = {key.replace("_", "-"): text for key, text in headers.items()}
    connection.request("POST", at.path + path, None if body is None else json.dumps(body), named)
    found = json.load(connection.getresponse())
    connection.close()
    return found


def test_a_class_answers_and_the_teacher_sees_how_many_and_then_how(server, browser, page, axe, narrow, settle):
    page.goto(f"{server}/classroom?lesson=rbm&step=1")
    page.get_by_role("button", name="Open a room").click()
    code = page.locator(".lab-room").inner_text()
    context = browser.new_context(**PHONE)
    phone = context.new_page()
    phone.goto(f"{server}/join")
    phone.get_by_label("Code of the room").fill(code.lower())
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_text("You are in.")).to_be_visible()
    expect(page.locator(".lab-count")).to_have_text("1 phone has joined")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(phone.locator("#options button")).to_have_count(3)
    for option in (1, 1, 0, 2):
        token = post(server, f"/join/{code}/join")["token"]
        post(server, f"/join/{code}/answer", {"round": 1, "option": option}, X_Token=token)
    second = phone.locator("#options button").nth(1)
    second.tap()
    expect(second).to_have_attribute("aria-pressed", "true")
    for scheme in ("dark", "light"):
        phone.emulate_media(color_scheme=scheme)
        found = Axe().run(phone, options={"resultTypes": ["violations"], "runOnly": RULES}).response["violations"]
        assert not found
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".lab-count")).to_have_text("5 phones have joined, 5 have answered")
    page.get_by_role("button", name="Show the answers").click()
    expect(page.get_by_text("5 answers.")).to_be_visible()
    expect(second).to_be_disabled()
    settle(page)
    assert not axe(page)
    narrow(page)
    page.get_by_role("button", name="End the room").click()
    expect(phone.get_by_text("There is no such room")).to_be_visible()
    context.close()


def proxy_saying(status):
    return lambda route: route.fulfill(status=status, body="<h1>Bad", content_type="text/html")


def test_a_phone_finds_back_after_a_proxy_has_answered_for_the_server(server, browser, page):
    page.goto(f"{server}/classroom?lesson=rbm&step=1")
    page.get_by_role("button", name="Open a room").click()
    code = page.locator(".lab-room").inner_text()
    page.get_by_role("button", name="Ask", exact=True).click()
    context = browser.new_context(**PHONE)
    phone = context.new_page()
    phone.goto(f"{server}/join/{code}")
    options, said = phone.locator("#options button"), phone.locator("#said")
    expect(said).to_have_text("Choose one answer. Nobody sees whose it is.")
    for status in (404, 502):
        phone.route("**/seen", proxy_saying(status))
        expect(said).to_have_text("The connection is lost; trying again.")
        expect(options).to_have_count(3)
        phone.unroute("**/seen")
        expect(said).to_have_text("Choose one answer. Nobody sees whose it is.", timeout=15_000)
    page.get_by_role("button", name="End the room").click()
    context.close()
