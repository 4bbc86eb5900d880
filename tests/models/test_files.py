"""Model files: known by their arrays, in the model's own types, with the names of the columns."""

import struct
import zipfile
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from boltzcore import models
from boltzcore.models import CRBM, FVBM, InfiniteRBM, LogLinear, Potts
from boltzcore.models.base import ExactModel
from boltzcore.names import Names
from tests.models import exact


@dataclass(frozen=True, eq=False)
class Precise(ExactModel):
    """A model of doubles and whole numbers."""

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {"thirds": ("f", 1), "places": ("i", 2)}
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "thirds"}

    thirds: np.ndarray
    places: np.ndarray

    @property
    def n_visible(self):
        return len(self.thirds)

    def log_likelihood(self, v, *, tick=None):
        return np.zeros(len(v))


PRECISE = Precise(np.array([1 / 3, 2 / 3]), np.array([[2**40, -1]]))


def test_half_precision_rounds_no_whole_number(tmp_path):
    PRECISE.save(tmp_path / "half.npz", np.float16)
    half = models.load(tmp_path / "half.npz")
    assert half.thirds.dtype == np.float16
    assert (half.places == PRECISE.places).all()
    assert models.names_in(tmp_path / "half.npz") is None


def test_every_kind_is_recognised_by_its_arrays_and_comes_back_digit_for_digit(tmp_path):
    rbm = exact.random_rbm(3, 2)
    crbm = CRBM(rbm.W, np.eye(3), np.zeros((2, 3)), rbm.b, rbm.c)
    fvbm = FVBM(np.array([[0, 1 / 3], [1 / 3, 0]]), [0.1, -0.2])
    infinite = InfiniteRBM(np.ones((2, 4)), [0.5, 2], np.zeros(3))
    potts = Potts([1, 2], [0, 1 / 3, -2], np.array([[0, 0.5, 1e9], [0.5, 0, 0], [1e9, 0, 0]]))
    for model in (rbm, crbm, fvbm, infinite, LogLinear((3, 2), {1: 0.1, 5: -0.3}), potts, PRECISE):
        model.save(tmp_path / "model")  # which numpy calls model.npz
        again = models.load(tmp_path / "model")
        assert type(again) is type(model)
        for name in model.ARRAYS:
            assert getattr(again, name).dtype == getattr(model, name).dtype
            assert np.array_equal(getattr(again, name), getattr(model, name))
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match=r"^other\.npz does not contain a model"):
        models.load(tmp_path / "other.npz")


def test_the_names_of_the_columns_go_with_the_file(tmp_path):
    for names in (
        Names(("a", "\N{GREEK SMALL LETTER BETA}"), (("no", "yes"), ("low", "middle", "high"))),
        Names(("a", "b")),
    ):
        PRECISE.save(tmp_path / "model.npz", names=names)
        assert models.names_in(tmp_path / "model.npz") == names
        assert type(models.load(tmp_path / "model.npz")) is Precise
    with pytest.raises(ValueError, match="categories must be one list for each of the 2 columns, not 1"):
        Names(("a", "b"), (("no", "yes"),))


def test_hostile_names_are_none(tmp_path):
    arrays = {"thirds": PRECISE.thirds, "places": PRECISE.places}
    for wrong in (
        {"column_names": np.array(["a"]), "category_names": np.array(["x"]), "category_counts": np.array([-5])},
        {"column_names": np.array(["a"]), "category_names": np.array(["x"]), "category_counts": np.array([10**12])},
        {"column_names": np.array([1.0])},
    ):
        np.savez(tmp_path / "model.npz", **arrays, **wrong)
        assert models.names_in(tmp_path / "model.npz") is None


def test_texts_without_a_letter_of_which_memory_would_not_hold_so_many_are_no_names(tmp_path):
    PRECISE.save(tmp_path / "model.npz")
    header = f"{{'descr': '<U0', 'fortran_order': False, 'shape': ({10**14},), }}\n".encode()
    npy = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header
    with zipfile.ZipFile(tmp_path / "model.npz", "a") as archive:
        archive.writestr("column_names.npy", npy)
    assert models.names_in(tmp_path / "model.npz") is None
