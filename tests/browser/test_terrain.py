"""An energy landscape in a browser: the exact law by a slider, and points that come to it."""

import numpy as np
import pytest
from playwright.sync_api import expect

from boltzcore.data.patterns import BarsAndStripes
from boltzcore.models import FVBM, RBM
from pages.figures.frame import Panel
from pages.figures.terrain import TEMPERATURES, rows_of, terrain_of
from tests.browser import modules
from tests.browser.journeys import button

ROWS, SHARE = rows_of(BarsAndStripes().load())


@pytest.mark.parametrize("kind", [RBM, FVBM])
def test_points_move_to_the_exact_law_at_the_temperature_of_the_slider(page, kind):
    x = 2.0 * ROWS - 1
    M = x.T @ x / 20
    np.fill_diagonal(M, 0)
    model = RBM(x[[1, 2]].T, x[1] / 2, np.ones(2)) if kind is RBM else FVBM(M, x[1] / 9)
    terrain = terrain_of(model, ROWS, ["Bar", "Stripe"], share=SHARE, columns=3)
    modules.load(page, "stream/film.js")
    modules.draw_film(page, "terrain", Panel("Energy landscape", terrain))
    slider, summary = page.get_by_role("slider", name="Temperature"), page.locator(".summary")
    for key, t in (("End", len(TEMPERATURES) - 1), ("ArrowLeft", len(TEMPERATURES) - 2)):
        slider.press(key)
        expect(page.locator("output")).to_have_text(f"T = {TEMPERATURES[t]:g}")
        expect(summary).to_contain_text("no step at this temperature")
        button(page, "2,000 steps").click()
        expect(summary).to_contain_text("2,000 steps")
        expect(page.locator("p.unseen:not(.aloud)")).to_have_text(summary.inner_text())  # once they rest
        shown = [float(each) for each in page.locator("td .number").all_inner_texts()]
        exact = [group["p"][t] for group in terrain.payload["groups"]]
        assert shown[: 2 * len(exact) : 2] == pytest.approx(exact, abs=6e-4)
        assert shown[1 : 2 * len(exact) : 2] == pytest.approx(exact, abs=0.05)
    page.set_viewport_size({"width": 320, "height": 800})
    page.wait_for_function("() => document.documentElement.scrollWidth <= 320")
