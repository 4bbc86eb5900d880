"""Completion by a plain RBM: the known pixels are fixed, the others sampled."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.inference.gibbs import fill_fields, gibbs, machine_of, run_gibbs
from boltzcore.kernels import random as streams
from boltzcore.kernels import rows
from boltzcore.kernels.random import Stream
from boltzcore.models import RBM
from boltzcore.parameters import check_arguments, whole
from boltzcore.ticks import Tick, idle, portion

HELD = 1e30  # a bias larger than any sum of weights: it clamps a known unit


@dataclass(frozen=True, eq=False)
class Completion:
    """Completions of an image by p(v | known units).

    mean : (n_visible,) estimated probability of each unit; known units have their value
    rows : (chains, n_visible) uint8, final state of each chain: independent completions
    """

    mean: NDArray[np.float64]
    rows: NDArray[np.uint8]


@check_arguments
def complete(
    rbm: RBM,
    v: ArrayLike,
    known: ArrayLike,
    *,
    chains: int = 100,
    burn_in: int = 200,
    steps: int = 10,
    seed: int = 0,
    tick: Tick = idle,
) -> Completion:
    """Sample from p(v | known units), by clamped Gibbs sampling.

    v : (n_visible,) of 0/1, whose unknown values start the chains; known : (n_visible,) bool
    chains, burn_in, steps : numbers of chains, of discarded steps of each, and of counted steps
    Raises Refusal naming the argument, its value and what is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import complete
    >>> from boltzcore.models import RBM
    >>> alike = RBM(np.full((3, 1), 9.0), np.full(3, -4.5), np.full(1, -13.5))  # all on, or all off
    >>> complete(alike, [1, 0, 0], np.array([True, False, False])).mean.round().tolist()
    [1.0, 1.0, 1.0]
    """
    whole("chains", chains, 1, 10_000)
    whole("burn_in", burn_in, 0, 1_000_000)
    whole("steps", steps, 1, 100_000)
    row = rbm.check_states(as_numbers("v", v, (None,), "a row of units")[None])[0]
    held = as_numbers("known", known, row.shape, f"{len(row)} booleans", "b")
    clamped = RBM(rbm.W, np.where(held, np.where(row > 0, HELD, -HELD), rbm.b), rbm.c)
    all_steps = burn_in + steps
    burning = portion(tick, 0.0, burn_in / all_steps)
    end = gibbs(clamped, np.tile(row, (chains, 1)), burn_in, seed=seed, step=0, tick=burning)
    machine, fields = machine_of(clamped), rows.blank(chains, rbm.n_hidden)
    rows.transpose(machine.W, rbm.n_hidden, machine.WT)
    fill_fields(machine, end, fields)
    total, stream = np.zeros(len(row)), Stream(np.uint64(seed), streams.SAMPLE, 1, 0)
    for k in range(steps):
        run_gibbs(machine, end, fields, stream, k, 1, portion(tick, (burn_in + k) / all_steps, 1 / all_steps))
        total += end.sum(axis=0)
    return Completion(total / (chains * steps), end)
