"""Base classes of data sets: a name, declared options, and `load`; for files, and for gray images."""

import hashlib
import os
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import read_arrays
from boltzcore.data import files
from boltzcore.data.examples import Dataset, Examples
from boltzcore.home import home
from boltzcore.kernels import random as streams
from boltzcore.parameters import Parameters, name_owner, parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle, portion

KEPT_BYTES = 2**28  # about four of the large sets

_kept: OrderedDict[tuple, Dataset] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True)
class Source(Parameters, ABC):
    """A data set and its options; equal sources return the same Dataset.

    name : name in recipes, links and commands
    numerics : version of its rows, raised whenever they change
    title, about : for people: description, origin, licence
    downloadable : True if its files are downloaded if missing
    private : True if it belongs to a visitor, and its options are hidden from others
    """

    name: ClassVar[str]
    numerics: ClassVar[int] = 1
    title: ClassVar[str]
    about: ClassVar[str]
    downloadable: ClassVar[bool] = False
    private: ClassVar[bool] = False

    def load(self, tick: Tick = idle) -> Dataset:
        """Return the splits; their arrays are read-only and shared by all loads of an equal source.

        tick(fraction) is called as files arrive and are read, and may raise `Stopped`. Raises Refusal if a file is
        unavailable or has the wrong content.
        """
        if (there := self.loaded()) is not None:
            return there
        # Without the lock, so that a download does not block another set.
        with name_owner(self.name):
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
        """Return the splits if an equal source was recently loaded, else None."""
        with _lock:
            if (there := _kept.get(key := self._key())) is not None:
                _kept.move_to_end(key)
            return there

    def _key(self) -> tuple:
        return self, os.environ.get("BOLTZCORE_DATA"), home()

    def at_hand(self) -> bool:
        """Return True if `load` needs no download."""
        return True

    def load_at_hand(self) -> Dataset | None:
        """Return the splits; None if they would have to be downloaded, or `load` refuses them."""
        with suppress(Refusal):
            return self.load() if self.at_hand() else None
        return None

    def options(self, field: str) -> tuple[str, ...]:
        """Return the possible names in a text field with a comma-separated list; () if it is not such a list."""
        return ()

    @abstractmethod
    def _load(self, tick: Tick) -> Dataset: ...


@dataclass(frozen=True)
class FileSource(Source):
    """A data set in files: as published, or in one packed .npz file.

    arrays : {name: shape} of the byte arrays in the packed file; those called ..._bits have eight pixels per byte
    """

    published: ClassVar[tuple[files.Published, ...]]
    packed: ClassVar[str]
    arrays: ClassVar[Mapping[str, tuple[int, ...]]]
    downloadable: ClassVar[bool] = True

    def at_hand(self) -> bool:
        return bool(files.locate(self.published, self.packed))

    def _load(self, tick: Tick) -> Dataset:
        paths = files.fetch(self.title, self.published, self.packed, portion(tick, 0, 0.9))
        if paths[0].name != self.packed:
            for path, file in zip(paths, self.published, strict=True):
                file.check(path)
            return self._dataset(*self._read(paths))
        held = read_arrays(paths[0], {name: ("u1", shape) for name, shape in self.arrays.items()})
        return self._dataset(
            *(np.unpackbits(array, axis=1) if name.endswith("_bits") else array for name, array in held.items())
        )

    @abstractmethod
    def _read(self, paths: list[Path]) -> Iterable[NDArray]:
        """Return the `arrays`, unpacked, from the published files, whose checksums were verified."""

    @abstractmethod
    def _dataset(self, *arrays: NDArray) -> Dataset:
        """Return the data set of the unpacked `arrays`."""


@dataclass(frozen=True)
class Gray(Source):
    """A data set of gray images, and their conversion to 0/1."""

    binarise: str = parameter(
        "each epoch",
        choices=("each epoch", "once", "threshold"),
        help="Conversion of grey v (0..255) to 0/1: on with probability v/255, resampled each epoch or sampled once "
        "(seed 0, epoch 0), or on if v > threshold.",
    )
    threshold: int = parameter(127, low=0, high=254, help="Grey above which a pixel is on, if binarise is threshold.")

    def _examples(self, *splits: NDArray[np.uint8]) -> list[Examples]:
        """Return splits of gray images 0..255 as Examples."""
        rows = [split.reshape(len(split), -1) for split in splits]
        if self.binarise == "each epoch":
            return [Examples(split, levels=256) for split in rows]
        if self.binarise == "threshold":
            return [Examples((split > self.threshold).view(np.uint8)) for split in rows]
        # One sample over all splits: each row has its own stream.
        drawn = streams.binarise(np.concatenate(rows), 0, 0)
        return [Examples(part) for part in np.split(drawn, np.cumsum([len(split) for split in rows])[:-1])]


TESTED = 4  # training rows per test row, for sources that generate their rows


def rows_field(default: int, *, high: int = 1_000_000, label: str = "Rows") -> Any:
    """Declare the number of training rows to generate."""
    help = "Number of training rows."
    return parameter(default, low=1, high=high, scale="log", symbol="n", help=help, label=label)


def seed_field(of: str) -> Any:
    """Declare the seed of a source's distribution and its rows."""
    return parameter(0, low=0, high=2**53, help=f"Seed of the {of}, independent of the training seed.")


def rows_with_test(n: int) -> int:
    """Return the number of rows to draw for n training rows."""
    return n + -(-n // TESTED)


def split_rows(v: NDArray, n: int, levels: int = 2, **known: Any) -> Dataset:
    """Return rows as a data set: the first n for training, the others for testing."""
    train, test = (Examples(part, levels=levels) for part in (v[:n], v[n:]))
    return Dataset(train, None, test, **known)


def _arrays(dataset: Dataset) -> list[NDArray]:
    """Return each array once: some sets use the same rows for training and testing."""
    of_splits = (array for split in dataset.splits.values() for array in (split.v, split.x, split.weight, split.gaps))
    held = [array for array in (*of_splits, *dataset.labels.values()) if array is not None]
    return list({id(array): array for array in held}.values())


@lru_cache(maxsize=64)
def data_digest(source: Source) -> str:
    """Return a digest of the rows of a data set, their weights and its labels."""
    return digest_of(source.load())


def digest_of(dataset: Dataset) -> str:
    """Return a digest of the rows of a data set, their weights and its labels."""
    arrays = [array for split in dataset.splits.values() for array in (split.v, split.x, split.weight, split.gaps)]
    digest = hashlib.sha256(repr(dataset.shape).encode())
    for array in (*arrays, *(dataset.labels[name] for name in sorted(dataset.labels))):
        if array is not None:
            digest.update(repr((array.dtype.str, array.shape)).encode())
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
