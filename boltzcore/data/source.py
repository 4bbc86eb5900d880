"""The base of data sets: a name, declared options, and `load`."""

import os
from abc import ABC, abstractmethod
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import ClassVar, Self

from numpy.typing import NDArray

from boltzcore.data import files
from boltzcore.data.examples import Dataset
from boltzcore.home import home
from boltzcore.parameters import Parameters, owned_by
from boltzcore.ticks import Tick, idle, portion

KEPT_BYTES = 2**28  # about four of the large sets

_kept: OrderedDict[tuple, Dataset] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True)
class Source(Parameters, ABC):
    """A data set and its options; equal sources give the same Dataset.

    name : in recipes, links and commands
    numerics : version of its rows, raised whenever they change
    title, about : for people: what it is, where it is from, its licence
    downloadable : its files are fetched from the network where they are not at hand
    private : it is somebody's own, and its options are shown to nobody else
    n_columns : codes in a row, where they are as many with any options; None where that is not so

    >>> from boltzcore.data import DATASETS
    >>> bars = DATASETS["bars-and-stripes"](D=2)
    >>> bars.load().train.v.shape, bars.changed(D=4).load().train.v.shape
    ((6, 4), (30, 16))
    """

    name: ClassVar[str]
    numerics: ClassVar[int] = 1
    title: ClassVar[str]
    about: ClassVar[str]
    downloadable: ClassVar[bool] = False
    private: ClassVar[bool] = False
    n_columns: ClassVar[int | None] = None

    def load(self, tick: Tick = idle) -> Dataset:
        """The splits; their arrays are read-only and shared by all who load an equal source.

        tick(fraction) is called as files arrive and are read, and may raise `Stopped`. Raises `DataUnavailable`
        (a ValueError) where a file cannot be had, and ValueError where one is not what it claims to be.
        """
        if (there := self.loaded()) is not None:
            return there
        # Unlocked, so that a download holds up nobody who wants another set.
        with owned_by(self.name):
            loaded = self._load(tick)
        for array in _arrays(loaded):
            array.setflags(write=False)
        with _lock:
            loaded = _kept.setdefault(self._key(), loaded)
            while (
                len(_kept) > 1 and sum(array.nbytes for kept in _kept.values() for array in _arrays(kept)) > KEPT_BYTES
            ):
                _kept.popitem(last=False)
        return loaded

    def loaded(self) -> Dataset | None:
        """The splits, where an equal source was loaded a while ago; else None."""
        with _lock:
            if (there := _kept.get(key := self._key())) is not None:
                _kept.move_to_end(key)
            return there

    def _key(self) -> tuple:
        return self, os.environ.get("BOLTZCORE_DATA"), home()

    def at_hand(self) -> bool:
        """Whether `load` finds all it needs on this machine."""
        return True

    def options(self, field: str) -> tuple[str, ...]:
        """The names that a text field lists some of, separated by commas; none where it is no list of names."""
        return ()

    def of_width(self, n: int) -> Self | None:
        """This data set with rows of n codes: itself where it has such, or with the option that says how many; None
        where it has none. It is read where nothing else says so; ValueError where that cannot be done.
        """
        return self if (self.n_columns or self.load().train.n_visible) == n else None

    def resized(self, field: str, value: int) -> Self | None:
        """This data set with another value of a field that says how many codes a row has; None where it has none."""
        try:
            return self.changed(**{field: value})
        except ValueError:
            return None

    @abstractmethod
    def _load(self, tick: Tick) -> Dataset: ...


@dataclass(frozen=True)
class FileSource(Source):
    """A data set in files: as published, or in the one packed .npz file."""

    published: ClassVar[tuple[files.Published, ...]]
    packed: ClassVar[str]
    downloadable: ClassVar[bool] = True

    def at_hand(self) -> bool:
        return bool(files.here(self.published, self.packed))

    def _load(self, tick: Tick) -> Dataset:
        paths = files.fetched(self.title, self.published, self.packed, portion(tick, 0, 0.9))
        if paths[0].name == self.packed:
            return self._read_packed(paths[0])
        return self._read_published(
            paths, [portion(tick, 0.9 + 0.1 * i / len(paths), 0.1 / len(paths)) for i in range(len(paths))]
        )

    @abstractmethod
    def _read_packed(self, path: Path) -> Dataset: ...

    @abstractmethod
    def _read_published(self, paths: list[Path], ticks: list[Tick]) -> Dataset: ...


def _arrays(dataset: Dataset) -> list[NDArray]:
    """Each array once: some sets are tested on what they are trained on."""
    splits = [split for split in (dataset.train, dataset.validation, dataset.test) if split is not None]
    held = [array for split in splits for array in (split.v, split.x, split.weight) if array is not None] + list(
        dataset.labels.values()
    )
    return list({id(array): array for array in held}.values())
