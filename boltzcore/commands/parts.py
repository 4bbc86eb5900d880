"""What commands share: settings by name, figures as JSON, a line of progress."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Self

import click
from click.core import ParameterSource

from boltzcore.parameters import Parameter, Parameters
from boltzcore.quoting import quoted
from boltzcore.registry import OPTIONAL_PARTS
from boltzcore.ticks import Stopped, Tick

INTERRUPTED = 130  # exit status by custom

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _use_folder(context: click.Context, option: click.Parameter, value: Path | None) -> None:
    if value is not None:
        os.environ["BOLTZCORE_DATA"] = str(value)


folder_option: Callable[[Any], Any] = click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    expose_value=False,
    callback=_use_folder,
    help="Folder with data files, looked at first (in place of BOLTZCORE_DATA).",
)


def given_options(context: click.Context) -> set[str]:
    """The options that the command line names, as written there."""
    return {
        option.opts[0]
        for option in context.command.params
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    }


def print_json(figures: Any) -> None:
    """One JSON document on standard output; what is not finite becomes null."""
    click.echo(json.dumps(_plain(figures), indent=2))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and value - value != 0 else value


def described(parameter: Parameter) -> dict[str, Any]:
    """A declared field as JSON values."""
    names = "name", "symbol", "default", "allowed", "low", "high", "choices", "scale", "live", "help"
    return {name: getattr(parameter, name) for name in names}


def print_fields(fields: Iterable[Parameter]) -> None:
    """Declared fields, two lines each."""
    for field in fields:
        symbol = f" ({field.symbol})" if field.symbol else ""
        live = ", may change while running" if field.live else ""
        click.echo(f"    {field.name}{symbol} = {field.write(field.default)}: {field.allowed}{live}")
        click.echo(f"        {field.help}")


def texts_of(texts: Mapping[str, str], owner: str) -> dict[str, str]:
    """{field: text} of one owner, of {"owner.field": text}."""
    prefix = f"{owner}."
    return {name.removeprefix(prefix): text for name, text in texts.items() if name.startswith(prefix)}


def settings(assignments: Iterable[str], owners: Mapping[str, type[Parameters]]) -> dict[str, str]:
    """{"owner.field": text} from texts such as "rate=0.1" or, where two owners have the field, "CD.rate=0.1".

    A name alone is a field of the learner, the model or the data before it is one of another part of the recipe.

    Raises ValueError for a text without "=", an unknown field (listing those there are) or an ambiguous one.
    """
    found = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        name = name.strip()
        if not equals:
            raise ValueError(f"--set must be name=value, such as --set rate=0.1, not {quoted(assignment)}.")
        holders = [
            f"{owner}.{p.name}"
            for owner, kind in owners.items()
            for p in kind.parameters()
            if name in (p.name, f"{owner}.{p.name}")
        ]
        if not holders:
            there = "; ".join(
                f"{', '.join(p.name for p in kind.parameters())} ({owner})"
                for owner, kind in owners.items()
                if kind.parameters()
            )
            raise ValueError(f"--set knows no field {quoted(name)}; there are: {there}.")
        if len(first := [holder for holder in holders if holder.partition(".")[0] not in OPTIONAL_PARTS]) == 1:
            holders = first
        if len(holders) > 1:
            raise ValueError(f"--set {name} could mean {' or '.join(holders)}: write one of these.")
        found[holders[0]] = text
    return found


class Progress:
    """One line on standard error: rewritten in a terminal, from which it goes when its block ends; said now and then in
    a log.
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + (0.2 if self._terminal else 10.0)
            click.echo(f"\r\x1b[K{text}" if self._terminal else text, err=True, nl=not self._terminal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._terminal and self._next:
            click.echo("\r\x1b[K", err=True, nl=False)


@contextmanager
def interruptible(text: Callable[[float], str] | None = None) -> Iterator[Tick]:
    """A tick that raises Stopped once Ctrl-C was pressed; pressing it again ends the process as ever.

    text : of the line of progress, by the fraction that is done; None for no such line
    """
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, before)

    def tick(fraction: float = 0.0) -> None:
        if asked:
            raise Stopped
        if text is not None:
            progress(text(fraction))

    before = signal.signal(signal.SIGINT, ask)
    try:
        with Progress() as progress:
            yield tick
    finally:
        signal.signal(signal.SIGINT, before)
