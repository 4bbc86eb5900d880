"""A page as a teacher shows it: large on a projector, in a frame of another site."""

import pytest

# How many times larger drawings are than they are drawn.
DRAWN = """() => [...document.querySelectorAll('.lab-inside canvas')]
  .map(canvas => canvas.getBoundingClientRect().width / canvas.clientWidth)"""
# What would fade or turn, longer than anyone sees.
MOVING = """() => [...document.querySelectorAll('*')].filter(each => {
  const style = getComputedStyle(each), lasts = [style.transitionDuration, style.animationDuration];
  return lasts.join().split(',').some(text => parseFloat(text) > .002);
}).map(each => each.outerHTML.slice(0, 200))"""


def test_a_page_is_shown_large_and_within_another_site(server, page, settle, axe):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{server}/step?display=projector")
    way_out = page.get_by_role("button", name="Leave the projector view")
    way_out.wait_for()
    page.locator(".lab-inside canvas").nth(2).wait_for()
    assert page.evaluate(DRAWN) == pytest.approx([1.5] * 3, rel=0.01)
    page.goto(f"{server}/train?preset=real-digits&display=projector")
    for again in (False, True):
        if again:
            page.reload()
        way_out.wait_for()
        settle(page)
        assert page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)") == 24
        assert not page.get_by_test_id("stTopNavLink").first.is_visible()
        assert "display=projector" in page.url
    page.emulate_media(reduced_motion="reduce")
    assert not page.evaluate(MOVING)
    assert not axe(page)
    page.set_viewport_size({"width": 700, "height": 500})
    framed = f"{server}/train?preset=real-digits&embed=true"
    page.set_content(f'<iframe src="{framed}" width="700" height="500" title="lab"></iframe>')
    inside = page.frame_locator("iframe")
    inside.get_by_role("heading", level=1).first.wait_for()
    inside.get_by_test_id("stHeader").wait_for(state="hidden")
    inside.locator(".st-key-speed").wait_for(state="hidden")
    assert inside.locator("body").evaluate("body => body.scrollWidth <= innerWidth")
