"""By keyboard: the first stop of Tab leads to what a page is for, and focus goes with what it was on."""

from playwright.sync_api import Page, expect

from tests.browser.journeys import LONG, button, end, figures


def test_the_second_key_reaches_play_and_focus_goes_from_play_to_pause_and_back(train, page: Page, settle):
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
    button(page, "Change").press("Enter")
    expect(button(page, "Fold")).to_be_focused()
    end(page)


def test_on_a_phone_the_second_key_reaches_the_pad_and_no_stop_of_tab_is_out_of_sight(server, page: Page, settle):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/denoise")
    settle(page)
    skip = page.get_by_role("link", name="Skip to the digit")
    page.keyboard.press("Tab")
    expect(skip).to_be_focused()
    for _ in range(7):
        assert page.evaluate("document.activeElement.getBoundingClientRect().right") > 0
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getBoundingClientRect().right") > 0
    skip.press("Enter")
    expect(page.get_by_role("application", name="Drawing pad for one digit")).to_be_focused()
