"""A class: the teacher's page in a browser, a phone beside it, and others by their routes."""

import json
from urllib.request import Request, urlopen

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import RULES
from tests.browser.journeys import button
from tests.tools.load.wire import Place


def post(server, path, body=None, **headers):
    asked = Request(server + path, json.dumps(body).encode(), headers)
    with urlopen(asked, timeout=60, context=Place.at(server).trust) as answer:
        return json.load(answer)


def opened(page, server):
    """The code of a room that a teacher's page has opened."""
    page.goto(f"{server}/classroom?lesson=rbm&step=1")
    page.get_by_role("button", name="Open a room").click()
    return page.locator(".lab-room").inner_text()


def answers(server, code, number, *options):
    for option in options:
        token = post(server, f"/join/{code}/join")["token"]
        post(server, f"/join/{code}/answer", {"round": number, "option": option}, **{"X-Token": token})


def accessible(page):
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"resultTypes": ["violations"], "runOnly": RULES}).response["violations"]
        assert not found, found


def test_a_class_answers_and_the_teacher_sees_how_many_and_then_how(server, phone, page, for_everyone):
    code = opened(page, server)
    phone.goto(f"{server}/join/no{code[:4]}")  # mistyped
    field = phone.get_by_label("Room code")
    expect(field).to_have_value(f"no{code[:4]}")
    accessible(phone)
    field.fill(f"{code[:3].lower()} - {code[3:]}")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_text("You have joined.")).to_be_visible()
    expect(page.locator(".lab-count")).to_have_text("1 phone joined")
    button(page, "Ask").click()
    expect(phone.locator("#options button")).to_have_count(3)
    expect(phone.locator("#before")).to_be_hidden()
    phone.get_by_text("Background").tap()
    expect(phone.locator("#before")).to_contain_text("restricted Boltzmann machine")
    answers(server, code, 1, 1, 1, 0, 2)
    second = phone.locator("#options button").nth(1)
    status, ready = phone.locator("#status"), phone.locator("#status").inner_text()
    phone.route("**/seen", lambda route: route.fulfill(status=404, body="<h1>Bad", content_type="text/html"))
    expect(status).not_to_have_text(ready)  # a proxy has answered for the server
    phone.unroute("**/seen")
    expect(status).to_have_text(ready)
    second.tap()
    expect(second).to_have_attribute("aria-pressed", "true")
    accessible(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".lab-count")).to_have_text("5 phones joined, 5 answered")
    button(page, "Close").click()
    expect(second).to_be_disabled()
    page.get_by_role("button", name="Show the answers", disabled=False).click()
    expect(page.get_by_text("5 answers", exact=True)).to_be_visible()
    for_everyone(page)
    page.get_by_role("button", name="End the room").click()
    expect(page.get_by_role("button", name="Vote again")).to_be_visible()  # one click ends nothing
    page.get_by_role("button", name="End for everyone").click()
    expect(phone.get_by_text("The class is over. Thank you.")).to_be_visible()
    expect(field).to_be_hidden()


def test_a_plan_is_changed_saved_and_walked_by_keyboard_and_its_results_are_a_page(server, phone, page, tmp_path):
    page.goto(f"{server}/classroom")
    page.get_by_role("button", name="Plan: 45 minutes").click()
    minutes = page.get_by_label("Minutes")
    minutes.fill("20")
    minutes.press("Enter")
    expect(page.get_by_text("6 items · 57 min")).to_be_visible()
    expect(minutes).to_be_focused()
    accessible(page)
    page.get_by_role("button", name="Open a room").click()
    code = page.locator(".lab-room").inner_text()
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.get_by_text("1 of 6")).to_be_visible()
    answers(server, code, 1, *[0] * 5)
    button(page, "Close").click()
    page.get_by_role("button", name="Show the answers", disabled=False).click()
    expect(page.get_by_text("5 answers", exact=True)).to_be_visible()  # the page is drawn anew until then
    page.get_by_role("button", name="Edit plan").click()
    first = page.get_by_role("radio", name="1 · Energy")
    expect(first).to_be_visible()
    accessible(page)
    page.keyboard.press("Escape")
    expect(first).to_be_hidden()
    page.get_by_role("button", name="Results").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Printable page").click()
    found.value.save_as(tmp_path / "results.html")
    asked = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto((tmp_path / "results.html").as_uri())
    expect(phone.get_by_text("5 (100 %)")).to_be_visible()
    assert len(asked) == 1
    accessible(phone)


def test_a_phone_shows_the_picture_and_draws_a_pattern_that_the_teacher_accepts(server, phone, page):
    page.goto(f"{server}/classroom?plan=boltzmann-machine.1:5,patterns:5")
    page.get_by_role("button", name="Open a room").click()
    phone.goto(f"{server}/join/{page.locator('.lab-room').inner_text()}")
    page.get_by_role("button", name="Next").click()
    expect(phone.locator("#stills img")).to_have_count(1)
    assert phone.evaluate("document.querySelector('#stills img').decode().then(() => true)")
    page.get_by_role("button", name="Next").click()
    squares = phone.locator("#pad button")
    squares.nth(11).tap()
    squares.nth(9).press("Enter")
    expect(phone.locator("#pad [aria-pressed=true]")).to_have_count(2)
    accessible(phone)
    phone.get_by_role("button", name="Send").tap()
    expect(squares.first).to_be_disabled()
    page.get_by_role("button", name="Accept").click()
    expect(phone.locator("#status")).to_contain_text("Accepted")
    expect(phone.locator("#stills img")).to_have_count(1)
