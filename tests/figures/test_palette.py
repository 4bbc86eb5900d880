"""Hues of the families of algorithms."""

import tomllib
from pathlib import Path

import pytest

from boltzcore.figures import palette
from boltzcore.registry import MODELS, learners_of


@pytest.mark.parametrize("model", MODELS)
def test_no_two_families_of_learners_that_are_drawn_together_share_a_hue(model):
    families = {learner.family for learner in learners_of(model).values()}
    assert len({palette.hue(family) for family in families}) == len(families)


def test_every_hue_is_of_one_family():
    assert len(set(palette.FAMILIES.values())) == len(palette.FAMILIES)


def luminance(colour):
    values = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_hue_stands_out_from_the_ground(scheme):
    theme = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())["theme"]
    ground = luminance(theme[scheme]["backgroundColor"])
    for colour in (*palette.FAMILIES.values(), palette.OTHER, palette.PINNED):
        low, high = sorted((ground, luminance(colour)))
        assert (high + 0.05) / (low + 0.05) >= 3, colour  # WCAG 2.2, 1.4.11
    assert set(palette.FAMILIES.values()) == set(theme["chartCategoricalColors"])
