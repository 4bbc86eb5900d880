"""`sample`: rows drawn from an RBM at equilibrium."""

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from boltzcore import models, threads
from boltzcore.arrays import file_name
from boltzcore.commands.matching import matched
from boltzcore.commands.outputs import check_outputs, written
from boltzcore.commands.parts import (
    INTERRUPTED,
    Progress,
    folder_option,
    interruptible,
    json_option,
    print_json,
    texts_of,
)
from boltzcore.commands.tables import data_of, file_of
from boltzcore.data.examples import BINARY
from boltzcore.learners import sample_along
from boltzcore.registry import DATASETS
from boltzcore.runs.schedule import Schedule
from boltzcore.ticks import Stopped


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-n", "--number", default=1000, show_default=True, help="Samples.")
@click.option("--data", help="Begin with pixels that are on as often as in these data (coin flips where not given).")
@click.option("--seed", default="0", show_default=True, metavar="N", help="Of the samples.")
@click.option("--out", type=click.Path(path_type=Path), help="A CSV file for them, a row each of 0 and 1.")
@folder_option
@json_option
def sample(files: tuple[Path, ...], number: int, data: str | None, seed: str, out: Path | None, as_json: bool) -> int:
    """Draw samples of the RBM in the last of FILES (.npz), by exchanges with easier models; and its log Z.

    Earlier models of the same training, in front of it, are rungs of the way: with them a model is sampled whose own
    Gibbs steps do not get from mode to mode. See Bereux et al. 2024.
    """
    inputs = [*files, None if data is None else file_of(data)]
    check_outputs({"--out": out}, inputs)
    drawn = Schedule.named("seed").parse(seed)
    machines = []
    for file in files:
        model = models.load(file)
        if not isinstance(model, models.RBM):
            raise ValueError(f"sample is for RBMs; {file_name(file)} holds a model of another kind.")
        machines.append(model)
    mean = None if data is None else _mean(data, machines[-1], files[-1])
    with Progress() as progress, interruptible() as tick, threads.use(threads.CORES):

        def reporting(fraction: float = 0.0) -> None:
            tick(fraction)
            progress(f"{fraction:.0%} of the way to the model")

        try:
            found = sample_along(machines, number, mean=mean, seed=drawn, tick=reporting)
        except Stopped:
            return INTERRUPTED
    if out is not None:
        with written(out) as stream:
            header = ",".join(f"v{i + 1}" for i in range(found.v.shape[1]))
            np.savetxt(stream, found.v, "%d", ",", header=header, comments="")
    log_z = found.log_z
    if as_json:
        figures = {"log_z": log_z.value, "log_z_low": log_z.low, "log_z_high": log_z.high}
        print_json({"samples": len(found.v), "rungs": found.rungs, "sweeps": found.sweeps, **figures})
        return 0
    click.echo(
        f"{len(found.v):,} samples after {found.sweeps:,} Gibbs steps of each chain, over {found.rungs} rungs. "
        f"log Z is {log_z.value:.4f}, between {log_z.low:.4f} and {log_z.high:.4f} (three standard errors)."
    )
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
