"""Start: alive at once, and one click from a training."""

from urllib.parse import urljoin, urlsplit

from playwright.sync_api import expect

from tests.browser.journeys import button, figures, moves


def test_the_trained_machine_draws_digits_out_of_noise_and_rests_and_each_way_on_leads_to_a_training(
    server, page, settle
):
    page.goto(server)
    page.get_by_text("200 Gibbs transitions away from pure noise").wait_for(timeout=60_000)
    settle(page)
    picture = page.get_by_alt_text("36 fantasy particles of the model, drawn as pixels.")
    before = picture.get_attribute("src")
    assert before.startswith("data:image/png;base64,")
    page.get_by_role("button", name="From noise again").click()
    rested = page.get_by_text("200 Gibbs transitions away from pure noise")
    rested.wait_for(state="hidden")  # it begins anew, and rests again some seconds later
    rested.wait_for()
    expect(picture).not_to_have_attribute("src", before)
    page.get_by_alt_text("The three that the model has restored.").wait_for(timeout=60_000)
    draw = page.get_by_role("link", name="Draw one yourself").get_attribute("href")
    assert urlsplit(urljoin(page.url, draw)).path == f"{urlsplit(server).path}/denoise"
    page.get_by_text("How does a machine learn to dream up images?").click()
    page.get_by_role("link", name="Open: What if it learns too fast?").click()
    page.wait_for_url("**/train?*")
    page.get_by_role("heading", level=1, name="Train").wait_for()
    page.get_by_role("link", name="Start", exact=True).click()
    page.get_by_role("button", name="Watch a machine learn handwriting").click()
    figures(page, "running").wait_for()
    moves(page)
    page.get_by_alt_text("40 images that the model dreams up").wait_for()
    page.get_by_alt_text("Weights of hidden units 1 to 72").wait_for()
    button(page, "Pause").click()
    figures(page, "paused").wait_for()


def test_who_asks_for_less_motion_sees_the_dream_at_rest_and_steps_through_it(server, page, settle):
    page.emulate_media(reduced_motion="reduce")
    page.goto(server)
    page.get_by_text("200 Gibbs transitions away from pure noise").wait_for(timeout=60_000)
    settle(page)
    picture = page.get_by_alt_text("36 fantasy particles of the model, drawn as pixels.")
    before = picture.get_attribute("src")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_hidden()
    page.wait_for_timeout(1_000)
    expect(picture).to_have_attribute("src", before)
    page.get_by_role("button", name="First", exact=True).press("Enter")
    page.get_by_text("10 Gibbs transitions away from pure noise", exact=False).wait_for()
    expect(picture).not_to_have_attribute("src", before)
    expect(page.get_by_role("slider", name="Picture")).to_be_focused()
