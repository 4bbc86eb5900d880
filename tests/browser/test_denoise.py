"""Denoise & complete: draw with mouse, finger and keys, damage, restore, rub out, step, and pictures that are none."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.journeys import button, plots_drawn
from tests.pages.pictures import on_a_table, photo

STRIP = ".st-key-strip .panel[data-key='restored']"


@pytest.fixture
def denoise(server, settle):
    """denoise(page, setting): the page as a link opens it, with a restored digit."""

    def opened(page, setting: str = ""):
        page.goto(f"{server}/denoise{setting and '?'}{setting}")
        page.locator(STRIP).wait_for(timeout=90_000)  # kernels that nobody has compiled yet
        settle(page)
        return page

    return opened


def wrong(page, which: str) -> int:
    """How many pixels of the restored or the second restored digit are wrong, or damaged, as the page says it."""
    note = page.locator(f".st-key-strip .panel[data-key='{which}'] .lab-note")
    return int(note.text_content().split(" ")[0].replace(",", ""))


def ink(page):
    return page.get_by_role("application", name="Drawing pad for one digit")


def picture(page, title: str) -> str:
    """The picture under a title, as the address of its bytes."""
    return page.locator(".st-key-strip .panel", has_text=title).first.locator("img").get_attribute("src")


def still(page, title: str) -> str:
    """The picture once it stays: it comes after the script, by a way of its own."""
    before, now = "", picture(page, title)
    while before != now:
        page.wait_for_timeout(700)
        before, now = now, picture(page, title)
    return now


def changes(page, title: str, before: str) -> None:
    page.wait_for_function(
        """([title, before]) => {
            const panels = [...document.querySelectorAll('.st-key-strip .panel')];
            const shown = panels.find(each => each.textContent.trim().startsWith(title))?.querySelector('img')?.src;
            return shown && shown !== before;
        }""",
        arg=[title, before],
    )


def drag(page, pad, *points: tuple[float, float]) -> None:
    """Draw a line through points, given as shares of the pad's sides."""
    box = pad.bounding_box()
    (x, y), *others = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in points]
    page.mouse.move(x, y)
    page.mouse.down()
    for x, y in others:
        page.mouse.move(x, y, steps=8)
    page.mouse.up()


@pytest.fixture
def for_everyone(page, axe, narrow, settle):
    """for_everyone(): axe finds nothing, and a narrow screen needs no sideways scrolling."""

    def check() -> None:
        size = page.viewport_size
        settle(page)
        plots_drawn(page)
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("textbox", name="Tolerance").wait_for()
        assert not axe(page)  # which looks at the page behind, too
        page.keyboard.press("Escape")
        narrow(page)
        page.set_viewport_size(size)
        settle(page)

    return check


SEVEN = ((0.3, 0.2), (0.7, 0.2), (0.45, 0.85))


def test_a_digit_that_is_drawn_by_mouse_by_keys_or_for_whoever_asks_gets_cleaner(denoise, page):
    denoise(page, "corruption.rate=0.2")
    three = picture(page, "The digit")
    button(page, "Draw one for me: 1").click()
    changes(page, "The digit", three)
    one = picture(page, "The digit")
    button(page, "Thick pen").click()
    expect(button(page, "Thick pen")).to_have_attribute("aria-pressed", "true")
    drag(page, ink(page), (0.2, 0.9), (0.8, 0.9))
    changes(page, "The digit", one)
    assert wrong(page, "restored") < wrong(page, "damaged")
    clear(page)
    ink(page).focus()
    for key in (*["ArrowUp"] * 8, " ", *["ArrowDown"] * 16, " "):
        page.keyboard.press(key)
    page.locator(STRIP).wait_for()
    assert wrong(page, "restored") < wrong(page, "damaged")
    page.keyboard.press("Delete")
    page.locator(STRIP).wait_for(state="detached")
    drag(page, ink(page), *SEVEN)
    page.locator(STRIP).wait_for()
    assert wrong(page, "restored") < wrong(page, "damaged") / 2
    before = picture(page, "Damaged")
    button(page, "New noise").click()
    changes(page, "Damaged", before)
    page.wait_for_url("**seed=1*")
    with page.expect_download() as coming:
        button(page, "Restored digit (PNG)").click()
    assert coming.value.path().read_bytes().startswith(b"\x89PNG")


