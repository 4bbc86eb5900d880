"""`models`, `learners` and `data`: lists of what there is."""

import click

from boltzcore.commands.shared import folder_option, json_option, print_json, print_listing, working
from boltzcore.registry import DATASETS, LEARNERS, MODELS, entry, learners_of


@click.command()
@json_option
def models(as_json: bool) -> None:
    """List the models with size, start, measures and learners."""
    listing = {
        name: {
            "title": model.title,
            "fields": model.setup.parameters(),
            "measures": model.measures,
            "learners": list(learners_of(name)),
        }
        for name, model in MODELS.items()
    }
    print_listing(listing, as_json)


@click.command()
@json_option
def learners(as_json: bool) -> None:
    """List the learners with models, source and fields."""
    listing = {
        name: {
            "title": info.title,
            "family": info.family,
            "models": info.models,
            "source": info.source,
            "fields": info.learner.parameters(),
        }
        for name, info in LEARNERS.items()
    }
    print_listing(listing, as_json)


@click.group()
def data() -> None:
    """List data sets, or download one."""


@data.command("list")
@folder_option
@json_option
def list_(as_json: bool) -> None:
    """List the data sets with source, options and availability."""
    listing = {
        name: {
            "title": kind.title,
            "about": kind.about,
            "downloadable": kind.downloadable,
            "at_hand": kind().at_hand(),
            "fields": kind.parameters(),
        }
        for name, kind in DATASETS.items()
    }
    print_listing(listing, as_json)


@data.command()
@click.argument("name")
@folder_option
@json_option
def fetch(name: str, as_json: bool) -> None:
    """Download missing files of the data set NAME, check them, and print their content."""
    source = entry(DATASETS, "NAME", name)()
    with working(lambda fraction: f"{name}: {fraction:.0%}") as tick:
        dataset = source.load(tick)
    sizes = {split: len(rows) for split, rows in dataset.splits.items()}
    if as_json:
        print_json({"name": name, "n_visible": dataset.train.n_visible, **sizes})
        return
    rows = ", ".join(f"{n:,} {split}" for split, n in sizes.items())
    click.echo(f"{name} is ready: {rows} rows of {dataset.train.n_visible} visible units")
