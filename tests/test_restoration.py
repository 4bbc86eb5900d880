"""A digit damaged and restored by the models that come with the project."""

import numpy as np
import pytest

from boltzcore import restoration
from boltzcore.data.corruption import Corruption
from boltzcore.inference import Inference
from boltzcore.restoration import ERASER, NONE
from boltzcore.trained import TRAINED

DIGIT = restoration.own_digit(3)


@pytest.mark.parametrize(
    ("damage", "corruption", "lost"),
    [
        ("lower half", Corruption(), slice(392, None)),
        ("patch", Corruption(size=9, value=1), None),
        (ERASER, Corruption(), slice(300, 420)),
        ("flip", Corruption(rate=0.3), slice(0, 0)),
        ("salt", Corruption(rate=0.3), slice(0, 0)),
        (NONE, Corruption(), slice(0, 0)),
    ],
)
def test_a_damage_of_which_one_sees_where_it_is_tells_which_pixels_are_known(damage, corruption, lost):
    mask = np.zeros(784, bool)
    mask[300:420] = True
    damaged = restoration.corrupt(DIGIT, damage, corruption, mask=mask, seed=4)
    assert (~damaged.known).sum() == (81 if lost is None else len(DIGIT[lost]))
    assert (damaged.seen[~damaged.known] == corruption.value).all()
    if lost is not None:
        assert not damaged.known[lost].any()
    changed = damage in ("flip", "salt")
    assert (damaged.seen[damaged.known] != DIGIT[damaged.known]).any() == changed


def test_completions_agree_with_what_is_known_and_are_counted_by_the_digit_they_look_like():
    damaged = restoration.corrupt(DIGIT, "lower half", Corruption(), seed=0)
    restored = restoration.restore(TRAINED["rbm"], damaged, Inference(), seed=0)
    assert restored.beliefs is None
    assert (restored.completions[:, damaged.known] == DIGIT[damaged.known]).all()
    assert len(np.unique(restored.completions, axis=0)) > 50
    np.testing.assert_array_equal(restored.image[damaged.known], DIGIT[damaged.known])
    assert restored.probabilities[~damaged.known].max() > 0.3
    counts = restoration.count_digits(restored.completions)
    assert sum(counts.values()) == len(restored.completions)
    assert next(iter(counts)) == "3"
    assert list(counts.values()) == sorted(counts.values(), reverse=True)
    assert restoration.count_digits(np.ones((2, 784))) == {restoration.UNLIKE: 2}
    doubt = restoration.Restored(np.array([0.04, 0.06, 0.94, 0.96]), None).uncertain  # from 5 to 95 per cent
    assert doubt.tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("damage", "corruption", "first"),
    [
        ("flip", Corruption(rate=0.25), "noise-20"),
        ("patch", Corruption(size=14), "occlusion-12"),
        ("lower half", Corruption(), "rbm"),
        (ERASER, Corruption(), "occlusion-12"),
    ],
)
def test_the_model_made_for_a_damage_comes_first(damage, corruption, first):
    names = restoration.models_for(damage, corruption)
    assert names[0] == first
    assert sorted(names) == sorted(TRAINED)
    assert restoration.made_for(first, damage)
    assert not restoration.made_for("noise-10" if damage != "flip" else "rbm", damage)
    assert [restoration.covers("noise-10", "flip", Corruption(rate=rate)) for rate in (0.1, 0.2)] == [True, False]


@pytest.mark.parametrize("name", [name for name, trained in TRAINED.items() if trained.corruption])
def test_each_conditional_model_brings_back_much_of_what_it_was_made_for(name):
    trained, changed, wrong = TRAINED[name], 0, 0
    for digit in range(10):
        clean = restoration.own_digit(digit)
        damaged = restoration.corrupt(clean, trained.corruption.kind, trained.corruption, seed=digit)
        restored = restoration.restore(trained, damaged, trained.inference, seed=0)
        lost = clean != damaged.seen
        changed += lost.sum()
        wrong += (clean != restored.image)[lost].sum()
    assert wrong < 0.9 * changed


@pytest.mark.parametrize("kind", ["sum-product", "mean field"])
def test_messages_are_those_that_made_the_picture_and_the_loudest_of_the_end_are_shown_all_along(kind):
    damaged = restoration.corrupt(DIGIT, "flip", Corruption(), seed=0)
    model, history = TRAINED["noise-10"].model(), restoration.history("noise-10", damaged, Inference(kind=kind))
    last, before = restoration.messages(history, history.iterations), restoration.messages(history, 1)
    assert last.passed == (kind == "sum-product")
    assert last.rows.shape == (6, 784)
    assert np.abs(last.rows).max() == pytest.approx(last.limit)
    loudness = np.abs(history.messages(history.iterations)).sum(axis=0)
    assert loudness[last.units].min() >= np.sort(loudness)[-6]
    np.testing.assert_array_equal(before.units, last.units)
    for at in (1, history.iterations):
        inference = Inference(kind=kind, iterations=at)
        shown = restoration.restore(TRAINED["noise-10"], damaged, inference, seed=0).probabilities
        field = model.given(damaged.seen).b + restoration.messages(history, at, count=256).rows.sum(axis=0)
        np.testing.assert_allclose(1 / (1 + np.exp(-field)), shown, atol=1e-5)


def test_a_digit_goes_into_a_link_and_comes_back_and_nothing_else_is_taken():
    text = restoration.pack_pixels(DIGIT)
    assert len(text) == 131
    np.testing.assert_array_equal(restoration.unpack_pixels(text), DIGIT)
    for other in ("", text[:-1], text + "A", "<" + text[1:], "A" * 6_000, "\u00e9" * 131):
        with pytest.raises(ValueError, match="digit"):
            restoration.unpack_pixels(other)
    with pytest.raises(ValueError, match="draw"):
        restoration.from_strokes([])
