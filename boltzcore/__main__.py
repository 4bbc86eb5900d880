"""The command line: `python -m boltzcore`, and `boltzcore` where the library is installed."""

import os
import sys

import click

from boltzcore import __version__
from boltzcore.commands.catalogue import data, learners, models
from boltzcore.commands.denoising import denoise
from boltzcore.commands.evaluation import evaluate
from boltzcore.commands.speed import bench, warmup
from boltzcore.commands.study import study
from boltzcore.commands.training import train

BAD_INPUT = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def commands() -> None:
    """Boltzmann machines from the command line."""


for _command in (models, learners, data, train, evaluate, denoise, study, bench, warmup):
    commands.add_command(_command)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit status. Bad input gets one sentence on standard error and status 2."""
    try:
        return commands.main(arguments, standalone_mode=False) or 0
    except click.exceptions.NoArgsIsHelpError as asked:
        asked.show()
    except click.Abort:
        return 130
    except (
        BrokenPipeError
    ):  # the reader of a pipe has gone: nothing more to say, also not when Python flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except click.ClickException as refusal:
        _say(refusal.format_message())
    except (ValueError, OSError) as refusal:
        _say(str(refusal))
    return BAD_INPUT


def _say(sentence: str) -> None:
    click.echo(" ".join(sentence.split()), err=True)


if __name__ == "__main__":
    sys.exit(main())
