"""Start: alive at once, and one click from a training."""

from urllib.parse import urljoin, urlsplit

from playwright.sync_api import expect

from tests.browser.journeys import button, end, figures, moves

AT_THE_END = "200 Gibbs transitions away from pure noise"


def test_the_trained_machine_draws_digits_out_of_noise_and_rests_and_leads_to_a_training(server, page, settle, axe):
    page.goto(server)
    rested = page.get_by_text(AT_THE_END)
    rested.wait_for(timeout=60_000)
    settle(page)
    assert not axe(page)
    picture = page.get_by_alt_text("36 fantasy particles of the model, drawn as pixels.")
    before = picture.get_attribute("src")
    assert before.startswith("data:image/png;base64,")
    button(page, "From noise again").click()
    rested.wait_for(state="hidden")  # it begins anew
    expect(picture).not_to_have_attribute("src", before)
    draw = page.get_by_role("link", name="Draw one yourself").get_attribute("href")
    assert urlsplit(urljoin(page.url, draw)).path == f"{urlsplit(server).path}/denoise"
    button(page, "Watch a machine learn handwriting").click()
    figures(page, "running").wait_for()
    moves(page)
    end(page)


def test_who_asks_for_less_motion_sees_the_dream_at_rest_and_steps_through_it(server, page, settle):
    page.emulate_media(reduced_motion="reduce")
    page.goto(server)
    page.get_by_text(AT_THE_END).wait_for(timeout=60_000)
    settle(page)
    picture = page.get_by_alt_text("36 fantasy particles of the model, drawn as pixels.")
    before = picture.get_attribute("src")
    expect(button(page, "Play")).to_be_hidden()
    page.wait_for_timeout(1_000)
    expect(picture).to_have_attribute("src", before)
    button(page, "First").press("Enter")
    expect(picture).not_to_have_attribute("src", before)
    expect(page.get_by_role("slider", name="Picture")).to_be_focused()
