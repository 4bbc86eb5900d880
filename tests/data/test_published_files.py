"""Published and packed data files: what they hold, the check figures, and files that are not what they claim to be."""

import gzip
import hashlib
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from boltzcore.data import Dataset, Examples, caltech101, load, mnist, omniglot
from boltzcore.data.binarized_mnist import BinarizedMNIST, read_amat
from boltzcore.data.caltech101 import Caltech101
from boltzcore.data.files import Published
from boltzcore.data.matlab import read_matrices
from boltzcore.data.mnist import MNIST, read_idx
from boltzcore.data.omniglot import Omniglot
from boltzcore.ticks import Stopped, idle


def base_rate(train: Examples, test: Examples) -> float:
    """Mean log-likelihood of test rows under independent units with the training rates, (on + 1) / (n + 2)."""
    rate = (train.mean() * len(train) + 1) / (len(train) + 2)
    mean = test.mean()
    return float(mean @ np.log(rate) + (1 - mean) @ np.log(1 - rate))


def same(one: Dataset, other: Dataset) -> None:
    for split in ("train", "validation", "test"):
        a, b = getattr(one, split), getattr(other, split)
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_array_equal(a.v, b.v)
            assert a.gray == b.gray
            assert a.v.flags.c_contiguous
            assert b.v.flags.c_contiguous
    assert sorted(one.labels) == sorted(other.labels)
    for split in one.labels:
        np.testing.assert_array_equal(one.labels[split], other.labels[split])
    assert one.shape == other.shape


# -- the files themselves -------------------------------------------------------------------------


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
    assert base_rate(data.train, data.test) == pytest.approx(figure, abs=6e-4)
    assert (len(data.train), len(data.validation or ()), len(data.test)) == n
    assert data.shape == (28, 28)
    assert data.train.n_visible == 784


def test_polarity_changes_no_figure(data_folder):
    plain, inverted = load("caltech101"), load("caltech101", inverted=True)
    assert base_rate(inverted.train, inverted.test) == pytest.approx(-380.052, abs=6e-4)
    np.testing.assert_array_equal(plain.train.v + inverted.train.v, 1)


def test_published_and_packed_mnist_are_the_same(data_folder):
    kind = MNIST(split="50000/10000/10000")
    paths = [data_folder / file.name for file in kind.published]
    same(kind._read_published(paths, [idle] * 4), kind._read_packed(data_folder / kind.packed))


def test_published_and_packed_silhouettes_are_the_same(data_folder):
    kind = Caltech101()
    same(
        kind._read_published([data_folder / kind.published[0].name], [idle]),
        kind._read_packed(data_folder / kind.packed),
    )


def test_packed_binarized_mnist_as_text_is_the_same(data_folder, tmp_path):
    packed = BinarizedMNIST()._read_packed(data_folder / BinarizedMNIST.packed)
    head = packed.test.v[:2000]
    path = tmp_path / "head.amat"
    np.savetxt(path, head, fmt="%d")
    np.testing.assert_array_equal(read_amat(path, 2000, 784), head)


def test_images_stand_upright(data_folder):
    """The digit 1 is higher than wide; so is most handwriting's 1 when not transposed."""
    data = load("mnist", rows=2000)
    ones = data.train.v[data.labels["train"] == 1].reshape(-1, 28, 28) > 127
    assert ones.any(axis=2).sum(axis=1).mean() > 1.5 * ones.any(axis=1).sum(axis=1).mean()


def test_labels_are_those_of_the_images(data_folder):
    labels = load("mnist", rows=10).labels
    assert labels["train"].tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]
    assert labels["test"][:5].tolist() == [7, 2, 1, 0, 4]
    assert set(load("caltech101").labels["validation"]) == set(range(1, 102))
    assert set(load("omniglot").labels["train"]) == set(range(50))


# -- MNIST on a machine without the real files ----------------------------------------------------


