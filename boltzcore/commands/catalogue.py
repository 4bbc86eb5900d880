"""`models`, `learners` and `data`: what there is."""

import click

from boltzcore.commands.parts import Progress, described, folder_option, json_option, print_fields, print_json
from boltzcore.registry import DATASETS, LEARNERS, MODELS, entry, learners_of


@click.command()
@json_option
def models(as_json: bool) -> None:
    """List the models: size and start, what is measured, the learners that fit."""
    if as_json:
        listed = {
            name: {
                "title": model.title,
                "fields": [described(p) for p in model.setup.parameters()],
                "measures": list(model.measures),
                "learners": list(learners_of(name)),
            }
            for name, model in MODELS.items()
        }
        print_json(listed)
        return
    for name, model in MODELS.items():
        click.echo(f"{name}: {model.title}")
        click.echo(f"    learners: {', '.join(learners_of(name))}; measures: {', '.join(model.measures)}")
        print_fields(model.setup.parameters())


@click.command()
@json_option
def learners(as_json: bool) -> None:
    """List the learners: their models, source and fields with bounds."""
    if as_json:
        listed = {
            name: {
                "title": info.title,
                "family": info.family,
                "models": list(info.models),
                "source": info.source,
                "fields": [described(p) for p in info.learner.parameters()],
            }
            for name, info in LEARNERS.items()
        }
        print_json(listed)
        return
    for name, info in LEARNERS.items():
        click.echo(f"{name}: {info.title}, for {', '.join(info.models)}")
        click.echo(f"    {info.source}")
        print_fields(info.learner.parameters())


@click.group()
def data() -> None:
    """List data sets, or fetch one."""


@data.command("list")
@folder_option
@json_option
def list_(as_json: bool) -> None:
    """List the data sets: where they are from, their options, whether they are at hand."""
    if as_json:
        listed = {
            name: {
                "title": kind.title,
                "about": kind.about,
                "downloadable": kind.downloadable,
                "at_hand": kind().at_hand(),
                "fields": [described(p) for p in kind.parameters()],
            }
            for name, kind in DATASETS.items()
        }
        print_json(listed)
        return
    for name, kind in DATASETS.items():
        where = "at hand" if kind().at_hand() else "to be fetched" if kind.downloadable else "not at hand"
        click.echo(f"{name}: {kind.title} ({where})")
        click.echo(f"    {kind.about}")
        print_fields(kind.parameters())


@data.command()
@click.argument("name")
@folder_option
@json_option
def fetch(name: str, as_json: bool) -> None:
    """Get the files of the data set NAME where they are absent, check them, and say what they hold."""
    source = entry(DATASETS, "NAME", name)()
    with Progress() as progress:
        dataset = source.load(lambda fraction: progress(f"{name}: {fraction:.0%}"))
    sizes = {split: len(rows) for split, rows in dataset.splits.items()}
    if as_json:
        print_json({"name": name, "n_visible": dataset.train.n_visible, **sizes})
        return
    rows = ", ".join(f"{n:,} {split}" for split, n in sizes.items())
    click.echo(f"{name} is ready: {rows} rows of {dataset.train.n_visible} visible units")
