"""Data sets to train on, checked and ready.

`load("mnist")` returns a `Dataset`; `DATASETS` lists all data sets by name, `examples` takes your own rows.
"""

from typing import Any

from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.clusters import Clusters
from boltzcore.data.corruption import Corruption, flip, occlude
from boltzcore.data.digit_pictures import as_digit
from boltzcore.data.digits import Digits
from boltzcore.data.drawn import Patterns
from boltzcore.data.examples import Dataset, Examples, examples
from boltzcore.data.ising import Ising
from boltzcore.data.matlab import Caltech101, Omniglot
from boltzcore.data.mnist import MNIST, BinarizedMNIST, MNISTSmall
from boltzcore.data.own import Own, load_table, upload
from boltzcore.data.patterns import BarsAndStripes, Parity, ShiftingBar
from boltzcore.data.pictures import read_picture
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.data.reading import Reading
from boltzcore.data.senate import Senate
from boltzcore.data.source import Source
from boltzcore.data.table_files import ENDINGS, look_at, read_table
from boltzcore.quoting import Refusal, quoted

DATASETS: dict[str, type[Source]] = {
    kind.name: kind
    for kind in (
        BarsAndStripes,
        ShiftingBar,
        Parity,
        Clusters,
        Digits,
        MNISTSmall,
        MNIST,
        BinarizedMNIST,
        Omniglot,
        Caltech101,
        Senate,
        RandomFVBM,
        Ising,
        BayesNet,
        Patterns,
        Own,
    )
}


def load(name: Any, **options: Any) -> Dataset:
    """Load the data set called `name`, with its options; or a table, which is a file, an array or a DataFrame, with
    those of `load_table`, for example load("people.csv", bins=4, leave_out="id").

    Raises Refusal naming what is allowed, or if its files are unavailable.

    >>> from boltzcore.data import load
    >>> load("bars-and-stripes", D=2).train.v.tolist()
    [[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    """
    if not isinstance(name, str) or name.lower().endswith(ENDINGS):
        return load_table(name, **options)
    if name not in DATASETS:
        raise Refusal(f"data must be one of {', '.join(DATASETS)}, not {quoted(name)}.")
    return DATASETS[name]().changed(**options).load()


__all__ = [
    "DATASETS",
    "Clusters",
    "Corruption",
    "Dataset",
    "Examples",
    "Own",
    "Reading",
    "as_digit",
    "examples",
    "flip",
    "load",
    "look_at",
    "occlude",
    "read_picture",
    "read_table",
    "upload",
]
