"""Library: data, models and trainings, and files that are not what they claim."""

import io
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
from playwright.sync_api import expect

from boltzcore.models import RBM
from tests.browser.journeys import SHORT, figures, run_of


def npz(**arrays) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def put(page, name: str, content: bytes) -> None:
    page.locator('input[type="file"]').set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def alert(page):
    return page.get_by_test_id("stAlert").first


def test_the_digits_are_shown_page_by_page(server, page, settle, axe, narrow):
    page.goto(f"{server}/library")
    page.get_by_alt_text("Training examples 1 to").wait_for()
    settle(page)
    assert not axe(page)
    page.get_by_role("button", name="Page 2", exact=True).click()
    page.get_by_alt_text("Training examples 1 to").wait_for(state="detached")
    page.get_by_alt_text("Training examples").wait_for()
    narrow(page)


PEOPLE = "age,school,vote,asked\n" + "".join(
    f"{18 + i % 70},{('low', 'mid', 'high')[i % 3]},{'yes' if i % 2 else 'no'},{'ab'[i // 2 % 2]}\n" for i in range(300)
)


def test_a_table_of_names_and_categories_leads_to_an_answered_question(server, page, settle, axe, narrow):
    page.goto(f"{server}/library?set=own")
    settle(page)
    put(page, "people.csv", PEOPLE.encode())
    alert(page).get_by_text("Bins of numbers must be from 2 to 16, or Columns left out must name column age").wait_for()
    page.get_by_role("button", name="Cut numbers into 4 bins").click()
    page.get_by_text("Training examples 1 to").first.wait_for()
    settle(page)
    page.get_by_role("combobox", name="Columns left out").click()
    page.get_by_role("option", name="asked", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove asked").wait_for()
    settle(page)
    assert not axe(page)
    narrow(page)
    page.get_by_role("link", name="Learn from it").click()
    page.wait_for_url("**/train?model=log-linear*own.bins=4*")
    assert parse_qs(urlsplit(page.url).query)["own.leave_out"] == ["asked"]
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".lab-figures[data-status='finished']").wait_for()
    question = page.locator(".panel[data-key=question]")
    question.locator("select[name=given1]").select_option("low")
    expect(question.locator(".rest")).to_have_text(": 1 of 3 variables given")
    expect(question.locator(".lab-note")).to_contain_text("80 of 240 training rows agree with the evidence.")
    expect(question.locator(".chart")).to_have_attribute("aria-label", re.compile(r"vote yes 0\.50"))


def test_models_are_looked_into_one_after_the_other(server, page, settle, axe, narrow):
    page.goto(f"{server}/library?view=models")
    settle(page)
    put(
        page,
        "wide.npz",
        npz(W=np.full((64, 30), 0.01, np.float32), b=np.zeros(64, np.float32), c=np.zeros(30, np.float32)),
    )
    page.get_by_text("estimated by annealed importance sampling").wait_for()
    page.get_by_text(" ± ").first.wait_for()
    weights = {"W": (64, 3), "W_vx": (64, 64), "W_hx": (3, 64), "b_v": 64, "b_h": 3}
    put(page, "conditional.npz", npz(**{name: np.full(shape, 0.5, np.float32) for name, shape in weights.items()}))
    page.get_by_alt_text("W_hx: 3 × 64 numbers").wait_for()
    put(page, "cut.npz", npz(W=np.ones((64, 3), np.float32), W_vx=np.ones((64, 64), np.float32)))
    alert(page).get_by_text("cut.npz").wait_for()
    model = RBM(np.zeros((64, 3)), np.zeros(64), np.zeros(3))
    put(page, "flat.npz", npz(W=model.W, b=model.b, c=model.c))  # of which the likelihood is exact
    page.get_by_text(f"−{64 * np.log(2):.2f}").first.wait_for()
    page.get_by_alt_text("W: 64 × 3 numbers").wait_for()
    assert not axe(page)
    narrow(page)


def test_a_training_is_kept_with_its_trace_and_back_brings_the_list_as_it_was_and_a_link_tells_what_is_looked_for(
    server, page, settle, axe, narrow
):
    page.goto(f"{server}/train?{urlencode(SHORT)}&play=1")
    run = run_of(page)
    figures(page, "finished").wait_for()
    page.goto(f"{server}/library?view=trainings&find={run}")
    page.get_by_text(run).wait_for()
    page.get_by_alt_text(re.compile("Log-likelihood of the .* rows, nats per example: from")).first.wait_for()
    page.get_by_text("yours").first.wait_for()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Trace").first.click()
    assert coming.value.path().read_text().startswith("count,epoch,work,seconds,")
    settle(page)
    assert not axe(page)
    narrow(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    search = page.get_by_role("searchbox", name="Search")
    search.fill("nothing like this")
    search.press("Enter")
    page.get_by_text("No training matches.").wait_for()
    page.go_back()
    page.get_by_text(run).wait_for()
    expect(search).to_have_value(run)
    page.go_forward()
    page.get_by_text("No training matches.").wait_for()
    page.get_by_role("button", name="Clear search").click()
    page.wait_for_url(f"{server}/library?view=trainings")