def clear(page) -> None:
    button(page, "Clear").click()
    page.locator(STRIP).wait_for(state="detached")


def test_a_drawing_survives_a_page_switch_and_a_reload_and_goes_with_the_link(denoise, page, visitor, settle):
    denoise(page)
    before = picture(page, "The digit")
    drag(page, ink(page), (0.1, 0.9), (0.9, 0.9))
    changes(page, "The digit", before)
    drawn = picture(page, "The digit")
    page.get_by_role("link", name="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()
    page.get_by_role("link", name="Denoise & complete").click()
    page.locator(STRIP).wait_for()
    settle(page)
    assert picture(page, "The digit") == drawn
    button(page, "Undo").click()  # takes back the stroke
    changes(page, "The digit", drawn)
    assert picture(page, "The digit") == before
    page.wait_for_url(lambda url: "drawing=" not in url)
    drag(page, ink(page), (0.1, 0.9), (0.9, 0.9))
    changes(page, "The digit", before)
    drawn = picture(page, "The digit")
    page.wait_for_url("**drawing=*")
    page.reload()
    page.locator(STRIP).wait_for()
    settle(page)
    assert picture(page, "The digit") == drawn
    button(page, "Share").click()
    other = visitor()
    other.goto(page.get_by_test_id("stCode").text_content())
    other.locator(STRIP).wait_for()
    settle(other)
    assert picture(other, "The digit") == drawn
    came = other.url
    drag(other, ink(other), (0.1, 0.8), (0.9, 0.8))  # what came with the link can be drawn on, and taken back
    changes(other, "The digit", drawn)
    other.wait_for_url(lambda url: url != came)
    other.go_back()
    other.wait_for_function(
        "drawn => document.querySelector('.st-key-strip .panel[data-key=digit] img')?.src === drawn", arg=drawn
    )


@pytest.mark.nightly
def test_moving_a_slider_brings_the_model_made_for_it(denoise, page):
    denoise(page)
    page.get_by_role("slider", name="Rate").focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)  # about as fast as a key repeats: the page is behind
    page.wait_for_url("**/denoise?corruption.rate=0.2")
    page.get_by_role("combobox", name="Restore with").and_(page.locator("[value^='Noise, a fifth']")).wait_for()


def test_a_phone_shows_the_pad_and_what_comes_of_it_at_once_and_a_finger_draws_without_scrolling(server, phone, settle):
    phone.set_viewport_size({"width": 320, "height": 640})
    phone.goto(f"{server}/denoise?corruption.rate=0.2")
    phone.locator(STRIP).wait_for(timeout=90_000)
    settle(phone)
    box = ink(phone).bounding_box()
    images = [image.bounding_box() for image in phone.locator(".st-key-strip img").all()]
    assert len({(round(each["y"]), round(each["width"])) for each in images}) == 1
    assert images[-1]["y"] + images[-1]["height"] < box["y"]
    assert box["y"] + box["height"] - images[-1]["y"] <= 640 - 60  # less the bar at the top
    clear(phone)
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
    assert wrong(phone, "restored") < wrong(phone, "damaged")


def test_what_the_eraser_rubs_out_is_completed_by_two_models(denoise, page, for_everyone):
    denoise(page, "damage=eraser&beside=rbm")
    before = wrong(page, "damaged")
    eraser = page.get_by_role("application", name="Eraser")
    drag(page, eraser, (0.3, 0.3), (0.7, 0.35), (0.6, 0.5))
    page.wait_for_function(
        "before => parseInt(document.querySelector('[data-key=damaged] .lab-note').textContent) > before", arg=before
    )
    assert wrong(page, "restored") < wrong(page, "damaged")
    assert wrong(page, "beside") <= wrong(page, "damaged")
    for_everyone()


