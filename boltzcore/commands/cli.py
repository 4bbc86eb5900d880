"""All commands under one name."""

import click

from boltzcore import __version__
from boltzcore.commands.catalogue import data, learners, models
from boltzcore.commands.comparing import compare
from boltzcore.commands.denoising import denoise
from boltzcore.commands.evaluation import evaluate
from boltzcore.commands.filling import fill
from boltzcore.commands.query import query
from boltzcore.commands.sampling import sample
from boltzcore.commands.serving import serve
from boltzcore.commands.speed import bench, warmup
from boltzcore.commands.study import study
from boltzcore.commands.training import train


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def commands() -> None:
    """Boltzmann machines from the command line."""


for _command in (
    models,
    learners,
    data,
    train,
    evaluate,
    sample,
    query,
    fill,
    denoise,
    compare,
    study,
    bench,
    warmup,
    serve,
):
    commands.add_command(_command)
