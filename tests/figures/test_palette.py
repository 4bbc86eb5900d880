"""Hues of the families of algorithms."""

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from boltzcore.plotting import palette
from boltzcore.registry import MODELS, learners_of


def linear(colour: str) -> np.ndarray:
    """Return linear RGB."""
    values = np.array(palette.parts(colour)) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_hue_stands_out_from_the_ground(scheme):
    theme = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())["theme"]
    ground, grey = linear(theme[scheme]["backgroundColor"]), np.array([0.2126, 0.7152, 0.0722])
    for colour in (*palette.FAMILIES.values(), palette.OTHER, palette.PINNED):
        low, high = sorted((ground @ grey, linear(colour) @ grey))
        assert (high + 0.05) / (low + 0.05) >= 3, colour  # WCAG 2.2, 1.4.11
    assert set(palette.FAMILIES.values()) == set(theme["chartCategoricalColors"])
    scale = (Path(__file__).parents[2] / "pages" / "draw" / "live.css").read_text()  # below pictures of weights
    assert all("#{:02X}{:02X}{:02X}".format(*colour) in scale for colour in palette.rdbu(11))


# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE
# Transactions on Visualization and Computer Graphics 15 (2009): their matrices of the strongest, for linear RGB.
VISIONS = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# Ottosson's OKLab (2020), from linear RGB.
CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]
APART = 0.05  # in OKLab, where 0.02 is about what is just noticed of two large areas side by side


def seen(colour: str, vision: str) -> np.ndarray:
    """Return a colour as a person with this vision sees it, in OKLab."""
    return np.array(OKLAB) @ np.cbrt(np.array(CONES) @ np.clip(np.array(VISIONS[vision]) @ linear(colour), 0, 1))


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("model", MODELS)
def test_families_that_are_drawn_together_have_hues_that_every_eye_tells_apart(model, vision):
    hues = {palette.hue(learner.family) for learner in learners_of(model).values()}
    for one, other in combinations(sorted(hues), 2):
        assert np.linalg.norm(seen(one, vision) - seen(other, vision)) >= APART, (one, other)
