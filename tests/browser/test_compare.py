"""A race as a visitor sees it: predicted, watched, and told at its end."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from boltzcore import Comparison, Recipe
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.schedule import Schedule

BASE = Recipe(
    RBMSetup(hidden=3), "bars-and-stripes", CD(0.1, 0), Schedule(length=400, every=40), measures=("log_likelihood",)
)
CONTENDERS = {"CD-1": {}, "CD-9": {"CD.K": 9}, "PCD": {"learner": "PCD", "PCD.batch_size": 0, "PCD.rate": 0.1}}
FOUND = re.compile(r"By the log-likelihood of the training rows at the end, at the same cost \(3 trials, fewer")


@pytest.fixture
def compare(server, page, settle):
    """Opens a comparison with this budget."""

    def open_(budget: int | None = None) -> None:
        comparison = Comparison(BASE, CONTENDERS, trials=3, budget=budget)
        page.goto(f"{server}/compare?{urlencode(comparison.to_query())}")
        settle(page)

    return open_


def press(page, name: str):
    page.get_by_role("button", name=name, exact=True).click()


def predict(page, name: str) -> None:
    page.get_by_test_id("stButtonGroup").get_by_text(name, exact=True).click()


def test_a_race_is_predicted_watched_and_ends_with_a_sentence(compare, page, axe, narrow, settle):
    compare()
    assert not axe(page)
    page.wait_for_function("window.Plotly")  # there before it is needed
    press(page, "Play")
    expect(page.get_by_text("The curves are shown once you have said who will win.")).to_be_visible()
    expect(page.locator(".lab-plot")).to_have_count(0)
    predict(page, "CD-9")
    expect(page.get_by_text("You have said: CD-9.")).to_be_visible()
    expect(page.get_by_test_id("stAlert").get_by_text(FOUND)).to_be_visible(timeout=60_000)
    expect(page.locator(".lab-plot")).to_have_count(2)
    expect(page.locator(".lab-compare")).to_have_count(3)
    expect(page.locator('[data-key="figures"] tbody tr')).to_have_count(3)  # the last frame moves nothing any more
    settle(page)
    for kind, begin in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {kind}: Median over").click()
        assert download.value.suggested_filename == f"curves.{kind.lower()}"
        assert Path(download.value.path()).read_bytes().startswith(begin)
    assert not axe(page)
    narrow(page)


def test_it_rests_goes_on_and_is_found_again_after_a_reload_on_a_phone(compare, page, settle, axe):
    page.set_viewport_size({"width": 390, "height": 844})
    compare(10**9)
    predict(page, "I would rather not say")
    press(page, "Play")
    status = page.locator(".lab-figures")
    expect(status).to_contain_text("Training")
    page.locator(".stage .lab-plot .scatterlayer .trace").first.wait_for()
    assert not axe(page)
    press(page, "Pause")
    expect(status).to_contain_text("Paused")
    page.reload()
    settle(page)
    expect(status).to_contain_text("Paused")
    press(page, "Play")
    expect(status).to_contain_text("Training")
    press(page, "Cancel")
    expect(status).to_contain_text("Ended")


def test_by_keyboard_alone_a_race_is_set_up_and_played_to_its_sentence(compare, page, settle):
    compare(2_000_000)

    def reached(locator, limit: int = 40):
        for _ in range(limit):
            page.keyboard.press("Tab")
            if locator.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"{limit} stops of Tab do not reach it")

    reached(page.get_by_role("button", name="Change", exact=True).first)
    page.keyboard.press("Enter")
    field = page.get_by_role("textbox", name="Gibbs steps (K)")
    expect(field).to_be_visible()
    reached(field)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    cards = page.locator(".st-key-contenders")
    expect(cards.get_by_text("CD-4", exact=True)).to_be_visible()
    settle(page)
    expect(field).to_be_focused()  # what is typed into stays open, and may be gone on with
    reached(page.get_by_role("button", name="Copy", exact=True))
    page.keyboard.press("Enter")
    expect(cards.get_by_text("CD-4 (2)", exact=True)).to_be_visible()
    expect(field).to_have_count(0)
    settle(page)
    reached(page.get_by_role("button", name="Change", exact=True).first)
    page.keyboard.press("Enter")
    expect(field).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    reached(page.get_by_role("button", name="Add a contender"))
    page.keyboard.press("Enter")
    expect(cards.get_by_role("button", name="Change")).to_have_count(5)
    settle(page)
    reached(page.get_by_role("radio", name="CD-4", exact=True))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.get_by_text("You have said: CD-9.")).to_be_visible()
    settle(page)
    reached(page.get_by_role("button", name="Play", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert").get_by_text(FOUND)).to_be_visible(timeout=60_000)
