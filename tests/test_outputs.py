"""Files that commands write and read: nothing is destroyed, nothing hangs, and refusals come before the work."""

import errno
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from boltzcore import Recipe
from boltzcore.__main__ import main
from boltzcore.commands import study, training
from boltzcore.models import CRBM, RBM
from tests.conftest import REPOSITORY

TINY = ["train", "--data", "bars-and-stripes", "--set", "batch_size=0", "--set", "hidden=2", "--updates", "2"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to work in, with a former model, a recipe, links and what is no file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "former.npz").write_bytes(b"of use to others")
    (tmp_path / "recipe.json").write_text(Recipe(data="bars-and-stripes").to_json(), encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.npz").symlink_to("former.npz")
    (tmp_path / "nowhere.npz").symlink_to("absent.npz")
    (tmp_path / "circle.npz").symlink_to("circle.npz")
    os.link("former.npz", tmp_path / "hard.npz")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


REFUSED = {  # {what it is: the options of a training}
    "an empty name": ["--out", ""],
    "a folder": ["--out", "folder"],
    "a pipe": ["--out", "pipe"],
    "nothing's device": ["--trace", "/dev/null"],
    "a circle of links": ["--out", "circle.npz"],
    "no folder": ["--out", "no/model.npz"],
    "a folder that takes no files": ["--out", "/proc/model.npz"],
    "the same but for capitals": ["--out", "A.npz", "--trace", "a.npz"],
    "a link to it": ["--out", "former.npz", "--trace", "link.npz"],
    "a hard link": ["--out", "hard.npz", "--trace", "former.npz"],
    "the recipe": ["--recipe", "recipe.json", "--trace", "./recipe.json"],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_written_is_refused_before_the_training(place, refuse, monkeypatch, case):
    monkeypatch.setattr(training, "_run", lambda *_, **__: pytest.fail("it trains"))
    options = REFUSED[case]
    refuse(*(["train"] if "--recipe" in options else TINY), *options)
    assert (place / "former.npz").read_bytes() == b"of use to others"


def test_a_full_disk_keeps_the_former_model_and_writes_what_it_can(place, capsys, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    flush, asked = os.fsync, []
    monkeypatch.setattr(
        os, "fsync", lambda handle: full(handle) if not asked.append(handle) and len(asked) == 1 else None
    )
    assert main([*TINY, "--out", "former.npz", "--trace", "trace.csv"]) == 2
    monkeypatch.setattr(os, "fsync", flush)
    err = capsys.readouterr().err
    assert "former.npz" in err.splitlines()[-1]
    assert (place / "former.npz").read_bytes() == b"of use to others"
    assert (place / "trace.csv").read_text(encoding="utf-8").startswith("count,epoch")
    assert not list(place.glob(".*"))


def test_what_is_written_has_the_permissions_of_before_and_links_stay(place):
    (place / "former.npz").chmod(0o640)
    mask = os.umask(0o027)
    try:
        assert main([*TINY, "--out", "link.npz", "--trace", "trace.csv"]) == 0
    finally:
        os.umask(mask)
    assert (place / "link.npz").is_symlink()
    assert RBM.load(place / "former.npz").n_hidden == 2
    assert (place / "former.npz").stat().st_mode & 0o777 == 0o640
    assert (place / "trace.csv").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "command",
    [
        [*TINY, "--before", "pipe"],
        ["compare", "pipe"],
        ["train", "--recipe", "/dev/zero"],
        ["evaluate", "pipe"],
        ["denoise", "model.npz", "pipe", "out.png"],
        ["denoise", "model.npz", "seen.png", "out.png", "--truth", "pipe"],
        ["denoise", "model.npz", "seen.png", "pipe.png"],
        ["denoise", "model.png", "seen.png", "model.png"],  # which would be destroyed
        ["denoise", "model.npz", "seen.png", "full/out.png"],
    ],
)
def test_a_pipe_or_a_device_is_not_waited_for_and_no_picture_destroys_a_file(place, refuse, command):
    CRBM(np.zeros((784, 2)), np.eye(784), np.zeros((2, 784)), np.zeros(784), np.zeros(2)).save(place / "model.npz")
    (place / "model.png").write_bytes((place / "model.npz").read_bytes())
    Image.new("L", (28, 28)).save(place / "seen.png")
    os.mkfifo(place / "pipe.png")
    refuse(*command)


def test_rows_that_cannot_be_stored_are_refused_before_a_study_begins(place, refuse, monkeypatch):
    monkeypatch.setattr(study, "file_of", lambda *_: place / "no" / "study.json")
    assert "study.json" in refuse("study", "bslm-figure-1", "--store")


def test_ctrl_c_while_it_starts_ends_without_a_traceback():
    command = [sys.executable, "-X", "importtime", "-m", "boltzcore", "models"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "pipesize": 4096}  # small: it waits for its reader
    # A shell's job in the background ignores Ctrl-C, and so do its children; none is read ahead.
    heeded = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), "bufsize": 0}
    with subprocess.Popen(command, cwd=REPOSITORY, **pipes, **heeded) as process:
        assert process.stderr is not None
        while b"numpy.version" not in process.stderr.readline():  # numpy is being imported
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
