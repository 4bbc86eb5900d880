"""Frames of the Train page come past the script: heard, looked back at, shared, and through bad times."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import served, tab_from
from tests.browser.journeys import LONG, button, change, count, end, figures, moves, open_library, run_of, type_into
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
# Keeps what a screen reader is given to read out.
LISTEN = """() => {
    const live = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
    window.heard = [];
    new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) {
            const each = node.nodeType === 1 ? node : node.parentElement;
            const region = each?.closest(live) ?? (node === target ? null : each?.querySelector(live));
            const words = region?.textContent.trim();
            if (words && words !== heard.at(-1)) heard.push(words);
        }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def take_messages(page: Page) -> list[str]:
    return page.evaluate("window.heard.splice(0)")


def sent_by(page: Page) -> list:
    """Messages that the page sends to the script, from now on."""
    frames: list = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(frame)))
    return frames


def _pause_and_play(page: Page) -> None:
    """Each of the two is read out."""
    aloud = page.locator(".lab-live .aloud")
    button(page, "Pause").click()
    figures(page, "paused").wait_for()
    words = f"{count(page):,}"
    expect(aloud).to_contain_text(words)
    button(page, "Play").click()
    expect(aloud).not_to_contain_text(words)


def test_a_training_is_heard_as_it_rests_explained_by_keyboard_and_found_with_its_axis_after_a_reload(
    train, page, settle
):
    train(page, **LONG, play="1")
    moves(page)
    settle(page)
    _pause_and_play(page)  # the message of the start is read out by then
    page.evaluate(LISTEN)
    for _ in range(3):
        moves(page)
    assert not take_messages(page)
    _pause_and_play(page)
    assert len(take_messages(page)) == 2
    change(page)
    rate = page.get_by_role("textbox", name="Learning rate")
    rate.fill("-3")
    rate.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert len(take_messages(page)) == 1
    type_into(rate, "0.011", page.locator(".lab-plot .annotation", has_text="rate 0.011").first)
    page.wait_for_url("**changes=*rate*0.011*")
    expect(rate).to_have_value("0.011")
    about = page.get_by_role("button", name="What is this: Receptive fields")
    words = page.locator("[data-key=fields] .explanation:popover-open")
    about.press("Enter")
    expect(words).to_be_in_viewport(ratio=1.0)
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    expect(about).to_be_focused()
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
    end(page)


def test_a_shared_link_is_watched_without_control_while_its_owner_looks_back_until_it_is_deleted(
    train, page, guest, settle
):
    sent = sent_by(page)
    train(page, **LONG, play="1")
    moves(page)
    key = parse_qs(urlsplit(page.url).query)["key"][0]
    button(page, "Share and download").click()
    shared = page.get_by_test_id("stPopoverBody")
    link = shared.locator("code", has_text=f"run={run_of(page)}").inner_text()
    assert key not in shared.inner_text()
    page.keyboard.press("Escape")
    asked = sent_by(guest)
    guest.goto(link.strip())
    moves(guest)
    for name in ("Pause", "Step", "Reset"):
        expect(button(guest, name)).to_be_disabled()
    assert "key=" not in guest.url
    expect(shared).to_be_hidden()
    for each in (page, guest):
        settle(each)
    before, of_guest = len(sent), len(asked)
    slider, where = page.get_by_role("slider", name="Look back"), page.locator(".back .where")
    slider.press("Home")
    expect(figures(page)).to_contain_text("Looking back")
    fields = page.locator(".panel[data-key=fields] img.drawn")
    position = where.inner_text()
    for _ in range(2):
        moves(page)  # the curve goes on
    expect(where).to_have_text(position)
    start = fields.get_attribute("src")  # the picture comes a moment after the words
    expect(guest.locator(".back .where")).not_to_have_text(position)
    assert len(sent) == before  # no script runs while the training goes on
    button(page, "Pause").click()
    for each in (page, guest):
        figures(each, "paused").wait_for()
    assert len(sent) > before
    marks = page.locator(".panel[data-key=curve] .shapelayer path")
    lines = marks.count()
    button(page, "Now").click()
    expect(slider).to_be_focused()
    expect(marks).to_have_count(lines - 1)  # of the line where it was
    expect(fields).not_to_have_attribute("src", start)
    slider.click(position={"x": 3, "y": slider.bounding_box()["height"] / 2})
    expect(fields).to_have_attribute("src", start)
    here = count(page)
    button(page, "Step").click()
    expect(figures(page)).to_have_attribute("data-count", str(here + 1))
    expect(fields).not_to_have_attribute("src", start)
    expect(figures(guest)).to_have_attribute("data-count", str(here + 1))
    assert len(asked) == of_guest
    open_library(page)
    page.get_by_text("Runs", exact=True).click()
    page.locator(".stVerticalBlock", has_text=run_of(guest)).get_by_text("Delete", exact=True).last.click()
    button(page, "Delete this run").click()
    expect(guest.locator(LOST)).to_be_visible()


@pytest.mark.nightly
def test_a_stream_is_held_in_sight_only_its_run_kept_alive_elsewhere_and_a_silent_server_waited_for(
    train, guest, settle
):
    page = guest
    page.clock.install()
    page.add_init_script(STREAMS)
    sent = sent_by(page)
    train(page, **LONG, play="1")
    moves(page)
    run = run_of(page)
    page.wait_for_function(f"() => ({OPEN})() === 1")
    page.evaluate(HIDE, True)
    page.wait_for_function(f"() => ({OPEN})() === 0")
    page.evaluate(HIDE, False)
    moves(page)
    open_library(page)
    page.wait_for_function(f"() => ({OPEN})() === 0")
    settle(page)
    before = len(sent)
    with page.expect_response("**/live/*/alive") as beat:
        page.clock.fast_forward(21_000)
    assert beat.value.status == 204
    assert len(sent) == before  # no script runs for it
    page.route("**/live/*/stream*", lambda route: route.abort())
    page.get_by_role("link", name="Train", exact=True).click()
    for _ in range(2):  # by single frames
        moves(page)
    assert run_of(page) == run
    assert parse_qs(urlsplit(page.url).query)["schedule.length"] == [LONG["schedule.length"]]
    expect(button(page, "Pause")).to_be_enabled()
    expect(page.locator(LOST)).to_be_hidden()
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


@pytest.mark.nightly
def test_below_a_path_of_its_own_pages_are_drawn_and_a_training_is_found_again_after_a_restart(page, settle, tmp_path):
    port, below = free_port(), ("--server.baseUrlPath", "a/lab")
    asked, tab = [], tab_from(page)
    for each in (page, tab):
        each.on("request", lambda request: asked.append(urlsplit(request.url)))
    with served(tmp_path, *below, port=port) as address:
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
    with served(tmp_path, *below, port=port):
        expect(page.locator(LOST)).to_be_hidden()
        figures(page, "paused").wait_for()
        assert count(page) >= before
    assert not [each.geturl() for each in asked if each.hostname and not each.path.startswith("/a/lab")]
