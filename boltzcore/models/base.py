"""Base classes of models, frozen dataclasses of arrays that can be written to a file, and of their setups."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers, as_parameters, read_arrays, write_arrays
from boltzcore.display import Displayed
from boltzcore.models.landscape import MOST, Landscape
from boltzcore.names import Names
from boltzcore.parameters import Parameters, check_arguments
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

FEW_ROWS = 20  # data sets with fewer rows are learnt as a whole: they fit into a mini-batch


class Model(Displayed, ABC):
    """Base class of frozen dataclasses whose fields are arrays.

    ARRAYS : {field: (kinds of its dtype, dimensions)}, as `arrays.read_arrays` takes them; these names identify a file
    SIZES : {property: description of the counted items}, for people
    EQUATIONS : {subject: equation}, for people: the model's distribution, and consequences, in the notation of
        `reference.equations`
    SOURCE : publication
    numerics : version of its numbers, including its initial values, raised whenever they change
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]]
    SIZES: ClassVar[dict[str, str]]
    EQUATIONS: ClassVar[Mapping[str, str]] = {}
    SOURCE: ClassVar[str] = ""
    numerics: ClassVar[int] = 1

    @property
    @abstractmethod
    def n_visible(self) -> int:
        """Number of codes in a row of its data."""

    @property
    def size(self) -> str:
        """Size of the model, in words."""
        *first, last = (f"{getattr(self, name):,} {counted}" for name, counted in self.SIZES.items())
        return f"{', '.join(first)} and {last}" if first else last

    @check_arguments
    def save(
        self, file: str | Path | BinaryIO, dtype: type[np.floating] | None = None, names: Names | None = None
    ) -> None:
        """Write the arrays as .npz with their own dtypes, and the names of the columns that they describe.

        dtype : type to which floating-point numbers are rounded, for example float16 to halve the file
        Raises Refusal naming an array with a value that does not fit the dtype.
        """
        arrays: dict[str, NDArray] = {name: getattr(self, name) for name in self.ARRAYS}
        write_arrays(file, arrays, dtype, names.as_arrays() if names else {})

    @classmethod
    def load(cls, file: str | Path | BinaryIO) -> Self:
        """Return the model in an .npz file with arrays of these names. Raises Refusal naming the file and the error."""
        return cls.from_arrays(read_arrays(file, cls.ARRAYS))

    def _check_sums(self, possible: bool, limit: int) -> None:
        """Raise Refusal unless sums over all states are possible, which needs at most `limit` units."""
        if not possible:
            raise Refusal(f"Exact sums go over every state of at most {limit} units; this model has {self.size}.")

    def check_rows(self, v: ArrayLike) -> NDArray:
        """Return v as an array; raise Refusal unless it is (n, n_visible) with values from 0 to 1."""
        return check_units("v", v, self.n_visible)

    def check_states(self, v: ArrayLike, name: str = "v") -> NDArray[np.uint8]:
        """Return v as (n, n_visible) uint8, a copy; raise Refusal unless its values are 0 and 1."""
        rows = check_units(name, v, self.n_visible)
        if not ((rows == 0) | (rows == 1)).all():
            raise Refusal(f"{name} must hold only 0 and 1.", name)
        return np.array(rows, np.uint8, order="C")

    def landscape(self, most: int = MOST) -> Landscape | None:
        """Return every state, if the model has at most `most` binary visible units and `landscape.MOST_HIDDEN` hidden
        ones; None for any other model, and if its distribution depends on an input.
        """
        return None

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray]) -> Self:
        """Return the model with these arrays, by the names of ARRAYS. Raises Refusal naming an invalid array, TypeError
        if the names differ.
        """
        return cls(**arrays)

    def _take_arrays(self, dtype: type[np.floating] = np.float32) -> None:
        """Replace the fields by finite arrays of this type; raise Refusal if they are invalid."""
        for name, (_, ndim) in self.ARRAYS.items():
            object.__setattr__(self, name, as_parameters(name, getattr(self, name), ndim, dtype))


