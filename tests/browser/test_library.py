"""Library: data, a table of one's own, and trainings."""

import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.journeys import SHORT, button, figures, run_of

PEOPLE = "age,school,vote,asked\n" + "".join(
    f"{18 + i % 70},{('low', 'mid', 'high')[i % 3]},{'yes' if i % 2 else 'no'},{'ab'[i // 2 % 2]}\n" for i in range(300)
)


def test_a_table_of_names_and_categories_leads_to_an_answered_question(server, page, settle, for_everyone):
    page.goto(f"{server}/library?set=own")
    settle(page)
    page.locator('input[type="file"]').set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": PEOPLE.encode()}
    )
    page.get_by_text("Change how it is read").wait_for()
    for_everyone(page)
    page.get_by_role("button", name="Use this table").click()
    page.get_by_role("button", name="Cut numbers into 4 bins").click()
    page.get_by_text("Training examples 1 to").first.wait_for()
    settle(page)
    page.get_by_role("combobox", name="Excluded columns").click()
    page.get_by_role("option", name="asked", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove asked").wait_for()
    for_everyone(page)
    page.get_by_role("link", name="Train on these data").click()
    page.wait_for_url("**/train?model=log-linear*own.bins=4*")
    assert parse_qs(urlsplit(page.url).query)["own.leave_out"] == ["asked"]
    button(page, "Play").click()
    page.locator(".lab-figures[data-status='finished']").wait_for()
    question = page.locator(".panel[data-key=question]")
    question.locator("select[name=given1]").select_option("low")
    expect(question.locator(".rest")).to_have_text(": 1 of 3 variables given")
    expect(question.locator(".lab-note")).to_contain_text("60 of 180 training rows agree with the evidence.")
    expect(question.locator(".chart")).to_have_attribute("aria-label", re.compile(r"vote yes 0\.50"))
    for_everyone(page)


@pytest.mark.nightly
def test_data_and_trainings_are_found_and_back_brings_the_list_as_it_was(server, page, for_everyone, settle):
    page.goto(f"{server}/train?{urlencode(SHORT)}&play=1")
    run = run_of(page)
    figures(page, "finished").wait_for()
    page.goto(f"{server}/library")
    page.get_by_alt_text("Training examples 1 to").wait_for()
    for_everyone(page)
    page.get_by_role("button", name="Page 2", exact=True).click()
    page.get_by_alt_text("Training examples 1 to").wait_for(state="detached")
    page.get_by_alt_text("Training examples").wait_for()

    page.goto(f"{server}/library?view=trainings&find={run}")
    page.get_by_text(run).wait_for()
    settle(page)
    with page.expect_download() as coming:
        page.get_by_role("button", name="Trace").first.click()
    assert coming.value.path().read_text().startswith("count,epoch,work,seconds,")
    for_everyone(page)
    search = page.get_by_role("searchbox", name="Search")
    search.fill("nothing like this")
    search.press("Enter")
    page.get_by_text("No run matches.").wait_for()
    page.go_back()
    page.get_by_text(run).wait_for()
    expect(search).to_have_value(run)
    page.go_forward()
    page.get_by_text("No run matches.").wait_for()
    page.get_by_role("button", name="Clear search").click()
    page.wait_for_url(f"{server}/library?view=trainings")
