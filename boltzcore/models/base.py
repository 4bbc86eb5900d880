"""The protocol of models: a frozen dataclass of arrays that can be written to a file, and its setup."""

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
from boltzcore.parameters import Parameters, Refusal, check_arguments
from boltzcore.ticks import Tick, idle

FEW_ROWS = 20  # a data set of fewer is learnt from as a whole: no more than a mini-batch


class Model(Displayed, ABC):
    """Base of frozen dataclasses whose fields are arrays.

    ARRAYS : {field: (kinds of its dtype, dimensions)}, as `arrays.read_arrays` takes them; by these names a file is
        known
    SIZES : {property: what it counts, in words}, for people
    EQUATIONS : {what it is of: equation}, for people: its law, and what follows from that, in the notation of
        `reference.equations`
    SOURCE : where it is published
    numerics : version of its numbers, its initial values included, raised whenever they change
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]]
    SIZES: ClassVar[dict[str, str]]
    EQUATIONS: ClassVar[Mapping[str, str]] = {}
    SOURCE: ClassVar[str] = ""
    numerics: ClassVar[int] = 1

    @property
    @abstractmethod
    def n_visible(self) -> int:
        """Codes in a row of its data."""

    @property
    def size(self) -> str:
        """The size of the model, in words."""
        *first, last = (f"{getattr(self, name):,} {counted}" for name, counted in self.SIZES.items())
        return f"{', '.join(first)} and {last}" if first else last

    @check_arguments
    def save(
        self, file: str | Path | BinaryIO, dtype: type[np.floating] | None = None, names: Names | None = None
    ) -> None:
        """Write the arrays as .npz in their own types, with the names of the columns they are about.

        dtype : what floating-point numbers are rounded to, such as float16 for a file of half the size
        Raises Refusal naming an array with a value that it cannot hold.
        """
        arrays: dict[str, NDArray] = {name: getattr(self, name) for name in self.ARRAYS}
        write_arrays(file, arrays, dtype, names.as_arrays() if names else {})

    @classmethod
    def load(cls, file: str | Path | BinaryIO) -> Self:
        """The model in an .npz file with arrays of these names. Raises Refusal naming the file and what is wrong."""
        return cls.from_arrays(read_arrays(file, cls.ARRAYS))

    def _check_sums(self, possible: bool, limit: int) -> None:
        """Refusal unless sums over all states are possible, which go over the states of so many units at most."""
        if not possible:
            raise Refusal(f"Exact sums go over every state of at most {limit} units; this model has {self.size}.")

    def check_rows(self, v: ArrayLike) -> NDArray:
        """v as an array; Refusal unless it is (n, n_visible) with values from 0 to 1."""
        return check_units("v", v, self.n_visible)

    def check_states(self, v: ArrayLike, name: str = "v") -> NDArray[np.uint8]:
        """v as (n, n_visible) uint8, a copy; Refusal unless its values are 0 and 1."""
        rows = check_units(name, v, self.n_visible)
        if not ((rows == 0) | (rows == 1)).all():
            raise Refusal(f"{name} must hold only 0 and 1.", name)
        return np.array(rows, np.uint8, order="C")

    def landscape(self, most: int = MOST) -> Landscape | None:
        """Every state of its visible units, if these are at most `most` that are off or on, and its hidden ones at most
        `landscape.MOST_HIDDEN`; None of any other model, and of one whose law depends on an input.
        """
        return None

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray]) -> Self:
        """The model with these arrays, by the names of ARRAYS. Raises Refusal naming the one that is wrong, TypeError
        if the names are others.
        """
        return cls(**arrays)

    def _take_arrays(self, dtype: type[np.floating] = np.float32) -> None:
        """Replace the fields by finite arrays of this type, or refuse them."""
        for name, (_, ndim) in self.ARRAYS.items():
            object.__setattr__(self, name, as_parameters(name, getattr(self, name), ndim, dtype))


class ExactModel(Model):
    """A model whose log-likelihood can be had exactly, if it is not too large: it is measured without more ado."""

    @property
    def enumerable(self) -> bool:
        """Return whether it is small enough; else its likelihood is not measured, and another figure may judge it."""
        return True

    @abstractmethod
    def log_likelihood(self, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """(n,) log p(v) of each row of codes, in nats."""


class Rows(Protocol):
    """The rows that a setup is given: `boltzcore.data.Examples`."""

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
    """Size and start of a model.

    name : of the model, in recipes, links and commands
    kind : what it is a start of
    hidden : hidden units of its first model
    CONVERSIONS : {kind of an earlier stage's model: what makes it one of this kind, of the same or the nearest law}
    """

    name: ClassVar[str]
    kind: ClassVar[type[Model]]
    hidden = 0
    CONVERSIONS: ClassVar[dict[type[Model], Callable[[Any], Model]]] = {}

    @classmethod
    def first(cls, rows: int, columns: int) -> Self:
        """Return the size and start of a first training on this number of rows and columns."""
        return cls()

    def check(self, data: Any) -> None:
        """Refusal where a model of this kind cannot be of such rows."""

    def initial(self, data: Any, *, seed: int, before: Any = None) -> Any:
        """The model before the first update, for these training rows.

        before : the model that an earlier stage of the training has reached, which then is the start
        Raises Refusal where the data, or that model, do not fit.
        """
        self.check(data)
        return self.drawn(data, seed) if before is None else self.converted(before, data)

    @abstractmethod
    def drawn(self, data: Any, seed: int) -> Model:
        """The model that a training without an earlier stage starts from, for rows that `check` has let through."""

    def converted(self, before: Model, data: Any) -> Model:
        """The start that the model of an earlier stage gives: itself, or what it is as a model of this kind, where it
        is of the rows' width; else Refusal.
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
        """Return whether a training can begin with what an earlier stage has made of a model of that kind."""
        return issubclass(kind, self.kind) or kind in self.CONVERSIONS

    @property
    def size(self) -> str:
        """The size of the model, in words, as far as it does not follow from the data."""
        return f"{self.hidden:,} hidden unit{'s' * (self.hidden > 1)}" if self.hidden else "No hidden units"

    def memory(self, data: Rows) -> int:
        """Bytes of the tables that a training of such a model on these rows holds at once, besides data and parameters;
        those that every training has need not be counted.
        """
        return 0

    def needs(self, part: str, n_visible: int, hidden: float) -> bool:
        """Return whether a training of such a model uses an optional part of a recipe, for rows of this width.

        hidden : units that the model comes to have at most; inf where that is not known, or they are fractional
        """
        return True


def check_units(name: str, v: ArrayLike, n: int) -> NDArray:
    """v as an array; Refusal unless it is rows of n units with values from 0 to 1."""
    rows = as_numbers(name, v, (None, n), f"rows of {n} units")
    if len(rows) and not (rows.min() >= 0 and rows.max() <= 1):
        raise Refusal(f"{name} must hold values from 0 to 1.", name)
    return rows


def check_width(model: Model, n_visible: int) -> None:
    """Raise ValueError where rows of this width are not as wide as a model's."""
    if model.n_visible != n_visible:
        raise ValueError(f"The model has {model.n_visible} visible units, but the rows of the data have {n_visible}.")


def check_binary(data: Rows, model: str) -> None:
    """Refusal where rows have codes that a unit, which is off or on, cannot stand for."""
    if data.gray or np.max(data.levels) <= 2:
        return
    start = f"data must have two levels for {model}, whose units are off or on"
    if isinstance(data.levels, int):
        raise Refusal(f"{start}, not {data.levels}.", "data")
    more = sum(levels > 2 for levels in data.levels)
    columns = "1 column has" if more == 1 else f"{more:,} columns have"
    raise Refusal(f"{start}; {columns} more, up to {max(data.levels)}: leave out every such column.", "data")