def write_idx(path: Path, array: np.ndarray, kind: int = 8) -> Path:
    head = bytes([0, 0, kind, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape)
    path.write_bytes(gzip.compress(head + array.astype(np.uint8).tobytes(), 1))
    return path


@pytest.fixture
def small_mnist(bare: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """A stand-in of 60 and 10 images, in BOLTZCORE_DATA."""
    for name, value in {"TRAIN": 60, "TEST": 10, "VALIDATION": 10}.items():
        monkeypatch.setattr(mnist, name, value)
    rng = np.random.default_rng(0)
    held = {
        "train-images-idx3-ubyte.gz": rng.integers(0, 256, (60, 28, 28), np.uint8),
        "train-labels-idx1-ubyte.gz": np.arange(60, dtype=np.uint8) % 10,
        "t10k-images-idx3-ubyte.gz": rng.integers(0, 256, (10, 28, 28), np.uint8),
        "t10k-labels-idx1-ubyte.gz": np.arange(10, dtype=np.uint8),
    }
    for name, array in held.items():
        write_idx(bare / name, array)
    return held


def test_mnist_in_published_order(small_mnist):
    images, labels, test_images, test_labels = small_mnist.values()
    data = load("mnist")
    np.testing.assert_array_equal(data.train.v, images.reshape(60, 784))
    np.testing.assert_array_equal(data.test.v, test_images.reshape(10, 784))
    np.testing.assert_array_equal(data.labels["train"], labels)
    np.testing.assert_array_equal(data.labels["test"], test_labels)
    assert data.train.gray
    assert data.validation is None


def test_reading_tells_how_far_it_is_and_can_be_stopped(small_mnist):
    told: list[float] = []
    MNIST().load(told.append)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)

    def stop(fraction: float = 0.0) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        MNIST(rows=5).load(stop)


def test_validation_is_the_end_of_training(small_mnist):
    images, labels, *_ = small_mnist.values()
    data = load("mnist", split="50000/10000/10000")
    np.testing.assert_array_equal(data.train.v, images.reshape(60, 784)[:50])
    np.testing.assert_array_equal(data.validation.v, images.reshape(60, 784)[50:])
    np.testing.assert_array_equal(data.labels["validation"], labels[50:])


@pytest.mark.parametrize("binarise", ["each epoch", "once", "threshold"])
@pytest.mark.parametrize("split", ["60000/10000", "50000/10000/10000"])
def test_fewer_rows_are_the_first_of_all_rows(small_mnist, binarise, split):
    """Pixels drawn once do not depend on how the rows are cut."""
    whole, cut = load("mnist", binarise=binarise), load("mnist", binarise=binarise, split=split, rows=20)
    np.testing.assert_array_equal(cut.train.v, whole.train.v[:20])
    np.testing.assert_array_equal(cut.test.v, whole.test.v)
    assert len(cut.labels["train"]) == 20
    if cut.validation:
        np.testing.assert_array_equal(cut.validation.v, whole.train.v[50:])


def test_mnist_packed(small_mnist, bare):
    published = load("mnist")
    names = ("train_images", "train_labels", "test_images", "test_labels")
    np.savez_compressed(bare / "mnist.npz", **dict(zip(names, small_mnist.values(), strict=True)))
    same(MNIST()._read_packed(bare / "mnist.npz"), published)
    np.savez(bare / "mnist.npz", train_images=np.zeros((60, 784), np.uint8))
    with pytest.raises(
        ValueError,
        match=r"^train_images in mnist\.npz must be an array of uint8 with shape \(60, 28, 28\), not uint8 with shape "
        r"\(60, 784\)\.$",
    ):
        MNIST()._read_packed(bare / "mnist.npz")


# -- files that are not what they claim ------------------------------------------------------------


def test_idx_files_that_are_none(tmp_path):
    path = tmp_path / "t.gz"
    array = np.arange(24).reshape(4, 2, 3)

    def sentence(shape=(4, 2, 3)) -> str:
        with pytest.raises(ValueError, match=r"^t\.gz") as told:
            read_idx(path, shape)
        return str(told.value)

    write_idx(path, array)
    np.testing.assert_array_equal(read_idx(path, (4, 2, 3)), array)
    assert sentence((5, 2, 3)) == "t.gz must hold 5 x 2 x 3 values; its header says 4 x 2 x 3."
    assert (
        sentence((24,)) == "t.gz must be an idx file of unsigned bytes with 1 dimensions; it begins with 00 00 08 03."
    )
    write_idx(path, array, kind=0x0D)
    assert sentence() == "t.gz must be an idx file of unsigned bytes with 3 dimensions; it begins with 00 00 0d 03."
    whole = gzip.decompress(write_idx(path, array).read_bytes())
    path.write_bytes(gzip.compress(whole[:-1]))
    assert sentence() == "t.gz holds fewer bytes than the 24 its header promises."
    path.write_bytes(gzip.compress(whole + b"\0"))
    assert sentence() == "t.gz holds more bytes than the 24 its header promises."
    path.write_bytes(gzip.compress(b""))
    assert sentence() == "t.gz must be an idx file of unsigned bytes with 3 dimensions; it begins with nothing."
    path.write_bytes(gzip.compress(whole)[:-9])
    assert sentence() == "t.gz is not a whole gzip file; it may be damaged or cut off."
    path.write_bytes(b"<html>not found</html>")
    assert sentence() == "t.gz is not a whole gzip file; it may be damaged or cut off."


def test_a_gzip_bomb_is_read_no_further_than_promised(tmp_path):
    path = tmp_path / "t.gz"
    head = bytes([0, 0, 8, 1]) + (10).to_bytes(4, "big")
    path.write_bytes(gzip.compress(head + bytes(2**26), 9))
    with pytest.raises(ValueError, match="holds more bytes than the 10 its header promises"):
        read_idx(path, (10,))


def test_amat_files_that_are_none(tmp_path):
    path = tmp_path / "t.amat"
    path.write_text("0 1 1\n1 0 0\n")
    assert read_amat(path, 2, 3).tolist() == [[0, 1, 1], [1, 0, 0]]
    for text in ("0 1 1\n1 2 0\n", "0 1 1\n1,0 0\n", "0 1 1\n1 0 0 ", "0 1 1\n1 0\n0\n"):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"^t\.amat, line 2, must be 3 digits 0 or 1 with one space between\.$"):
            read_amat(path, 2, 3)
    path.write_text("0 1 1\n")
    with pytest.raises(
        ValueError, match=r"^t\.amat must have 2 lines of 3 digits with one space between, 12 bytes, not 6\.$"
    ):
        read_amat(path, 2, 3)


