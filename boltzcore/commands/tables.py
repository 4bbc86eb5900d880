"""A table of one's own on the command line: `--data table.csv` in place of a name."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import file_name
from boltzcore.data import Dataset, Examples, Own, Reading, upload
from boltzcore.data.examples import BINARY
from boltzcore.data.source import Source
from boltzcore.data.table_files import ENDINGS
from boltzcore.inference.samples import sizes_of
from boltzcore.models import names_in
from boltzcore.models.base import Model
from boltzcore.models.log_linear import cardinalities_of
from boltzcore.names import code_of, texts_of_values
from boltzcore.quoting import Refusal, listed, quoted
from boltzcore.registry import DATASETS

DATA_HELP = f"Name from `data list`, or a file with your own table ({', '.join(ENDINGS)})."
_KEPT = "boltzcore.reading"  # key for a command's {field: value} of how to read the file


def _keep(context: click.Context, option: click.Parameter, value: Any) -> None:
    if value is not None:
        value = value.replace("\\t", "\t") if option.name == "separator" else value
        context.meta.setdefault(_KEPT, {})[option.name] = value


def reading_options(command: Any) -> Any:
    """Add the options for reading the file in --data."""
    for field in reversed(Reading.parameters()):
        option = f"--{field.name}".replace("_", "-") + "/--no-header" * (field.name == "header")
        metavar = None if field.name == "header" else "VALUE"
        text = f"Of a file: {field.help} Detected if not given."
        option_of = click.option(option, default=None, expose_value=False, callback=_keep, metavar=metavar, help=text)
        command = option_of(command)
    return command


def chosen_reading() -> Reading:
    """Return the reading of a file as chosen on the command line."""
    return Reading(**click.get_current_context().meta.get(_KEPT, {}))


@contextmanager
def append_columns(source: Source) -> Iterator[None]:
    """Add to a refusal of the data in the block the columns of a table with more than two values."""
    try:
        yield
    except Refusal as refusal:
        if refusal.field != "data" or not isinstance(source, Own):
            raise
        raise Refusal(f"{refusal} {source.two_values()}", refusal.field) from None


def data_of(named: str) -> tuple[str, dict[str, str]]:
    """Return (name of a data set, {"owner.field": text} of its options) from --data; a file is read by the command's
    options, which is reported on standard error, and its table stored on this machine like an upload.

    Raises Refusal if it is neither a name nor a file, or the file has no table.
    """
    chosen = click.get_current_context().meta.get(_KEPT, {})
    if named in DATASETS:
        if chosen:
            raise Refusal(
                f"{next(iter(chosen))} is for a file, and --data names the data set {named}.", next(iter(chosen))
            )
        return named, {}
    if not named.lower().endswith(ENDINGS) and not os.path.isfile(named):  # `upload` would take any name
        raise Refusal(
            f"data must be one of {', '.join(DATASETS)}, or a file with a table, not {quoted(named)}.", "data"
        )
    kept = upload(named, chosen_reading())
    click.echo(f"{kept.reading().sentence} Unless --set says otherwise: {kept.parts()}", err=True)
    return Own.name, {f"{Own.name}.{p.name}": p.write(getattr(kept, p.name)) for p in Own.parameters()}


def file_of(named: str) -> Path | None:
    """Return the file in --data; None for a data set."""
    return None if named in DATASETS else Path(named)


def match_columns(dataset: Dataset, model: Model, file: Path, data: str) -> Dataset:
    """Return the data set with the columns in the order of the model in a file, and with its codes for their values
    (`code_of`): a table from another file has its own order and codes. Without names on both sides it is unchanged.

    data : name of the data set on the command line
    Raises Refusal naming the columns, or the first value of a row, that the model does not know, or if the numbers
    of columns differ.
    """
    own, given = names_in(file), dataset.names
    n = dataset.train.n_visible
    if n != model.n_visible:
        raise Refusal(
            f"The model in {file_name(file)} has {model.n_visible:,} visible units, but a row of {file_name(data)} has "
            f"{n:,}."
        )
    if own is None or given is None or own == given or not len(own.columns) == len(given.columns) == n:
        return dataset
    if sorted(own.columns) != sorted(given.columns):
        raise Refusal(
            f"The columns of {file_name(data)} must be those of the model in {file_name(file)} "
            f"({listed(own.columns, '')}), not {listed(given.columns, '')}."
        )
    order = [given.columns.index(name) for name in own.columns]
    texts = [texts_of_values(own, i, size) for i, size in enumerate(sizes_of(model))]
    codes = list[NDArray]()
    for i, at in enumerate(order):
        there = texts_of_values(given, at, cardinalities_of(dataset.train)[at])
        met = np.unique(np.concatenate([split.v[:, at] for split in dataset.splits.values()])).tolist()
        found = {code: code_of(there[code], texts[i]) for code in met}
        if unknown := [there[code] for code, its in found.items() if its is None]:
            raise Refusal(
                f"Column {quoted(own.columns[i])} of {file_name(data)} must have values of the model in "
                f"{file_name(file)} ({listed(texts[i], '')}), not {quoted(unknown[0])}."
            )
        codes.append(np.array([found.get(code) or 0 for code in range(len(there))]))
    levels = tuple(map(len, texts)) if max(map(len, texts)) > BINARY else BINARY

    def recode(split: Examples) -> Examples:
        v = np.column_stack([code[split.v[:, at]] for at, code in zip(order, codes, strict=True)])
        v = v.astype(np.min_scalar_type(max(map(len, texts))))
        return replace(split, v=v, levels=levels, gaps=None)  # which only learners read

    return replace(dataset.mapped(recode), names=own, truth=None)  # a true distribution is about the original columns
