"""One update, looked into: of a training that is played by keyboard, and of an example on the page for them."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from pages.inside.worked_examples import STEPS
from tests.browser.journeys import LONG, button, count, end, figures


def inside(page: Page):
    return page.locator(".lab-inside[data-phases]")


def test_by_keyboard_a_training_is_played_and_looked_into_where_it_rests(train, page, settle, for_everyone):
    train(page, **LONG)
    settle(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to Play and Pause")).to_be_focused()
    page.keyboard.press("Enter")
    expect(button(page, "Play")).to_be_focused()
    page.keyboard.press("Enter")
    figures(page, "running").wait_for()
    expect(button(page, "Pause")).to_be_focused()
    page.keyboard.press("Space")
    figures(page, "paused").wait_for()
    expect(button(page, "Play")).to_be_focused()
    button(page, "All settings").press("Enter")
    expect(button(page, "Hide settings")).to_be_focused()
    button(page, "Play").press("Enter")
    figures(page, "running").wait_for()
    button(page, "Look inside").click()
    figures(page, "paused").wait_for()
    inside(page).wait_for()
    settle(page)
    here = count(page)
    expect(inside(page)).to_contain_text(f"{here + 1:,}")
    for_everyone(page, narrow=False)
    keys = inside(page).get_by_role("group", name="Play the update")
    keys.get_by_role("button", name="Step", exact=True).click()
    keys.get_by_role("button", name="Step", exact=True).press("ArrowRight")
    expect(inside(page)).to_have_attribute("data-phase", "2")
    keys.get_by_role("button", name="Step back").press("ArrowLeft")
    expect(inside(page)).to_have_attribute("data-phase", "1")
    network = inside(page).get_by_role("application")
    network.press("ArrowRight")
    chosen = inside(page).get_by_role("heading").first
    expect(chosen).to_contain_text("h2")
    expect(network).to_have_accessible_name(re.compile("h2"))
    button(page.get_by_test_id("stButton"), "Step").click()
    expect(inside(page)).to_contain_text(f"update {here + 2:,}")
    expect(chosen).to_contain_text("h2")  # what was chosen stays
    settle(page)
    an_older_answer_does_not_take_the_place_of_a_newer_one(page, settle)
    it_plays_to_its_end_without_motion(page)
    button(page, "Hide step").click()
    expect(inside(page)).to_have_count(0)
    end(page)


def an_older_answer_does_not_take_the_place_of_a_newer_one(page: Page, settle) -> None:
    here, held = count(page), []
    page.route("**/steps/trace*", lambda route: route.continue_() if held else held.append(route))
    step = button(page.get_by_test_id("stButton"), "Step")
    with page.expect_request("**/steps/trace*"):
        step.click()
    settle(page)
    step.click()
    expect(inside(page)).to_contain_text(f"update {here + 3:,}")
    with page.expect_response("**/steps/trace*"):
        held[0].continue_()
    page.evaluate("fetch(location.href).then((answer) => answer.text())")  # which comes after that answer
    expect(inside(page)).to_contain_text(f"update {here + 3:,}")


def it_plays_to_its_end_without_motion(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    speed = inside(page).get_by_label("Speed")
    speed.select_option("4")
    button(inside(page), "Play").click()
    expect(button(inside(page), "Replay")).to_be_visible()
    expect(inside(page)).to_have_attribute("data-kind", "new")
    inside(page).get_by_role("slider", name="Time within the update").press("Home")
    expect(inside(page)).to_have_attribute("data-phase", "0")
    row = inside(page).get_by_role("spinbutton", name="Row")
    row.fill("9999")
    row.press("Enter")
    expect(row).to_have_value("1")
    row.press("ArrowUp")
    expect(row).to_have_value("2")
    expect(row).to_be_focused()
    expect(speed).to_have_value("4")


def test_a_weight_of_an_example_is_chosen_and_another_example_by_keys_and_back_leads_to_the_one_before(
    server, page, settle, for_everyone
):
    page.goto(f"{server}/step?example=cd")
    inside(page).wait_for()
    for_everyone(page)
    a_weight_is_chosen_by_row_column_and_unit_and_the_question_is_found_again(inside(page))
    page.get_by_role("combobox", name="Step").press("ArrowDown")
    page.keyboard.type("PCD")
    page.keyboard.press("Enter")
    page.wait_for_url("**/step?example=pcd")
    inside(page).wait_for()
    settle(page)
    page.go_back()
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query) == {"example": ["cd"]})
    expect(page.get_by_role("combobox", name="Step")).not_to_have_value("PCD")


def a_weight_is_chosen_by_row_column_and_unit_and_the_question_is_found_again(inside: Locator) -> None:
    inside.get_by_role("slider", name="Time within the update").press("End")
    title = inside.locator(".sum h2")
    asked = title.text_content().strip()
    kind, back = inside.get_by_label("Look at", exact=True), inside.get_by_role("button", name="Back to the question")
    fields = [inside.get_by_role("spinbutton", name=name, exact=True) for name in ("row", "column", "hidden unit")]
    at = [field.input_value() for field in fields]
    expect(kind).to_have_value(STEPS["cd"].choose["pick"])
    expect(back).to_be_hidden()
    kind.select_option("h")
    expect(inside.get_by_role("spinbutton", name="number of the hidden unit")).to_have_value(at[2])
    kind.select_option("w")  # of the same unit and pixel
    assert [field.input_value() for field in fields] == at
    expect(title).to_have_text(asked)
    fields[0].fill("1" if at[0] != "1" else "2")
    fields[0].press("Enter")
    expect(title).not_to_have_text(asked)
    fields[0].fill("99")  # no such row: what is shown stays
    fields[0].press("Enter")
    back.click()
    expect(title).to_have_text(asked)
    assert [field.input_value() for field in fields] == at
