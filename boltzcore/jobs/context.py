"""The context that all jobs of an engine share."""

import dataclasses
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from boltzcore.jobs.store import Store
from boltzcore.jobs.turns import Turns
from boltzcore.training.recipe import Recipe


@dataclass
class EngineContext:
    """The context that all jobs of an engine share.

    store : of trainings
    turns : admission, and turns on the cores
    lease : seconds after which a job that no one watches is stopped
    ready : by a recipe, what is set once its kernels are compiled
    clock : gives the seconds by which leases end
    lock : guards the turns and what commands change in a job
    closed : whether the server ends; nothing begins any more
    """

    store: Store
    turns: Turns
    lease: float
    ready: Callable[[Recipe], threading.Event]
    clock: Callable[[], float] = time.monotonic
    lock: threading.RLock = dataclasses.field(default_factory=threading.RLock)
    closed: bool = False
