"""The page Papers as a visitor sees it: charts that are drawn, and a study that is made again and halted."""

from playwright.sync_api import expect


def press(page, name: str):
    page.get_by_role("button", name=name, exact=True).first.click()


def test_figures_are_drawn_and_a_study_is_made_again_and_halted(server, page, axe, narrow, settle):
    page.goto(f"{server}/papers?paper=2")
    settle(page)
    expect(page.locator(".lab-plot[data-version]")).not_to_have_count(0)
    press(page, "Make it again here")
    expect(page.get_by_text("Made again here: ").first).to_be_visible()
    press(page, "Pause")
    expect(page.get_by_text("Made again here: paused").first).to_be_visible()
    assert not axe(page)
    narrow(page)
    press(page, "Cancel")
    expect(page.get_by_role("button", name="Make it again here", exact=True).first).to_be_enabled()
