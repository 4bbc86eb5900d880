"""Published and packed data files: what they hold, the check figures, and files that are not what they claim to be."""

import gzip
import hashlib
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from boltzcore.data import Dataset, load, mnist
from boltzcore.data.files import Published
from boltzcore.data.matlab import Caltech101, Omniglot
from boltzcore.data.mnist import MNIST
from boltzcore.measures import base_rate_log_likelihood


def same(one: Dataset, other: Dataset) -> None:
    for split in ("train", "validation", "test"):
        a, b = getattr(one, split), getattr(other, split)
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_array_equal(a.v, b.v)
            assert a.gray == b.gray
            assert a.v.flags.c_contiguous
            assert b.v.flags.c_contiguous
    np.testing.assert_equal(one.labels, other.labels)
    assert one.shape == other.shape


@pytest.mark.parametrize(
    ("name", "figure", "n"),
    [
        ("binarized-mnist", -205.793, (50_000, 10_000, 10_000)),
        ("mnist", -205.807, (60_000, 0, 10_000)),
        ("omniglot", -175.075, (24_345, 0, 8_070)),
        ("caltech101", -380.052, (4_100, 2_264, 2_307)),
    ],
)
def test_check_figures(data_folder, name, figure, n):
    data = load(name)
    assert base_rate_log_likelihood(data.train, data.test) == pytest.approx(figure, abs=6e-4)
    assert (len(data.train), len(data.validation or ()), len(data.test)) == n
    assert data.shape == (28, 28)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", [MNIST(split="50000/10000/10000"), Caltech101()], ids=lambda kind: kind.name)
def test_published_and_packed_files_are_the_same(data_folder, kind, tmp_path, monkeypatch):
    loaded = []
    for names in ([file.name for file in kind.published], [kind.packed]):
        place = tmp_path / names[0]
        place.mkdir()
        for name in names:
            (place / name).symlink_to(data_folder / name)
        monkeypatch.setenv("BOLTZCORE_DATA", str(place))
        loaded.append(kind.load())
    same(*loaded)


def published(path: Path) -> Published:
    """A file, as if it were the one that was published."""
    return Published(path.name, "", "md5:" + hashlib.md5(path.read_bytes()).hexdigest(), path.stat().st_size)


