"""Parts shared by the reference updates of RBMs: p(h | v), Gibbs steps, and statistics of rows."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from boltzcore.reference.draws import Array, Draws, sigmoid

Phases = Iterator[tuple[str, dict[str, Array]]]


def hidden_given_visible(v: Array, W: Array, c: Array) -> dict[str, Array]:
    """Return rows v (rows, n) with the log-odds `field` and probabilities `p` of their hidden units, (rows, m)."""
    field = c + v @ W
    return {"v": v, "field": field, "p": sigmoid(field)}


def gibbs_steps(
    v: Array, W: Array, b: Array, c: Array, draws: Draws, steps: range
) -> Generator[tuple[str, dict[str, Array]], None, Array]:
    """Yield the half steps of block Gibbs sampling from v (rows, n); return v after them.

    Step k of a row takes the words k (m + n), ... of the row's stream: m for the hidden units, then n for the visible.
    """
    n, m = W.shape
    for k in steps:
        h = draws.bernoulli(v, W, c, m, first=k * (m + n))
        yield "hidden", {"v": v, **h._asdict(), "h": h.on}
        visible = draws.bernoulli(h.on, W.T, b, n, first=k * (m + n) + m)
        v = visible.on
        yield "visible", {"h": h.on, **visible._asdict(), "v": v}
    return v


class Statistics(NamedTuple):
    """Averages over rows: v p' (n, m), v (n,) and p = p(h = 1 | v) (m,). One of the two terms of a gradient."""

    W: Array
    b: Array
    c: Array

    @classmethod
    def from_rows(cls, v: Array, p: Array) -> "Statistics":
        return cls(v.T @ p / len(v), v.mean(0), p.mean(0))

    def minus(self, other: "Statistics") -> "Statistics":
        return Statistics(self.W - other.W, self.b - other.b, self.c - other.c)


def difference(data: Statistics, model: Statistics) -> dict[str, Array]:
    """Return both terms of a gradient, and the gradient G as `W`, `b`, `c`."""
    terms = {"data": data, "model": model}
    named = {f"{term}_{name}": array for term, each in terms.items() for name, array in each._asdict().items()}
    return {**named, **data.minus(model)._asdict()}
