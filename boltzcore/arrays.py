"""Arrays from untrusted .npz files: every claim is checked before memory is allocated."""

import math
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from types import MappingProxyType
from typing import IO, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.quoting import Refusal, cut, listed, quoted

Source = str | os.PathLike[str] | BinaryIO
Shape = tuple[int | None, ...]

LIMIT_BYTES = 2**28
FREE_BYTES, TIMES = 2**26, 100  # limit for the arrays of any file, and further multiples of the file's length
_DIRECTORY_BYTES = 2**16  # some thousand entries
_HEADER_BYTES = 2**10  # numpy's header of a plain array has about 118 bytes
_PIECE = 2**20  # bytes that are unpacked, or checked, at a time
# Errors of zipfile and zlib at damage, including ValueError for offsets outside the file.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    struct.error,
)
_KINDS = {
    "f": "floating-point numbers",
    "i": "signed whole numbers",
    "u": "unsigned whole numbers",
    "b": "booleans",
    "U": "texts",
}


def as_array(name: str, value: ArrayLike, allowed: str) -> NDArray:
    """Return `value` as an array; Refusal naming it, and what is `allowed`, if its rows have different lengths."""
    try:
        return np.asarray(value)
    except ValueError:  # as numpy has it of rows of different lengths
        raise Refusal(f"{name} must be {allowed}, not rows of different lengths.", name) from None


def as_numbers(
    name: str, value: ArrayLike, shape: Shape, allowed: str, kinds: str = "buif", *, least: int = 0, low: float = 0
) -> NDArray:
    """Return `value` as an array; Refusal naming it, and what is `allowed`, unless it has numbers of these kinds, of
    which no dimension has fewer than `least`, and this shape, in which None is any length.

    low : the least number, unless it is 0
    """
    array = as_array(name, value, allowed)
    if not _fits(array.shape, shape, least) or array.dtype.kind not in kinds:
        raise Refusal(f"{name} must be {allowed}, not {array.dtype} of shape {array.shape}.", name)
    if low and array.min(initial=low) < low:
        raise Refusal(f"{name} must be {allowed}, not {array.min()}.", name)
    return array


def _fits(found: tuple[int, ...], shape: Shape, least: int = 0) -> bool:
    """Return True if a shape is `shape`, in which None is any length, with no side below `least`."""
    if len(found) != len(shape):
        return False
    return all(have >= least and want in (None, have) for want, have in zip(shape, found, strict=True))


def as_parameters(name: str, value: ArrayLike, ndim: int, dtype: type[np.floating] = np.float32) -> NDArray:
    """Return `value` as a float32 (or `dtype`) array of a model, in C-order and a copy; raise Refusal naming it if it
    has other dimensions or is not finite.
    """
    array = as_numbers(name, value, (None,) * ndim, f"a real array with {ndim} dimension{'s' * (ndim > 1)}")
    with np.errstate(over="ignore"):
        array = np.array(array, dtype, order="C")  # a copy, because the argument may change later
    if not np.isfinite(array).all():
        raise Refusal(f"{name} must be finite, but it holds infinities or nan.", name)
    return array


def read_arrays(
    file: Source,
    wanted: Mapping[str, tuple[str, int | Shape]],
    *,
    limit_bytes: int = LIMIT_BYTES,
    finite: bool = True,
) -> dict[str, NDArray]:
    """Return arrays of an .npz file by name, checked, ignoring others.

    file : a path, or a binary file that can seek
    wanted : {name: (kinds, shape)}: the letters of the accepted dtype kinds (f, i, u, b, U) or one dtype in numpy's
        notation (f4, u1), and either the number of dimensions or a shape with None for any length
    limit_bytes : limit for the file, and for the wanted arrays together; a small file's arrays may take at most 64 MiB,
        or 100 times its own length
    finite : True refuses infinities and nan

    The arrays are in native byte order and writable, and take memory once: the sizes in a header are checked first, and
    no more is unpacked. Raises Refusal naming the file, the array and what was expected.
    """
    with zip_archive(file, limit_bytes) as (archive, name, length):
        left, arrays = min(limit_bytes, max(FREE_BYTES, TIMES * length)), {}
        for key, (kinds, shape) in wanted.items():
            if f"{key}.npy" not in archive.NameToInfo:
                raise Refusal(f"{name} has no array {key!r}; it holds: {listed(_names(archive), 'nothing')}.")
            arrays[key] = _read(archive, key, kinds, shape, left, name, finite)
            left -= arrays[key].nbytes
        return arrays


