"""Ping, Liu and Ihler (2016), Learning Infinite RBMs with Frank-Wolfe: CD from what it has reached beside CD from two
random starts, each with as many tries.

The paper tells neither how the visible biases of its random starts begin nor, of CD from Frank-Wolfe, how many tries
are behind a value.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from boltzcore.inference import Annealing
from boltzcore.learners import State
from boltzcore.models import RBMSetup
from boltzcore.papers.frank_wolfe import (
    FW,
    LEARNERS,
    SCALES,
    Done,
    MethodsOn,
    contrastive,
    data_of,
    growing,
    grown,
    refined,
)
from boltzcore.papers.study import Row, Study
from boltzcore.ticks import Tick
from boltzcore.training.recipe import Recipe

DATA = "mnist"
FROM_FW, BASE_RATE, ZERO = "from FW", "random, biases at the base rate", "random, biases 0"
STARTS = (FROM_FW, BASE_RATE, ZERO)
RATES = (0.05, 0.01)


@dataclasses.dataclass(frozen=True)
class Size:
    """How much is done: of which scale of figure 1 the data and AIS are, hidden units, epochs of CD, tries a rate."""

    of: str
    units: int
    epochs: int
    tries: int

    @property
    def cells(self) -> list[tuple[str, float, int]]:
        """(start, rate, seed) of every training by CD."""
        return [(start, rate, seed) for start in STARTS for rate in RATES for seed in range(self.tries)]


SIZES = {
    "paper": Size("quick", units=100, epochs=200, tries=2),
    "sample": Size("sample", units=20, epochs=60, tries=2),
    "quick": Size("sample", units=10, epochs=5, tries=1),
}


def recipe(start: str, rate: float, seed: int, scale: str) -> Recipe:
    """One training by CD-10, where it is from Frank-Wolfe with that as the stage before it."""
    size = SIZES[scale]
    data = data_of(DATA, SCALES[size.of])
    before = growing(data, LEARNERS[FW], size.units, size.units) if start == FROM_FW else None
    told = contrastive(data, size.units, rate, seed, size.epochs, before)
    biases = "zero" if start == ZERO else "base rate"
    return dataclasses.replace(told, model=RBMSetup(hidden=size.units, visible_bias=biases))


def parts(scale: str) -> list[Recipe]:
    """Every training by CD."""
    return [recipe(*cell, scale) for cell in SIZES[scale].cells]


def tries(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """The test and validation log-likelihood of each training by CD just before its gap rose, or at its end; of those
    that are not kept.
    """
    size = SIZES[scale]
    there = {(row["start"], row["rate"], row["seed"]) for row in kept}
    cells = [cell for cell in size.cells if cell not in there]
    done = Done(tick, len(cells) + 1)
    methods = MethodsOn.from_name(DATA, SCALES[size.of])
    end = _end(recipe(FROM_FW, RATES[0], 0, scale), done) if any(start == FROM_FW for start, *_ in cells) else None
    for start, rate, seed in cells:
        found = refined(recipe(start, rate, seed, scale), start, done, end if start == FROM_FW else None)
        yield {
            "start": start,
            "rate": rate,
            "seed": seed,
            "units": size.units,
            "seconds": found.seconds,
            "gap": found.fields["gap"],
            "epoch": found.fields["epoch"],
            **methods.likelihood(found, done),
        }


def _end(told: Recipe, done: Done) -> State:
    """Where the training by Frank-Wolfe before `told` ends."""
    assert told.before is not None
    *_, (state, _) = grown(told.before, FW, done)
    return state


STUDIES: Mapping[str, Study] = {
    "fw-starts": Study(
        title="CD from Frank-Wolfe beside CD from random weights with two starts of the biases, as many tries of each",
        source="Ping, Liu and Ihler 2016, section 4, figure 1",
        reported="CD from FW is above the best of five CD from random weights at each size.",
        scales={
            "paper": "MNIST with 10,000 images, 100 units, CD-10 of 200 epochs, two rates, two seeds of each",
            "sample": "the 6,000 images of MNIST that come with the project, 20 units, CD-10 of 60 epochs, two rates, "
            "two seeds of each",
            "quick": "as sample, 10 units, CD-10 of 5 epochs, two rates, one seed",
        },
        rows=tries,
        parts=parts,
        computations=(Annealing,),
    )
}
