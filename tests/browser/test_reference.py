"""The reference in a browser: searched, led to by an address, read on a narrow screen."""

from playwright.sync_api import expect


def test_it_is_searched_by_keyboard_and_an_address_leads_to_an_entry(server, page, settle, axe, narrow):
    page.goto(f"{server}/reference")
    settle(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first stop leads to the field
    field = page.get_by_role("searchbox", name="Search the reference")
    expect(field).to_be_focused()
    page.keyboard.type("S-DCP,")
    page.keyboard.press("Enter")
    page.wait_for_url("**/reference?q=S-DCP*")
    page.get_by_text("Stochastic DC programming").first.click()
    expect(page.get_by_text("Inner steps (d)").first).to_be_visible()
    page.goto(f"{server}/reference?entry=learner-sdcp")
    page.get_by_role("button", name="All of Learners").click()
    page.get_by_text("Frank-Wolfe").first.wait_for()
    settle(page)
    assert not axe(page)
    narrow(page)
