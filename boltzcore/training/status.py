"""Status of a training, and of a job that runs one or several."""

from enum import StrEnum


class Status(StrEnum):
    """Status of a training or a job; files and frames contain its text."""

    QUEUED = "queued"  # waits for admission
    STARTING = "starting"  # loads its data, or waits for kernels
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"
    DIVERGED = "diverged"


MOVING = (Status.QUEUED, Status.STARTING, Status.RUNNING)
ENDED = (Status.STOPPED, Status.FINISHED, Status.FAILED, Status.DIVERGED)
