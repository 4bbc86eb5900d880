"""Lessons in a browser, by keyboard alone and by touch."""

import pytest
from playwright.sync_api import expect

from boltzcore.figures.three_units import STATES, ThreeUnits
from pages.lessons.catalogue import LESSONS
from pages.lessons.scenes import WORKBENCH
from pages.lessons.scripts import WIDEST
from tests.browser.lessons import Finger, Keyboard, question, take_lesson

ZERO = "boltzmann-machine"


def test_a_lesson_is_taken_by_keyboard_alone(server, page, axe, narrow, settle):
    take_lesson(page, Keyboard(page), server, ZERO, 2)
    expect(page.get_by_text("2 done")).to_be_visible()
    settle(page)
    narrow(page)
    page.go_back()
    settle(page)
    assert not axe(page)
    narrow(page)


@pytest.mark.nightly
@pytest.mark.timeout(800)
@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.parametrize("hand", [Keyboard, Finger])
def test_every_lesson_is_taken_whole(server, request, name, hand):
    page = request.getfixturevalue("phone" if hand is Finger else "page")
    take_lesson(page, hand(page), server, name)


def test_a_lesson_is_taken_by_touch_on_a_phone(server, phone, axe, narrow, settle):
    take_lesson(phone, Finger(phone), server, "rbm", 1)
    expect(phone.get_by_role("heading", name=LESSONS["rbm"].steps[1].title)).to_be_visible()
    expect(phone.get_by_role("button", name="Skip")).to_be_visible()
    Finger(phone).choose(question(phone, "ask"), 0)
    expect(phone.get_by_text("What did you see?")).to_be_visible()
    settle(phone)
    assert not axe(phone)
    narrow(phone)
    phone.locator(".st-key-previous-step button").tap()
    figures = phone.locator(".lab-figures dt")
    expect(figures.first).to_have_text("Status")
    assert not set(WORKBENCH) & set(figures.all_inner_texts())
    phone.get_by_role("button", name="Share").tap()
    expect(phone.get_by_text("Link to this step")).to_be_visible()
    narrow(phone)


@pytest.mark.nightly
def test_a_browser_draws_of_three_units_what_python_computes_and_why_comes_into_sight_above_the_foot(server, page):
    page.set_viewport_size({"width": 1280, "height": 640})
    page.goto(f"{server}/learn?lesson={ZERO}&step=3&said=bA.cA.b")
    slider = page.locator(".lab-three input")
    slider.focus()
    page.keyboard.press("End")
    machine = ThreeUnits(LESSONS[ZERO].steps[2].scene.machine.b, (WIDEST, 0.0, 0.0))
    for i, state in enumerate(STATES):
        row = page.locator(".lab-three tbody tr").nth(i)
        expect(row.locator(".code")).to_have_text("".join(map(str, state)))
        expect(row.locator("td").nth(1)).to_have_text(f"{machine.probabilities[i]:.3f}")
        expect(row.locator("td").nth(0)).to_have_text(f"{machine.weight(i):.2f}")
    expect(page.locator(".partition b")).to_have_text(f"Z = {sum(map(machine.weight, range(8))):.2f}")
    expect(page.get_by_text("What did you see?")).to_be_visible()
    question(page, "see").locator("label").last.click()
    page.wait_for_function("""() => {
      const [why, way] = ['why', 'way'].map((key) => document.querySelector(`.st-key-${key}`)?.getBoundingClientRect());
      return why && why.top > 0 && (why.bottom <= way.top || why.top < way.top / 4);
    }""")
