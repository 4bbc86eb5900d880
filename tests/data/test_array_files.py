"""Arrays from .npz files: what is written comes back, and nothing is believed."""

import contextlib
import io
import os
import struct
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import boltzcore.arrays
from boltzcore.arrays import array_names, read_arrays
from boltzcore.quoting import Refusal


def npz(**held: np.ndarray) -> io.BytesIO:
    stream = io.BytesIO()
    np.savez_compressed(stream, **held)
    return stream


def archive(**members: bytes) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, content in members.items():
            made.writestr(f"{name}.npy", content)
    return stream


def npy(header: str, content: bytes = b"") -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + content


DTYPES = st.sampled_from([np.dtype(code) for code in ("<f4", ">f8", "<f2", ">i2", "<i8", ">u4", "u1", "?")])


@settings(max_examples=40)
@given(
    arrays.arrays(
        DTYPES,
        arrays.array_shapes(min_dims=0, max_dims=3, min_side=0),
        elements={"allow_nan": False, "allow_infinity": False},
    ),
    st.booleans(),
)
def test_what_numpy_writes_comes_back(array, fortran):
    array = np.asfortranarray(array) if fortran else array
    stream = npz(a=array)
    back = read_arrays(stream, {"a": ("fiub", array.ndim)})["a"]
    np.testing.assert_array_equal(back, array)
    assert back.dtype == array.dtype.newbyteorder("=")
    assert back.dtype.isnative
    assert back.flags.writeable


REFUSED = {
    "not finite": npz(W=np.array([[1.0, np.nan]])),
    "another name": npz(V=np.ones((2, 3)), b=np.ones(2)),
    "objects": archive(W=npy("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }", b"\x80\x04N.")),
    "a header to evaluate": archive(W=npy("{'descr': '<f8', 'fortran_order': False, 'shape': (9**9, 1), }")),
    "not an array": archive(W=b"hello"),
    "fewer bytes than promised": archive(
        W=npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }", b"12345678")
    ),
    "cut off": io.BytesIO(npz(W=np.ones((2, 3))).getvalue()[:-5]),
}


@pytest.mark.parametrize("file", REFUSED.values(), ids=REFUSED)
def test_what_is_not_the_wanted_array_is_refused(file):
    with pytest.raises(ValueError, match="The file"):
        read_arrays(file, {"W": ("f", 2)})


def test_a_small_file_does_not_unpack_to_a_large_array(monkeypatch):
    stream = npz(W=np.zeros((100, 100), np.float32), b=np.zeros(1000, np.float32))
    wanted: dict = {"W": ("f", 2), "b": ("f", 1)}
    assert read_arrays(stream, wanted, limit_bytes=44_000)["b"].size == 1000
    for limit in (42_000, 100):  # which all arrays share
        with pytest.raises(ValueError, match="bytes"):
            read_arrays(stream, wanted, limit_bytes=limit)
    monkeypatch.setattr(boltzcore.arrays, "FREE_BYTES", 100_000)
    with pytest.raises(ValueError, match="bytes"):
        read_arrays(npz(W=np.zeros((1000, 1000), np.float32)), {"W": ("f", 2)})
    assert read_arrays(npz(W=np.zeros((100, 200), np.float32)), {"W": ("f", 2)})["W"].shape == (100, 200)
    assert read_arrays(npz(W=np.random.default_rng(0).random((300, 300))), {"W": ("f", 2)})["W"].shape == (300, 300)


@pytest.mark.parametrize("more", [-8, 1, 10**6])
def test_a_member_that_lies_about_its_size_is_damaged(more):
    content = bytearray(npz(W=np.ones((50, 50))).getvalue())
    at = content.rindex(b"PK\1\2") + 24
    (size,) = struct.unpack("<L", content[at : at + 4])
    content[at : at + 4] = struct.pack("<L", size + more)
    with pytest.raises(ValueError, match=r"^W in The file is damaged"):
        read_arrays(io.BytesIO(bytes(content)), {"W": ("f", 2)})


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    for file in (tmp_path / "pipe.npz", "/dev/zero"):
        with pytest.raises(ValueError, match="not a regular file"):
            array_names(file)


def test_a_directory_of_a_million_arrays_is_not_read():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for number in range(2000):
            made.writestr(f"{number:020d}.npy", b"")
    with pytest.raises(ValueError, match="too many"):
        array_names(stream)


@pytest.mark.nightly
@settings(max_examples=300)
@given(st.data())
def test_a_spoiled_file_is_read_or_refused_never_more(data):
    whole = bytearray(npz(W=np.arange(12.0).reshape(3, 4), b=np.ones(3)).getvalue())
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(Refusal):
        read_arrays(io.BytesIO(bytes(whole)), {"W": ("f8", (3, 4)), "b": ("f", 1)})
