"""Inside one step: an example is drawn, works for everyone, and is where the address says."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from boltzcore.runs.worked_examples import STEPS
from pages.inside.choosing import choice


def drawn(page: Page) -> None:
    page.locator(".lab-inside[data-slots]").wait_for()


@pytest.fixture
def wrong(page) -> list[str]:
    """What goes wrong in the scripts of the page."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


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


def test_train_opens_with_the_examples_training(server, page, settle):
    page.goto(f"{server}/step?example=pcd")
    drawn(page)
    settle(page)
    page.get_by_role("link", name="Train this yourself").click()
    page.wait_for_url("**/train?*PCD.rate=0.1*")
    page.get_by_role("heading", level=1, name="Train").wait_for()
    settle(page)
    page.get_by_text("More settings").click()
    page.get_by_role("link", name="Inside one step of it").click()
    page.wait_for_url("**/step?example=pcd")


def test_a_conditional_update_says_why_a_weight_moved_and_what_an_arrow_key_comes_to(
    server, page, settle, axe, narrow, wrong
):
    page.goto(f"{server}/step?example=lssvm")
    drawn(page)
    settle(page)
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
    assert not axe(page)
    narrow(page)
    assert not wrong


def test_a_weight_is_chosen_by_row_column_and_unit_and_the_question_is_found_again(server, page, settle, wrong):
    page.goto(f"{server}/step?example=cd")
    drawn(page)
    settle(page)
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
    assert not wrong
