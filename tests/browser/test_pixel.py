"""Why a pixel is on, before anything was answered and between two questions: what is pressed then does no harm."""

import pytest
from playwright.sync_api import Page, Route, expect

from boltzcore import restoration
from boltzcore.data.corruption import Corruption
from boltzcore.figures import why
from boltzcore.inference import Inference
from pages.inside.pixel_routes import InferenceSpec, Why, all_specs, keep, named, page_data
from pages.web.scripts import address

WAYS = all_specs([InferenceSpec("restored", "noise-10", Inference(iterations=4, tolerance=0))])
STYLE = "body { --st-background-color: #ffffff; --st-text-color: #000000; --st-border-color: #cccccc }"
LOOK = """async ([script, data]) => {
  const root = document.querySelector('.lab-pixel');
  (await import(script)).draw(root, { data, setTriggerValue: () => {} }, location.origin);
}"""


class Server:
    """Answers for pixels, or lets them wait."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.waits, self.waiting = page, address, True, []

    def look(self, digit: int) -> None:
        """What a run of the script hands over."""
        clean = restoration.own_digit(digit)
        asked = Why(restoration.damaged(clean, "flip", Corruption(rate=0.1), seed=0), clean, WAYS, True)
        assert keep(asked)
        data = page_data(asked) | {"every": 20, "group": "test"}
        self.page.evaluate(LOOK, [f"{self.address}{address('inside/pixel.js')}", data])

    def take(self, route: Route) -> None:
        if self.waits:
            self.waiting.append(route)
            return
        _, _, name, spec, *what = route.request.url.removeprefix(self.address).split("/")
        asked = named(name)
        history = asked.history(int(spec))
        if not what:
            route.fulfill(json=why.head(history, asked.damaged, asked.clean, amber=True))
        elif what[0] == "pixel":
            route.fulfill(json=why.pixel(history, int(what[1])))
        elif what[0] == "unit":
            route.fulfill(json=why.unit(history, int(what[1]), int(what[2])))
        else:
            route.fulfill(json=why.weights(history, [int(j) for j in what[1].split("-")]))

    def answer(self) -> None:
        """What waits, and all that comes."""
        self.waits, waiting, self.waiting = False, self.waiting, []
        for route in waiting:
            self.take(route)


@pytest.fixture
def answers(server: str, page: Page):
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    body = f"<!doctype html><title>Why</title><style>{STYLE}</style><div class='lab-pixel'></div>"
    page.route("**/blank", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{server}/blank")
    asked = Server(page, server)
    page.route("**/why/**", asked.take)
    yield asked
    assert not errors, errors


def press_all(page: Page) -> None:
    """Everything there is to press, whether it is in sight or not."""
    page.evaluate("""() => {
      for (const name of ['.play', '.first', '.back', '.step', '.close']) document.querySelector(name).click();
      document.querySelector('.keys input').dispatchEvent(new Event('input'));
      document.querySelector('.other').value = 3;
      document.querySelector('.other').dispatchEvent(new Event('change'));
    }""")
    for name in ("Max-product", "Sum, max and mixed side by side", "Sum-product"):
        page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_timeout(100)  # of which some frames of playing would have come


def test_what_is_pressed_before_the_first_answer_waits_for_it(answers, page):
    answers.look(3)
    page.get_by_role("button", name="Show me one").click()
    press_all(page)
    root = page.locator(".lab-pixel")
    assert root.get_attribute("data-at") is None
    answers.answer()
    expect(root).to_have_attribute("data-at", "4")
    expect(page.get_by_role("button", name="Sum-product", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="First").click()
    expect(root).to_have_attribute("data-at", "1")
    page.get_by_role("button", name="Play").click()
    expect(root).to_have_attribute("data-at", "4")


def test_what_is_pressed_while_another_digit_is_on_its_way_waits_for_it(answers, page):
    answers.waits = False
    answers.look(3)
    page.get_by_role("button", name="Show me one").click()
    root = page.locator(".lab-pixel")
    expect(root).to_have_attribute("data-at", "4")
    message = page.get_by_role("button", name="says").first
    message.click()
    expect(page.get_by_role("heading", name="Hidden unit")).to_be_visible()
    page.get_by_role("button", name="First").click()
    page.get_by_role("button", name="Play").click()
    answers.waits = True
    answers.look(5)
    press_all(page)
    answers.answer()
    expect(page.get_by_role("application")).to_have_count(1)
    expect(page.get_by_role("heading", name="Hidden unit")).to_be_hidden()
    expect(root).to_have_attribute("data-at", "4")
