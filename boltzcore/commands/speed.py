"""`bench` and `warmup`."""

import click

from boltzcore import bench as benchmark
from boltzcore.commands.shared import json_option, print_json, print_table
from boltzcore.processor import processor
from boltzcore.warmup import TITLES, warm_up


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
def bench(names: tuple[str, ...], as_json: bool) -> None:
    """Benchmark compiled code against a good numpy baseline."""
    rows = benchmark.run(names)
    if as_json:
        print_json(rows)
    else:
        click.echo(processor())
        print_table({name: value for name, value in row.items() if name not in ("title", "processor")} for row in rows)


@click.command()
@click.argument("pieces", nargs=-1, type=click.Choice(TITLES), metavar="[PIECE]...")
def warmup(pieces: tuple[str, ...]) -> None:
    """Compile all kernels, or those of some pieces, in advance."""
    for done, (title, seconds) in enumerate(warm_up(pieces or TITLES), 1):
        click.echo(f"{done}. {title}: {seconds:.1f} s", err=True)
