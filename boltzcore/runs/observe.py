"""What a page draws of a training beside its parameters: arrays made from a State, outside the record."""

from collections.abc import Mapping

from numpy.typing import NDArray

from boltzcore.inference.particles import particles
from boltzcore.learners.base import State
from boltzcore.ticks import Tick, idle


def observe_rbm(state: State, previous: Mapping[str, NDArray] | None, *, seed: int, tick: Tick = idle) -> Mapping[str, NDArray]:
    """Fantasy particles, carried on from the previous look."""
    return particles(state.model, previous, seed=seed, step=state.count, tick=tick)
