"""Looking back at a training: by mouse and by keyboard, each viewer for himself."""

from playwright.sync_api import Page, expect

from tests.browser import modules
from tests.browser.journeys import button, count, figures, moves, run_of

FIELDS = ".panel[data-key=fields] img.drawn"
CURVE = ".panel[data-key=curve] .shapelayer path"
# Shows frames of these updates, with pictures of so many characters; returns the updates that are kept.
KEPT = """([counts, characters, status = 'running']) => {
  window.live ??= { back: Object.assign(newBack(), { every: 0 }) };
  for (const count of counts) {
    const frame = { count, at: { updates: count }, status, abouts: 1, curve: 2, beside: [3], below: [] };
    const figure = { layout: { meta: { along: 'updates' } }, data: 'x'.repeat(9e6) };
    const along = { key: 'curve', chart: { figure } };
    live.shown = { frame, parts: { 1: [], 2: along, 3: { key: 'fields', below: 'x'.repeat(characters) } } };
    keepFrame(live);
  }
  return live.back.kept.map((each) => each.count);
}"""


def fields(page: Page) -> str:
    return page.locator(FIELDS).get_attribute("src")


def test_a_viewer_looks_back_while_it_goes_on_and_returns_to_now(training, page, visitor):
    slider, where = page.get_by_role("slider", name="Look back"), page.locator(".back .where")
    expect(slider).to_be_enabled()
    guest = visitor()
    guest.goto(f"{page.url.partition('?')[0]}?run={run_of(page)}")
    moves(guest)
    slider.press("Home")
    expect(figures(page)).to_contain_text("Looking back")
    start, said = fields(page), where.inner_text()
    assert said.startswith("update ")
    moves(page)  # the curve goes on
    expect(where).to_have_text(said)
    expect(guest.locator(".back .where")).to_have_text("now")
    button(page, "Pause").hover()
    button(page, "Pause").click()
    figures(page, "paused").wait_for()
    lines = page.locator(CURVE).count()
    button(page, "Now").click()
    expect(slider).to_be_focused()
    expect(page.locator(CURVE)).to_have_count(lines - 1)  # of the line where it was
    expect(page.locator(FIELDS)).not_to_have_attribute("src", start)
    slider.click(position={"x": 3, "y": slider.bounding_box()["height"] / 2})
    expect(page.locator(FIELDS)).to_have_attribute("src", start)
    before = count(page)
    button(page, "Step").click()
    expect(figures(page)).to_contain_text("Paused")
    expect(figures(page)).to_have_attribute("data-count", str(before + 1))
    expect(where).to_have_text("now")


def test_frames_that_are_kept_are_thinned_evenly_and_bounded_and_fall_with_the_training(page):
    modules.load(page, "live/back.js")
    kept = page.evaluate(KEPT, [[*range(65)], 1])
    assert kept == [*range(0, 65, 2)]
    assert page.evaluate(KEPT, [[70], 1, "paused"]) == [*kept, 70]
    assert page.evaluate(KEPT, [[70, 9], 1, "paused"]) == [0, 2, 4, 6, 8, 9]
    assert page.evaluate(KEPT, [[*range(10, 50)], 1_000_000, "paused"])[0] == 0
    assert page.evaluate("() => live.back.kept.reduce((sum, { size }) => sum + size, 0) <= 32e6")