def publish(path: Path, content: dict[str, np.ndarray]) -> Published:
    """A Matlab file of this content, as if it were the one that was published."""
    savemat(path, content, do_compression=True)
    return Published(path.name, "", "md5:" + hashlib.md5(path.read_bytes()).hexdigest(), path.stat().st_size)


def test_matlab_files_without_what_they_should_hold(tmp_path):
    path = tmp_path / "t.mat"
    file = publish(
        path,
        {"data": np.arange(6.0).reshape(2, 3), "words": np.array([["ab"]], object), "holes": np.array([[1.0, np.nan]])},
    )
    np.testing.assert_array_equal(read_matrices(path, file, {"data": (2, 3)})["data"], [[0, 1, 2], [3, 4, 5]])
    for name, shape in (("data", (3, 2)), ("rows", (2, 3)), ("words", (1, 1)), ("holes", (1, 2))):
        with pytest.raises(
            ValueError, match=f"^{name} in t.mat must be a {shape[0]} x {shape[1]} matrix of finite numbers.$"
        ):
            read_matrices(path, file, {name: shape})


def test_only_published_matlab_files_are_opened(tmp_path):
    path = tmp_path / "t.mat"
    file = publish(path, {"data": np.eye(2)})
    whole = path.read_bytes()
    for content in (b"", b"<html></html>", whole[:-1], whole[:150] + b"\0" + whole[151:]):
        path.write_bytes(content)
        with pytest.raises(
            ValueError,
            match=r"^t\.mat is not the file that its authors published \(checksum md5:[0-9a-f]{32}\); it may be "
            r"damaged or cut off\.$",
        ):
            read_matrices(path, file, {"data": (2, 2)})


