"""Restore: draw with mouse, finger and keys, restore, step, crop, rub out, and pictures that are none."""

import io
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from tests.browser.conftest import fits
from tests.browser.journeys import button, open_library

STRIP = ".st-key-strip .panel[data-key='restored']"


@pytest.fixture
def denoise(server, settle):
    """denoise(page, setting): the page as a link opens it, with a restored digit."""

    def opened(page, setting: str = ""):
        page.goto(f"{server}/denoise{setting and '?'}{setting}")
        page.locator(STRIP).wait_for(timeout=90_000)  # kernels may have to be compiled first
        settle(page)
        return page

    return opened


# Pixels of the damaged or restored digit that are wrong, as the page says it.
WRONG = """const wrong = (which) => parseInt(
  document.querySelector(`.st-key-strip .panel[data-key=${which}] .lab-note`)?.textContent.replace(',', ''));"""


def restores(page, share: float = 1.0) -> None:
    """Wait until the restored digit has fewer wrong pixels than this share of those that are damaged."""
    page.wait_for_function(f"share => {{ {WRONG} return wrong('restored') < share * wrong('damaged'); }}", arg=share)


def ink(page):
    return page.get_by_role("application", name="Drawing pad for one digit")


def picture(page, key: str = "digit"):
    """The picture of a panel above the pad."""
    return page.locator(f".st-key-strip .panel[data-key={key}] img.drawn")


def drag(page, pad, *points: tuple[float, float]) -> None:
    """Draw a line through points, given as shares of the pad's sides."""
    box = pad.bounding_box()
    (x, y), *others = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in points]
    page.mouse.move(x, y)
    page.mouse.down()
    for x, y in others:
        page.mouse.move(x, y, steps=8)
    page.mouse.up()


def drawing_in(url: str) -> list[str]:
    """Return the drawing that an address holds."""
    return parse_qs(urlsplit(url).query).get("drawing", [])


def clear(page) -> None:
    button(page, "Clear").click()
    page.locator(STRIP).wait_for(state="detached")


def place_on_table() -> bytes:
    """A PNG file of a seven in dark ink on bright paper, whose edge, with a coarsely grained table beyond, takes more
    than half of the picture.
    """
    seven = Image.new("L", (220, 300), 220)
    ImageDraw.Draw(seven).line([(60, 60), (170, 60), (110, 230)], fill=40, width=18, joint="curve")
    grain = np.random.default_rng(0).integers(0, 256, (30, 26), np.uint8).repeat(10, 0).repeat(10, 1)
    Image.fromarray(np.hstack([grain, np.asarray(seven)])).save(out := io.BytesIO(), "PNG")
    return out.getvalue()


def test_a_digit_is_drawn_by_mouse_and_by_keys_and_outlasts_a_page_switch_a_reload_and_goes_with_the_link(
    denoise, page, guest, settle
):
    denoise(page, "corruption.rate=0.2")
    clear(page)
    ink(page).focus()
    for key in (*["ArrowUp"] * 8, " ", *["ArrowDown"] * 16, " "):
        page.keyboard.press(key)
    restores(page)
    page.keyboard.press("Delete")
    page.locator(STRIP).wait_for(state="detached")
    drag(page, ink(page), (0.3, 0.2), (0.7, 0.2), (0.45, 0.85))  # a seven
    restores(page, 0.5)
    settle(page)  # a script that draws the page anew renames its downloads
    with page.expect_download() as coming:
        button(page, "Restored digit (PNG)").click()
    assert coming.value.path().read_bytes().startswith(b"\x89PNG")
    seven = picture(page).get_attribute("src")
    open_library(page)
    page.get_by_role("link", name="Restore").click()
    page.locator(STRIP).wait_for()
    settle(page)
    expect(picture(page)).to_have_attribute("src", seven)
    drag(page, ink(page), (0.1, 0.9), (0.9, 0.9))
    expect(picture(page)).not_to_have_attribute("src", seven)
    drawn = picture(page).get_attribute("src")
    button(page, "Undo").click()  # takes back the stroke
    expect(picture(page)).not_to_have_attribute("src", drawn)
    expect(picture(page)).to_have_attribute("src", seven)
    page.wait_for_url("**drawing=*")
    page.reload()
    page.locator(STRIP).wait_for()
    settle(page)
    expect(picture(page)).to_have_attribute("src", seven)
    button(page, "Share").click()
    guest.goto(page.get_by_test_id("stCode").text_content())
    guest.locator(STRIP).wait_for()
    settle(guest)
    expect(picture(guest)).to_have_attribute("src", seven)
    came = drawing_in(guest.url)
    drag(guest, ink(guest), (0.1, 0.8), (0.9, 0.8))  # what came with the link can be drawn on, and taken back
    expect(picture(guest)).not_to_have_attribute("src", seven)
    guest.wait_for_url(lambda url: drawing_in(url) != came)
    guest.go_back()
    expect(picture(guest)).to_have_attribute("src", seven)