class ExactModel(Model):
    """A model with an exact log-likelihood, unless it is too large; it is measured by default."""

    @property
    def enumerable(self) -> bool:
        """Return True if the model is small enough; otherwise its likelihood is not measured."""
        return True

    @abstractmethod
    def log_likelihood(self, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(v) of each row of codes, (n,), in nats."""


class Rows(Protocol):
    """Rows that a setup receives: `boltzcore.data.Examples`."""

    @property
    def v(self) -> NDArray: ...
    @property
    def x(self) -> NDArray | None: ...
    @property
    def weight(self) -> NDArray | None: ...
    @property
    def levels(self) -> int | tuple[int, ...]: ...
    @property
    def gray(self) -> bool: ...
    @property
    def n_visible(self) -> int: ...
    def mean(self) -> NDArray[np.float64]: ...


@dataclasses.dataclass(frozen=True)
class Setup(Parameters, ABC):
    """Size and initial values of a model.

    name : of the model, in recipes, links and commands
    kind : class of the model
    hidden : hidden units of the initial model
    CONVERSIONS : {class of an earlier stage's model: conversion to this class, with the same or nearest distribution}
    """

    name: ClassVar[str]
    kind: ClassVar[type[Model]]
    hidden = 0
    CONVERSIONS: ClassVar[dict[type[Model], Callable[[Any], Model]]] = {}

    @classmethod
    def first(cls, rows: int, columns: int) -> Self:
        """Return the setup for a first training on this number of rows and columns."""
        return cls()

    def check(self, data: Any) -> None:
        """Raise Refusal if a model of this kind cannot have such rows."""

    @check_arguments
    def initial(self, data: Any, *, seed: int, before: Any = None) -> Any:
        """Return the model before the first update, for these training rows.

        before : the final model of an earlier stage of the training, which is then the initial model
        Raises Refusal if the data, or that model, do not fit.
        """
        self.check(data)
        return self.drawn(data, seed) if before is None else self.converted(before, data)

    @abstractmethod
    def drawn(self, data: Any, seed: int) -> Model:
        """Return the initial model of a training without an earlier stage, for rows that `check` has accepted."""

    def converted(self, before: Model, data: Any) -> Model:
        """Return the model of an earlier stage as initial model, converted to this kind if necessary; raise Refusal if
        it does not have the rows' width.
        """
        found = self.CONVERSIONS[type(before)](before) if type(before) in self.CONVERSIONS else before
        if not isinstance(found, self.kind) or found.n_visible != data.n_visible:
            raise Refusal(
                f"before must end with a model of the kind {self.kind.__name__} for rows of {data.n_visible} columns, "
                f"not with one of the kind {type(before).__name__} for {before.n_visible}.",
                "before",
            )
        return found

    def follows(self, kind: type[Model]) -> bool:
        """Return True if training can start from an earlier stage's model of that kind."""
        return issubclass(kind, self.kind) or kind in self.CONVERSIONS

    @property
    def size(self) -> str:
        """Size of the model, in words, as far as it does not follow from the data."""
        return f"{self.hidden:,} hidden unit{'s' * (self.hidden > 1)}" if self.hidden else "No hidden units"

    def memory(self, data: Rows) -> int:
        """Return the bytes of the tables that a training of such a model on these rows holds at once, besides data,
        parameters and tables of every training.
        """
        return 0

    def needs(self, part: str, n_visible: int, hidden: float) -> bool:
        """Return True if a training of such a model uses an optional part of a recipe, for rows of this width.

        hidden : largest number of units of the model; inf if that is unknown, or counts are fractional
        """
        return True


def check_units(name: str, v: ArrayLike, n: int) -> NDArray:
    """Return v as an array; raise Refusal unless it has rows of n units with values from 0 to 1."""
    rows = as_numbers(name, v, (None, n), f"rows of {n} units")
    if len(rows) and not (rows.min() >= 0 and rows.max() <= 1):
        raise Refusal(f"{name} must hold values from 0 to 1.", name)
    return rows


def check_width(model: Model, n_visible: int) -> None:
    """Raise Refusal if rows of this width do not fit a model."""
    if model.n_visible != n_visible:
        raise Refusal(f"The model has {model.n_visible} visible units, but the rows of the data have {n_visible}.")


def check_binary(data: Rows, model: str) -> None:
    """Raise Refusal if rows have codes above 1, which a binary unit cannot represent."""
    if data.gray or np.max(data.levels) <= 2:
        return
    start = f"data must have two levels for {model}, whose units are off or on"
    if isinstance(data.levels, int):
        raise Refusal(f"{start}, not {data.levels}.", "data")
    more = sum(levels > 2 for levels in data.levels)
    columns = "1 column has" if more == 1 else f"{more:,} columns have"
    raise Refusal(f"{start}; {columns} more, up to {max(data.levels)}: leave out every such column.", "data")
