"""The diagnosis on Train, in a real browser."""

from tests.browser.journeys import LONG, button, end, figures, moves


def test_a_training_under_way_is_diagnosed_and_goes_on_with_the_remedy(train, page, narrow, axe):
    train(page, **LONG, **{"CD.rate": "2"}, measures="free_energy_gap", play="1")  # a likelihood would halt it
    moves(page)
    button(page, "Diagnose").click()
    page.get_by_text("Rate too large.").wait_for()
    moves(page)  # it went on meanwhile
    assert not axe(page)
    narrow(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    button(page, "Go on with learning rate 0.2").click()
    page.get_by_text("η 2 → 0.2").wait_for()
    figures(page, "running").wait_for()
    end(page)
