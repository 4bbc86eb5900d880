"""`sample`: rows drawn from a model at equilibrium."""

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from boltzcore import models
from boltzcore.arrays import file_name
from boltzcore.commands.outputs import check_outputs, write_text
from boltzcore.commands.shared import (
    OUT,
    file_argument,
    folder_option,
    json_option,
    print_json,
    seed_option,
    set_option,
    settings,
    working,
)
from boltzcore.commands.tables import data_of, file_of, match_columns, reading_options
from boltzcore.data.examples import BINARY
from boltzcore.data.table_text import rows_csv
from boltzcore.inference.filling import MOST_SAMPLES
from boltzcore.inference.samples import Sampled, draw_samples, sizes_of
from boltzcore.models import LogLinear, Potts
from boltzcore.models.base import Model
from boltzcore.models.log_linear import check_columns
from boltzcore.parameters import check_kind, texts_of
from boltzcore.quoting import Refusal
from boltzcore.registry import DATASETS


@click.command()
@file_argument
@click.option(
    "-n", "--number", default=1000, show_default=True, type=click.IntRange(1, MOST_SAMPLES), help="Number of samples."
)
@click.option(
    "--data", help="Start from columns that have each value as often as in these data; by default equally often."
)
@reading_options
@set_option("the data set in --data")
@seed_option
@click.option("--out", type=OUT, help="CSV file for the samples, with the names and values that the model's file has.")
@folder_option
@json_option
def sample(
    file: Path, number: int, data: str | None, assignments: tuple[str, ...], seed: int, out: Path | None, as_json: bool
) -> None:
    """Draw samples from the model in FILE (.npz), an RBM, an infinite RBM, a fully visible machine, a log-linear or a
    Potts model, and compute log Z.

    Samples are exact and independent if a layer has at most 25 units, of log-linear models, and of Potts models of at
    most 2^26 states and 10,000 terms. Otherwise chains are annealed and resampled by importance weight; the effective
    sample size is the equivalent number of independent rows.
    """
    if assignments and data is None:
        raise Refusal("--set is for the data set in --data, which is not given.")
    check_outputs({"--out": out}, [file, None if data is None else file_of(data)])
    model = check_kind(models.load(file), Sampled, file_name(file))
    mean = None if data is None else _mean(data, assignments, model, file)
    with working(lambda fraction: f"sampling: {fraction:.0%}") as tick:
        found = draw_samples(model, number, mean=mean, seed=seed, tick=tick)
    write_text(out, rows_csv(found.v, models.names_in(file), sizes_of(model)) if out else "")
    log_z = found.log_z
    if as_json:
        figures = {"log_z": log_z.value, "log_z_low": log_z.low, "log_z_high": log_z.high}
        quality = {"exact": found.exact, "effective": found.effective, "reliable": found.reliable}
        print_json({"samples": len(found.v), **quality, **figures})
        return
    worth = "exact and independent" if found.exact else f"equivalent to {found.effective:,.0f} independent ones"
    ends = "" if found.exact else f", between {log_z.low:.4f} and {log_z.high:.4f} (three standard errors)"
    click.echo(f"{len(found.v):,} samples, {worth}. log Z is {log_z.value:.4f}{ends}.")
    if not found.reliable:
        click.echo("Few of the annealed chains are effective: the samples may miss much of the model.", err=True)


def _mean(data: str, assignments: tuple[str, ...], model: Model, file: Path) -> NDArray[np.float64]:
    """Return the shares of the values in the data for `draw_samples`; its rows must fit the model."""
    name, texts = data_of(data)
    texts |= settings(assignments, {name: DATASETS[name]})
    dataset = DATASETS[name].from_text(texts_of(texts, name)).load()
    dataset = match_columns(dataset, model, file, data)
    if isinstance(model, LogLinear | Potts):
        check_columns(np.array(sizes_of(model)), dataset.train)
        return np.concatenate([p[:size] for p, size in zip(dataset.train.rates(), sizes_of(model), strict=True)])
    if not dataset.train.gray and (most := int(np.max(dataset.train.levels))) > BINARY:
        raise Refusal(f"--data must have columns of two values, not of {most:,}, as {file_name(data)} has.")
    return dataset.train.mean()
