"""Terms of art and question marks: explained where they stand, by finger and by keys."""

from playwright.sync_api import expect

from tests.browser.conftest import NARROW
from tests.browser.journeys import button, change, end, figures

UNITS = "Hidden units (n)"


def test_a_term_is_explained_by_keys(server, page, settle, axe):
    page.goto(server)
    settle(page)
    term = page.get_by_role("link", name="restricted Boltzmann machine", exact=True)
    told = page.get_by_role("dialog")
    for key in ("Enter", "Space"):
        term.press(key)
        expect(told).to_contain_text("A model of two layers")
        expect(told).to_be_in_viewport(ratio=1)
        assert not axe(page)
        page.keyboard.press("Escape")
        expect(told).to_be_hidden()
        expect(term).to_be_focused()


def test_an_address_with_a_word_opens_its_explanation(server, page):
    page.goto(f"{server}/#word-rbm")
    expect(page.get_by_role("dialog")).to_contain_text("A model of two layers")


def test_a_finger_opens_what_a_label_means_and_leads_on(server, browser, settle):
    with browser.new_context(viewport={"width": NARROW, "height": 640}, has_touch=True, is_mobile=True) as phone:
        page = phone.new_page()
        page.goto(f"{server}/train?preset=plateau")
        settle(page)
        change(page)  # which a phone folds
        settle(page)
        page.get_by_text("More settings").tap()
        page.get_by_role("button", name="Help for Inner steps (d)").tap()
        told = page.get_by_role("dialog")
        expect(told).to_contain_text("How many small steps of the weights")
        expect(told).to_be_in_viewport(ratio=1)
        told.get_by_role("button", name="CD-K").tap()
        expect(told).to_contain_text("Learning by comparing")
        expect(told).to_be_in_viewport(ratio=1)
        page.touchscreen.tap(5, 5)
        expect(told).to_be_hidden()


def test_a_question_mark_covers_nothing_before_it_is_pressed(train, page):
    train(page)
    page.get_by_text("More settings").click()
    help, tooltip = page.get_by_role("button", name=f"Help for {UNITS}"), page.locator('[role="tooltip"]')
    for _ in range(20):  # what is drawn anew beneath a mouse that rests has not been hovered
        page.mouse.move(0, 0)
        help.hover()
        page.wait_for_timeout(500)
        if tooltip.count():
            break
    expect(tooltip).to_have_css("opacity", "0")
    help.click()
    expect(page.get_by_role("dialog", name=UNITS)).to_contain_text("a switch inside the model")


def test_each_question_mark_explains_its_own_however_the_one_before_was_closed(train, page):
    train(page)
    page.get_by_text("More settings").click()
    steps, units = (page.get_by_role("button", name=f"Help for {name}") for name in ("Gibbs steps (K)", UNITS))
    told = page.get_by_role("dialog")
    of_steps, of_units = "Gibbs steps from the start of a chain", "a switch inside the model"
    steps.click()
    expect(told).to_contain_text(of_steps)
    page.keyboard.press("Escape")
    expect(steps).to_be_focused()  # and by that its own tooltip opens
    units.click()
    expect(page.get_by_role("dialog", name=UNITS)).to_contain_text(of_units)
    units.click()
    expect(told).to_be_hidden()
    page.mouse.move(600, 5)
    page.wait_for_timeout(1_000)  # then Streamlit's tooltips are slow to open again
    steps.click()
    expect(told).to_contain_text(of_steps)
    for mark, words in ((units, of_units), (units, of_units), (steps, of_steps)):
        page.keyboard.press("Escape")
        mark.press("Enter")
        expect(told).to_contain_text(words)


def test_a_button_with_a_tooltip_does_what_it_does_and_explains_nothing(training, page):
    pause = button(page, "Pause")
    pause.hover()
    expect(page.locator('[role="tooltip"]')).to_have_css("opacity", "1")
    pause.click()
    figures(page, "paused").wait_for()
    expect(page.get_by_role("dialog")).to_be_hidden()
    end(page)
