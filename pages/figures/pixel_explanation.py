"""Explanation of a pixel's belief in each iteration: the terms of its log-odds, as a sum and in words."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.history import History
from boltzcore.plotting import drawing, palette
from boltzcore.quoting import number
from pages.figures.measurements import figure as written

MOST = 6  # terms of hidden units that are listed one by one
AVERAGES = "sum-product", "mean field"  # inferences whose beliefs are marginal probabilities
_AGAINST, _FOR = (palette.rgb(palette.rdbu(9)[k]) for k in (1, 7))


@dataclass(frozen=True, eq=False)
class PixelSum:
    """Log-odds of a pixel in one iteration.

    terms : {name: log-odds}, the strongest messages, and all others summed by their sign
    units : (MOST,) hidden units, from 0, of the strongest
    """

    terms: dict[str, float]
    units: NDArray[np.intp]

    @property
    def total(self) -> float:
        """The sum of the terms, in log-odds."""
        return sum(self.terms.values())


@lru_cache(maxsize=16)
def sums(history: History, i: int) -> tuple[PixelSum, ...]:
    """Return the sum of pixel i in each iteration."""
    found, shared = history.visible(i), {}
    shared["bias"] = found.bias
    if found.own is not None:
        shared[f"own input: {'on' if history.x[i] else 'off'}"] = found.own
    if found.others is not None:
        shared["input" if found.own is None else "other inputs"] = found.others
    made = []
    for messages in found.messages:
        order = np.argsort(-np.abs(messages), kind="stable")
        rest = messages[order[MOST:]]
        terms = shared | {f"hidden {j + 1}": float(messages[j]) for j in order[:MOST]}
        for way, some in (("for", rest[rest > 0]), ("against", rest[rest < 0])):
            terms[f"{len(some)} others {way}"] = float(some.sum())
        made.append(PixelSum(terms, order[:MOST]))
    return tuple(made)


def waterfall(history: History, i: int, at: int) -> drawing.Figure:
    """Draw the sum of iteration `at`, from 1 on: each bar begins at the end of the one above, on one scale for all."""
    ends = [np.cumsum([0.0, *each.terms.values()]) for each in sums(history, i)]
    now, found = ends[at - 1], sums(history, i)[at - 1]
    values = [*found.terms.values(), found.total]
    texts = [f"{name}  {written(value, 2)}" for name, value in (found.terms | {"log-odds": found.total}).items()]
    colours = [*(_FOR if value > 0 else _AGAINST for value in found.terms.values()), palette.PINNED]
    places = [*range(len(values))]
    figure = drawing.bar_chart(("Log-odds", ""), values, places, colours, "%{x:.2f}", (places[-1] + 0.6, -0.6))
    figure["data"][0] |= {"orientation": "h", "base": [*now[:-1].tolist(), 0.0]}
    figure["layout"]["yaxis"] |= {"tickvals": places, "ticktext": texts}
    del figure["layout"]["yaxis"]["title"]  # if there is little room, its margin goes with it
    figure["layout"]["margin"] |= {"l": 150, "t": 10}
    low, high = min(each.min() for each in ends), max(each.max() for each in ends)
    edge = 0.05 * (high - low) + 0.1
    figure["layout"]["xaxis"] |= {"range": [low - edge, high + edge], "autorange": False}
    return figure


def sentence(history: History, i: int, at: int, clean: ArrayLike | None) -> str:
    """Return a sentence on the belief of pixel i after iteration `at`, and its true value.

    clean : (n_visible,) 0/1 the digit before, if it is known
    """
    p, before = float(history.v[at - 1, i]), float(history.v[at - 2, i] if at > 1 else history.start[i])
    chance = "P(on)" if history.inference.kind in AVERAGES else "Belief(on)"
    fresh = f"sigmoid({written(sums(history, i)[at - 1].total, 2)})"
    words = f"{chance} = {fresh} = {p:.3f}."
    if kept := history.kept:
        old, new = number(kept, ".0%"), number(1 - kept, ".0%")
        words = f"{chance} = {p:.3f}: {old} of the previous {before:.3f} and {new} of {fresh}."
    return words if clean is None else f"{words} It should be {'on' if np.asarray(clean)[i] else 'off'}."
