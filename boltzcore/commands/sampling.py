"""`sample`: rows drawn from a model at equilibrium."""

from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from boltzcore import models
from boltzcore.arrays import file_name
from boltzcore.commands.outputs import check_outputs, written
from boltzcore.commands.shared import (
    OUT,
    file_argument,
    folder_option,
    json_option,
    model_in,
    print_json,
    seed_option,
    texts_of,
    working,
)
from boltzcore.commands.tables import data_of, file_of, matched, reading_options
from boltzcore.data.examples import BINARY
from boltzcore.inference.filling import MOST_SAMPLES, rows_csv, sizes_of
from boltzcore.inference.samples import draw_samples
from boltzcore.models import FVBM, RBM, LogLinear
from boltzcore.names import Names
from boltzcore.registry import DATASETS
from boltzcore.ticks import portion


@click.command()
@file_argument
@click.option(
    "-n", "--number", default=1000, show_default=True, type=click.IntRange(1, MOST_SAMPLES), help="Number of samples."
)
@click.option(
    "--data", help="Start from pixels that are on as often as in these data; by default from fair coin flips."
)
@reading_options
@seed_option
@click.option("--out", type=OUT, help="CSV file for the samples, with the names and values that the model's file has.")
@folder_option
@json_option
def sample(file: Path, number: int, data: str | None, seed: int, out: Path | None, as_json: bool) -> None:
    """Draw samples from the RBM, fully visible machine or log-linear model in FILE (.npz), and compute its log Z.

    Samples are exact and independent if a layer has at most 25 units, and of log-linear models. Otherwise chains are
    annealed and resampled by importance weight; the effective sample size is the equivalent number of independent rows.
    """
    check_outputs({"--out": out}, [file, None if data is None else file_of(data)])
    loaded, names = models.load(file), models.names_in(file)
    if isinstance(loaded, LogLinear):
        _sample_log_linear(loaded, names, number, seed, out, as_json)
        return
    model = loaded if isinstance(loaded, FVBM) else model_in(file, RBM)
    mean = None if data is None else _mean(data, model, file)
    with working(lambda fraction: f"annealing: {fraction:.0%}") as tick:
        found = draw_samples(model, number, mean=mean, seed=seed, tick=tick)
    if out is not None:
        _write(out, found.v, names, sizes_of(model))
    log_z = found.log_z
    if as_json:
        figures = {"log_z": log_z.value, "log_z_low": log_z.low, "log_z_high": log_z.high}
        quality = {"exact": found.exact, "effective": found.effective, "reliable": found.reliable}
        print_json({"samples": len(found.v), **quality, **figures})
        return
    worth = "exact and independent" if found.exact else f"equivalent to {found.effective:,.0f} independent ones"
    ends = f"between {log_z.low:.4f} and {log_z.high:.4f} (three standard errors)"
    click.echo(f"{len(found.v):,} samples, {worth}. log Z is {log_z.value:.4f}, {ends}.")
    if not found.reliable:
        click.echo("Few of the annealed chains are effective: the samples may miss much of the model.", err=True)


def _sample_log_linear(
    model: LogLinear, names: Names | None, number: int, seed: int, out: Path | None, as_json: bool
) -> None:
    with working() as tick:
        rows, log_z = model.sample(number, int(seed), tick=portion(tick, 0.0, 0.5)), model.log_partition(tick=tick)
    if out is not None:
        _write(out, rows, names, sizes_of(model))
    if as_json:
        print_json({"samples": number, "exact": True, "log_z": log_z})
    else:
        click.echo(f"{number:,} samples, exact and independent. log Z is {log_z:.4f}.")


def _write(out: Path, rows: NDArray, names: Names | None, sizes: Sequence[int]) -> None:
    with written(out) as stream:
        stream.write(rows_csv(rows, names, sizes).encode())


def _mean(data: str, model: RBM | FVBM, file: Path) -> NDArray[np.float64]:
    """(n_visible,) how often each pixel of the data is on, whose rows must be such as the model's."""
    name, texts = data_of(data)
    dataset = DATASETS[name].from_text(texts_of(texts, name)).load()
    dataset = matched(dataset, model, file, data)
    if not dataset.train.gray and (most := int(np.max(dataset.train.levels))) > BINARY:
        raise ValueError(f"--data must have columns of two values, not of {most:,}, as {file_name(data)} has.")
    return dataset.train.mean()