def test_inference_is_stepped_and_played_and_a_pixel_tells_its_sum(denoise, page, axe, narrow):
    denoise(page, "inference.tolerance=0.1&beside=noise-20")  # soon converged: an iteration is shown half a second
    places = ("restored", "restored-residual")
    above, below = (page.locator(f".lab-live[data-at]:has([data-key={key}])") for key in places)
    below.wait_for()
    both, last = (above, below), int(above.get_attribute("data-last"))
    end = picture(page, "Noise, a tenth flipped")
    button(below, "First").click()
    for each in both:
        expect(each).to_have_attribute("data-at", "1")
    changes(page, "Noise, a tenth flipped", end)
    button(above, "Step").click()
    for each in both:
        expect(each).to_have_attribute("data-at", "2")
    button(above, "Play").click()
    for each in both:
        expect(each).to_have_attribute("data-at", str(last), timeout=30_000)
    button(above, "Play").wait_for()
    assert picture(page, "Noise, a tenth flipped") == end

    why, digit = page.locator(".lab-pixel"), page.locator(f"{STRIP} img.drawn")
    box = digit.bounding_box()
    digit.click(position={"x": box["width"] * 14.5 / 28, "y": box["height"] * 9.5 / 28})
    expect(why).to_have_attribute("data-pixel", str(9 * 28 + 14))
    image = why.get_by_role("application")
    image.focus()
    image.press("ArrowDown")
    image.press("ArrowLeft")
    expect(why).to_have_attribute("data-pixel", str(10 * 28 + 13))
    button(why, "First").click()
    for each in both:
        expect(each).to_have_attribute("data-at", "1")
    button(above, "Step").click()
    expect(why).to_have_attribute("data-at", "2")
    message = why.get_by_role("button", name=re.compile("^Hidden unit .* says")).first
    unit = re.search(r"\d+", message.get_attribute("aria-label"))[0]
    message.click()
    expect(why.get_by_role("heading", name=f"Hidden unit {unit}, iteration 2")).to_be_visible()
    page.locator("[data-key=beside] img.drawn").click()
    expect(why.get_by_role("button", name="Noise, a fifth flipped")).to_have_attribute("aria-pressed", "true")
    expect(why.locator(".opened")).to_be_hidden()
    button(why, "Sum, max and mixed side by side").click()
    expect(why.get_by_role("application")).to_have_count(3)
    narrow(page)
    assert not axe(page)


def test_files_that_are_no_digit_are_refused_a_photo_is_read_and_a_digit_is_cropped_by_hand(denoise, page):
    denoise(page, "source=upload")
    chosen, refusal = page.locator('input[type="file"]'), page.get_by_test_id("stAlert")

    def choose(name: str, content: bytes) -> None:
        chosen.set_input_files({"name": name, "mimeType": "image/png", "buffer": content})

    choose("digit.png", b"no picture at all")
    refusal.filter(has_text="digit.png").wait_for()
    choose("photo.png", photo())
    refusal.wait_for(state="detached")
    page.locator(STRIP).wait_for()
    assert wrong(page, "restored") < wrong(page, "damaged")
    page.wait_for_url("**pixels=*")
    seven = still(page, "The digit")
    page.reload()  # which loses the file
    page.locator(STRIP).wait_for()
    assert still(page, "The digit") == seven
    choose("table.png", on_a_table())
    refusal.wait_for()
    crop = page.get_by_role("application", name="drag a box around the digit")
    drag(page, crop, (0.57, 0.22), (0.95, 0.78))
    changes(page, "The digit", seven)
    refusal.wait_for(state="detached")
    assert wrong(page, "restored") < wrong(page, "damaged")
