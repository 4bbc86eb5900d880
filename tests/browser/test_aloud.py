"""What a screen reader hears of a training: how it stands, once, and what is refused; never updates as they count."""

from playwright.sync_api import expect

from tests.browser.journeys import button, change, end, figures, moves, type_into

ALOUD = ".lab-live .aloud"
LISTEN = """() => {
    const live = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
    window.heard = [];
    new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) {
            const each = node.nodeType === 1 ? node : node.parentElement;
            const region = each?.closest(live) ?? (node === target ? null : each?.querySelector(live));
            const words = region?.textContent.trim();
            if (words && words !== heard.at(-1)) heard.push(words);
        }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def heard(page) -> list[str]:
    return page.evaluate("window.heard.splice(0)")


def test_a_training_is_heard_when_it_rests_and_goes_on_and_refuses_and_not_in_between(training):
    page = training
    page.wait_for_timeout(1_000)
    page.evaluate(LISTEN)
    for _ in range(5):
        moves(page)
    assert not heard(page)
    button(page, "Pause").click()
    expect(page.locator(ALOUD)).to_have_text(f"Paused at update {settled(page):,}.")
    button(page, "Play").click()
    expect(page.locator(ALOUD)).to_have_text("Training.")
    assert len(heard(page)) == 2
    change(page)
    rate = page.get_by_role("textbox", name="Learning rate")
    rate.fill("-3")
    rate.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("must be a number from")
    assert len(heard(page)) == 1
    type_into(rate, "0.011", page.locator(".lab-plot .annotation", has_text="rate 0.011"))
    page.wait_for_url("**changes=*rate*0.011*")
    expect(rate).to_have_value("0.011")
    end(page)


def settled(page) -> int:
    figures(page, "paused").wait_for()
    return int(figures(page).get_attribute("data-count"))
