"""`denoise` as a person and as a script use it: one picture, a folder, and what is refused."""

import json

import numpy as np
import pytest
from PIL import Image, ImageDraw

from boltzcore.__main__ import main
from boltzcore.models import CRBM, RBM

SIDE = 28
N = SIDE * SIDE


@pytest.fixture
def run(capsys):
    """Run a command: (status, standard output, standard error)."""

    def call(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in ("denoise", *arguments)])
        return status, *capsys.readouterr()

    return call


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


def test_a_picture_is_restored(run, place):
    status, out, err = run(place / "model.npz", place / "seen.png", place / "out.png")
    assert (status, err) == (0, "")
    assert out.startswith("seen.png: converged after ")
    assert np.array_equal(pixels(place / "out.png"), RESTORED)


def test_figures_and_errors_are_told(run, place):
    status, out, _ = run(
        place / "model.npz", place / "seen.png", place / "out.png", "--truth", place / "clean.png", "--json"
    )
    assert status == 0
    (told,) = json.loads(out)
    assert set(told) == {"file", "iterations", "converged", "residual", "all", "changed"}
    assert told["file"] == "seen.png"
    assert told["converged"] is True
    assert told["iterations"] >= 1
    assert 0 <= told["residual"] <= 1e-3
    assert told["all"] == pytest.approx(4 / N)
    assert told["changed"] == 0
    assert (
        "All 0.51 %, Changed 0 %"
        in run(place / "model.npz", place / "seen.png", place / "out.png", "--truth", place / "clean.png")[1]
    )


def test_where_nothing_was_changed_there_is_no_changed_error(run, place):
    arguments = (place / "model.npz", place / "clean.png", place / "out.png", "--truth", place / "clean.png")
    (told,) = json.loads(run(*arguments, "--json")[1])
    assert told["changed"] is None
    assert "Changed none" in run(*arguments)[1]


def test_marginals_are_gray(run, place):
    assert run(place / "model.npz", place / "seen.png", place / "out.png", "--marginals")[0] == 0
    lit = np.pad(NOISY > 0, 1)
    neighbours = sum(lit[1 + y : 29 + y, 1 + x : 29 + x].astype(int) for y in (-1, 0, 1) for x in (-1, 0, 1))
    wanted = 255 / (1 + np.exp(9.0 - 2.0 * neighbours))
    assert np.abs(pixels(place / "out.png") - wanted).max() <= 1


@pytest.mark.parametrize("kind", ["sum-product", "max-product", "mixed-product", "mean field"])
def test_every_inference_can_be_chosen(run, place, kind):
    options = ("--inference", kind, "--iterations", 5, "--tolerance", 0, "--damping", 0.1, "--json")
    status, out, err = run(place / "model.npz", place / "seen.png", place / "out.png", *options)
    assert status == 0, err
    (told,) = json.loads(out)
    assert told["iterations"] == 5
    assert np.array_equal(pixels(place / "out.png"), RESTORED)


def test_a_photo_is_made_a_digit_and_that_is_said(run, place):
    photo = Image.new("L", (400, 300), 220)
    ImageDraw.Draw(photo).line((90, 60, 200, 70, 130, 240), fill=30, width=30, joint="curve")
    photo.save(place / "photo.jpg")
    status, _, err = run(place / "model.npz", place / "photo.jpg", place / "out.png")
    assert status == 0
    assert err == "photo.jpg is no picture of 28 x 28 pixels: the digit in it was cut out, scaled and centred.\n"
    assert 40 < (pixels(place / "out.png") > 0).sum() < 200


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


def test_a_bad_picture_in_a_folder_is_told_and_the_others_go_on(run, folder):
    status, out, err = run(folder / "model.npz", folder / "in", folder / "out", "--truth", folder / "truth", "--json")
    assert status == 2
    assert [told["file"] for told in json.loads(out)] == ["a.png", "c.bmp"]
    assert all(told["changed"] == 0 for told in json.loads(out))
    assert err.splitlines() == [
        "b.png must be a PNG, JPEG, WebP or BMP picture, whole and undamaged.",
        "1 of 3 pictures could not be restored.",
    ]
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["a.png", "c.png"]
    assert np.array_equal(pixels(folder / "out" / "c.png"), np.roll(RESTORED, 3, axis=1))