def write_idx(path: Path, array: np.ndarray) -> Published:
    head = bytes([0, 0, 8, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape)
    path.write_bytes(gzip.compress(head + array.astype(np.uint8).tobytes(), 1))
    return published(path)


@pytest.fixture
def small_mnist(bare: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """A stand-in of 60 and 10 images, in BOLTZCORE_DATA."""
    for name, value in {"TRAIN": 60, "TEST": 10, "VALIDATION": 10}.items():
        monkeypatch.setattr(mnist, name, value)
    shapes = {"train_images": (60, 28, 28), "train_labels": (60,), "test_images": (10, 28, 28), "test_labels": (10,)}
    monkeypatch.setattr(MNIST, "arrays", shapes)
    rng = np.random.default_rng(0)
    held = {
        "train-images-idx3-ubyte.gz": rng.integers(0, 256, (60, 28, 28), np.uint8),
        "train-labels-idx1-ubyte.gz": np.arange(60, dtype=np.uint8) % 10,
        "t10k-images-idx3-ubyte.gz": rng.integers(0, 256, (10, 28, 28), np.uint8),
        "t10k-labels-idx1-ubyte.gz": np.arange(10, dtype=np.uint8),
    }
    monkeypatch.setattr(MNIST, "published", tuple(write_idx(bare / name, array) for name, array in held.items()))
    return held


def test_mnist_in_published_order_with_validation_from_its_end(small_mnist):
    images, labels, test_images, test_labels = small_mnist.values()
    data, split = load("mnist"), load("mnist", split="50000/10000/10000")
    np.testing.assert_array_equal(data.train.v, images.reshape(60, 784))
    np.testing.assert_array_equal(data.test.v, test_images.reshape(10, 784))
    np.testing.assert_array_equal(data.labels["train"], labels)
    np.testing.assert_array_equal(data.labels["test"], test_labels)
    assert data.train.gray
    assert data.validation is None
    np.testing.assert_array_equal(split.train.v, data.train.v[:50])
    np.testing.assert_array_equal(split.validation.v, data.train.v[50:])
    np.testing.assert_array_equal(split.labels["validation"], labels[50:])


@pytest.mark.parametrize("binarise", ["each epoch", "once"])
@pytest.mark.parametrize("split", ["60000/10000", "50000/10000/10000"])
def test_fewer_rows_are_the_first_of_all_rows(small_mnist, binarise, split):
    """Pixels drawn once do not depend on how the rows are cut."""
    whole, cut = load("mnist", binarise=binarise), load("mnist", binarise=binarise, split=split, rows=20)
    np.testing.assert_array_equal(cut.train.v, whole.train.v[:20])
    np.testing.assert_array_equal(cut.test.v, whole.test.v)
    assert len(cut.labels["train"]) == 20
    if cut.validation:
        np.testing.assert_array_equal(cut.validation.v, whole.train.v[50:])


def test_mnist_packed(small_mnist, tmp_path, monkeypatch):
    unpacked = load("mnist")
    names = ("train_images", "train_labels", "test_images", "test_labels")
    np.savez_compressed(tmp_path / "mnist.npz", **dict(zip(names, small_mnist.values(), strict=True)))
    monkeypatch.setenv("BOLTZCORE_DATA", str(tmp_path))
    same(load("mnist"), unpacked)
    np.savez(tmp_path / "mnist.npz", train_images=np.zeros((60, 784), np.uint8))
    with pytest.raises(ValueError, match=r"^train_images in mnist\.npz "):
        load("mnist", rows=20)


def test_only_published_files_are_opened(small_mnist, bare):
    path = bare / "t10k-labels-idx1-ubyte.gz"
    whole = path.read_bytes()
    for content in (b"", whole[:-1], whole[:20] + b"\0" + whole[21:], b"<html>not found</html>"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="checksum"):
            load("mnist", rows=30)


def chardata(images: np.ndarray, n_test: int) -> dict[str, np.ndarray]:
    """As published: a column an image, its pixels down the columns; one-hot alphabets."""
    columns = np.stack([image.ravel(order="F") for image in images], axis=1)
    target = np.eye(50)[:, : len(images)]
    return {
        "data": columns[:, :-n_test],
        "testdata": columns[:, -n_test:],
        "target": target[:, :-n_test],
        "testtarget": target[:, -n_test:],
    }


def test_omniglot_as_published(bare, monkeypatch):
    shapes = {"train_images": (3, 28, 28), "test_images": (2, 28, 28), "train_alphabet": (3,), "test_alphabet": (2,)}
    monkeypatch.setattr(Omniglot, "arrays", shapes)
    images = np.random.default_rng(0).random((5, 28, 28))
    mat = bare / "chardata.mat"
    savemat(mat, chardata(images, 2), do_compression=True)
    monkeypatch.setattr(Omniglot, "published", (published(mat),))
    data = load("omniglot")
    np.testing.assert_array_equal(data.train.v.reshape(3, 28, 28), np.rint(255 * images[:3]))
    np.testing.assert_array_equal(data.test.v.reshape(2, 28, 28), np.rint(255 * images[3:]))
    assert data.labels["test"].tolist() == [3, 4]
    np.savez(
        bare / "omniglot28.npz",
        train_images=np.rint(255 * images[:3]).astype(np.uint8),
        test_images=np.rint(255 * images[3:]).astype(np.uint8),
        train_alphabet=np.arange(3, dtype=np.uint8),
        test_alphabet=np.arange(3, 5, dtype=np.uint8),
    )
    mat.unlink()
    monkeypatch.setenv("BOLTZCORE_DATA", f"{bare}/")  # which names no set that was loaded
    same(load("omniglot"), data)
