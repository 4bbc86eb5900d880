"""Which figure says how good a model is, of those that were measured, and how it is called."""

from collections.abc import Mapping, Sequence

from boltzcore.measures import MEASURES
from boltzcore.measures.climb import Measured
from boltzcore.measures.likelihood import EFFORT
from boltzcore.measures.measure import SPLITS


def judging(values: Mapping[str, float], names: Sequence[str]) -> str | None:
    """The figure that judges a model: the first of `names`, a model's figures of merit, that was measured."""
    return next((name for name in names if name in values), None)


def in_full(values: Mapping[str, float]) -> bool:
    """Whether the estimates among figures were made with their full effort: no other ones judge a model."""
    return EFFORT not in values


def merit(values: Mapping[str, float], names: Sequence[str]) -> float | None:
    """The figure that judges a model, higher for a better one, an error negative; None where there is none."""
    name = judging(values, names)
    return None if name is None or not in_full(values) else sign(name) * values[name]


def last_merit(records: Sequence[Measured], names: Sequence[str]) -> float | None:
    """The merit at the last record that has one."""
    return next((value for record in reversed(records) if (value := merit(record.values, names)) is not None), None)


def sign(figure: str) -> int:
    """-1 for an error, the lower the better; 1 for all else."""
    return -1 if any(measure.lower and figure in measure.units for measure in MEASURES.values()) else 1


def in_general(figure: str) -> str:
    """A figure as one says it, whatever rows it is of: "log-likelihood"."""
    if figure in MEASURES:  # the only figure of its measure
        return MEASURES[figure].title
    text = figure.removeprefix(f"{_split(figure)}_").removesuffix("_ais")
    for compound in ("log_likelihood", "log_pseudo_likelihood"):
        text = text.replace(compound, compound.replace("_", "-"))
    return text.replace("_", " ")


def in_words(figure: str) -> str:
    """A figure as one says it: "log-likelihood of the training rows, estimated"."""
    split = _split(figure)
    rows = f" of the {'training' if split == 'train' else split} rows" if split else ""
    return f"{in_general(figure)}{rows}{', estimated' if figure.endswith('_ais') else ''}"


def _split(figure: str) -> str:
    return next((name for name in SPLITS if figure.startswith(f"{name}_")), "")
