"""Looking back at a training: by mouse and by keyboard, each viewer for himself, after a reload too."""

from playwright.sync_api import Page, expect

from tests.browser.journeys import button, count, end, figures, moves, run_of

FIELDS = ".panel[data-key=fields] img.drawn"
CURVE = ".panel[data-key=curve] .shapelayer path"


def slider(page: Page):
    return page.get_by_role("slider", name="Look back")


def fields(page: Page) -> str:
    return page.locator(FIELDS).get_attribute("src")


def test_the_slider_goes_back_to_the_start_and_now_returns_and_whoever_watches_stays(training, page, visitor):
    expect(slider(page)).to_be_enabled()
    guest = visitor()
    guest.goto(f"{page.url.partition('?')[0]}?run={run_of(page)}")
    moves(guest)
    button(page, "Pause").click()
    figures(page, "paused").wait_for()
    now, lines = fields(page), page.locator(CURVE).count()
    slider(page).press("Home")
    expect(slider(page)).to_have_attribute("aria-valuetext", "update 0")
    expect(page.locator(FIELDS)).not_to_have_attribute("src", now)
    expect(figures(page)).to_contain_text("Looking back")
    expect(page.locator(CURVE)).to_have_count(lines + 1)  # a line where it was
    start = fields(page)
    slider(page).press("ArrowRight")
    expect(page.locator(FIELDS)).not_to_have_attribute("src", start)
    expect(guest.locator(".back .where")).to_have_text("now")
    page.reload()
    figures(page, "paused").wait_for()
    expect(slider(page)).to_be_enabled()
    slider(page).click(position={"x": 3, "y": slider(page).bounding_box()["height"] / 2})
    expect(page.locator(FIELDS)).to_have_attribute("src", start)
    button(page, "Now").click()
    expect(page.locator(FIELDS)).to_have_attribute("src", now)
    expect(slider(page)).to_be_focused()
    expect(page.locator(CURVE)).to_have_count(lines)


def test_who_plays_on_looks_back_no_more_and_a_look_that_does_not_come_is_said(training, page):
    expect(slider(page)).to_be_enabled()
    slider(page).press("Home")
    expect(figures(page)).to_contain_text("Looking back")
    moves(page)  # the curve goes on
    button(page, "Pause").hover()
    button(page, "Pause").click()
    figures(page, "paused").wait_for()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(figures(page)).to_contain_text("Looking back")
    before = count(page)
    button(page, "Step").click()
    expect(figures(page)).to_contain_text("Paused")
    expect(figures(page)).to_have_attribute("data-count", str(before + 1))
    expect(page.locator(".back .where")).to_have_text("now")
    expect(button(page, "Play")).to_be_enabled()
    page.route("**/live/*/history/*", lambda route: route.abort())
    slider(page).press("ArrowLeft")  # a frame that this page has not had yet
    expect(page.locator(".back .lab-note")).to_have_text("The connection is lost. This is how it stands now.")
    expect(page.locator(".back .where")).to_have_text("now")
    page.unroute_all()
    slider(page).press("ArrowLeft")
    expect(figures(page)).to_contain_text("Looking back")
    expect(page.locator(".back .lab-note")).to_be_hidden()
    end(page)
