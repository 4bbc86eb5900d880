"""Pages that one journey each goes through: Start, Compare, Papers, Reference, and a page as a teacher shows it."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from boltzcore import Comparison
from tests.browser.journeys import button, change, end, figures, moves, run_of
from tests.runs.toys import batch

CONTENDERS = {"CD-1": {}, "CD-9": {"CD.K": 9}, "PCD": {"learner": "PCD", "PCD.batch_size": 0, "PCD.rate": 0.1}}
# What would fade or turn, longer than anyone sees.
MOVING = """() => [...document.querySelectorAll('*')].filter(each => {
  const style = getComputedStyle(each), lasts = [style.transitionDuration, style.animationDuration];
  return lasts.join().split(',').some(text => parseFloat(text) > .002);
}).map(each => each.outerHTML.slice(0, 200))"""


def test_start_generates_digits_at_any_pace_and_its_training_is_that_of_train(server, page, settle, for_everyone):
    page.emulate_media(reduced_motion="reduce")
    page.goto(server)
    rested = page.get_by_text("200 Gibbs steps from pure noise")
    rested.wait_for(timeout=60_000)
    for_everyone(page)
    picture = page.get_by_alt_text("36 fantasy particles of the model, drawn as pixels.")
    last = picture.get_attribute("src")
    assert last.startswith("data:image/png;base64,")
    page.wait_for_timeout(1_000)
    expect(picture).to_have_attribute("src", last)  # nothing moves by itself
    button(page, "First").press("Enter")
    expect(picture).not_to_have_attribute("src", last)
    expect(page.get_by_role("slider", name="Picture")).to_be_focused()
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    rested.wait_for(timeout=60_000)
    rate = page.get_by_role("textbox", name="Learning rate")
    rate.fill("0.03")
    rate.press("Enter")
    page.wait_for_url("**rate=0.03*")
    button(page, "Play").click()
    figures(page, "running").wait_for()
    moves(page)
    change(page)
    expect(rate).to_have_value("0.03")
    page.get_by_role("link", name="Train", exact=True).click()
    page.wait_for_url(f"**/train?*run={run_of(page)}*")
    figures(page, "running").wait_for()
    end(page)


def test_a_race_is_predicted_watched_and_ends_with_a_sentence(server, page, for_everyone):
    page.goto(f"{server}/compare?{urlencode(Comparison(batch(400, every=40), CONTENDERS, trials=3).to_query())}")
    for_everyone(page, narrow=False)
    page.wait_for_function("() => window.Plotly")  # there before it is needed
    button(page, "Play").click()
    page.locator(".lab-figures").wait_for()
    expect(page.locator(".lab-plot")).to_have_count(0)
    page.get_by_test_id("stButtonGroup").get_by_text("CD-9", exact=True).click()
    expect(page.locator(".st-key-found").get_by_test_id("stAlert")).to_be_visible(timeout=60_000)
    expect(page.locator(".lab-plot")).to_have_count(1)
    expect(page.locator(".lab-compare")).to_have_count(3)
    expect(page.locator('[data-key="figures"] tbody tr')).to_have_count(3)  # the last frame moves nothing any more
    for_everyone(page)
    page.emulate_media(color_scheme="dark")
    for kind, begin in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {kind}: Median over").click()
        assert (content := Path(download.value.path()).read_bytes()).startswith(begin)
    assert b"rgb(255, 255, 255)" in content  # on white, with the whole title of the axis
    assert b">Log-likelihood of the training rows<" in content


@pytest.mark.nightly
def test_figures_of_a_paper_are_drawn_and_its_details_open(server, page, for_everyone):
    page.goto(f"{server}/papers?paper=2")
    expect(page.locator(".lab-plot[data-version]")).not_to_have_count(0)
    page.get_by_text("Details").click()
    page.get_by_text("Study dcp-small").first.wait_for()
    for_everyone(page)


def test_the_reference_is_searched_by_keyboard_and_an_address_leads_to_an_entry(server, page, settle, for_everyone):
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
    for_everyone(page)


def test_a_page_is_shown_large_and_within_another_site(server, page, settle, for_everyone):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{server}/train?preset=real-digits&display=projector")
    way_out = page.get_by_role("button", name="Leave projector view")
    for again in (False, True):
        if again:
            page.reload()
        way_out.wait_for()
        settle(page)
        expect(page.locator("html")).to_have_css("font-size", "24px")
        expect(page.get_by_test_id("stTopNavLink").first).to_be_hidden()
        assert "display=projector" in page.url
    page.emulate_media(reduced_motion="reduce")
    assert not page.evaluate(MOVING)
    for_everyone(page, narrow=False)
    page.set_viewport_size({"width": 700, "height": 500})
    framed = f"{server}/train?preset=real-digits&embed=true"
    page.set_content(f'<iframe src="{framed}" width="700" height="500" title="lab"></iframe>')
    inside = page.frame_locator("iframe")
    inside.get_by_role("heading", level=1).first.wait_for()
    inside.get_by_test_id("stHeader").wait_for(state="hidden")
    inside.locator(".st-key-speed").wait_for(state="hidden")
    assert inside.locator("body").evaluate("body => body.scrollWidth <= innerWidth")
