"""Sight of the figures while a training runs, at the sizes of a laptop and a phone."""

from playwright.sync_api import Page, expect

from tests.browser.journeys import LONG, button, change, end, figures, moves

# Adds up from now on how far things jump that no click has asked for.
SHIFTS = """() => {
    window.shifted = 0;
    window.watcher?.disconnect();
    window.watcher = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    });
    window.watcher.observe({ type: 'layout-shift', buffered: false });
}"""
CURVE, PICTURE, PULLS = ".stage .curve .lab-plot", ".stage .beside img.drawn", ".stage [data-key=pulls]"
SIZES = {  # {(width, height): {selector: the share of it that is in sight at least}}
    (1280, 800): {CURVE: 1, PICTURE: 1, PULLS: 1},
    (390, 844): {CURVE: 1, PICTURE: 1, PULLS: 0.9},
}


def share_in_sight(page: Page, selector: str) -> float:
    """Return the share of the first such element's height that is within the window."""
    return page.evaluate(  # found and measured in one step: pictures are replaced meanwhile
        """selector => {
            const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();
            return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) / height;
        }""",
        selector,
    )


def wait_for_layout(page: Page) -> None:
    """Waits until what a new size of the window moves has found its place: charts are drawn anew for it."""
    places = """() => [...document.querySelectorAll('.stage [data-key], .stage .lab-plot, .stage img')]
        .map(each => Math.round(each.getBoundingClientRect().y))"""
    before = None
    while before != (now := page.evaluate(places)):
        before = now
        for _ in range(2):
            moves(page)


def test_what_matters_is_in_sight_while_a_training_runs(train, page):
    train(page, **LONG | {"rbm.hidden": "12", "schedule.every": "5"}, play="1")
    figures(page, "running").wait_for()
    page.locator(PICTURE).first.wait_for()
    for (width, height), shares in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
        wait_for_layout(page)
        for name in ("Pause", "Step"):
            box = button(page, name).bounding_box()
            assert 0 <= box["y"] < height - box["height"]
        assert share_in_sight(page, ".lab-figures") == 1
        for selector, least in shares.items():
            assert share_in_sight(page, selector) >= least, selector
        page.evaluate(SHIFTS)
        for _ in range(3):
            moves(page)
        assert page.evaluate("window.shifted") < 0.02
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollBy(0, 400)")
        expect(page.locator(".st-key-transport")).to_be_in_viewport(ratio=1.0)  # it stays in reach
    end(page)


def test_on_a_phone_the_settings_that_matter_and_play_are_in_sight_and_the_others_unfold(server, phone, for_everyone):
    page = phone
    page.goto(f"{server}/train?preset=handwriting")
    model = page.get_by_role("combobox", name="Model", exact=True)
    for each in (page.get_by_role("textbox", name="Hidden units"), button(page, "Play")):
        expect(each).to_be_in_viewport(ratio=1.0)
    for_everyone(page)
    change(page)
    expect(model).to_be_visible()
    button(page, "Hide settings").tap()
    expect(model).to_be_hidden()
    button(page, "Play").tap()
    wait_for_layout(page)
    page.evaluate(SHIFTS)
    for _ in range(3):
        moves(page)
    assert page.evaluate("window.shifted") < 0.02
    for_everyone(page)
    end(page)
