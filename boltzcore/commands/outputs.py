"""Output files of a command: checked before the work begins, and written completely or not at all."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO

from boltzcore.arrays import file_name
from boltzcore.home import replace_file
from boltzcore.quoting import Refusal


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[Path | None] = ()) -> None:
    """Refuse outputs that cannot be written, or would overwrite an input or another output.

    outputs : {name in messages: file}; None for no file
    Raises Refusal, in one sentence, for invalid names, folders, pipes or devices, missing or inaccessible folders,
    write-protected files, or the same file as another, also through a link or in other capitals.
    """
    named = {what: file for what, file in outputs.items() if file is not None}
    for what, file in named.items():
        _check(what, file)
    for (one, first), (other, second) in combinations(named.items(), 2):
        if _is_same_file(first, second):
            raise Refusal(f"{one} and {other} must be two files; both are {file_name(first)}.")
    for what, file in named.items():
        if any(given is not None and _is_same_file(file, given) for given in inputs):
            raise Refusal(f"{what} must not be the file that is read; both are {file_name(file)}.")


@contextmanager
def open_output(file: Path) -> Iterator[BinaryIO]:
    """Yield a binary stream whose content becomes `file` if the block succeeds; raise Refusal if writing fails,
    leaving an existing file unchanged.
    """
    try:
        with replace_file(file.resolve(), private=False) as stream:  # follows a link
            yield stream
    except OSError as error:
        raise Refusal(f"{file_name(file)} cannot be written: {error.strerror or 'unknown reason'}.") from None


def write_text(file: Path | None, text: str) -> None:
    """Write a text, if there is a file for it, as `open_output` does."""
    if file is not None:
        with open_output(file) as stream:
            stream.write(text.encode())


def _check(what: str, file: Path) -> None:
    if not file.name:
        raise Refusal(f"{what} must be the name of a file.")
    try:
        target = file.resolve()
        try:
            mode = target.stat().st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not S_ISREG(mode):
            kind = "a folder" if S_ISDIR(mode) else "not a regular file"
            raise Refusal(f"{what} must be the name of a file; {file_name(file)} is {kind}.")
        if mode is not None and not os.access(target, os.W_OK):
            raise Refusal(f"{file_name(file)} cannot be written: it is write-protected.")
        if not target.parent.is_dir():
            raise Refusal(f"{file_name(file)} cannot be written: there is no folder {file_name(target.parent)}.")
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):  # like `replacing`
            pass
    except (OSError, RuntimeError) as error:  # RuntimeError: links that form a circle
        why = getattr(error, "strerror", None) or "its links form a loop"
        raise Refusal(f"{file_name(file)} cannot be written: {why}.") from None


def _is_same_file(one: Path, other: Path) -> bool:
    """Return True if two names are of one file, on any file system."""
    try:
        if one.exists() and other.exists():
            return one.samefile(other)
    except OSError:  # an input with an impossible name, which is refused when it is read
        return False
    return os.path.realpath(one).casefold() == os.path.realpath(other).casefold()
