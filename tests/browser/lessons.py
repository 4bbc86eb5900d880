"""A lesson taken from its first step to its last in a browser, by keyboard alone."""

from playwright.sync_api import Locator, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.lessons.catalogue import LESSONS
from pages.lessons.scenes import RUN
from pages.lessons.tables import GIVEN

STOPS = 120  # of Tab, on a page at most
RUNS = 60_000  # ms that a run may take
HELD = "Unit 59"
LARGE = 6  # number of a factor of weights at which belief propagation swings
# {act of points: sentence about it}
AFTER = {"Step": "1 step ", "2,000 steps": "2,00", "Quench": "Quench:", "Anneal": "Anneal:"}
WAY_ON = ".st-key-next-step button, .st-key-leave-lesson button"  # of a step that is done; of the last one
FOCUSED = "element => element.contains(document.activeElement)"


class Keyboard:
    """Tab, arrows, Space and Enter, and nothing else.

    runs : count of the runs of the script that have ended
    """

    def __init__(self, page: Page) -> None:
        self.page, self.runs = page, 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._came))

    def _came(self, message: bytes) -> None:
        self.runs += ForwardMsg.FromString(message).WhichOneof("type") == "script_finished"

    def _reach(self, control: Locator) -> None:
        """Go there by Tab, from where the focus is."""
        control.wait_for()
        for _ in range(STOPS):
            if control.evaluate(FOCUSED):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {control}")

    def press(self, control: Locator, key: str = "Enter") -> None:
        self._reach(control)
        self.page.keyboard.press(key)

    def choose(self, question: Locator, number: int) -> None:
        radios = question.get_by_role("radio")
        self._reach(question)
        here = next(i for i in range(radios.count()) if radios.nth(i).evaluate(FOCUSED))
        if here == number and not radios.nth(number).is_checked():
            self.page.keyboard.press("Space")
        for _ in range(abs(number - here)):
            self.page.keyboard.press("ArrowDown" if number > here else "ArrowUp")


def question(page: Page, place: str) -> Locator:
    """The one in the part of the page with this key."""
    return page.locator(f".st-key-{place}").get_by_role("radiogroup")


def take_step(page: Page, hand: Keyboard, name: str, number: int) -> None:
    """Predict, run, and answer until the step is done."""
    step = LESSONS[name].steps[number]
    expect(page.get_by_role("heading", name=step.title, exact=True)).to_be_in_viewport()
    expect(page.locator(".st-key-scene :is([inert], :disabled)").first).to_be_attached(timeout=RUNS)
    hand.choose(question(page, "predict"), step.right)
    expect(page.get_by_text(step.to_do)).to_be_visible()
    expect(page.locator(".st-key-scene [inert]")).to_have_count(0)
    run = page.get_by_role("button", name=RUN, exact=True)
    seen = page.get_by_text("What did you see?")
    held = page.get_by_role("radiogroup", name=HELD, exact=True)
    ground = page.locator(".lab-terrain .map")
    three, damping = page.locator(".lab-three table"), page.get_by_role("switch")
    expect(run.or_(seen).or_(three).or_(ground).or_(damping).or_(held).first).to_be_visible(timeout=RUNS)
    if three.count():
        for slider in page.locator(".lab-three input").all():
            hand.press(slider, "Home" if "down" in step.to_do else "End")
        for button in page.locator(".lab-three button").all():
            hand.press(button)
    elif ground.count():
        for slider in page.locator(".lab-terrain input:visible").all():
            hand.press(slider, "End")
        for name in AFTER:
            for button in page.get_by_role("button", name=name, exact=True).all():
                hand.press(button)
                expect(page.locator(".lab-terrain [role=status]")).to_contain_text(AFTER[name])
    elif damping.count():
        hand.choose(page.get_by_role("radiogroup", name="Weight factor"), LARGE)
        expect(page.get_by_text("Not converged after")).to_be_attached()
        hand.press(damping, "Space")
    elif held.count():
        for way in (1, 2):
            hand.choose(held, way)
            expect(page.get_by_alt_text(f"{HELD.lower()} {('on', 'off')[way - 1]}")).to_be_visible()
    elif run.count():
        expect(run).to_be_enabled()
        hand.press(run)
    given = page.get_by_role("radiogroup", name=GIVEN)
    expect(seen.or_(given).first).to_be_visible(timeout=RUNS)
    if given.count():
        hand.choose(given, given.get_by_role("radio").count() - 1)
    expect(seen).to_be_visible(timeout=RUNS)
    rested = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    why, wrong = page.locator(".st-key-why"), page.get_by_text("Look again")  # of an unusual run it is there at once
    for answer in range(len(step.observe.options)):
        rested.wait_for()
        if why.count():
            return
        before = hand.runs
        hand.choose(question(page, "see"), answer)
        while hand.runs == before:  # a warning may be that of the answer before
            page.wait_for_timeout(100)
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        rested.wait_for()
        expect(why.or_(wrong).first).to_be_visible()
    expect(why).to_be_visible()


def take_lesson(page: Page, hand: Keyboard, server: str, name: str, steps: int | None = None) -> None:
    """A lesson, or its first steps, from its card on the page Learn."""
    page.goto(f"{server}/learn")
    hand.press(page.get_by_role("button", name=f"Begin: {LESSONS[name].title}"))
    for number in range(len(LESSONS[name].steps) if steps is None else steps):
        take_step(page, hand, name, number)
        hand.press(page.locator(WAY_ON))
