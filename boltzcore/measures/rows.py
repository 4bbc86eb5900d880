"""The rows that measures look at."""

import dataclasses

from boltzcore.data.examples import Dataset, Examples

ROWS = 5000  # of each split: the standard error of a mean over them is small beside what curves show


def rows_to_measure(dataset: Dataset, seed: int) -> Dataset:
    """At most 5,000 rows of each split, evenly spread over it, with pixels drawn once: the same rows at every record."""

    def drawn(split: Examples) -> Examples:
        return split.spread(ROWS).epoch(0, seed)

    return dataclasses.replace(dataset, train=drawn(dataset.train), validation=dataset.validation and drawn(dataset.validation), test=drawn(dataset.test))
