"""A page as a teacher shows it: parts hidden by the address, large on a projector, in a frame of another site."""

import pytest

from pages.common.presenting import PARTS

# What comes with a run; other tests see that it is there (`parts_there`).
LATER = {"pictures", "pins", "inside", "targets", "models", "completions", "iterations", "diagnosis"}
OPENED = {
    "learn": "learn?lesson=rbm&step=1&said=b",
    "train": "train?preset=real-digits",
    "step": "step",
    "compare": "compare",
    "denoise": "denoise",
}
SEEN = """parts => Object.fromEntries(Object.entries(parts).map(([name, where]) => {
  const found = where.flatMap(each => [...document.querySelectorAll(each)]);
  return [name, found.some(each => each.checkVisibility())];
}))"""
LARGE = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
# How many times larger drawings are than they are drawn.
DRAWN = """() => [...document.querySelectorAll('.lab-inside canvas')]
  .map(canvas => canvas.getBoundingClientRect().width / canvas.clientWidth)"""
# What would fade or turn, longer than anybody sees.
MOVING = """() => [...document.querySelectorAll('*')].filter(each => {
  const style = getComputedStyle(each), lasts = [style.transitionDuration, style.animationDuration];
  return lasts.join().split(',').some(text => parseFloat(text) > .002);
}).map(each => each.outerHTML.slice(0, 200))"""


@pytest.mark.parametrize("name", OPENED)
def test_a_page_hides_what_its_address_says_and_is_shown_large_and_within_another_site(server, page, settle, axe, name):
    parts, path = {key: list(part.where) for key, part in PARTS[name].items()}, OPENED[name]
    joint = "&" if "?" in path else "?"
    page.goto(f"{server}/{path}{joint}hide={','.join(parts)}&display=projector")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.get_by_role("button", name="Leave the projector view").wait_for()
    settle(page)
    for key in set(parts) - LATER:  # what is hidden is drawn all the same: each selector is of something that is there
        page.locator(",".join(parts[key])).first.wait_for(state="attached")
    assert not any(page.evaluate(SEEN, parts).values())
    assert page.evaluate(LARGE) == 24
    if name == "step":
        page.locator(".lab-inside canvas").nth(2).wait_for()
    assert page.evaluate(DRAWN) == pytest.approx([1.5] * (3 if name == "step" else 0), rel=0.01)
    assert not page.get_by_test_id("stTopNavLink").first.is_visible()
    assert "hide=" in page.url
    assert "display=projector" in page.url
    page.emulate_media(reduced_motion="reduce")
    assert not page.evaluate(MOVING)
    if name != "train":  # what follows is the same on every page
        return
    assert not axe(page)
    page.reload()
    page.get_by_role("button", name="Leave the projector view").wait_for()
    settle(page)
    assert not any(page.evaluate(SEEN, parts).values())
    page.set_viewport_size({"width": 700, "height": 500})
    page.set_content(f'<iframe src="{server}/{path}{joint}embed=true" width="700" height="500" title="lab"></iframe>')
    inside = page.frame_locator("iframe")
    inside.get_by_role("heading", level=1).first.wait_for()
    inside.get_by_test_id("stHeader").wait_for(state="hidden")
    assert inside.locator("body").evaluate("body => body.scrollWidth <= innerWidth")
