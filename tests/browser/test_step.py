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
  window.player = playTraces(root, [opened.trace], [view], () => {});
  player.lab.home = choose;
  player.lab.choose(choose);
}"""


def drawn(page: Page) -> None:
    page.locator(".lab-inside[data-slots]").wait_for()


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
        page.evaluate(PLAYER, [address(f"inside/families/{head['family']}.js"), choice(example)])
        return page

    yield opened
    modules_page.evaluate("player.stop()")
    modules_page.remove_listener("pageerror", failed)
    assert not wrong


def test_a_pair_is_drawn_at_the_weight_that_was_found_and_axe_finds_nothing(server, page, settle, axe, narrow):
    page.goto(f"{server}/step?example=cd-1-and-cd-10")
    drawn(page)
    settle(page)
    kinds = page.get_by_label("Look at", exact=True)
    expect(kinds).to_have_count(2)
    assert {kinds.nth(k).input_value() for k in range(2)} == {"w"}
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


def test_a_conditional_update_says_why_a_weight_moved_and_what_an_arrow_key_comes_to(played):
    page = played("lssvm")
    expect(page.get_by_label("Look at", exact=True)).to_have_value(choice(STEPS["lssvm"])["pick"])
    inside = page.locator(".lab-inside")
    seen = {inside.get_attribute("data-kind")}
    while (step := inside.get_by_role("button", name="Step", exact=True)).is_enabled():
        step.click()
        seen.add(inside.get_attribute("data-kind"))
    assert {"given", "clamped", "augmented", "iteration", "free", "difference", "new"} <= seen
    told = inside.locator(".verdict")
    expect(told).to_contain_text("It shrinks: both are on together less often with the clean rows")
    weight = inside.locator(".sum h2").text_content()
    network = inside.get_by_role("application")
    network.press("ArrowRight")
    expect(inside.locator(".sum h2")).not_to_have_text(weight)
    expect(network).to_have_accessible_name(re.compile(re.escape(told.text_content())))


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
