"""Context shared by all jobs of an engine."""

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
    """Context shared by all jobs of an engine.

    store : store of trainings
    turns : admission, and turns on the cores
    lease : seconds after which an unwatched job is stopped
    ready : returns for a recipe the event that its kernels are compiled
    clock : returns seconds for the ends of leases
    lock : guards the turns and the changes of a job by commands
    closed : True if the server shuts down; nothing starts any more
    """

    store: Store
    turns: Turns
    lease: float
    ready: Callable[[Recipe], threading.Event]
    clock: Callable[[], float] = time.monotonic
    lock: threading.RLock = dataclasses.field(default_factory=threading.RLock)
    closed: bool = False
