"""The rows of each update of a mini-batch learner, and the base of such learners."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import MOST, Learner, State, cache_field, flat_fields, rate_field
from boltzcore.models import CRBM, RBM
from boltzcore.models.base import check_binary, check_width
from boltzcore.parameters import Refusal, parameter, whole

USUAL = 20  # rows of a batch


def evenly_spaced(n: int, most: int) -> list[int]:
    """Return at most `most` of the numbers 0..n - 1, evenly spaced, with the first and the last."""
    return sorted({round(k * (n - 1) / max(1, most - 1)) for k in range(most)} if n > most else range(n))


def rows_of_a_batch(n: int, batch_size: int) -> int:
    """Return the number of rows that an update takes of `n`.

    These are all if the batch size is 0, or is the default and there are fewer.
    Raises Refusal if a batch of another size is larger than the data.
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
    """Return the updates in an epoch: mini-batches, or one if the learner has no `batch_size`.

    Raises Refusal if a batch is larger than the data.
    """
    size = learner.values().get("batch_size", 0)
    return -(-len(data) // rows_of_a_batch(len(data), size))


class Minibatches:
    """The rows of every update, shuffled anew each epoch, what is drawn each epoch drawn.

    The last batch of an epoch holds what is left. A function of (data, batch size, seed) alone; only
    the latest epoch is kept.
    """

    def __init__(self, data: Examples | NDArray, batch_size: int, seed: int) -> None:
        self.data, self.seed = examples(data), whole("seed", seed, 0, MOST)
        if self.data.weight is not None:
            raise ValueError("weight must be None for this learner, which requires equally weighted rows.")
        self._given = data
        self.size = rows_of_a_batch(len(data), batch_size)
        self.length = -(-len(data) // self.size)
        self._epoch = -1
        self._rows = np.empty((0, 0), np.uint8)
        self._inputs = np.empty((0, 0), np.float32)
        self._order = np.arange(self.length * self.size, dtype=np.int32).reshape(self.length, self.size)

    def fits(self, data: Examples | NDArray, batch_size: int, seed: int) -> bool:
        """Return True if these are the batches of that data, batch size and seed."""
        return self._given is data and self.size == rows_of_a_batch(len(data), batch_size) and self.seed == seed

    def rows_of(self, count: int, updates: int) -> int:
        """Return the number of rows in the mini-batches of some updates from update `count` on."""
        (first, at), (last, to) = divmod(count, self.length), divmod(count + updates, self.length)
        return (last - first) * len(self.data) + (to - at) * self.size

    def updates(self, count: int, most: int) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        """Return up to `most` updates from update `count` on, all of one epoch: the rows (n, n_visible), numbers of the
        rows of each mini-batch (updates, batch size), and how many are taken of each (updates,).
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
        """Return the rows (rows, n_visible) that update `count` takes, as 0/1."""
        rows, order, sizes = self.updates(count, 1)
        return rows[order[0, : sizes[0]]]

    def pairs(self, count: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """(v, x) of the rows that update `count` takes, for data with inputs."""
        rows, order, sizes = self.updates(count, 1)
        taken = order[0, : sizes[0]]
        return rows[taken], self._inputs[taken].astype(np.float32)

    def _turn_to(self, epoch: int) -> None:
        if self.data.fresh or self._epoch < 0:
            drawn = self.data.epoch(epoch, self.seed)
            self._rows = np.ascontiguousarray(drawn.v, np.uint8).view()
            self._rows.flags.writeable = False  # read-only or not, an array is compiled for: let all be of one kind
            if drawn.x is not None:
                self._inputs = drawn.x
        if self.length > 1:
            order = streams.generator(self.seed, streams.SHUFFLE, epoch).permutation(len(self.data))
            self._order.reshape(-1)[: len(self.data)] = order
        self._epoch = epoch


@dataclass(frozen=True, eq=False)
class MinibatchState(State):
    """A State with the mini-batches that go on from it."""

    batches: Minibatches | None = cache_field()


@dataclass(frozen=True)
class MinibatchLearner(Learner):
    """The base of RBM learners that take a step for each mini-batch."""

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
        """Return the mini-batches of a training: those that are kept, if they are of this data.

        Raises ValueError if the model is not one of such rows.
        """
        if kept is None or not kept.fits(data, self.batch_size, seed):
            kept = Minibatches(data, self.batch_size, seed)
        check_binary(kept.data, "this learner")
        check_width(model, kept.data.n_visible)
        return kept

    def checked_batches(self, state: Any, data: Examples | NDArray) -> Minibatches:
        """Return the mini-batches of a training; raise ValueError if State and data do not belong together."""
        batches, found = self.minibatches(state.model, data, state.seed, state.batches), flat_fields(state)
        for name, shape in self.carried_shapes(state.model, batches).items():
            if found[name].shape != shape:
                raise ValueError(
                    f"{name} of this State has shape {found[name].shape}; {type(self).__name__} with these data and "
                    f"fields needs {shape}."
                )
        return batches

    def carried_shapes(self, model: Any, batches: Minibatches) -> dict[str, tuple[int, ...]]:
        """Return the shapes of arrays that a State of a training carries on, by their names in `flat_fields`."""
        return {}
