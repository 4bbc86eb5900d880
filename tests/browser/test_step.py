"""Inside one step: an example is drawn, works for everyone, and is where the address says."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from boltzcore.runs.worked_examples import STEPS
from boltzcore.runs.worked_step import state_of
from pages.inside.choosing import choice
from pages.web.scripts import address

# The view that is opened, in the player that a page has it in.
PLAYER = """async ([path, choose]) => {
  const { view } = await import(path), root = document.createElement('main');
  root.className = 'lab-inside';
  document.body.replaceChildren(root);
  window.player = playTrace(root, opened.trace, view, () => {});
  player.lab.home = choose;
  if (choose) player.lab.choose(choose);
}"""


def drawn(page: Page) -> None:
    page.locator(".lab-inside[data-phases]").wait_for()


@pytest.fixture
def played(look, modules_page):
    """played(name): the player of an example on a page without a server, with what it is about looked at first. Nothing
    goes wrong in its scripts.
    """
    wrong = []

    def failed(error) -> None:
        wrong.append(str(error))

    modules_page.on("pageerror", failed)

    def opened(name: str) -> Page:
        example = STEPS[name]
        learner, state, data = state_of(example)
        _, head, page, _ = look(learner, state, data, row=example.row)
        page.evaluate(PLAYER, [address(f"inside/families/{head['drawing']}.js"), choice(example)])
        return page

    yield opened
    modules_page.evaluate("player.stop()")
    modules_page.remove_listener("pageerror", failed)
    assert not wrong


@pytest.mark.parametrize("name", ["cd", "fw", "bslm"])
def test_an_example_is_drawn_and_axe_finds_nothing(server, page, settle, axe, narrow, name):
    page.goto(f"{server}/step?example={name}")
    drawn(page)
    settle(page)
    assert not axe(page)
    narrow(page)


def test_another_example_is_chosen_by_keys_and_back_leads_to_the_one_before(server, page, settle):
    page.goto(f"{server}/step?example=cd")
    drawn(page)
    settle(page)
    page.get_by_role("combobox", name="Step").press("ArrowDown")
    page.keyboard.type("PCD")
    page.keyboard.press("Enter")
    page.wait_for_url("**/step?example=pcd")
    page.get_by_role("heading", level=2, name="What if the chain is never begun anew?").wait_for()
    drawn(page)
    settle(page)
    page.go_back()
    page.get_by_role("heading", level=2, name="Why does this weight grow").wait_for()
    assert parse_qs(urlsplit(page.url).query) == {"example": ["cd"]}


@pytest.mark.parametrize("name", ["mle-bp", "bm-pcd", "pt"])
def test_a_step_is_played_by_keys_and_an_arrow_key_chooses_another(played, name):
    page = played(name)
    inside = page.locator(".lab-inside")
    seen = {inside.get_attribute("data-kind")}
    while (step := inside.get_by_role("button", name="Step", exact=True)).is_enabled():
        step.click()
        seen.add(inside.get_attribute("data-kind"))
    assert "new" in seen
    chosen = inside.locator(".sum h2").text_content()
    picture = inside.get_by_role("application")
    picture.press("ArrowRight")
    expect(inside.locator(".sum h2")).not_to_have_text(chosen)
    expect(picture).to_have_accessible_name(re.compile(re.escape(inside.locator(".sum h2").text_content())))


def test_a_weight_is_chosen_by_row_column_and_unit_and_the_question_is_found_again(played):
    page = played("cd")
    page.get_by_role("slider", name="Time within the update").press("End")
    asked = page.locator(".sum h2").text_content().strip()
    kind, back = page.get_by_label("Look at", exact=True), page.get_by_role("button", name="Back to the question")
    fields = [page.get_by_role("spinbutton", name=name, exact=True) for name in ("row", "column", "hidden unit")]
    at = [field.input_value() for field in fields]
    expect(kind).to_have_value(choice(STEPS["cd"])["pick"])
    expect(back).to_be_hidden()
    kind.select_option("h")
    expect(page.get_by_role("spinbutton", name="number of the hidden unit")).to_have_value(at[2])
    kind.select_option("w")  # of the same unit and pixel
    assert [field.input_value() for field in fields] == at
    expect(page.locator(".sum h2")).to_have_text(asked)
    fields[0].fill("1" if at[0] != "1" else "2")
    fields[0].press("Enter")
    expect(page.locator(".sum h2")).not_to_have_text(asked)
    fields[0].fill("99")  # no such row: what is shown stays
    fields[0].press("Enter")
    expect(back).to_be_visible()
    back.click()
    expect(page.locator(".sum h2")).to_have_text(asked)
    assert [field.input_value() for field in fields] == at
