"""`evaluate`: what can be said of a model file on a data set."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import click

from boltzcore import threads
from boltzcore.commands.parts import folder_option, json_option, print_json, settings
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.measures import base_rate_log_likelihood, free_energy_gap, log_likelihood
from boltzcore.models import RBM
from boltzcore.models.enumeration import LIMIT
from boltzcore.registry import DATASETS, entry


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
@click.option("--chains", metavar="N", help=f"Chains of an estimate by annealed importance sampling ({USUAL.chains} where not given).")
@click.option("--temperatures", metavar="N", help=f"Temperatures of such an estimate ({USUAL.temperatures:,} where not given).")
@folder_option
@json_option
def evaluate(file: Path, data: str, assignments: tuple[str, ...], seed: int, chains: str | None, temperatures: str | None, as_json: bool) -> None:
    """Say how probable the rows of a data set are under the RBM in FILE (.npz), in nats per example.

    The log-likelihood is exact, over every state of the smaller layer; where that has more than 25 units it is an estimate
    by annealed importance sampling, with the interval of three standard errors.
    The base rate is the log-likelihood of independent pixels.
    """
    given = {"chains": chains, "temperatures": temperatures}
    annealing = Annealing.from_text({name: text for name, text in given.items() if text is not None})
    maker: Any = entry(DATASETS, "data", data)
    texts = settings(assignments, {data: maker})
    source = maker.from_text({name.removeprefix(f"{data}."): text for name, text in texts.items()})
    model = RBM.load(file)
    dataset = source.load()
    if model.n_visible != dataset.train.n_visible:
        raise ValueError(f"The model in {file.name} has {model.n_visible} visible units, but a row of {data} has {dataset.train.n_visible}.")
    splits = {name: getattr(dataset, name) for name in ("train", "validation", "test")}
    rows = dataclasses.replace(dataset, **{name: split and split.epoch(0, seed) for name, split in splits.items()})
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
            f"Both layers have more than {LIMIT} units: the log-likelihood is an estimate by annealed importance sampling with "
            f"{annealing.chains:,} chains and {annealing.temperatures:,} temperatures (effective sample size {figures['ais_effective_sample_size']:.1f}), "
            "and the interval that of three standard errors. Such estimates tend to be too high: more temperatures bring them down."
        )


def _told(figures: dict[str, float], name: str) -> str:
    if name in figures:
        return f"{figures[name]:.4f}"
    estimate = f"{name}_ais"
    low, high = figures.get(f"{estimate}_low", -math.inf), figures.get(f"{estimate}_high", math.inf)
    return f"about {figures[estimate]:.4f}, between {low:.4f} and {high:.4f}"
