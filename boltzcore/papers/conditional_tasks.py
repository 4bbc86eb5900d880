"""What Ping and Ihler compare: methods, corruptions of data sets, and the errors that they report."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boltzcore.data.corruption import Corruption
from boltzcore.learners import (
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    MeanFieldMLE,
)
from boltzcore.models import CRBMSetup


@dataclass(frozen=True)
class Method:
    """A learner of the tables, and whether it takes the longer training."""

    learner: Any
    long: bool = False


METHODS: dict[str, Method] = {
    "LR": Method(ConditionalLR(), long=True),
    "CD-1": Method(ConditionalCD(), long=True),
    "CD-10": Method(ConditionalCD(K=10), long=True),
    "CD-PercLoss": Method(CDPercLoss(), long=True),
    "MLE-MF": Method(MeanFieldMLE()),
    "MLE-BP": Method(BeliefPropagationMLE()),
    "LSSVM": Method(LSSVM()),
    "MSSVM": Method(MSSVM()),
}
NOTHING = "nothing done"


@dataclass(frozen=True)
class Task:
    """A corruption of a data set, and the errors in percent that the paper reports, All and Changed, by method."""

    data: str
    corruption: Corruption
    reported: Mapping[str, tuple[float, float]]

    def setup(self, hidden: int) -> CRBMSetup:
        """The start: hidden biases 0, as the paper names none; under a patch, where what is seen is certain, input
        pixels weigh more.
        """
        return CRBMSetup(hidden=hidden, hidden_bias=0.0, input_weight=8.0 if self.corruption.kind == "patch" else 4.0)


def _patch(size: int, value: int = 0) -> Corruption:
    return Corruption(kind="patch", size=size, value=value, redrawn="once")


def _reported(*pairs: tuple[float, float]) -> dict[str, tuple[float, float]]:
    return dict(zip(METHODS, pairs, strict=True))


TASKS: dict[str, Task] = {
    "crbm-noise-10": Task(
        "mnist",
        Corruption(rate=0.1, redrawn="once"),
        _reported(
            (1.960, 12.531),
            (1.925, 12.229),
            (1.816, 11.103),
            (1.760, 11.121),
            (1.862, 11.319),
            (1.688, 10.718),
            (1.807, 11.565),
            (1.751, 11.023),
        ),
    ),
    "crbm-noise-20": Task(
        "mnist",
        Corruption(rate=0.2, redrawn="once"),
        _reported(
            (4.088, 12.609),
            (4.012, 12.597),
            (3.995, 11.271),
            (3.970, 10.876),
            (3.917, 10.939),
            (3.691, 10.409),
            (3.910, 11.175),
            (3.804, 10.627),
        ),
    ),
    "crbm-occlusion-8": Task(
        "mnist",
        _patch(8),
        _reported(
            (1.468, 61.304),
            (1.814, 63.130),
            (1.707, 67.925),
            (1.394, 45.684),
            (1.492, 49.553),
            (1.329, 39.785),
            (1.496, 44.037),
            (1.391, 41.829),
        ),
    ),
    "crbm-occlusion-12": Task(
        "mnist",
        _patch(12),
        _reported(
            (3.498, 53.971),
            (3.983, 58.376),
            (3.921, 63.237),
            (3.483, 35.755),
            (3.477, 40.703),
            (3.117, 36.233),
            (3.468, 39.140),
            (3.273, 35.712),
        ),
    ),
    "crbm-caltech-noise": Task(
        "caltech101",
        Corruption(rate=0.2, redrawn="once"),
        _reported(
            (5.653, 11.460),
            (5.876, 12.423),
            (5.736, 12.013),
            (5.622, 10.808),
            (5.617, 11.083),
            (5.445, 10.731),
            (5.628, 11.468),
            (5.549, 11.389),
        ),
    ),
    "crbm-caltech-occlusion": Task(
        "caltech101",
        _patch(12, 1),
        _reported(
            (4.771, 16.587),
            (5.033, 20.300),
            (5.149, 21.087),
            (5.081, 15.102),
            (4.692, 15.995),
            (4.548, 16.541),
            (4.703, 16.014),
            (4.534, 14.918),
        ),
    ),
}
SIZES = (4, 8, 12, 16, 20, 24, 28)  # figure 3: sides of the patch, up to the whole image
LEVELS = tuple(Task("mnist", _patch(size), {}) for size in SIZES)


def title_of(task: Task) -> str:
    """The name of a task in tables."""
    return f"{task.data}, {task.corruption.title}"
