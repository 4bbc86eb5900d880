"""Look inside: a training that rests is taken apart, by mouse and by keys, and goes on from there."""

from playwright.sync_api import Page, expect

from tests.browser.journeys import LONG, button, count, figures


def inside(page: Page):
    return page.locator(".lab-inside[data-phases]")


def phase(page: Page) -> int:
    return int(inside(page).get_attribute("data-phase"))


def test_a_training_is_looked_into_where_it_rests_and_a_step_leads_to_the_next(train, page, settle, axe):
    train(page, **LONG, play="1")
    button(page, "Look inside").click()
    figures(page, "paused").wait_for()
    inside(page).wait_for()
    settle(page)
    here = count(page)
    expect(inside(page)).to_contain_text(f"Inside update {here + 1:,}")
    assert not axe(page)
    keys = inside(page).get_by_role("group", name="Play the update")
    keys.get_by_role("button", name="Step", exact=True).click()
    keys.get_by_role("button", name="Step", exact=True).press("ArrowRight")
    assert phase(page) == 2
    keys.get_by_role("button", name="Step back").press("ArrowLeft")
    assert phase(page) == 1
    network = inside(page).get_by_role("application")
    network.focus()
    network.press("ArrowRight")
    expect(inside(page).get_by_role("heading").first).to_contain_text("h2")
    expect(network).to_have_attribute(
        "aria-label", "The network. The weights of h2: In this phase it adds nothing up. Arrow keys choose another."
    )
    page.get_by_test_id("stButton").get_by_role("button", name="Step", exact=True).click()
    expect(inside(page)).to_contain_text(f"Inside update {here + 2:,}")
    expect(inside(page).get_by_role("heading").first).to_contain_text("h2")  # what was chosen stays
    settle(page)
    an_older_answer_does_not_take_the_place_of_a_newer_one(page, settle)
    it_plays_to_its_end_without_motion(page)
    button(page, "Close inside").click()
    expect(inside(page)).to_have_count(0)


def an_older_answer_does_not_take_the_place_of_a_newer_one(page: Page, settle) -> None:
    here, held = count(page), []
    page.route("**/steps/trace*", lambda route: route.continue_() if held else held.append(route))
    step = page.get_by_test_id("stButton").get_by_role("button", name="Step", exact=True)
    with page.expect_request("**/steps/trace*"):
        step.click()
    settle(page)
    step.click()
    expect(inside(page)).to_contain_text(f"Inside update {here + 3:,}")
    with page.expect_response("**/steps/trace*"):
        held[0].continue_()
    page.wait_for_timeout(300)
    expect(inside(page)).to_contain_text(f"Inside update {here + 3:,}")


def it_plays_to_its_end_without_motion(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    inside(page).get_by_label("Speed").select_option("4")
    play = inside(page).get_by_role("button", name="Play", exact=True)
    play.click()
    expect(inside(page).get_by_role("button", name="Again")).to_be_visible()
    expect(inside(page)).to_have_attribute("data-kind", "new")
    expect(inside(page)).to_contain_text("New weights: the update is done.")
    slider = inside(page).get_by_role("slider", name="Time within the update")
    slider.press("Home")
    assert phase(page) == 0
    row = inside(page).get_by_role("spinbutton", name="Row")
    row.fill("9999")
    row.press("Enter")
    expect(row).to_have_value("1")
    row.press("ArrowUp")
    expect(row).to_have_value("2")
    expect(row).to_be_focused()
    expect(inside(page).get_by_label("Speed")).to_have_value("4")
