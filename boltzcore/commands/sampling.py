"""`sample`: rows drawn from an RBM at equilibrium."""

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from boltzcore import models, threads
from boltzcore.arrays import file_name
from boltzcore.commands.outputs import check_outputs, written
from boltzcore.commands.parts import INTERRUPTED, folder_option, interruptible, json_option, print_json, texts_of
from boltzcore.commands.tables import data_of, file_of, matched
from boltzcore.data.examples import BINARY
from boltzcore.inference.samples import draw_samples
from boltzcore.parameters import whole
from boltzcore.registry import DATASETS
from boltzcore.ticks import Stopped
from boltzcore.training.schedule import Schedule

MOST_SAMPLES = 10_000


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-n", "--number", default=1000, show_default=True, help="Samples.")
@click.option("--data", help="Begin with pixels that are on as often as in these data (coin flips where not given).")
@click.option("--seed", default="0", show_default=True, metavar="N", help="Of the samples.")
@click.option("--out", type=click.Path(path_type=Path), help="A CSV file for them, a row each of 0 and 1.")
@folder_option
@json_option
def sample(file: Path, number: int, data: str | None, seed: str, out: Path | None, as_json: bool) -> int:
    """Draw samples of the RBM in FILE (.npz), and its log Z.

    Exact and independent if a layer has at most 25 units. Of a larger one, chains are annealed and drawn by their
    weights. The effective sample size says how many independent rows they are worth.
    """
    check_outputs({"--out": out}, [file, None if data is None else file_of(data)])
    drawn = Schedule.named("seed").parse(seed)
    model = models.load(file)
    if not isinstance(model, models.RBM):
        raise ValueError(f"sample is for RBMs; {file_name(file)} holds a model of another kind.")
    mean = None if data is None else _mean(data, model, file)
    with interruptible("{:.0%} of the way to the model".format) as tick, threads.use(threads.CORES):
        try:
            found = draw_samples(model, whole("n", number, 1, MOST_SAMPLES), mean=mean, seed=drawn, tick=tick)
        except Stopped:
            return INTERRUPTED
    if out is not None:
        with written(out) as stream:
            header = ",".join(f"v{i + 1}" for i in range(found.v.shape[1]))
            np.savetxt(stream, found.v, "%d", ",", header=header, comments="")
    log_z = found.log_z
    if as_json:
        figures = {"log_z": log_z.value, "log_z_low": log_z.low, "log_z_high": log_z.high}
        quality = {"exact": found.exact, "effective": found.effective, "reliable": found.reliable}
        print_json({"samples": len(found.v), **quality, **figures})
        return 0
    worth = "exact and independent" if found.exact else f"worth {found.effective:,.0f} independent ones"
    ends = f"between {log_z.low:.4f} and {log_z.high:.4f} (three standard errors)"
    click.echo(f"{len(found.v):,} samples, {worth}. log Z is {log_z.value:.4f}, {ends}.")
    if not found.reliable:
        click.echo("Few of the annealed chains count: the samples may miss much of the model.", err=True)
    return 0


def _mean(data: str, model: models.RBM, file: Path) -> NDArray[np.float64]:
    """(n_visible,) how often each pixel of the data is on, whose rows must be such as the model's."""
    name, texts = data_of(data)
    dataset = DATASETS[name].from_text(texts_of(texts, name)).load()
    if dataset.train.n_visible != model.n_visible:
        raise ValueError(
            f"--data must have rows of {model.n_visible:,} pixels, as the model in {file_name(file)}, not of "
            f"{dataset.train.n_visible:,}, as {file_name(data)} has."
        )
    dataset = matched(dataset, model, file, data)
    if not dataset.train.gray and (most := int(np.max(dataset.train.levels))) > BINARY:
        raise ValueError(f"--data must have columns of two values, not of {most:,}, as {file_name(data)} has.")
    return dataset.train.mean()
