"""Filling gaps of rows by a model."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.data.table_text import MISSING, Filled
from boltzcore.inference.samples import Sampled, conditional, draw_samples, law_of, marginals, most_likely, sizes_of
from boltzcore.models.log_linear import check_codes
from boltzcore.models.state_probabilities import draw, marginals_of
from boltzcore.parameters import Parameters, check_arguments, parameter, whole
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

MOST_SAMPLES, MOST_DRAWS = 10_000, 1_000  # largest numbers of rows, and of completions of a row
_MOST_CELLS = 2**24  # largest number of values in all drawn rows


@dataclass(frozen=True)
class Rows(Parameters):
    """Rows to generate with a model."""

    samples: int = parameter(1_000, low=1, high=MOST_SAMPLES, help="Rows drawn from the model.", label="Sample size")
    draws: int = parameter(
        0,
        low=0,
        high=MOST_DRAWS,
        help="0 fills each row with its most probable completion and gives each value's probability: rare values "
        "hardly come up. N fills the table N times with draws from the model, which keep the shares of the values.",
        label="Draws per gap",
    )


@check_arguments
def fill(model: Sampled, x: ArrayLike, *, draws: int = 0, seed: int = 0, tick: Tick = idle) -> Filled:
    """Fill the gaps, -1, of rows x of codes. Results are exact for log-linear models, and for Potts models if the gaps
    of a row have few enough completions (`law_of`); otherwise see `most_likely`, `marginals` and `draw_samples` in
    `boltzcore.inference.samples`. Raises Refusal if model or rows are of another kind, or too much is drawn.

    >>> import numpy as np
    >>> from boltzcore.inference.filling import fill
    >>> from boltzcore.models import LogLinear
    >>> found = fill(LogLinear((2, 2), {3: 1.0}), np.array([[1, -1], [0, 1]]))
    >>> found.rows.tolist(), round(float(found.p[0, 1]), 2)
    ([[1, 1], [0, 1]], 0.88)
    """
    codes = as_numbers("x", x, (None, model.n_visible), f"rows of {model.n_visible} codes", "bui")
    check_codes(np.where(codes == MISSING, np.zeros_like(codes), codes), np.array(sizes_of(model)))
    if whole("draws", draws, 0, MOST_DRAWS) * codes.size > _MOST_CELLS:
        raise Refusal(f"draws must be at most {_MOST_CELLS // codes.size} for so large a table, not {draws}.", "draws")
    rows, p = codes.astype(np.int32), np.full(codes.shape, np.nan)
    drawn = np.tile(rows, (draws, 1, 1))
    different, at, n = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    places = np.split(np.argsort(at.reshape(-1), kind="stable"), np.cumsum(n)[:-1])  # rows with each distinct pattern
    for k in np.flatnonzero((different < 0).any(axis=1)).tolist():
        row, like = different[k], places[k]
        gap = row < 0
        columns = np.flatnonzero(gap)
        some: NDArray = np.empty((0, len(columns)))
        given = conditional(model, row, ~gap)
        if law := law_of(given):
            table = law.probabilities()
            laws, best = marginals_of(table, law.layout), law.layout.digits(np.array([table.argmax()]))[0]
            some = draw(table, law.layout, draws * len(like), seed + k)
        else:
            laws, best = marginals(given, seed=seed), most_likely(given, seed=seed)
            if draws:
                some = draw_samples(given, draws * len(like), seed=seed + k).v
        rows[np.ix_(like, columns)] = best
        p[np.ix_(like, columns)] = [each[code] for each, code in zip(laws, best.tolist(), strict=True)]
        drawn[np.ix_(np.arange(draws), like, columns)] = some.reshape(draws, len(like), len(columns))
        tick(k / len(different))
    return Filled(rows, p, drawn)
