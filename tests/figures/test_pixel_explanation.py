"""What a browser is told of why a pixel is on: its terms add up, and a picture is the one that films show."""

import base64

import numpy as np
import pytest

from boltzcore import restoration
from boltzcore.data.corruption import Corruption
from boltzcore.inference import Inference
from boltzcore.restoration import in_doubt
from pages.figures import pixel_explanation
from tests.models.exact import sigmoid

CLEAN = restoration.own_digit(5)
SEEN = restoration.damaged(CLEAN, "flip", Corruption(rate=0.15), seed=3)


def history(kind="sum-product"):
    return restoration.history("noise-10", SEEN, Inference(kind=kind, iterations=9))


def unpacked(text: str, kind) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)


@pytest.mark.parametrize("kind", ["sum-product", "max-product", "mixed-product", "mean field"])
def test_the_terms_that_are_told_add_up_to_the_marginal(kind):
    for i in (17, 300, 411, 783):
        told = pixel_explanation.pixel(history(kind), i)
        shared = told["bias"] + told["own"] + told["others"]
        for terms, rest, many, p in zip(told["terms"], told["rest"], told["many"], told["p"], strict=True):
            assert sigmoid(shared + sum(terms) + sum(rest)) == pytest.approx(p, abs=1e-5)
            assert len(terms) == pixel_explanation.MOST
            assert sum(many) <= 256 - pixel_explanation.MOST
            assert rest[0] >= 0 >= rest[1]
            assert abs(terms[0]) == max(map(abs, terms))


@pytest.mark.parametrize("amber", [True, False])
def test_pictures_are_those_of_the_film_with_doubt_in_amber_where_it_is_asked_for(amber):
    told = pixel_explanation.head(history(), SEEN, CLEAN, amber=amber)
    pictures = unpacked(told["pictures"], np.uint8).reshape(told["last"], 784)
    assert told["last"] == history().iterations
    doubtful = np.array([in_doubt(p) for p in history().v])
    assert doubtful.any()
    assert ((pictures >= 127) == (doubtful & amber)).all()


def test_the_pixel_to_begin_with_was_lost_and_rightly_brought_back():
    first = restoration.decisive_pixel(history(), SEEN, CLEAN)
    assert CLEAN[first]
    assert not SEEN.seen[first]
    assert history().v[-1][first] > 0.5
    whole = restoration.damaged(CLEAN, restoration.NONE, Corruption(), seed=0)
    none = restoration.history("noise-10", whole, Inference(iterations=9))
    kept = none.v[-1][restoration.decisive_pixel(none, whole, (none.v[-1] > 0.5) == 0)]
    assert abs(kept - 0.5) == np.abs(none.v[-1] - 0.5).min()
