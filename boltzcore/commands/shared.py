"""Options, settings by name, output and progress shared by commands."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import click
from click.core import ParameterSource

from boltzcore import threads
from boltzcore.parameters import Parameter, Parameters
from boltzcore.quoting import Refusal, quoted
from boltzcore.registry import OPTIONAL_PARTS
from boltzcore.ticks import Stopped, Tick
from boltzcore.training.schedule import Schedule

LISTED = 6  # numbers of a list that a table shows
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(path_type=Path)

file_argument: Callable[[Any], Any] = click.argument("file", type=FILE)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
seed_option: Callable[[Any], Any] = click.option(
    "--seed",
    default="0",
    show_default=True,
    metavar="N",
    callback=lambda _context, _option, text: Schedule.named("seed").parse(text),
    help="Seed of all random numbers.",
)


def set_option(what: str) -> Callable[[Any], Any]:
    """Return an option that sets fields by name."""
    return click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help=f"A field of {what}.")


def declared_options(kind: type[Parameters], /, *names: str, **renamed: str) -> Callable[[Any], Any]:
    """Return a decorator that adds an option for each of these fields of a kind, or for all. A value is a text, None if
    not given.

    renamed : options with another name than their field
    """

    def decorate(command: Any) -> Any:
        for field in reversed([kind.named(name) for name in names] or kind.parameters()):
            option = f"--{renamed.get(field.name, field.name)}".replace("_", "-")
            text = f"{field.help} {field.allowed.capitalize()}; default {field.write(field.default)}."
            choice = click.Choice(field.choices) if field.choices else None
            command = click.option(option, field.name, type=choice, metavar="VALUE", help=text)(command)
        return command

    return decorate


folder_option: Callable[[Any], Any] = click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    expose_value=False,
    callback=lambda _context, _option, value: os.environ.update({"BOLTZCORE_DATA": str(value)} if value else {}),
    help="Folder with data files, searched first (instead of BOLTZCORE_DATA).",
)


def given_options(context: click.Context) -> set[str]:
    """Return the options in the command line, as written there."""
    return {
        option.opts[0]
        for option in context.command.params
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    }


def print_json(figures: Any) -> None:
    """Print one JSON document; numbers that are not finite become null."""
    click.echo(json.dumps(_to_plain(figures), indent=2))


def _to_plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _to_plain(item) for key, item in value.items()}
    if isinstance(value, Parameter):
        names = ("name", "symbol", "default", "allowed", "low", "high", "choices", "scale", "live", "help")
        return {name: _to_plain(getattr(value, name)) for name in names}
    if isinstance(value, list | tuple):
        return [_to_plain(item) for item in value]
    return None if isinstance(value, float) and value - value != 0 else value


def print_listing(entries: Mapping[str, Any], as_json: bool) -> None:
    """Print entries by name with their facts, as JSON or as indented lines."""
    if as_json:
        print_json(entries)
    else:
        click.echo("\n".join(_lines(entries)))


def _lines(facts: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    for name, fact in facts.items():
        if isinstance(fact, Mapping):
            yield f"{indent}{name}"
            yield from _lines(fact, f"{indent}    ")
        elif isinstance(fact, list | tuple) and fact and isinstance(fact[0], Parameter):
            for field in fact:
                symbol = f" ({field.symbol})" if field.symbol else ""
                live = ", can change during training" if field.live else ""
                yield f"{indent}{field.name}{symbol} = {field.write(field.default)}: {field.allowed}{live}"
                yield f"{indent}    {field.help}"
        else:
            yield f"{indent}{name}: {', '.join(fact) if isinstance(fact, list | tuple) else fact}"


def print_table(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows as an aligned table, omitting long and nested lists, which are in the JSON."""
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row if all(_is_short(each.get(name)) for each in rows))
    heads = [name.split("_") for name in names]
    height = max(map(len, heads), default=0)
    columns = [
        [*[""] * (height - len(head)), *head, *(_cell(row.get(name)) for row in rows)]
        for name, head in zip(names, heads, strict=True)
    ]
    padded = [[cell.rjust(max(map(len, column))) for cell in column] for column in columns]
    for line in zip(*padded, strict=True):
        click.echo("  ".join(line))


def _is_short(value: Any) -> bool:
    return not isinstance(value, list) or (len(value) <= LISTED and not any(isinstance(each, list) for each in value))


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def settings(assignments: Iterable[str], owners: Mapping[str, type[Parameters]]) -> dict[str, str]:
    """Return {"owner.field": text} from texts such as "rate=0.1" or, if two owners have the field, "CD.rate=0.1".

    A name alone refers to the learner, the model or the data before other parts of the recipe.

    Raises Refusal for a text without "=", an unknown field (listing the known ones) or an ambiguous one.
    """
    found = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        name = name.strip()
        if not equals:
            raise Refusal(f"--set must be name=value, such as --set rate=0.1, not {quoted(assignment)}.")
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
            raise Refusal(f"--set has no field {quoted(name)}; its fields are: {there}.")
        if len(first := [holder for holder in holders if holder.partition(".")[0] not in OPTIONAL_PARTS]) == 1:
            holders = first
        if len(holders) > 1:
            raise Refusal(f"--set {name} could mean {' or '.join(holders)}: write one of these.")
        found[holders[0]] = text
    return found


@contextmanager
def working(describe: Callable[[float], str] = lambda _fraction: "", cores: int = threads.CORES) -> Iterator[Tick]:
    """Yield the tick of work on these cores, which raises Stopped after Ctrl-C; pressing it again ends the process.

    describe : returns the line of progress for a fraction, on standard error: rewritten in a terminal, and removed at
        the end; printed at intervals in a log; "" for none
    """
    terminal, next_line, asked = sys.stderr.isatty(), 0.0, False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, before)

    def tick(fraction: float = 0.0) -> None:
        nonlocal next_line
        if asked:
            raise Stopped
        now = time.monotonic()
        if now >= next_line and (text := describe(fraction)):
            next_line = now + (0.2 if terminal else 10.0)
            with suppress(OSError):  # the reader of a pipe is gone, or the disk of a log is full: the work goes on
                click.echo(f"\r\x1b[K{text}" if terminal else text, err=True, nl=not terminal)

    before = signal.signal(signal.SIGINT, ask)
    try:
        with threads.use(cores):
            yield tick
    finally:
        signal.signal(signal.SIGINT, before)
        if terminal and next_line:
            with suppress(OSError):
                click.echo("\r\x1b[K", err=True, nl=False)