@pytest.fixture
def small_omniglot(bare: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(omniglot, "TRAIN", 3)
    monkeypatch.setattr(omniglot, "TEST", 2)
    return bare / "chardata.mat"


def chardata(images: np.ndarray, n_test: int, top: float = 1.0) -> dict[str, np.ndarray]:
    """As published: a column an image, its pixels down the columns; one-hot alphabets."""
    columns = np.stack([image.ravel(order="F") for image in images], axis=1) * top
    target = np.eye(50)[:, : len(images)]
    return {
        "data": columns[:, :-n_test],
        "testdata": columns[:, -n_test:],
        "target": target[:, :-n_test],
        "testtarget": target[:, -n_test:],
    }


def test_omniglot_as_published(small_omniglot, monkeypatch):
    images = np.random.default_rng(0).random((5, 28, 28))
    monkeypatch.setattr(Omniglot, "published", (publish(small_omniglot, chardata(images, 2)),))
    data = load("omniglot")
    np.testing.assert_array_equal(data.train.v.reshape(3, 28, 28), np.rint(255 * images[:3]))
    np.testing.assert_array_equal(data.test.v.reshape(2, 28, 28), np.rint(255 * images[3:]))
    assert data.labels["test"].tolist() == [3, 4]
    np.savez(
        small_omniglot.with_name("omniglot28.npz"),
        train_images=np.rint(255 * images[:3]).astype(np.uint8),
        test_images=np.rint(255 * images[3:]).astype(np.uint8),
        train_alphabet=np.arange(3, dtype=np.uint8),
        test_alphabet=np.arange(3, 5, dtype=np.uint8),
    )
    same(Omniglot()._read_packed(small_omniglot.with_name("omniglot28.npz")), data)


def test_omniglot_outside_its_range(small_omniglot, monkeypatch):
    monkeypatch.setattr(Omniglot, "published", (publish(small_omniglot, chardata(np.ones((5, 28, 28)), 2, top=255.0)),))
    with pytest.raises(
        ValueError, match=r"^data in chardata\.mat must hold intensities from 0 to 1, not 255 to 255\.$"
    ):
        load("omniglot")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (
            {"val_data": np.full((2, 784), 0.5)},
            "val_data in caltech101_silhouettes_28_split1.mat must hold only 0 and 1.",
        ),
        (
            {"test_labels": np.full((2, 1), 102)},
            "The labels in caltech101_silhouettes_28_split1.mat must be whole numbers from 1 to 101.",
        ),
        (
            {"train_data": np.zeros((784, 2))},
            "train_data in caltech101_silhouettes_28_split1.mat must be a 2 x 784 matrix of finite numbers.",
        ),
    ],
)
def test_silhouettes_that_are_none(bare, monkeypatch, spoil, sentence):
    monkeypatch.setattr(caltech101, "SPLITS", dict.fromkeys(caltech101.SPLITS, 2))
    whole = {
        f"{split}_{what}": np.ones((2, 784 if what == "data" else 1))
        for split in caltech101.SPLITS
        for what in ("data", "labels")
    }
    path = bare / Caltech101.published[0].name
    monkeypatch.setattr(Caltech101, "published", (publish(path, whole),))
    assert math.prod(load("caltech101").train.v.shape) == 2 * 784
    monkeypatch.setattr(Caltech101, "published", (publish(path, whole | spoil),))
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        Caltech101(inverted=True).load()
