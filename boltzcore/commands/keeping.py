"""`backup`: a copy of the data folder."""

import os
from pathlib import Path

import click

from boltzcore import home
from boltzcore.parameters import Refusal
from boltzcore.quoting import quoted, why
from boltzcore.runs.backup import copy_home


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Copy the data folder (BOLTZCORE_HOME) to FILE, a .tar.gz, while the app runs or not; `tar -xzf` unpacks it.

    Trainings are in it as they were last saved. Compiled kernels are not: they are compiled anew.
    """
    if not file.name.endswith((".tar.gz", ".tgz")):
        raise Refusal(f"FILE must end with .tar.gz or .tgz, not be {quoted(file.name)}.")
    if file.exists():
        raise Refusal(f"FILE must not be there yet: {quoted(file.name)} is.")
    place = _place()
    if problem := home.home_problem():  # then a server keeps its trainings elsewhere
        click.echo(problem, err=True)
    if Path(os.path.realpath(place)) in Path(os.path.realpath(file)).parents:
        raise Refusal(f"FILE must lie outside the data folder, {place}.")
    if not any((place / "runs").glob("*")):
        click.echo(f"There is no training in {place}: BOLTZCORE_HOME names the data folder of a server.", err=True)
    click.echo(f"{copy_home(place, file):,} files of {place} are in {file}.")


def _place() -> Path:
    """The data folder that is wanted, which need not be one that can be written; Refusal where it cannot be read."""
    place = home._wanted()
    try:
        next(place.iterdir(), None)
    except OSError as error:
        raise Refusal(
            f"The data folder, which BOLTZCORE_HOME names, must be one that can be read, not {quoted(str(place))}: "
            f"{why(error)}."
        ) from None
    return place
