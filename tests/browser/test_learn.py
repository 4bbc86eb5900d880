"""Lessons in a browser, by keyboard alone and by touch."""

import pytest
from playwright.sync_api import expect

from pages.figures.three_units import STATES, ThreeUnits
from pages.lessons.catalogue import LESSONS
from pages.lessons.scenes import RUN
from pages.lessons.three_units import WIDEST
from tests.browser.journeys import button
from tests.browser.lessons import RUNS, Keyboard, question, take_lesson

ZERO = "boltzmann-machine"


def test_a_lesson_is_taken_by_keyboard_alone(server, page, for_everyone):
    take_lesson(page, Keyboard(page), server, ZERO, 2)
    expect(page.get_by_text("2 done")).to_be_visible()
    for_everyone(page)
    page.go_back()
    expect(page.get_by_role("heading", name=LESSONS[ZERO].steps[1].title)).to_be_visible()


@pytest.mark.nightly
@pytest.mark.timeout(800)
@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_is_taken_whole(server, page, name):
    take_lesson(page, Keyboard(page), server, name)


def test_a_lesson_is_taken_by_touch_on_a_phone(server, phone, for_everyone):
    step = LESSONS["rbm"].steps[0]
    phone.goto(f"{server}/learn?lesson=rbm")
    expect(phone.locator(".st-key-scene")).to_be_in_viewport()
    question(phone, "predict").locator("label").nth(step.right).tap()
    button(phone, RUN).tap()
    expect(phone.get_by_text("What did you see?")).to_be_visible(timeout=RUNS)
    question(phone, "see").locator("label").first.tap()
    expect(phone.locator(".st-key-why").or_(phone.get_by_text("Look again")).first).to_be_visible()
    for_everyone(phone)
    phone.get_by_role("button", name="Share").tap()
    expect(phone.get_by_text("Link to this step")).to_be_visible()


@pytest.mark.nightly
def test_a_browser_draws_of_three_units_what_python_computes(server, page):
    page.goto(f"{server}/learn?lesson={ZERO}&step=3&replies=bA.cA.b")
    page.locator(".lab-three input").press("End")
    machine = ThreeUnits(LESSONS[ZERO].steps[2].scene.machine.b, (WIDEST, 0.0, 0.0))
    for i, state in enumerate(STATES):
        row = page.locator(".lab-three tbody tr").nth(i)
        expect(row.locator(".code")).to_have_text("".join(map(str, state)))
        expect(row.locator("td").nth(1)).to_have_text(f"{machine.probabilities[i]:.3f}")
        expect(row.locator("td").nth(0)).to_have_text(f"{machine.unnormalised(i):.2f}")
    tracks = page.locator(".lab-three .track").evaluate_all("tracks => tracks.map((each) => each.clientWidth)")
    assert len(tracks) == 16
    assert max(tracks) - min(tracks) <= 1  # in each column a bar of the same share has the same length
    expect(page.locator(".partition b")).to_have_text(f"Z = {sum(map(machine.unnormalised, range(8))):.2f}")
