"""`evaluate`: what can be said of a model file on a data set."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import click

from boltzcore import threads
from boltzcore.arrays import array_names
from boltzcore.commands.parts import folder_option, json_option, print_json, settings
from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.measures import base_rate_log_likelihood, free_energy_gap, log_likelihood
from boltzcore.measures.pixels import pixel_errors
from boltzcore.measures.restoration import restoration_errors
from boltzcore.models import CRBM, RBM
from boltzcore.models.enumeration import LIMIT
from boltzcore.registry import DATASETS, entry

RESTORING: dict[str, Any] = {"corruption": Corruption, "inference": Inference}


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--data", default="digits", show_default=True, help="Name from `data list`.")
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="A field of the data set.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**53),
    default=0,
    show_default=True,
    help="Of the pixels that are drawn anew, and of the chains of an estimate.",
)
@click.option(
    "--chains",
    metavar="N",
    help=f"Chains of an estimate by annealed importance sampling ({USUAL.chains} where not given).",
)
@click.option(
    "--temperatures", metavar="N", help=f"Temperatures of such an estimate ({USUAL.temperatures:,} where not given)."
)
@folder_option
@json_option
def evaluate(
    file: Path,
    data: str,
    assignments: tuple[str, ...],
    seed: int,
    chains: str | None,
    temperatures: str | None,
    as_json: bool,
) -> None:
    """Say how good the model in FILE (.npz) is on a data set.

    An RBM: how probable the rows are, in nats per example.

    The log-likelihood is exact, over every state of the smaller layer; where that has more than 25 units it is an
    estimate by annealed importance sampling, with the interval of three standard errors.
    The base rate is the log-likelihood of independent pixels.

    A conditional RBM: how well it restores the rows after a corruption, in % of pixels; what is done to them and how
    they are restored is set by --set corruption.kind=patch, inference.iterations=20 and the like.
    """
    given = {"chains": chains, "temperatures": temperatures}
    annealing = Annealing.from_text({name: text for name, text in given.items() if text is not None})
    maker: Any = entry(DATASETS, "data", data)
    conditional = "W_vx" in array_names(file)
    owners = {data: maker} | (RESTORING if conditional else {})
    texts = settings(assignments, owners)
    made = {
        owner: kind.from_text(
            {name.removeprefix(f"{owner}."): text for name, text in texts.items() if name.startswith(f"{owner}.")}
        )
        for owner, kind in owners.items()
    }
    model = CRBM.load(file) if conditional else RBM.load(file)
    dataset = made[data].load()
    if conditional:
        dataset = dataset.corrupted(made["corruption"])
    if model.n_visible != dataset.train.n_visible:
        raise ValueError(
            f"The model in {file.name} has {model.n_visible} visible units, but a row of {data} has "
            f"{dataset.train.n_visible}."
        )
    splits = {name: getattr(dataset, name) for name in ("train", "validation", "test")}
    rows = dataclasses.replace(dataset, **{name: split and split.epoch(0, seed) for name, split in splits.items()})
    if isinstance(model, CRBM):
        _restoring(model, rows, made["corruption"], made["inference"], as_json)
        return
    with threads.use(threads.CORES):
        likelihood = log_likelihood(model, rows, seed=seed, annealing=annealing)
    figures: dict[str, float] = {
        "n_visible": model.n_visible,
        "n_hidden": model.n_hidden,
        "exact": model.enumerable,
        **likelihood,
        **free_energy_gap(model, rows),
        "test_base_rate": base_rate_log_likelihood(dataset.train, dataset.test),
    }
    if as_json:
        print_json(figures)
        return
    click.echo(f"RBM with {model.n_visible} visible and {model.n_hidden} hidden units on {data}, nats per example:")
    for name in ("train_log_likelihood", "test_log_likelihood", "test_base_rate", "free_energy_gap"):
        click.echo(f"  {name.replace('_', ' '):22}{_told(figures, name)}")
    if model.enumerable:
        click.echo("The log-likelihood is exact: a sum over every state of the smaller layer.")
    else:
        click.echo(
            f"Both layers have more than {LIMIT} units: the log-likelihood is an estimate by annealed importance "
            "sampling with "
            f"{annealing.chains:,} chains and {annealing.temperatures:,} temperatures (effective sample size "
            f"{figures['ais_effective_sample_size']:.1f}), "
            "and the interval that of three standard errors. Such estimates tend to be too high: more temperatures "
            "bring them down."
        )


def _restoring(model: CRBM, rows: Dataset, corruption: Corruption, inference: Inference, as_json: bool) -> None:
    if model.n_x != rows.test.n_visible:
        raise ValueError(f"The model takes {model.n_x} inputs, but a corrupted row has {rows.test.n_visible}.")
    with threads.use(threads.CORES):
        found = restoration_errors(model, rows, inference=inference)
    seen = pixel_errors(rows.test.v, rows.test.x, rows.test.x)  # type: ignore[arg-type]
    figures = {"n_visible": model.n_visible, "n_hidden": model.n_hidden, **found, "nothing_done_error": seen.all}
    if as_json:
        print_json(figures)
        return
    click.echo(
        f"Conditional RBM with {model.n_visible} visible and {model.n_hidden} hidden units, {corruption.title}, "
        f"restored by {inference.kind}:"
    )
    for split in ("validation", "test"):
        if f"{split}_error" in found:
            errors = (
                f"{100 * found[f'{split}_error']:.3f} % of all pixels, "
                f"{100 * found[f'{split}_changed_error']:.3f} % of those that the corruption changed"
            )
            click.echo(f"  wrong of {split} rows: {errors}")
    click.echo(
        f"  of test rows before: {100 * seen.all:.3f} % of all pixels; the inference converged on "
        f"{100 * found['test_converged']:.1f} % of them"
    )


def _told(figures: dict[str, float], name: str) -> str:
    if name in figures:
        return f"{figures[name]:.4f}"
    estimate = f"{name}_ais"
    low, high = figures.get(f"{estimate}_low", -math.inf), figures.get(f"{estimate}_high", math.inf)
    return f"about {figures[estimate]:.4f}, between {low:.4f} and {high:.4f}"
