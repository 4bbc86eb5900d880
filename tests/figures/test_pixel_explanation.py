"""The explanation of a pixel: its terms add up, and one sentence says what follows from them."""

import numpy as np
import pytest

from boltzcore import restoration
from boltzcore.data.corruption import Corruption
from boltzcore.inference import Inference
from pages.figures import pixel_explanation
from tests.models.exact import sigmoid

CLEAN = restoration.own_digit(5)
SEEN = restoration.corrupt(CLEAN, "flip", Corruption(rate=0.15), seed=3)


def history(kind="sum-product"):
    return restoration.history("noise-10", SEEN, Inference(kind=kind, iterations=9))


@pytest.mark.parametrize("kind", ["sum-product", "max-product", "mixed-product", "mean field"])
def test_the_terms_add_up_to_the_belief(kind):
    for i in (17, 300, 411, 783):
        sums = pixel_explanation.sums(history(kind), i)
        assert len(sums) == history(kind).iterations
        for each, p in zip(sums, history(kind).v[:, i], strict=True):
            assert sigmoid(each.total) == pytest.approx(p, abs=1e-5)
            *_, more, less = each.terms.values()
            assert more >= 0 >= less
            strongest = [abs(each.terms[f"hidden {unit + 1}"]) for unit in each.units]
            assert strongest == sorted(strongest, reverse=True)
            assert len(strongest) == pixel_explanation.MOST


def test_bars_follow_each_other_to_the_sum_on_one_scale():
    figures = [pixel_explanation.waterfall(history(), 300, at) for at in (1, 9)]
    for at, figure in zip((1, 9), figures, strict=True):
        bars = figure["data"][0]
        np.testing.assert_allclose(np.add(bars["base"], bars["x"])[:-2], bars["base"][1:-1], atol=1e-9)
        assert bars["x"][-1] == pytest.approx(pixel_explanation.sums(history(), 300)[at - 1].total)
    assert figures[0]["layout"]["xaxis"]["range"] == figures[1]["layout"]["xaxis"]["range"]


def test_a_sentence_gives_the_belief_and_what_is_right_where_it_is_known():
    p = f"{history().v[8, 300]:.3f}"
    sentences = [pixel_explanation.sentence(history(), 300, 9, clean) for clean in (CLEAN, 1 - CLEAN, None)]
    assert all(p in each for each in sentences)
    assert len(set(sentences)) == 3


def test_the_pixel_to_begin_with_was_lost_and_rightly_brought_back():
    first = restoration.decisive_pixel(history(), SEEN, CLEAN)
    assert CLEAN[first]
    assert not SEEN.seen[first]
    assert history().v[-1][first] > 0.5
    whole = restoration.corrupt(CLEAN, restoration.NONE, Corruption(), seed=0)
    none = restoration.history("noise-10", whole, Inference(iterations=9))
    kept = none.v[-1][restoration.decisive_pixel(none, whole, (none.v[-1] > 0.5) == 0)]
    assert abs(kept - 0.5) == np.abs(none.v[-1] - 0.5).min()
