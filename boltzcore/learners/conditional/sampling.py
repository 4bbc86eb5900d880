"""Learners of a conditional RBM that sample: contrastive divergence and CD-PercLoss (Ping and Ihler, section 4.1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import dense, rows
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.energy import free_energy
from boltzcore.kernels.machine import Machine
from boltzcore.learners.base import gibbs_steps_field
from boltzcore.learners.conditional.base import Batch, Conditional, Expected, Floats
from boltzcore.learners.operations import product
from boltzcore.parameters import parameter
from boltzcore.threads import share
from boltzcore.ticks import Tick

FEWEST = 8  # rows of a thread: each has tables of its own to fill


def gibbs_chains(W: Floats, batch: Batch, v: NDArray[np.uint8], steps: int) -> Iterator[Floats]:
    """Run block Gibbs steps of each row v in place, given its own biases; yield the hidden fields (N, n_hidden) given
    v, before the first step and after each.
    """
    n_visible, n_hidden = W.shape
    wide, tall, fields = rows.blank(n_visible, n_hidden), rows.blank(n_hidden, n_visible), rows.blank(len(v), n_hidden)
    wide[:, :n_hidden] = W
    rows.transpose(wide, n_hidden, tall)
    share(lambda low, high: rows.hidden_fields(wide, batch.c[low:high], v[low:high], fields[low:high]), len(v), FEWEST)
    yield fields[:, :n_hidden]

    def step(low: int, high: int, k: int) -> None:
        machine = Machine(wide, tall, batch.b[low:high], batch.c[low:high])
        stream = streams.Stream(np.uint64(batch.seed), streams.GIBBS, batch.update, low)
        rows.gibbs(machine, v[low:high], fields[low:high], stream, k, 1)

    for k in range(steps):
        share(partial(step, k=k), len(v), FEWEST)
        yield fields[:, :n_hidden]


@dataclass(frozen=True)
class ConditionalCD(Conditional):
    """Contrastive divergence: K Gibbs steps from the clean image of each pair, given its input (section 4.1)."""

    K: int = gibbs_steps_field(1, "Gibbs steps from the data to the sample that an update uses.")

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        v = batch.v.astype(np.uint8)
        steps = gibbs_chains(W, batch, v, self.K)
        fields = next(steps)
        for k, after in enumerate(steps):
            tick(k / self.K)
            fields = after
        operations = self.inference_operations(len(v), *W.shape)
        return Expected(v.astype(np.float32), sigmoid(fields), work=self.K, operations=operations)

    def inference_operations(self, rows: int, n: int, m: int) -> int:
        return 2 * self.K * product(rows, n, m)  # the first p(h | v) is that of the data


@dataclass(frozen=True)
class CDPercLoss(Conditional):
    """CD-PercLoss: perceptron loss on the most probable sample of a Gibbs chain that starts where the input alone says
    (Mnih et al. 2011).

    The chain starts at a draw from the logistic part alone, v ~ sigmoid(W_vx x + b_v). Of its K samples the one of
    lowest free energy is set against the data, where its free energy is below that of the data; elsewhere the pair
    makes no step. Draws of many pixels are noisy: soon none of them may be more probable than the data, and the
    learning stands still, however wrong the most probable image is (assets/results/paper-5-conditional.md). Rounded
    candidates are not: with p(h | v) of a sample as its hidden units, the visible units that are more probably on are.
    """

    K: int = gibbs_steps_field(10, "Gibbs steps of the search for a sample more probable than the data.")
    candidates: str = parameter(
        "sampled",
        choices=("sampled", "rounded"),
        help="What is set against the data: the chain's samples, or for each the image whose pixels are those more "
        "probably on than off given the sample's hidden probabilities.",
        label="Candidates",
    )

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        rounded = self.candidates == "rounded"
        drawn = streams.generator(batch.seed, streams.SAMPLE, batch.update).random(batch.b.shape, dtype=np.float32)
        v = (drawn < sigmoid(batch.b)).astype(np.uint8)
        down = dense.whole(W)
        across = dense.whole(W.T) if rounded else down
        lowest = free_energy(batch.v, batch.b, dense.product(batch.v, down, batch.c))
        best_v, best_h = batch.v.copy(), batch.mean_h.copy()
        for k, fields in enumerate(gibbs_chains(W, batch, v, self.K)):
            tick(k / (self.K + 1))
            if k == 0:
                continue  # where the chain starts is no sample of it
            found = v
            if rounded:
                found = (dense.product(sigmoid(fields), across, batch.b) > 0).astype(np.uint8)
                fields = dense.product(found, down, batch.c)
            energy = free_energy(found.astype(np.float32), batch.b, fields)
            lower = energy < lowest
            lowest[lower], best_v[lower], best_h[lower] = energy[lower], found[lower], sigmoid(fields[lower])
        operations = self.inference_operations(len(v), *W.shape)
        return Expected(best_v, best_h, work=self.K, operations=operations)

    def inference_operations(self, rows: int, n: int, m: int) -> int:
        products = (4 if self.candidates == "rounded" else 2) * self.K + 1
        return products * product(rows, n, m) + (self.K + 1) * product(rows, n, 1)