def test_a_phone_shows_the_pad_and_what_comes_of_it_and_a_finger_draws_without_scrolling(denoise, phone, settle):
    phone.set_viewport_size({"width": 320, "height": 640})
    denoise(phone, "corruption.rate=0.2")
    phone.keyboard.press("Tab")
    skip = phone.get_by_role("link", name="Skip to the digit")
    expect(skip).to_be_focused()
    for _ in range(8):
        assert phone.evaluate("document.activeElement.getBoundingClientRect().right") > 0  # no stop is out of sight
        phone.keyboard.press("Tab")
    skip.press("Enter")
    expect(ink(phone)).to_be_focused()
    box = ink(phone).bounding_box()
    images = [image.bounding_box() for image in phone.locator(".st-key-strip img").all()]
    assert len({(round(each["y"]), round(each["width"])) for each in images}) == 1
    assert images[-1]["y"] + images[-1]["height"] < box["y"]
    assert box["y"] + box["height"] - images[-1]["y"] <= 640 - 60  # less the bar at the top
    clear(phone)
    settle(phone)
    ink(phone).scroll_into_view_if_needed()
    box = ink(phone).bounding_box()
    client = phone.context.new_cdp_session(phone)
    places = [
        {"x": box["x"] + box["width"] * x, "y": box["y"] + box["height"] * y}
        for x, y in ((0.5, 0.2), (0.5, 0.4), (0.48, 0.6), (0.46, 0.85))
    ]
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": places[:1]})
    for place in places[1:]:
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.locator(STRIP).wait_for()
    settle(phone)
    assert ink(phone).bounding_box() == pytest.approx(box, abs=2)  # it stays beneath the finger
    restores(phone)


@pytest.mark.nightly
def test_inference_is_stepped_and_played_and_a_pixel_tells_its_sum(denoise, page, settle, for_everyone):
    denoise(page, "inference.tolerance=0.1&beside=noise-20")  # soon converged: an iteration is shown half a second
    places = ("restored", "restored-residual")
    above, below = (page.locator(f".lab-live[data-at]:has([data-key={key}])") for key in places)
    below.wait_for()
    both, last = (above, below), int(above.get_attribute("data-last"))
    restored = picture(page, "restored")
    end = restored.get_attribute("src")
    button(below, "First").click()
    for each in both:
        expect(each).to_have_attribute("data-at", "1")
    expect(restored).not_to_have_attribute("src", end)
    button(above, "Step").click()
    for each in both:
        expect(each).to_have_attribute("data-at", "2")
    button(above, "Play").click()
    for each in both:
        expect(each).to_have_attribute("data-at", str(last), timeout=30_000)
    button(above, "Play").wait_for()
    expect(restored).to_have_attribute("src", end)

    box = restored.bounding_box()
    restored.click(position={"x": box["width"] * 14.5 / 28, "y": box["height"] * 9.5 / 28})
    why = page.locator(".lab-live[data-at]:has([data-key=sum])")
    title = why.locator("[data-key=sum] .title > strong")
    expect(title).to_have_text("Row 10, column 15")
    page.locator(".panel[data-key=restored] .chosen").wait_for()
    button(why, "First").click()
    for each in both:
        expect(each).to_have_attribute("data-at", "1")
    button(above, "Step").click()
    expect(why).to_have_attribute("data-at", "2")
    settle(page)
    column = page.get_by_role("combobox", name="Column")
    column.scroll_into_view_if_needed()
    expect(column).to_be_in_viewport()  # so that the page rests: Streamlit closes a list when the page scrolls
    column.fill("3")
    page.get_by_role("option", name="3", exact=True).click()
    expect(title).to_have_text("Row 10, column 3")
    button(page, "More").click()
    page.get_by_role("textbox", name="Tolerance").wait_for()
    for_everyone(page, narrow=False)  # with the page behind
    page.keyboard.press("Escape")
    fits(page)


@pytest.mark.nightly
def test_files_that_are_no_digit_are_refused_and_a_digit_is_cropped_by_hand_and_erased(denoise, page):
    denoise(page, "source=upload")
    chosen, refusal = page.locator('input[type="file"]'), page.get_by_test_id("stAlert")

    def choose(name: str, content: bytes) -> None:
        chosen.set_input_files({"name": name, "mimeType": "image/png", "buffer": content})

    choose("digit.png", b"no picture at all")
    refusal.filter(has_text="digit.png").wait_for()
    seven = picture(page).get_attribute("src")
    choose("table.png", place_on_table())
    refusal.wait_for()
    crop = page.get_by_role("application", name="drag a box around the digit")
    drag(page, crop, (0.57, 0.22), (0.95, 0.78))
    expect(picture(page)).not_to_have_attribute("src", seven)
    refusal.wait_for(state="detached")
    restores(page)
    denoise(page, "damage=eraser")
    before = page.evaluate(f"() => {{ {WRONG} return wrong('damaged'); }}")
    drag(page, page.get_by_role("application", name="Eraser"), (0.3, 0.3), (0.7, 0.35), (0.6, 0.5))
    page.wait_for_function(f"before => {{ {WRONG} return wrong('damaged') > before; }}", arg=before)
    restores(page)
