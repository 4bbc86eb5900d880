"""A hidden unit of a trained RBM: its weights, the digits that switch it on, and samples with it held on or off."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boltzcore.data import MNISTSmall
from boltzcore.home import asset
from boltzcore.inference import gibbs
from boltzcore.models import RBM
from boltzcore.plotting import images
from boltzcore.trained import SHAPE

KINDS, EACH = 10, 50  # digits, and handwritten examples of each
CHAINS, STEPS, START = 12, 20, 0  # samples, their Gibbs steps, and the digit that they start from
FIELD = 140  # pixels that its image may be high
MIDDLE = slice(12, 17)  # rows and columns
_HELD = 1_000.0  # log-odds of a unit that is held on


@dataclass(frozen=True, eq=False)
class Activity:
    """Share of handwritten digits of each kind that switch a unit on, and one digit of each kind as (10, 784)."""

    shares: tuple[float, ...]
    examples: NDArray[np.uint8]


@cache
def digits_model() -> RBM:
    """Return the RBM with 100 hidden units that generates digits on Start."""
    return RBM.load(asset("mnist-rbm.npz"))


def field(unit: int) -> images.Tiles:
    """Return the weights of a unit as an image."""
    return images.weight_tiles(digits_model().W.T[[unit]], SHAPE, largest=FIELD)


def activity(unit: int, seed: int) -> Activity:
    """Return the shares of test digits, drawn by this seed, that switch a unit on."""
    rows = np.stack([_handwritten(digit, EACH, seed) for digit in range(KINDS)])
    on = [expit(digits_model().hidden_field(each)[:, unit]).mean() for each in rows]
    return Activity(tuple(map(float, on)), rows[:, 0])


def samples(unit: int, on: bool | None, seed: int) -> NDArray[np.uint8]:
    """Return (12, 784) samples of Gibbs chains from handwritten zeros.

    on : whether the unit is held on or off; None to leave it free
    """
    model = digits_model()
    if on is not None:
        c = model.c.copy()
        c[unit] = _HELD if on else -_HELD
        model = replace(model, c=c)
    return gibbs(model, _handwritten(START, CHAINS, seed), STEPS, seed=seed)


def ink_in_the_middle(rows: NDArray[np.uint8]) -> float:
    """Return the share of the pixels in the middle that are on."""
    return float(rows.reshape(-1, *SHAPE)[:, MIDDLE, MIDDLE].mean())


def _handwritten(digit: int, count: int, seed: int) -> NDArray[np.uint8]:
    dataset = MNISTSmall(binarise="threshold").load()
    rows = np.flatnonzero(dataset.labels["test"] == digit)
    return np.array(dataset.test.v[np.random.default_rng(seed).choice(rows, count, replace=False)], np.uint8)
