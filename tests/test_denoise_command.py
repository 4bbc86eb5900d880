"""`denoise` as a person and as a script use it: one picture, a folder, and what is refused."""

import json

import numpy as np
import pytest
from PIL import Image

from boltzcore.models import CRBM, RBM

SIDE = 28
N = SIDE * SIDE


@pytest.fixture
def run(run_command):
    return lambda *arguments: run_command("denoise", *arguments)


def majority() -> CRBM:
    """A model whose answer is known: each pixel is on where most of its 3 x 3 neighbours are; its hidden units say
    nothing.
    """
    y, x = np.divmod(np.arange(N), SIDE)
    near = (np.abs(y[:, None] - y) <= 1) & (np.abs(x[:, None] - x) <= 1)
    return CRBM(np.zeros((N, 3)), 2.0 * near, np.zeros((3, N)), np.full(N, -9.0), np.zeros(3))


CLEAN = np.zeros((SIDE, SIDE), np.uint8)
CLEAN[6:22, 10:18] = 255
NOISY = CLEAN.copy()
NOISY[2, 3] = NOISY[25, 20] = 255
NOISY[12, 13] = 0
RESTORED = CLEAN.copy()  # a majority of neighbours rounds corners off
RESTORED[[6, 6, 21, 21], [10, 17, 10, 17]] = 0


@pytest.fixture
def place(tmp_path):
    """A folder with a model, a noisy picture and its clean one."""
    majority().save(tmp_path / "model.npz")
    Image.fromarray(NOISY).save(tmp_path / "seen.png")
    Image.fromarray(CLEAN).save(tmp_path / "clean.png")
    return tmp_path


def pixels(path) -> np.ndarray:
    with Image.open(path) as image:
        assert image.format == "PNG"
        assert image.mode == "L"
        return np.asarray(image)


def test_a_picture_is_restored_and_its_errors_are_counted(run, place):
    model, seen, out, clean = (place / name for name in ("model.npz", "seen.png", "out.png", "clean.png"))
    status, text, err = run(model, seen, out, "--truth", clean, "--json")
    assert (status, err) == (0, "")
    assert np.array_equal(pixels(out), RESTORED)
    (entry,) = json.loads(text)
    assert (entry["file"], entry["converged"], entry["changed"]) == ("seen.png", True, 0)
    assert entry["iterations"] >= 1
    assert 0 <= entry["residual"] <= 1e-3
    assert entry["all"] == pytest.approx(4 / N)
    options = ("--inference", "mean field", "--iterations", 5, "--tolerance", 0, "--damping", 0.1, "--json")
    assert json.loads(run(model, seen, out, *options)[1])[0]["iterations"] == 5
    assert np.array_equal(pixels(out), RESTORED)
    (entry,) = json.loads(run(model, clean, out, "--truth", clean, "--json")[1])
    assert entry["changed"] is None  # there was nothing to restore


def test_marginals_are_gray(run, place):
    assert run(place / "model.npz", place / "seen.png", place / "out.png", "--marginals")[0] == 0
    lit = np.pad(NOISY > 0, 1)
    neighbours = sum(lit[1 + y : 29 + y, 1 + x : 29 + x].astype(int) for y in (-1, 0, 1) for x in (-1, 0, 1))
    wanted = 255 / (1 + np.exp(9.0 - 2.0 * neighbours))
    assert np.abs(pixels(place / "out.png") - wanted).max() <= 1


@pytest.mark.parametrize("picture", ["dark", "two"])
def test_a_picture_that_may_be_misread_gets_a_warning(run, place, picture):
    bar = np.pad(np.full((16, 3), 255, np.uint8), ((6, 6), (12, 13)))
    shown = 255 - CLEAN if picture == "dark" else np.hstack([bar, bar]).repeat(4, 0).repeat(4, 1)
    Image.fromarray(shown).save(place / "odd.png")
    status, _, err = run(place / "model.npz", place / "odd.png", place / "out.png")
    assert status == 0
    assert "odd.png" in err.splitlines()[-1]
    assert len(err.splitlines()) == (2 if picture == "two" else 1)


@pytest.fixture
def folder(place):
    """A folder of three pictures, one of them none, beside the clean ones."""
    (place / "in").mkdir()
    (place / "truth").mkdir()
    for name, content in (("a.png", NOISY), ("c.bmp", np.roll(NOISY, 3, axis=1))):
        Image.fromarray(content).save(place / "in" / name)
    (place / "in" / "b.png").write_text("This is no picture.", encoding="utf-8")
    (place / "in" / ".hidden").touch()
    for name, content in (("a.png", CLEAN), ("b.png", CLEAN), ("c.png", np.roll(CLEAN, 3, axis=1))):
        Image.fromarray(content).save(place / "truth" / name)
    return place


def test_a_bad_picture_in_a_folder_is_reported_and_the_others_go_on(run, folder):
    status, out, err = run(folder / "model.npz", folder / "in", folder / "out", "--truth", folder / "truth", "--json")
    assert status == 2
    assert [entry["file"] for entry in json.loads(out)] == ["a.png", "c.bmp"]
    assert all(entry["changed"] == 0 for entry in json.loads(out))
    assert [line.split()[0] for line in err.splitlines()] == ["b.png", "1"]
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["a.png", "c.png"]
    assert np.array_equal(pixels(folder / "out" / "c.png"), np.roll(RESTORED, 3, axis=1))


REFUSED = {  # {arguments: what the sentence has to name}
    "seen.png out.png --iterations 0": "iterations",
    "seen.png out.jpg": "OUT",
    "seen.png seen.png": "OUT",
    "seen.png clean.png --truth clean.png": "OUT",
    "in out --truth clean.png": "--truth",
    "seen.png out.png --truth truth": "--truth",
    "empty out": "empty",
    "twins out": "twins",
    "in/b.png out.png": "b.png",
    "seen.png out.png --truth blank.png": "blank.png",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_is_refused(refuse, folder, monkeypatch, arguments):
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir()
    (folder / "twins").mkdir()
    (folder / "twins" / "a.png").touch()
    (folder / "twins" / "a.bmp").touch()
    Image.new("L", (90, 60), 200).save("blank.png")
    assert REFUSED[arguments] in refuse("denoise", "model.npz", *arguments.split())


def test_models_that_do_not_restore_pictures_are_refused(refuse, place):
    RBM(np.zeros((N, 2)), np.zeros(N), np.zeros(2)).save(place / "rbm.npz")
    CRBM(np.zeros((9, 2)), np.zeros((9, 4)), np.zeros((2, 4)), np.zeros(9), np.zeros(2)).save(place / "odd.npz")
    for name in ("rbm.npz", "odd.npz", "seen.png"):
        assert name in refuse("denoise", place / name, place / "seen.png", place / "out.png")
