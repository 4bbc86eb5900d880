"""Train in a real browser: play, pause, step, share, come back."""

import re
from contextlib import suppress
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.journeys import LONG, SHORT, at_rest, button, change, count, end, figures, moves, plots_drawn, run_of


def type_into(field: Locator, text: str, shown: Locator) -> None:
    """Types until it shows: a page that runs again just then may draw the field anew, before Enter takes what was
    typed.
    """
    for _ in range(4):
        field.fill(text)
        field.press("Enter")
        with suppress(TimeoutError):
            return shown.wait_for(timeout=10_000)
    pytest.fail(f"{text!r} was typed, and its answer never shown")


def test_a_newcomer_s_first_click_trains_real_digits(server, page, settle):
    page.goto(server)
    settle(page)
    page.get_by_role("button", name="Watch a machine learn handwriting").click()
    figures(page, "running").wait_for()
    moves(page)
    page.get_by_alt_text("40 images that the model dreams up").wait_for()
    page.get_by_alt_text("Weights of hidden units 1 to 72").wait_for()
    button(page, "Pause").click()
    figures(page, "paused").wait_for()


def test_play_pause_step_and_end(training):
    page = training
    pause = button(page, "Pause")
    pause.hover()
    expect(page.locator('[role="tooltip"]')).to_have_css("opacity", "1")
    pause.click()
    figures(page, "paused").wait_for()
    expect(page.get_by_role("dialog")).to_be_hidden()
    stopped = at_rest(page)
    button(page, "Step").click()
    expect(figures(page)).to_have_attribute("data-count", str(stopped + 1))
    figures(page, "paused").wait_for()
    button(page, "Play").click()
    figures(page, "running").wait_for()
    moves(page)
    end(page)


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


def test_a_training_is_found_again_after_a_reload_and_a_page_switch(training):
    page = training
    run, before = run_of(page), count(page)
    page.reload()
    figures(page, "running").wait_for()
    assert run_of(page) == run
    assert count(page) >= before
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()
    page.get_by_role("link", name="Train", exact=True).click()
    figures(page, "running").wait_for()
    assert run_of(page) == run
    assert parse_qs(urlsplit(page.url).query)["schedule.length"] == [LONG["schedule.length"]]
    moves(page)
    expect(button(page, "Pause")).to_be_enabled()
    end(page)


def test_a_rate_changed_while_it_trains_is_marked_on_the_curve_and_in_the_address(training):
    page = training
    change(page)
    rate = page.get_by_role("textbox", name="Learning rate")
    type_into(rate, "0.011", page.locator(".lab-plot .annotation", has_text="rate 0.011"))
    page.wait_for_url("**changes=*rate*0.011*")
    expect(rate).to_have_value("0.011")
    type_into(rate, "-3", page.get_by_text("Learning rate must be a number from 1e-06 to 10, not -3.0."))
    moves(page)
    end(page)


def test_a_shared_link_is_watched_live_without_control_or_key(training, visitor):
    owner, guest = training, visitor()
    key = parse_qs(urlsplit(owner.url).query)["key"][0]
    button(owner, "Share").click()
    owner.get_by_text("Link to watch this run").wait_for()
    shared = owner.get_by_test_id("stPopoverBody")
    link = shared.locator("code", has_text=f"run={run_of(owner)}").inner_text()
    assert key not in shared.inner_text()
    with owner.expect_download() as download:
        button(owner, "Trace as CSV").click()
    assert download.value.path().read_text().startswith("count,epoch,work,seconds,")
    owner.keyboard.press("Escape")
    guest.goto(link.strip())
    figures(guest, "running").wait_for()
    moves(guest)
    for name in ("Pause", "Step", "Reset", "New seed"):
        expect(button(guest, name)).to_be_disabled()
    assert "key=" not in guest.url
    button(guest, "Start my own copy").click()
    expect(button(guest, "Pause")).to_be_enabled()
    watched = run_of(owner)
    guest.wait_for_url(lambda url: f"run={watched}" not in url)
    end(guest)
    end(owner)