def write_arrays(
    file: str | os.PathLike[str] | BinaryIO,
    arrays: Mapping[str, NDArray],
    dtype: type[np.floating] | None = None,
    texts: Mapping[str, NDArray] = MappingProxyType({}),
) -> None:
    """Write arrays as .npz in their own dtypes; raise Refusal naming one with a value that is not finite or too large.

    dtype : type to which floating-point numbers are rounded; None for no rounding
    texts : further arrays, written unchanged
    """
    if dtype is not None and not np.issubdtype(dtype, np.floating):
        raise Refusal(f"dtype must be a type of floating-point numbers, not {quoted(dtype)}.", "dtype")
    rounded = {}
    for name, array in arrays.items():
        with np.errstate(over="ignore"):
            rounded[name] = array.astype(dtype) if dtype is not None and array.dtype.kind == "f" else array
        if array.dtype.kind == "f" and not np.isfinite(rounded[name]).all():
            kind = rounded[name].dtype
            raise Refusal(
                f"{name} must hold values up to {np.finfo(kind).max:g} to be written as {kind}, "
                f"not {np.abs(array).max():g}."
            )
    np.savez(file, **rounded, **texts)  # type: ignore[arg-type]


def array_names(file: Source, *, limit_bytes: int = LIMIT_BYTES) -> tuple[str, ...]:
    """Return the names of the arrays in an .npz file; raise Refusal if it is not one."""
    with zip_archive(file, limit_bytes) as (archive, _, _):
        return _names(archive)


def file_name(file: bytes | Source) -> str:
    """Return the name of a file for a sentence: without its folders, cut."""
    named = file if isinstance(file, str | os.PathLike) else getattr(file, "name", None)
    return cut(Path(named).name or str(named)) if isinstance(named, str | os.PathLike) else "The file"


def open_binary(path: str | os.PathLike[str]) -> BinaryIO:
    """Return a file opened for reading; raise Refusal with the reason if that fails."""
    try:
        if not S_ISREG(os.stat(path).st_mode):  # opening a pipe would wait for its writer
            raise Refusal(f"{file_name(path)} cannot be read: it is not a regular file.")
        return open(path, "rb")
    except OSError as error:
        raise Refusal(f"{file_name(path)} cannot be read: {error.strerror}.") from None


@contextmanager
def stream_of(file: Source) -> Iterator[BinaryIO]:
    """Yield a file at its beginning, opened if it is a path, to which .npz may be added as `numpy.savez` does; Refusal
    if it cannot be opened, or is neither a path nor a binary file.
    """
    if isinstance(file, str | os.PathLike):
        written = f"{os.fspath(file)}.npz"
        with open_binary(written if os.path.exists(written) and not os.path.exists(file) else file) as stream:
            yield stream
    elif hasattr(file, "seek"):
        file.seek(0)
        yield file
    else:
        raise Refusal(f"file must be a path or a binary file, not {quoted(file)}.", "file")


def _names(archive: zipfile.ZipFile) -> tuple[str, ...]:
    return tuple(member.removesuffix(".npy") for member in archive.NameToInfo if member.endswith(".npy"))


@contextmanager
def zip_archive(file: Source, limit_bytes: int) -> Iterator[tuple[zipfile.ZipFile, str, int]]:
    """Yield an archive, the name of its file and its length; raise Refusal if its directory is damaged or too long."""
    name = file_name(file)
    with stream_of(file) as stream:
        length = _check_length(stream, limit_bytes, name)
        try:
            archive = zipfile.ZipFile(stream)
        except UNREADABLE:
            raise Refusal(f"{name} is damaged: its list of files cannot be read.") from None
        with archive:
            yield archive, name, length


