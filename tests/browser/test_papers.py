"""The page Papers in a browser: charts are drawn, and a study is rerun and cancelled."""

from playwright.sync_api import expect


def press(page, name: str):
    page.get_by_role("button", name=name, exact=True).first.click()


def test_figures_are_drawn_and_a_study_is_rerun_and_cancelled(server, page, axe, narrow, settle):
    page.goto(f"{server}/papers?paper=2")
    settle(page)
    expect(page.locator(".lab-plot[data-version]")).not_to_have_count(0)
    press(page, "Rerun on this server")
    expect(page.get_by_text("Rerun on this server: ").first).to_be_visible()
    press(page, "Cancel")
    expect(page.get_by_text("Rerun on this server: ")).to_have_count(0)
    assert not axe(page)
    narrow(page)
