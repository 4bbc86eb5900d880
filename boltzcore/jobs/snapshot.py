"""A training at one moment, as drawn by pages."""

from dataclasses import dataclass, field

from boltzcore.jobs.job import JobSnapshot
from boltzcore.jobs.stopwatch import Wait
from boltzcore.learners.base import State
from boltzcore.observations import Observation
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData


@dataclass(frozen=True)
class Snapshot(JobSnapshot):
    """A training at one moment.

    state : State after the last complete update, None before the start
    best, best_value : State of the record with the highest merit (`registry.ModelEntry.merit`), and that merit,
        negative for an error
    observation : arrays that a page draws with the parameters
    budget : updates in the whole training, 0 until the data are loaded
    prepared : prepared data of the current stage; None until they are loaded
    wait : current work that a viewer may wait for; None if there is none
    """

    state: State | None = None
    best: State | None = None
    best_value: float | None = None
    records: tuple[Record, ...] = ()
    observation: Observation = field(default_factory=dict)
    updates_per_second: float = 0.0
    budget: int = 0
    prepared: PreparedData | None = None
    wait: Wait | None = None

    @property
    def count(self) -> int:
        """Updates made so far."""
        return self.state.count if self.state else 0

    @property
    def updates_per_epoch(self) -> int:
        """Updates in an epoch; 0 until the data are loaded."""
        return self.prepared.updates_per_epoch if self.prepared else 0

    @property
    def base_rate(self) -> float | None:
        """Mean log-likelihood of the measured training rows under independent columns, nats per example."""
        return self.prepared.base_rate if self.prepared else None