def _check_length(file: BinaryIO, limit_bytes: int, name: str) -> int:
    """Return the bytes of a file; raise Refusal if it is too long, not a zip archive, or has a huge directory."""
    length = file.seek(0, os.SEEK_END)
    if length > limit_bytes:
        raise Refusal(f"{name} has {length:,} bytes; at most {limit_bytes:,} are allowed.")
    file.seek(0)
    head = file.read(4)
    file.seek(max(length - 42, 0))
    tail = file.read(42)
    # numpy writes an archive without a comment: its end record is the last 22 bytes, and a 64-bit one would precede
    # them
    if head not in (b"PK\3\4", b"PK\5\6") or tail[-22:-18] != b"PK\5\6" or tail[-2:] != b"\0\0":
        raise Refusal(f"{name} is not an .npz or zip file.")
    if tail[:4] == b"PK\6\7" or struct.unpack("<L", tail[-10:-6])[0] > _DIRECTORY_BYTES:
        raise Refusal(f"{name} lists too many files.")
    return length


def _read(
    archive: zipfile.ZipFile, key: str, kinds: str, shape: int | Shape, left: int, name: str, finite: bool
) -> NDArray:
    member, what = archive.NameToInfo[f"{key}.npy"], f"{cut(key)} in {name}"
    if member.flag_bits & 1 or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Refusal(f"{what} is encrypted or compressed in a way that numpy does not write.")
    if member.file_size > left + _HEADER_BYTES:
        raise Refusal(f"{what} would take {member.file_size:,} bytes; {left:,} are allowed.")
    try:
        with archive.open(member) as stream:
            found, fortran, dtype = _header(stream, what)
            _check(dtype, found, kinds, shape, what)
            if member.file_size != stream.tell() + math.prod(found) * dtype.itemsize:
                raise Refusal(f"{what} is damaged: its header states a different number of bytes.")
            array: NDArray = np.empty(found, dtype, "F" if fortran else "C")
            _fill(array, stream, what, finite)
    except Refusal:
        raise
    except UNREADABLE:
        raise Refusal(f"{what} is damaged.") from None
    if not array.dtype.isnative:
        array = array.byteswap(inplace=True).view(dtype.newbyteorder("="))
    return array


def _fill(array: NDArray, stream: IO[bytes], what: str, finite: bool) -> None:
    """Read the values of an array, piece by piece; raise Refusal if there are too few, or one is not finite."""
    flat = array.reshape(-1, order="A")
    into, at = flat.view(np.uint8), 0
    while piece := stream.read(_PIECE):
        into[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
        at += len(piece)
    if at != into.size:
        raise Refusal(f"{what} is damaged: its header states a different number of bytes.")
    for first in range(0, flat.size if finite and array.dtype.kind == "f" else 0, _PIECE):
        if not np.isfinite(flat[first : first + _PIECE]).all():
            raise Refusal(f"{what} holds values that are not finite.")


def _header(stream: IO[bytes], what: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Return the shape, the order and the dtype of an array; a plain array needs no other version of the format."""
    try:
        if np.lib.format.read_magic(stream) == (1, 0):
            return np.lib.format.read_array_header_1_0(stream, _HEADER_BYTES)
    except Exception:  # any error of numpy for a header that it did not write
        pass
    raise Refusal(f"{what} is not an array as numpy.savez writes it.")


def _check(dtype: np.dtype, found: tuple[int, ...], kinds: str, shape: int | Shape, what: str) -> None:
    shape = (None,) * shape if isinstance(shape, int) else shape
    wanted = f"shape {shape}".replace("None", "any")
    matches, named = (
        (dtype.kind in kinds, " or ".join(_KINDS[kind] for kind in kinds))
        if kinds.isalpha()
        else (dtype.str[1:] == kinds, str(np.dtype(kinds)))
    )
    if not (matches and _fits(found, shape)):
        raise Refusal(f"{what} must be an array of {named} with {wanted}, not {dtype} with shape {cut(str(found))}.")
