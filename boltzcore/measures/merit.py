"""Judging a training by its figures: the figure of merit, its description, and its climb."""

from collections.abc import Mapping, Sequence

from boltzcore.measures import MEASURES
from boltzcore.measures.likelihood import QUICK
from boltzcore.measures.measure import SPLITS

CLIMBED = 0.9


def judging(values: Mapping[str, float], names: Sequence[str]) -> str | None:
    """Return the figure that judges a model: the first of `names`, a model's figures of merit, that was measured."""
    return next((name for name in names if name in values), None)


def in_full(values: Mapping[str, float]) -> bool:
    """Return True if the estimates among figures were made in full: quick ones do not judge a model."""
    return QUICK not in values


def merit(values: Mapping[str, float], names: Sequence[str]) -> float | None:
    """Return the figure of merit, higher for a better model, negated for an error; None if there is none."""
    name = judging(values, names)
    return None if name is None or not in_full(values) else sign(name) * values[name]


def last_merit(records: Sequence[Mapping[str, float]], names: Sequence[str]) -> tuple[str, float | None]:
    """Return the figure that judges the last of these values with a merit, and this merit; ("", None) without any."""
    found = ((judging(values, names) or "", merit(values, names)) for values in reversed(records))
    return next((each for each in found if each[1] is not None), ("", None))


def sign(figure: str) -> int:
    """Return -1 for an error, the lower the better; 1 otherwise."""
    return -1 if any(measure.lower and figure in measure.units for measure in MEASURES.values()) else 1


def describe_measure(figure: str) -> str:
    """Return the description of a figure without its rows: "log-likelihood"."""
    if figure in MEASURES:  # the measure has only this figure
        return MEASURES[figure].title
    text = figure.removeprefix(f"{_split(figure)}_").removesuffix("_ais")
    for compound in ("log_likelihood", "log_pseudo_likelihood"):
        text = text.replace(compound, compound.replace("_", "-"))
    return text.replace("_", " ")


def title_of(figure: str) -> str:
    """Return the description of a figure: "log-likelihood of the training rows, estimated"."""
    split = _split(figure)
    rows = f" of the {'training' if split == 'train' else split} rows" if split else ""
    return f"{describe_measure(figure)}{rows}{', estimated' if figure.endswith('_ais') else ''}"


def _split(figure: str) -> str:
    return next((name for name in SPLITS if figure.startswith(f"{name}_")), "")


def climb(values: Sequence[float]) -> int | None:
    """Return the first index at which `CLIMBED` of the climb is reached.

    For log-likelihoods, which are negative, "the first epoch at 90 % of the best" means values[i] >= values[0] + .9
    (best - values[0]) (Upadhya and Sastry 2017, section 4.2). None if no value is above the first.
    """
    if not values or not (best := max(values)) > values[0]:
        return None
    enough = values[0] + CLIMBED * (best - values[0])
    return next(i for i, value in enumerate(values) if value >= enough or value == best)
