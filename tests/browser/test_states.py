"""The map of every state and its playground: by mouse, by finger and by keys, with the numbers of the model."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from boltzcore.data.patterns import BarsAndStripes
from boltzcore.models import RBM
from pages.figures.frame import Panel
from pages.figures.landscape import occupied_states, states_of
from tests.browser import modules
from tests.browser.journeys import button

_draws = np.random.default_rng(2)
MODEL = RBM(_draws.normal(0, 2, (9, 4)), _draws.normal(0, 1, 9), _draws.normal(0, 1, 4))
LANDSCAPE, IMAGES = MODEL.landscape(), BarsAndStripes().load()


@pytest.fixture
def states(page: Page):
    """The panel of a model, drawn on a page of its own."""
    modules.load(page, "stream/film.js")
    page.add_style_tag(content="body { --st-background-color: #fff; --st-text-color: #000; --st-border-color: #ccc }")
    modules.draw_film(page, "states", Panel("Every state", states_of(LANDSCAPE, IMAGES)), refusals=1)
    page.locator(".peak").first.wait_for()
    return page.locator(".states")


def chosen(states) -> int:
    """The state that is shown; its description is of the model."""
    state = int(states.get_attribute("data-state"))
    assert float(states.get_attribute("data-energy")) == pytest.approx(LANDSCAPE.free_energies[state], abs=1e-4)
    lamps = [each == "true" for each in states.locator(".unit").evaluate_all("all => all.map(e => e.ariaPressed)")]
    assert lamps == [bool(state >> i & 1) for i in range(9)]
    p = float(states.locator("dd").nth(1).inner_text().removesuffix("\N{NO-BREAK SPACE}%").replace("< ", "")) / 100
    assert p == pytest.approx(LANDSCAPE.probabilities[state], rel=0.06, abs=1e-6)
    return state


def test_by_mouse_units_are_turned_and_the_map_and_downhill_lead_to_states_of_the_model(states, page):
    button(page, "All off").click()
    assert chosen(states) == 0
    unit = states.locator(".unit").nth(4)
    unit.click()
    assert chosen(states) == 1 << 4
    change = LANDSCAPE.free_energies[0] - LANDSCAPE.free_energies[1 << 4]
    expect(unit).to_contain_text(f"{change:+.2f}".replace("-", "\N{MINUS SIGN}"))
    expect(unit).to_have_attribute("aria-label", re.compile(f"{1 / (1 + np.exp(-change)):.3f}"))
    button(page, "All off").click()
    for _ in range(40):
        if button(page, "Downhill").get_attribute("aria-disabled") == "true":
            break
        before = LANDSCAPE.free_energies[chosen(states)]
        button(page, "Downhill").click()
        assert LANDSCAPE.free_energies[chosen(states)] < before
    state, F = chosen(states), LANDSCAPE.free_energies
    assert all(F[state ^ 1 << i] > F[state] for i in range(9))
    map_of = states.get_by_role("slider", name="Map of every state")
    corner = map_of.bounding_box()
    map_of.click(position={"x": 1, "y": 1})  # beside a cell: the nearest one
    assert chosen(states) == 0
    map_of.click(position={"x": corner["width"] - 1, "y": corner["height"] - 1})
    assert chosen(states) == 0b1000_10000  # of each part of the units, the last of Gray's code
    share = np.zeros(2**9)
    share[occupied_states(IMAGES)[0]] = occupied_states(IMAGES)[1]
    likely = np.argsort(-np.maximum(LANDSCAPE.probabilities, share), kind="stable")
    states.locator(".peak").nth(1).click()
    assert chosen(states) == likely[1]
    expect(states.locator(".peak").nth(1)).to_have_attribute("aria-current", "true")
    page.set_viewport_size({"width": 320, "height": 800})
    page.wait_for_function("() => document.documentElement.scrollWidth <= 320")


def test_by_keys_units_are_reached_and_turned_and_the_map_leads_to_neighbours(states, page):
    button(page, "All off").click()
    states.locator(".unit").first.focus()
    for key in ("ArrowDown", "ArrowRight", "Space"):
        page.keyboard.press(key)
    assert chosen(states) == 1 << 4
    expect(states.locator(".unit").nth(4)).to_be_focused()
    page.get_by_role("slider", name="Map of every state").focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowUp", "ArrowLeft"):
        before = chosen(states)
        page.keyboard.press(key)
        assert bin(before ^ chosen(states)).count("1") == 1
