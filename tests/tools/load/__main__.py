"""`python -m tests.tools.load own`: how the app bears many visitors at once. See --help."""

import asyncio
import math
import sys
from contextlib import contextmanager

import click

from tests.tools.load import classroom
from tests.tools.load.rounds import Figures, figures_of
from tests.tools.load.wire import Unexpected
from tests.tools.served import ADDRESS, host_of, served

WHOLE = "what went wrong"


@contextmanager
def there(address: str):
    """(host, process) of the app at an address, or of one that is started; None for a process that is not ours."""
    if address:
        yield host_of(address), None
    else:
        with served() as (host, process):
            click.echo(f"The app has started: {host}, process {process}.", err=True)
            yield host, process


def shown(value: object) -> str:
    """A figure, for the table."""
    if not isinstance(value, float):
        return str(value)
    return "-" if math.isnan(value) else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def table(rounds: list[Figures]) -> str:
    """The figures of all rounds, a line each; what went wrong comes last."""
    wrong = [f"round {k}: {n} x {text}" for k, each in enumerate(rounds, 1) for text, n in each.pop(WHOLE, {}).items()]
    wide = max(map(len, rounds[0]))
    head = " " * wide + "".join(f"{f'round {number}':>12}" for number in range(1, len(rounds) + 1))
    lines = [name.ljust(wide) + "".join(f"{shown(each.get(name, 0)):>12}" for each in rounds) for name in rounds[0]]
    return "\n".join([head, *lines, *wrong])


@click.command()
@click.argument("scenario", type=click.Choice(["own", "watch", "race", "class"]))
@click.option("--sessions", default=40, show_default=True, type=click.IntRange(1, 500), help="Visitors.")
@click.option("--runs", default=4, show_default=True, type=click.IntRange(1, 25), help="Trainings to be watched.")
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(15), help="In which they act.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="Each with an app of its own.")
@click.option(
    "--after", default=10.0, show_default=True, type=click.FloatRange(0), help="Seconds from their leaving to the end."
)
@click.option(
    "--server", default="", envvar=ADDRESS, help="Address of an app that runs already: its cost is not measured."
)
def main(scenario: str, sessions: int, runs: int, seconds: float, rounds: int, after: float, server: str) -> None:
    """Let many visitors come at once, act, and leave; print what they met and what it cost.

    own: each has a small training of their own, and pauses it or lets it go on once in ten seconds. watch: some
    have one each (--runs), and all others watch these and choose another axis once in ten seconds. race: the same,
    of races of five contenders and eight trials. class: so many phones are led through the plan of ninety minutes,
    each question twice, and draw a pattern each.

    A click has its effect when a frame shows it. Frames are counted while the training is to move. The visitors are
    on the same machine, and take their share of it. Memory: of the server (PSS), before (one visitor has come and
    gone), at the end of the acts, and --after seconds after all have left. A run without viewers is saved and
    ended after 90 s, 32 of them stay in memory, and Streamlit keeps a session for 2 minutes, so that a figure of less
    than 120 s after says little.
    """
    asked, done = (scenario, sessions, runs, seconds, after), []
    try:
        for number in range(1, rounds + 1):
            with there(server) as (host, process):
                if scenario == "class":
                    done.append(asyncio.run(classroom.measured(host, process, sessions)))
                else:
                    done.append(asyncio.run(figures_of(host, process, number, *asked)))
    except (Unexpected, RuntimeError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(table(done))
    sys.exit(1 if any(each.get("errors") for each in done) else 0)


if __name__ == "__main__":
    main()
