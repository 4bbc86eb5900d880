"""Train in a real browser: steps, settings, curves that are pinned, and what is drawn of each model."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.journeys import LONG, SHORT, button, change, end, figures, moves, plots_drawn, run_of, type_into


def test_no_click_is_lost_while_another_training_is_live(training, visitor, train):
    mine = train(visitor(), **LONG)
    button(mine, "Step").click()
    expect(figures(mine)).to_have_attribute("data-count", "1")
    for _ in range(9):
        button(mine, "Step").click()
        mine.wait_for_timeout(250)
    expect(figures(mine)).to_have_attribute("data-count", "10")
    moves(training)
    end(training)


def test_the_back_button_of_the_browser_brings_the_setting_before(train, page, settle):
    train(page, **SHORT)
    rate = page.get_by_role("textbox", name="Learning rate")
    rate.fill("0.2")
    rate.press("Enter")
    page.wait_for_url("**CD.rate=0.2*")
    settle(page)
    page.go_back()
    page.wait_for_url(lambda url: "CD.rate" not in url)
    # the field of before stands beside the new one until the page has been drawn
    page.wait_for_function(
        """() => {
            const fields = [...document.querySelectorAll('input[aria-label^="Learning rate"]')]
            return fields.length === 1 && fields[0].value === '0.05'
        }"""
    )


def drawn(page: Page, *names: str) -> None:
    """Waits until the large chart draws lines of these learners and no others."""
    page.wait_for_function(
        """names => {
            const lines = [...document.querySelectorAll('.lab-plot .chart')][0]?.data ?? [];
            return lines.filter(each => each.showlegend !== false).map(({ name }) => name.split(',')[0]).sort().join()
                === names.sort().join();
        }""",
        arg=list(names),
    )


def choose_learner(page: Page, title: str) -> None:
    change(page)
    page.get_by_role("combobox", name="Learner").click()
    page.get_by_role("option", name=title).click()
    page.wait_for_url("**learner=*")
    expect(button(page, "Play")).to_be_enabled()


DCP = "Stochastic DC programming (S-DCP)"
BOTH = ("CD-1", "S-DCP 3×4")
FEW = SHORT | {"data": "digits", "schedule.length": "30", "schedule.every": "10"}


def overlaid(page: Page, *seeds: int) -> None:
    """Waits until the curves of these starts are drawn together, and their names at their ends."""
    page.wait_for_function(
        """names => {
            const chart = document.querySelector('.lab-plot .chart');
            const notes = (chart?.data ?? []).map(({ name }) => name.split(', ').at(-1));
            const told = [...document.querySelectorAll('.lab-compare > div:first-child dd')];
            return notes.filter(note => note.startsWith('seed')).sort().join() === names.join()
                && told.map(each => each.textContent.split(', ').at(-1)).join() === names.join();
        }""",
        arg=[f"seed {seed}" for seed in seeds],
    )


def another_start(page: Page) -> None:
    """Pins the curve in sight, and trains with another seed to the end."""
    before = run_of(page)
    button(page, "Pin this curve").click()
    page.get_by_text("is pinned").wait_for()
    button(page, "New seed").click()
    page.locator(f".lab-figures[data-status='paused']:not([data-run='{before}'])").wait_for()
    button(page, "Play").click()
    figures(page, "finished").wait_for()


def test_several_starts_are_overlaid_and_let_go_and_found_again_by_going_back(train, page):
    train(page, **SHORT, play="1")
    figures(page, "finished").wait_for()
    for _ in range(2):
        another_start(page)
    overlaid(page, 0, 1, 2)
    pins = parse_qs(urlsplit(page.url).query)["pin"][0].split(",")
    button(page, "Unpin").click()
    button(page, "Unpin CD-1, η 0.05, seed 0").click()
    overlaid(page, 1, 2)
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query)["pin"] == [pins[1]])
    page.go_back()
    overlaid(page, 0, 1, 2)
    page.reload()
    overlaid(page, 0, 1, 2)
    button(page, "Unpin").click()
    button(page, "Unpin all").click()
    page.wait_for_url(lambda url: "pin=" not in url)
    page.locator(".lab-compare").first.wait_for(state="detached")


def test_axe_finds_nothing_beside_a_pinned_curve_an_estimate_a_diagnosis_and_a_refusal(train, page, axe, narrow):
    train(page, **FEW, play="1")
    figures(page, "finished").wait_for()
    button(page, "Pin this curve").click()
    pinned = run_of(page)
    choose_learner(page, DCP)
    button(page, "Play").click()
    page.locator(f".lab-figures[data-status='finished']:not([data-run='{pinned}'])").wait_for()
    drawn(page, *BOTH)
    another_start(page)
    button(page, "Unpin").click()
    button(page, "Unpin all").wait_for()
    assert not axe(page)
    page.keyboard.press("Escape")
    narrow(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    train(page, **FEW | {"rbm.hidden": "30", "CD.rate": "1", "annealing.temperatures": "50"}, play="1")
    figures(page, "finished").wait_for()
    page.get_by_text("Log-likelihood, estimated by AIS").wait_for()
    button(page, "Diagnose").click()
    button(page, "Go on with learning rate 0.1").wait_for()
    change(page)
    page.get_by_text("More settings").click()
    page.get_by_role("textbox", name="Temperatures").wait_for()
    type_into(page.get_by_role("textbox", name="Learning rate"), "-1", page.get_by_text("Learning rate must be"))
    assert not axe(page)
    narrow(page)


def test_axe_finds_nothing_before_a_training_and_a_narrow_screen_needs_no_sideways_scrolling(train, page, axe, narrow):
    train(page)
    assert not axe(page)
    narrow(page)


def test_a_conditional_model_restores_more_and_more(train, page, axe, narrow):
    train(page, preset="hidden-patch")
    page.get_by_alt_text("Damaged: what is hatched is lost").wait_for()
    button(page, "Step").click()
    figures(page, "paused").wait_for()
    restored = page.get_by_alt_text("Restored: the marginal of each pixel")
    restored.wait_for()
    before = restored.get_attribute("src")
    button(page, "Play").click()
    page.wait_for_function(
        "() => document.querySelector('.lab-plot .chart')?.data?.[0]?.y?.at(-1) < 8"
    )  # % of pixels, of the 11.3 that are damaged
    expect(restored).not_to_have_attribute("src", before)
    page.locator(".lab-plot .annotation", has_text="doing nothing 11.28 %").wait_for()
    button(page, "Pause").click()
    figures(page, "paused").wait_for()
    plots_drawn(page)
    change(page)
    page.get_by_text("More settings").click()
    page.get_by_role("textbox", name="Patch size").wait_for()
    assert not axe(page)
    narrow(page)


def test_a_table_s_couplings_are_mapped_and_its_estimates_sorted(train, page, axe, narrow):
    train(page, preset="senate", play="1")
    figures(page, "finished").wait_for()
    table = page.get_by_role("region", name="Estimates")
    table.get_by_role("button", name="p", exact=True).click()
    chances = [text.lstrip("< ") for text in table.locator("tbody tr > :last-child").all_inner_texts()]
    assert len(chances) == 36
    assert chances == sorted(chances, key=float)
    couplings = page.locator(".panel[data-key=couplings]")
    before = couplings.locator(".ytick text").last.text_content()
    couplings.get_by_label("Order").select_option("strength")
    expect(couplings.locator(".ytick text").last).not_to_have_text(before)
    couplings.locator(".chart").hover(position={"x": 140, "y": 200})
    hover = couplings.locator(".hoverlayer")
    expect(hover).to_contain_text("95 % interval")
    first, second, told = re.fullmatch(r"(\w+) and (\w+): (.[\d.]{5,6})95 %.*", hover.text_content()).groups()
    row = table.get_by_role("row", name=re.compile(rf"M\[({first}, {second}|{second}, {first})\]"))
    expect(row).to_contain_text(told)
    plots_drawn(page)
    assert not axe(page)
    narrow(page)


def test_a_unit_that_is_clicked_in_the_gallery_shows_what_it_answers_to(train, page, axe, narrow):
    train(page, preset="corrected-counts", play="1")
    figures(page, "finished").wait_for()
    gallery, unit = (page.locator(f".panel[data-key={key}]") for key in ("gallery", "unit"))
    expect(gallery.locator(".rest")).to_have_text(re.compile(r", \d+ units and \d+ ghosts"))
    expect(unit.locator(".rest")).to_have_text(", the 30th")
    drawn = gallery.locator("img.drawn").bounding_box()
    width, height = drawn["width"] / 12, drawn["height"] / 3  # of a tile
    gallery.locator("img.drawn").click(position={"x": 2.5 * width, "y": 1.5 * height})
    expect(unit.locator(".rest")).to_have_text(", the 15th")
    expect(unit.locator("select")).to_have_value("15")
    framed, around = (gallery.locator(each).bounding_box() for each in (".chosen", "img.drawn"))
    middle = [framed["x"] + framed["width"] / 2 - around["x"], framed["y"] + framed["height"] / 2 - around["y"]]
    assert middle == pytest.approx([2.5 * width, 1.5 * height], abs=2)
    expect(unit.locator(".lab-note")).to_contain_text("It came at update 15")
    unit.locator("select").select_option("1")
    expect(unit.locator(".rest")).to_have_text(", the 1st")
    gallery.locator("img.drawn").click(position={"x": 11.5 * width, "y": 2.5 * height})  # nobody is there
    plots_drawn(page)
    assert not axe(page)
    narrow(page)
    expect(unit.locator(".rest")).to_have_text(", the 1st")


def test_terms_are_bought_and_a_question_is_answered_at_once(train, page, axe, narrow):
    train(page, preset="parity-term", play="1")
    figures(page, "finished").wait_for()
    page.locator(".panel[data-key='landscape'] .peak").first.wait_for()
    terms = page.get_by_role("region", name="Terms")
    expect(terms.locator("tbody th")).to_have_text("an even number of x1, x2, x3 is on: more often")
    question = page.locator(".panel[data-key=question]")
    question.locator("select[name=given0]").select_option("1")
    question.locator("select[name=given1]").select_option("0")
    expect(question.locator(".rest")).to_have_text(": 2 of 3 variables given")
    expect(question.locator(".lab-note")).to_have_text("25 of 100 training rows agree with the evidence.")
    expect(question.locator(".chart")).to_have_attribute("aria-label", re.compile(r"x3 1 1\.000\.$"))
    question.locator("select[name=given1]").select_option("")
    expect(question.locator(".rest")).to_have_text(": 1 of 3 variables given")
    plots_drawn(page)
    assert not axe(page)
    narrow(page)
