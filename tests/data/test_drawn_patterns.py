"""Drawn patterns as they come in a link: what is packed, and what is refused."""

import numpy as np
import pytest

from boltzcore import Recipe
from boltzcore.data import DATASETS, load
from boltzcore.quoting import Refusal

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(("side", "n"), [(8, 1), (8, 20), (16, 20)])
def test_pixels_come_back_in_their_order_from_a_link_of_less_than_4_kb(side, n):
    pixels = RNG.integers(0, 2, (n, side * side)).astype(np.uint8)
    source = DATASETS["patterns"](side=side, bits=np.packbits(pixels, axis=1).tobytes().hex())
    query = Recipe("fvbm", source, "Hebbian").to_query()
    assert len("&".join(f"{key}={value}" for key, value in query.items())) < 4_000
    data = Recipe.from_query(query).dataset()
    np.testing.assert_array_equal(data.train.v, pixels)
    assert data.test is data.train
    assert data.shape == (side, side)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("bits", {"bits": ""}),
        ("bits", {"bits": "0" * 15}),
        ("bits", {"bits": "0" * 15 + "g"}),
        ("bits", {"bits": "0" * 15 + "\N{FULLWIDTH DIGIT ONE}"}),
        ("bits", {"bits": "0" * 15 + "\n"}),
        ("bits", {"bits": "0" * 64 * 21, "side": 16}),
        ("bits", {"bits": "0" * 16, "side": 16}),
        ("bits", {"bits": "0" * 10_000_000}),
        ("bits", {"bits": b"0" * 16}),
        ("side", {"side": 12}),
    ],
)
def test_other_texts_and_sizes_are_refused(field, options):
    with pytest.raises(Refusal) as refusal:
        load("patterns", **options)
    assert refusal.value.field == field
    assert len(str(refusal.value)) < 400
