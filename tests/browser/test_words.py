"""Terms of art and question marks: explained where they stand, by finger and by keys."""

from playwright.sync_api import expect

from tests.browser.conftest import NARROW
from tests.browser.journeys import change

UNITS = "Hidden units (n)"


def test_a_term_is_explained_by_an_address_with_its_word_and_by_keys(server, page, settle, axe, narrow):
    page.goto(f"{server}/#word-rbm")
    term = page.get_by_role("link", name="restricted Boltzmann machine", exact=True)
    told = page.get_by_role("dialog")
    expect(told).to_contain_text("A model of two layers")
    settle(page)
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    for key in ("Enter", "Space"):
        term.press(key)
        expect(told).to_contain_text("A model of two layers")
        expect(told).to_be_in_viewport(ratio=1)
        if key == "Enter":
            assert not axe(page)
        page.keyboard.press("Escape")
        expect(told).to_be_hidden()
        expect(term).to_be_focused()
    narrow(page)


def test_a_finger_opens_what_a_label_means_and_leads_on(server, phone, settle):
    phone.set_viewport_size({"width": NARROW, "height": 640})
    phone.goto(f"{server}/train?preset=plateau")
    settle(phone)
    change(phone)  # which a phone folds
    settle(phone)
    phone.get_by_text("More settings").tap()
    phone.get_by_role("button", name="Help for Inner steps (d)").tap()
    told = phone.get_by_role("dialog")
    expect(told).to_contain_text("How many small steps of the weights")
    expect(told).to_be_in_viewport(ratio=1)
    told.get_by_role("button", name="CD-K").tap()
    expect(told).to_contain_text("Learning by comparing")
    expect(told).to_be_in_viewport(ratio=1)
    phone.touchscreen.tap(5, 5)
    expect(told).to_be_hidden()


def test_a_question_mark_covers_nothing_until_it_is_pressed_then_explains_its_own_and_leads_to_its_field(train, page):
    train(page)
    page.get_by_text("More settings").click()
    marks = ("Learner", "Gibbs steps (K)", UNITS)
    learner, steps, units = (page.get_by_role("button", name=f"Help for {name}", exact=True) for name in marks)
    told, tooltip = page.get_by_role("dialog"), page.locator('[role="tooltip"]')
    more = told.get_by_role("link", name="More in the reference")
    of_steps, of_units = "Gibbs steps from the start of a chain", "a switch inside the model"
    for _ in range(20):  # what is drawn anew beneath a mouse that rests has not been hovered
        page.mouse.move(0, 0)
        units.hover()
        page.wait_for_timeout(500)
        if tooltip.count():
            break
    expect(tooltip).to_have_css("opacity", "0")
    learner.click()
    assert more.get_attribute("href").endswith("/reference?entry=learners")
    page.keyboard.press("Escape")
    steps.click()
    expect(told).to_contain_text(of_steps)
    assert more.get_attribute("href").endswith("/reference?entry=pcd-k")
    page.keyboard.press("Escape")
    expect(steps).to_be_focused()  # and by that its own tooltip opens
    units.click()
    expect(page.get_by_role("dialog", name=UNITS)).to_contain_text(of_units)
    assert more.get_attribute("href").endswith("/reference?entry=rbm-hidden")
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
