"""The rows of each update of a mini-batch learner, and the base of such learners."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import Learner, State, cache_field, flat_fields, rate_field
from boltzcore.models import CRBM, RBM
from boltzcore.models.base import check_binary, check_width
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal

USUAL = 20  # rows in a mini-batch by default


def evenly_spaced(n: int, most: int) -> list[int]:
    """Return at most `most` of the numbers 0..n - 1, evenly spaced, including the first and the last."""
    return sorted({round(k * (n - 1) / max(1, most - 1)) for k in range(most)} if n > most else range(n))


def rows_of_a_batch(n: int, batch_size: int) -> int:
    """Return the number of rows, out of `n`, in a mini-batch.

    All rows if the batch size is 0, or if it is the default and there are fewer rows. Raises Refusal if any other batch
    size is larger than the data.
    """
    if batch_size == 0 or (batch_size == USUAL and n < USUAL):
        return n
    if batch_size > n:
        raise Refusal(
            f"batch_size must be a whole number from 0 (all rows) to {n}, the rows there are, not {batch_size}.",
            "batch_size",
        )
    return batch_size


def updates_per_epoch(learner: Learner, data: Examples | NDArray) -> int:
    """Return the number of updates in an epoch: mini-batches, or one if the learner has no `batch_size`.

    Raises Refusal if a mini-batch is larger than the data.
    """
    size = learner.values().get("batch_size", 0)
    return -(-len(data) // rows_of_a_batch(len(data), size))


class Minibatches:
    """Mini-batches of every update: rows are shuffled, and random rows redrawn, in each epoch.

    The last batch of an epoch may be smaller. The batches are a function of (data, batch size, seed) alone; only the
    latest epoch is stored.
    """

    def __init__(self, data: Examples | NDArray, batch_size: int, seed: int) -> None:
        self.data, self.seed = examples(data), int(seed)
        if self.data.weight is not None:
            raise Refusal("weight must be None for this learner, which requires equally weighted rows.")
        self._given = data
        self.size = rows_of_a_batch(len(data), batch_size)
        self.length = -(-len(data) // self.size)
        self._epoch = -1
        self._rows = np.empty((0, 0), np.uint8)
        self._inputs = np.empty((0, 0), np.float32)
        self._order = np.arange(self.length * self.size, dtype=np.int32).reshape(self.length, self.size)

    def fits(self, data: Examples | NDArray, batch_size: int, seed: int) -> bool:
        """Return True if these are the mini-batches of this data, batch size and seed."""
        return self._given is data and self.size == rows_of_a_batch(len(data), batch_size) and self.seed == seed

    def rows_of(self, count: int, updates: int) -> int:
        """Return the number of rows in the mini-batches of `updates` updates from update `count` on."""
        (first, at), (last, to) = divmod(count, self.length), divmod(count + updates, self.length)
        return (last - first) * len(self.data) + (to - at) * self.size

    def updates(self, count: int, most: int) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        """Return up to `most` updates from update `count` on, all of one epoch: the rows (n, n_visible), the row
        numbers of each mini-batch (updates, batch size), and the number of rows in each (updates,).
        """
        epoch, at = divmod(count, self.length)
        if epoch != self._epoch:
            self._turn_to(epoch)
        if self.length == 1 and not self.data.fresh:  # every epoch is the same single batch
            return self._rows, np.repeat(self._order, most, axis=0), np.full(most, self.size)
        order = self._order[at : at + most]
        sizes = np.minimum(self.size, len(self.data) - self.size * np.arange(at, at + len(order)))
        return self._rows, order, sizes

    def batch(self, count: int) -> NDArray[np.uint8]:
        """Return the rows (rows, n_visible) of update `count`, as 0/1."""
        rows, order, sizes = self.updates(count, 1)
        return rows[order[0, : sizes[0]]]

    def pairs(self, count: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Return (v, x) of the rows of update `count`, for data with inputs."""
        rows, order, sizes = self.updates(count, 1)
        taken = order[0, : sizes[0]]
        return rows[taken], self._inputs[taken].astype(np.float32)

    def _turn_to(self, epoch: int) -> None:
        if self.data.fresh or self._epoch < 0:
            drawn = self.data.epoch(epoch, self.seed)
            self._rows = np.ascontiguousarray(drawn.v, np.uint8).view()
            self._rows.flags.writeable = False  # numba compiles read-only arrays separately: make all read-only
            if drawn.x is not None:
                self._inputs = drawn.x
        if self.length > 1:
            order = streams.generator(self.seed, streams.SHUFFLE, epoch).permutation(len(self.data))
            self._order.reshape(-1)[: len(self.data)] = order
        self._epoch = epoch


@dataclass(frozen=True, eq=False)
class MinibatchState(State):
    """A State that caches the mini-batches of the next updates."""

    batches: Minibatches | None = cache_field()


@dataclass(frozen=True)
class MinibatchLearner(Learner):
    """Base class of learners of RBMs that take a step for each mini-batch."""

    rate: float = rate_field(
        0.05, "Step size along the estimated gradient of the log-likelihood.", label="Learning rate"
    )
    batch_size: int = parameter(
        USUAL,
        low=0,
        high=100_000,
        scale="log",
        symbol="N_B",
        help="Rows per update; 0 takes all rows (full batch), and so does the default of 20 if there are fewer.",
    )

    def minibatches(
        self, model: RBM | CRBM, data: Examples | NDArray, seed: int, kept: Minibatches | None = None
    ) -> Minibatches:
        """Return the mini-batches of a training: `kept` if they are of this data.

        Raises Refusal if the rows do not fit the model.
        """
        if kept is None or not kept.fits(data, self.batch_size, seed):
            kept = Minibatches(data, self.batch_size, seed)
        check_binary(kept.data, "this learner")
        check_width(model, kept.data.n_visible)
        return kept

    def checked_batches(self, state: Any, data: Examples | NDArray) -> Minibatches:
        """Return the mini-batches of a training; raise Refusal if State and data do not belong together."""
        batches, found = self.minibatches(state.model, data, state.seed, state.batches), flat_fields(state)
        for name, shape in self.carried_shapes(state.model, batches).items():
            if found[name].shape != shape:
                raise Refusal(
                    f"{name} of this State has shape {found[name].shape}; {type(self).__name__} with these data and "
                    f"fields needs {shape}."
                )
        return batches

    def carried_shapes(self, model: Any, batches: Minibatches) -> dict[str, tuple[int, ...]]:
        """Return the shapes of the arrays that a State carries over, by their names in `flat_fields`."""
        return {}
