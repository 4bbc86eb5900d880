"""The data folder is copied while trainings go on, as the page on hosting says, and opened elsewhere."""

import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from boltzcore import home
from boltzcore.__main__ import main
from boltzcore.runs import checkpointer
from boltzcore.runs.backup import copy_home
from boltzcore.runs.engine import Engine
from boltzcore.runs.store import Store
from tests.conftest import REPOSITORY
from tests.runs.toys import cd

COPIES = 40
PAGE = (REPOSITORY / ".deploy" / "README.md").read_text(encoding="utf-8")


def unpacked(file: Path, place: Path) -> Store:
    """What a copy holds, by the command that the page gives."""
    if shutil.which("tar") is None:
        pytest.skip("no tar here")
    [command] = re.findall(r"^(mkdir restored .+?) && BOLTZCORE_HOME", PAGE, re.MULTILINE)
    shutil.move(file, place / "lab.tar.gz")
    subprocess.run(["sh", "-c", command], cwd=place, check=True)
    return Store(place / "restored")


def test_a_copy_made_while_trainings_go_on_holds_each_whole(make_engine, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpointer, "SAVE", 0.005)
    data, place = tmp_path / "data", tmp_path / "elsewhere"
    place.mkdir()
    engine = Engine(Store(data), slots=2)
    try:
        counts = {engine.create(cd(400_000), play=True).id: 0 for _ in range(2)}
        for _ in range(COPIES):
            copy_home(data, tmp_path / "lab.tar.gz")
            store = unpacked(tmp_path / "lab.tar.gz", place)
            for id, before in counts.items():
                if (saved := store.load(id)) is None:  # not yet
                    assert not before
                    continue
                assert not saved.damage
                assert (saved.state.count if saved.state else 0) >= before
                counts[id] = saved.state.count if saved.state else 0
                assert (
                    not saved.records or saved.records[-1].count <= counts[id] < saved.records[-1].count + 15
                )  # a record is due
            shutil.rmtree(place / "restored")
    finally:
        engine.shutdown()
    assert all(counts.values())


def test_a_training_goes_on_from_a_copy(make_engine, tmp_path, monkeypatch, capsys):
    engine = make_engine()
    run = engine.create(cd(400_000), play=True)
    while run.snapshot.state is None or run.snapshot.state.count < 10:
        time.sleep(0.01)
    engine.shutdown()
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    (place := tmp_path.parent / f"{tmp_path.name}-elsewhere").mkdir()
    assert main(["backup", str(place / "copy.tar.gz")]) == 0
    assert f"files of {tmp_path}" in capsys.readouterr().out
    other = Engine(unpacked(place / "copy.tar.gz", place))
    try:
        again = other.get(run.id)
        assert again.snapshot.state.count == run.snapshot.state.count
        again.play()
        while again.snapshot.state.count == run.snapshot.state.count:
            time.sleep(0.01)
    finally:
        other.shutdown()


def test_neither_kernels_nor_what_is_half_written_is_copied(tmp_path):
    data = tmp_path / "data"
    for name in ("kernels/a/b.nbc", "runs/1/.state.npz.x", "runs/.deleted-1/run.json", "uploads/t.npz"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(b"x")
    assert copy_home(data, tmp_path / "lab.tgz") == 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("lab.zip", "must end with .tar.gz"),
        ("there.tgz", "must not be there yet"),
        ("data/x.tgz", "must lie outside"),
        ("circle.tgz", "File exists"),
    ],
)
def test_where_a_copy_cannot_go_is_said(name, why, tmp_path, monkeypatch, capsys):
    (tmp_path / "data").mkdir()
    (tmp_path / "there.tgz").write_bytes(b"")
    (tmp_path / "circle.tgz").symlink_to("circle.tgz")
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path / "data"))
    assert main(["backup", str(tmp_path / name)]) == 2
    assert why in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_copied_and_no_other_in_its_place(tmp_path, monkeypatch, capsys):
    data = tmp_path / "data"
    (data / "runs" / "1").mkdir(parents=True)
    (data / "runs" / "1" / "run.json").write_bytes(b"x")
    monkeypatch.setenv("BOLTZCORE_HOME", str(data))
    monkeypatch.setattr(home, "_trouble", lambda folder: "Read-only file system")
    assert main(["backup", str(tmp_path / "lab.tgz")]) == 0
    said = capsys.readouterr()
    assert f"1 files of {data} are in" in said.out
    assert "cannot be written (Read-only file system), so trainings" in said.err
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path / "none"))
    assert main(["backup", str(tmp_path / "none.tgz")]) == 2
    sentence = "The data folder, which BOLTZCORE_HOME names, must be one that can be read, not "
    assert capsys.readouterr().err.startswith(sentence)
    assert not (tmp_path / "none.tgz").exists()
