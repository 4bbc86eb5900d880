"""Command line: `python -m boltzcore`, and `boltzcore` if the library is installed."""

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from boltzcore.quoting import Refusal

BAD_INPUT = 2
INTERRUPTED = 130
LONGEST = 500  # largest number of characters of a sentence, which may quote a long option


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status. Bad input gets one sentence on standard error and status 2."""
    _escape_unencodable()
    with _exit_on_interrupt():
        import click

        from boltzcore.quoting import cut, error_message
        from boltzcore.ticks import Stopped

    def say(sentence: str) -> None:
        click.echo(cut(" ".join(sentence.split()), LONGEST), err=True)

    try:
        with _exit_on_interrupt():
            from boltzcore.commands.cli import commands  # opens the folder of compiled kernels
        return commands.main(arguments, standalone_mode=False) or 0  # `serve` returns a status
    except click.exceptions.NoArgsIsHelpError as asked:
        asked.show()
    except (click.Abort, KeyboardInterrupt, Stopped):
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe is gone
        # write nothing more, even when Python flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except click.ClickException as refusal:
        say(refusal.format_message())
    except OSError as error:
        say(f"{error.filename}: {error_message(error)}." if error.filename else f"{error_message(error)}.")
    except Refusal as refusal:
        say(str(refusal))
    return BAD_INPUT


def _escape_unencodable() -> None:
    """Print characters that the output cannot encode as escapes, so that they do not end a command after its work."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def _exit_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process silently: a module that is being imported might turn it into an error of its own."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


if __name__ == "__main__":
    sys.exit(main())