def test_too_fast_explains_itself_and_goes_back(train, page, axe):
    train(page, preset="too-fast", play="1")
    page.get_by_text("The training has diverged").wait_for()
    assert not axe(page)
    button(page, "Back to the best state").click()
    figures(page, "paused").wait_for()


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


def test_trainings_beyond_the_room_wait_in_line_and_then_run(serve, visitor, tmp_path):
    link = f"train?{urlencode(LONG)}&play=1"
    with serve(tmp_path, BOLTZCORE_MEMORY="1") as address:  # room for the four that there always is
        first, *others, last = (visitor() for _ in range(5))
        for page in (first, *others):
            page.goto(f"{address}/{link}")
            figures(page, "running").wait_for()
            own = page.url
            page.goto("about:blank")  # a training goes on while its tab is away for a moment
            if page is first:
                ends = own
        last.goto(f"{address}/{link}")
        figures(last, "queued").wait_for()
        expect(figures(last)).to_contain_text("Waiting, place 1")
        first.goto(ends)
        figures(first, "running").wait_for()
        end(first)
        figures(last, "running").wait_for()
        moves(last)


def drawn(page: Page, *names: str) -> None:
    """Waits until the large chart draws test lines of these names and no others, and labels them."""
    page.wait_for_function(
        """names => {
            const chart = document.querySelector('.lab-plot .chart');
            const lines = (chart?.data ?? []).map(trace => trace.name).filter(name => name.endsWith(', test'));
            const notes = (chart?.layout?.annotations ?? []).map(note => note.text.replaceAll('<br>', ' '));
            return lines.sort().join() === names.map(name => `${name}, test`).sort().join()
                && names.every(name => notes.includes(name));
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
BOTH = ("CD-1, η 0.05", "S-DCP 1×1, η 0.05")
FEW = SHORT | {"data": "digits", "schedule.length": "30", "schedule.every": "10"}


def test_an_earlier_curve_is_pinned_beside_one_that_trains_and_found_again(training):
    page = training
    button(page, "Pin this curve").click()
    page.get_by_text("is pinned").wait_for()
    pinned = run_of(page)
    choose_learner(page, DCP)
    button(page, "Play").click()
    page.wait_for_url(lambda url: f"pin={pinned}" in url and f"run={pinned}" not in url)
    figures(page, "running").wait_for()
    drawn(page, *BOTH)
    moves(page)
    page.reload()
    figures(page, "running").wait_for()
    drawn(page, *BOTH)
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()
    page.get_by_role("link", name="Train", exact=True).click()
    drawn(page, *BOTH)
    assert f"pin={pinned}" in page.url
    button(page, "Unpin").click()
    drawn(page)
    page.wait_for_url(lambda url: "pin=" not in url)
    end(page)


def overlaid(page: Page, *seeds: int) -> None:
    """Waits until the curves of these starts are drawn together, and their names at their ends."""
    page.wait_for_function(
        """names => {
            const chart = document.querySelector('.lab-plot .chart');
            const notes = (chart?.layout?.annotations ?? []).map(note => note.text);
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


def test_axe_finds_nothing_beside_a_pinned_curve_or_an_estimate(train, page, axe, narrow):
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
    train(page, **FEW | {"rbm.hidden": "30", "annealing.temperatures": "50"}, play="1")
    figures(page, "finished").wait_for()
    page.get_by_text("Log-likelihood, estimated by AIS").wait_for()
    change(page)
    page.get_by_text("More settings").click()
    page.get_by_role("textbox", name="Temperatures").wait_for()
    assert not axe(page)
    narrow(page)


def test_axe_finds_nothing_and_a_narrow_screen_needs_no_sideways_scrolling(train, page, axe, narrow):
    train(page)
    assert not axe(page)
    train(page, **SHORT | {"data": "digits"}, play="1")
    figures(page, "finished").wait_for()
    plots_drawn(page)
    change(page)
    page.get_by_text("More settings").click()
    rate = page.get_by_role("textbox", name="Learning rate")
    type_into(rate, "-1", page.get_by_text("Learning rate must be"))
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