def test_a_folder_without_a_fault_succeeds(run, folder):
    (folder / "in" / "b.png").unlink()
    status, out, err = run(folder / "model.npz", folder / "in", folder / "out")
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 2


REFUSED = {
    "seen.png out.png --iterations 0": "iterations must be a whole number from 1 to",
    "seen.png out.png --damping 2": "damping must be a number from 0 to",
    "seen.png out.png --tolerance much": "tolerance must be a number from 0 to",
    "seen.png out.png --inference guess": "--inference must be one of sum-product, max-product, mixed-product, mean "
    "field, not 'guess'.",
    "seen.png out.jpg": "OUT must be the name of a PNG file, such as out.png, not 'out.jpg'.",
    "seen.png seen.png": "OUT must be another file than what is read; both are seen.png.",
    "seen.png clean.png --truth clean.png": "OUT must be another file than what is read; both are clean.png.",
    "seen.png nowhere/out.png": "out.png cannot be written: there is no folder",
    "seen.png in": "OUT must be a file, as seen.png is; in is a folder.",
    "in seen.png": "OUT must be a folder, as in is; seen.png is none.",
    "in in": "OUT must be another folder than what is read; both are in.",
    "in out --truth clean.png": "--truth must be a folder, as in is.",
    "seen.png out.png --truth truth": "--truth must be a file, as seen.png is.",
    "in out --truth empty": "--truth has no picture for 3 of 3 in in, the first of them 'a'.",
    "empty out": "empty must be a folder with pictures in it; it has no file.",
    "twins out": "twins holds both a.bmp and a.png; names must differ before their endings.",
    "no-such.png out.png": "Invalid value for 'IN'",
    "in/b.png out.png": "b.png must be a PNG, JPEG, WebP or BMP picture",
    "blank.png out.png": "blank.png has no digit in it",
    "seen.png out.png --truth blank.png": "blank.png must have the model's 28 x 28 pixels to be the truth, not 90 x "
    "60.",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_ends_with_status_2_and_one_sentence(run, folder, monkeypatch, arguments):
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir()
    (folder / "twins").mkdir()
    (folder / "twins" / "a.png").touch()
    (folder / "twins" / "a.bmp").touch()
    Image.new("L", (90, 60), 200).save("blank.png")
    status, out, err = run("model.npz", *arguments.split())
    assert (status, out) == (2, "")
    assert REFUSED[arguments] in err
    assert err.count("\n") == 1


def test_models_that_do_not_restore_pictures_are_refused(run, place):
    picture = place / "seen.png", place / "out.png"
    RBM(np.zeros((N, 2)), np.zeros(N), np.zeros(2)).save(place / "rbm.npz")
    status, _, err = run(place / "rbm.npz", *picture)
    assert status == 2
    assert err.startswith("rbm.npz holds a model of the kind RBM; denoise takes a conditional RBM")
    CRBM(np.zeros((9, 2)), np.zeros((9, 4)), np.zeros((2, 4)), np.zeros(9), np.zeros(2)).save(place / "odd.npz")
    status, _, err = run(place / "odd.npz", *picture)
    assert (status, err) == (
        2,
        "The model in odd.npz must have inputs and visible units for one square picture, such as 784 each, not 4 and "
        "9.\n",
    )
    assert run(place / "seen.png", *picture)[2] == "seen.png is not an .npz file.\n"


def test_help_tells_every_option(run):
    status, out, _ = run("--help")
    assert status == 0
    for option in ("--inference", "--iterations", "--tolerance", "--damping", "--marginals", "--truth", "--json"):
        assert option in out
