"""What moves on the Train page comes past the script: drawn in place, through a proxy, and through bad times."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import tab_from
from tests.browser.journeys import LONG, button, count, end, figures, moves, run_of
from tests.tools.served import free_port

LOST = ".lab-live .lost"
STREAMS = """
window.streams = [];
const Before = window.EventSource;
window.EventSource = class extends Before { constructor(url) { super(url); window.streams.push(this); } };
"""
OPEN = "() => streams.filter(each => each.readyState !== EventSource.CLOSED).length"
HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def sent_by(page: Page) -> list:
    """What the page sends to the script, from now on."""
    frames: list = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(frame)))
    return frames


def test_a_shared_link_is_watched_without_control_until_the_training_is_deleted(train, page, visitor):
    sent = sent_by(page)
    train(page, **LONG, play="1")
    moves(page)
    key = parse_qs(urlsplit(page.url).query)["key"][0]
    button(page, "Share").click()
    shared = page.get_by_test_id("stPopoverBody")
    link = shared.locator("code", has_text=f"run={run_of(page)}").inner_text()
    assert key not in shared.inner_text()
    with page.expect_download() as download:
        button(page, "Trace as CSV").click()
    assert download.value.path().read_text().startswith("count,epoch,work,seconds,")
    page.keyboard.press("Escape")
    guest = visitor()
    asked = sent_by(guest)
    guest.goto(link.strip())
    moves(guest)
    for name in ("Pause", "Step", "Reset", "New seed"):
        expect(button(guest, name)).to_be_disabled()
    assert "key=" not in guest.url
    guest.wait_for_timeout(500)
    before, of_guest = len(sent), len(asked)
    for _ in range(3):
        moves(page)
    assert len(sent) == before  # no script runs while the training goes on
    button(page, "Pause").click()
    for each in (page, guest):
        figures(each, "paused").wait_for()
    expect(button(page, "Play")).to_be_enabled()
    assert len(sent) > before
    guest.wait_for_timeout(500)
    assert len(asked) == of_guest
    page.get_by_role("link", name="Library").click()
    page.get_by_text("Trainings", exact=True).click()
    page.locator(".stVerticalBlock", has_text=run_of(guest)).get_by_text("Delete", exact=True).last.click()
    button(page, "Delete this training").click()
    expect(guest.locator(LOST)).to_be_visible()


def test_an_axis_is_chosen_and_found_again_after_a_reload_and_charts_take_another_theme_without_one(training, page):
    axis, title = page.get_by_label("Curves over"), page.locator(".stage .xtitle")
    first = title.text_content()
    axis.select_option("seconds")
    expect(title).not_to_have_text(first)
    moves(page)
    run, before, chosen = run_of(page), count(page), title.text_content()
    page.reload()
    figures(page, "running").wait_for()
    assert run_of(page) == run
    assert count(page) >= before
    expect(title).to_have_text(chosen)
    expect(axis).to_have_value("seconds")
    ink = "() => getComputedStyle(document.querySelector('.stage .xtitle')).fill"
    before = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"before => ({ink})() !== before", arg=before)


def test_what_a_panel_shows_is_explained_by_keyboard(training, page):
    button = page.get_by_role("button", name="What is this: Receptive fields")
    words = page.locator("[data-key=fields] .explanation:popover-open")
    button.press("Enter")
    expect(words).to_be_in_viewport(ratio=1.0)
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    expect(button).to_be_focused()
    end(page)


def test_without_streams_single_frames_come_and_a_server_that_does_not_answer_is_waited_for(train, page):
    page.route("**/live/*/stream*", lambda route: route.abort())
    train(page, **LONG, play="1")
    moves(page)
    moves(page)
    expect(page.locator(LOST)).to_be_hidden()
    page.clock.install()
    for what in ("stream", "newest"):
        page.route(f"**/live/*/{what}*", lambda route: None)
    with page.expect_request("**/live/*/stream*"):
        page.reload()
    page.clock.fast_forward(12_000)
    expect(page.locator(LOST)).to_be_visible()
    page.unroute_all()
    page.clock.fast_forward(30_000)
    figures(page, "running").wait_for()
    expect(page.locator(LOST)).to_be_hidden()
    end(page)


def test_below_a_path_of_its_own_pages_are_drawn_and_a_training_is_found_again_after_a_restart(
    serve, page, settle, tmp_path
):
    port, below = free_port(), ("--server.baseUrlPath", "a/lab")
    asked, tab = [], tab_from(page)
    for each in (page, tab):
        each.on("request", lambda request: asked.append(urlsplit(request.url)))
    with serve(tmp_path, *below, port=port) as address:
        for path in ("", "classroom"):
            tab.goto(f"{address}/{path}")
            settle(tab)
        tab.close()
        page.goto(f"{address}/train?{urlencode(LONG)}&play=1")
        figures(page, "running").wait_for()
        moves(page)
        before = count(page)
    expect(page.locator(LOST)).to_be_visible()
    assert count(page) >= before
    with serve(tmp_path, *below, port=port):
        expect(page.locator(LOST)).to_be_hidden()
        figures(page, "paused").wait_for()
        assert count(page) >= before
    assert not [each.geturl() for each in asked if each.hostname and not each.path.startswith("/a/lab")]


def test_a_tab_that_is_hidden_or_shows_another_page_holds_no_stream_and_finds_its_training_again(train, page):
    page.add_init_script(STREAMS)
    train(page, **LONG, play="1")
    moves(page)
    run = run_of(page)
    assert page.evaluate(OPEN) == 1
    page.evaluate(HIDE, True)
    page.wait_for_function(f"() => ({OPEN})() === 0")
    page.evaluate(HIDE, False)
    moves(page)
    assert page.evaluate(OPEN) == 1
    page.get_by_role("link", name="Library").click()
    page.wait_for_function(f"() => ({OPEN})() === 0")
    page.get_by_role("link", name="Train", exact=True).click()
    moves(page)
    assert run_of(page) == run
    assert parse_qs(urlsplit(page.url).query)["schedule.length"] == [LONG["schedule.length"]]
    expect(button(page, "Pause")).to_be_enabled()
    assert page.evaluate(OPEN) == 1
    end(page)


@pytest.mark.nightly
def test_who_clicks_faster_than_a_page_is_drawn_ends_with_what_is_shown(train, page):
    train(page, **LONG | {"rbm.hidden": "256", "schedule.every": "20"}, play="1")
    moves(page)
    for _ in range(3):
        button(page, "New seed").click(no_wait_after=True)
        page.wait_for_timeout(300)
    page.wait_for_url("**schedule.seed=*")
    figures(page, "running").wait_for()
    moves(page)
    expect(button(page, "Pause")).to_be_enabled()
    end(page)
