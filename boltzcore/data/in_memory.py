"""Rows from a script or notebook as the data of a recipe."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, ClassVar

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.own import load_table
from boltzcore.data.source import Source, digest_of
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick


@dataclass(frozen=True)
class InMemory(Source):
    """A data set in the memory of this process, which has no link and is not stored.

    digest : digest of its content, by which it is compared
    """

    name: ClassVar[str] = "memory"
    title: ClassVar[str] = "Rows in memory"
    about: ClassVar[str] = "Rows that a script or notebook gave to a recipe."
    private: ClassVar[bool] = True

    digest: str = parameter("", pattern="[0-9a-f]{64}", help="Hash of the rows.")
    dataset: Dataset = field(kw_only=True, compare=False, repr=False)

    @classmethod
    def from_rows(cls, rows: Any) -> "InMemory":
        """Return a data set, Examples, or a table in a form for `load_table`, as the data of a recipe."""
        if isinstance(rows, Examples):
            rows = Dataset(rows, None, rows)
        dataset = rows if isinstance(rows, Dataset) else load_table(rows)
        levels = [split.levels for split in dataset.splits.values()]
        content = f"{digest_of(dataset)} {dataset.names} {levels} {sorted(dataset.labels)} {dataset.truth is None}"
        return cls(hashlib.sha256(content.encode()).hexdigest(), dataset=dataset)

    def _load(self, tick: Tick) -> Dataset:
        return self.dataset
