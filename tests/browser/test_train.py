"""Train in a real browser: curves that are compared, and what is drawn of each model."""

import pytest
from playwright.sync_api import expect

from tests.browser.journeys import SHORT, button, change, figures, run_of, type_into


@pytest.mark.nightly
def test_axe_finds_nothing_beside_a_pinned_curve_a_diagnosis_a_refusal_and_estimates(train, page, for_everyone):
    few = SHORT | {"data": "digits", "schedule.length": "30", "schedule.every": "10"}
    train(page, **few, play="1")
    figures(page, "finished").wait_for()
    button(page, "Pin this curve").click()
    pinned = run_of(page)
    button(page, "More").click()
    button(page, "New seed").click()
    page.locator(f".lab-figures[data-status='paused']:not([data-run='{pinned}'])").wait_for()
    button(page, "Play").click()
    figures(page, "finished").wait_for()
    expect(page.locator(".lab-compare > div:first-child dd")).to_have_count(2)
    for_everyone(page)
    train(page, **few | {"rbm.hidden": "30", "CD.rate": "1", "annealing.temperatures": "50"}, play="1")
    figures(page, "finished").wait_for()
    button(page, "Diagnose").click()
    button(page, "Start a new run: learning rate 0.1").wait_for()
    change(page)
    page.get_by_role("textbox", name="Temperatures").wait_for()
    refusal = page.get_by_role("alert").filter(has_text="Learning rate")
    type_into(page.get_by_role("textbox", name="Learning rate"), "-1", refusal)
    for_everyone(page)
    train(page, preset="senate", play="1")
    figures(page, "finished").wait_for()
    page.get_by_role("region", name="Estimates").wait_for()
    for_everyone(page)


@pytest.mark.nightly
def test_a_unit_that_is_clicked_in_the_gallery_is_shown(train, page, settle, for_everyone):
    train(page, preset="corrected-counts", play="1")
    button(page, "Train longer").wait_for()  # the script draws the page anew a moment after the training ends
    settle(page)
    gallery, unit = (page.locator(f".panel[data-key={key}]") for key in ("gallery", "unit"))
    drawn = gallery.locator("img.drawn").bounding_box()
    width, height = drawn["width"] / 12, drawn["height"] / 3  # of a tile
    gallery.locator("img.drawn").click(position={"x": 2.5 * width, "y": 1.5 * height})
    expect(unit.locator("select")).to_have_value("15")
    framed, around = (gallery.locator(each).bounding_box() for each in (".chosen", "img.drawn"))
    middle = [framed["x"] + framed["width"] / 2 - around["x"], framed["y"] + framed["height"] / 2 - around["y"]]
    assert middle == pytest.approx([2.5 * width, 1.5 * height], abs=2)
    unit.locator("select").select_option("1")
    gallery.locator("img.drawn").click(position={"x": 11.5 * width, "y": 2.5 * height})  # no unit is there
    expect(unit.locator("select")).to_have_value("1")
    for_everyone(page)
