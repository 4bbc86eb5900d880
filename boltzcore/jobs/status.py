"""The status of a job."""

from enum import StrEnum


class Status(StrEnum):
    """The status of a job; a file and a frame have its text."""

    QUEUED = "queued"  # waits for memory
    STARTING = "starting"  # loads its data, or waits for kernels
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"
    DIVERGED = "diverged"


MOVING = (Status.QUEUED, Status.STARTING, Status.RUNNING)
