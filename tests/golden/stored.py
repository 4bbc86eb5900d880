"""The digests that every machine must give, and what they were last checked with."""

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_name("golden.json")
CHECKED = Path(__file__).with_name("checked.txt")


def load() -> dict[str, dict[str, Any]]:
    """{"digests": {case: digest}, "measured": {figure: value}}; empty tables where there is no file yet."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"digests": {}, "measured": {}}


def stamp() -> str:
    """A digest of what the numbers of kernels depend on beside the processor: their sources, and what compiles them."""
    digest = hashlib.sha256()
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(f"{package} {version(package)}\n".encode())
    kernels = REPOSITORY / "boltzcore" / "kernels"
    for source in sorted(kernels.rglob("*.py")):
        digest.update(repr((source.relative_to(kernels).as_posix(), source.read_bytes())).encode())
    return digest.hexdigest()


def checked() -> bool:
    """Whether all emulated processors gave the golden digits with just these kernels (`--processors`)."""
    return CHECKED.exists() and CHECKED.read_text(encoding="utf-8").strip() == stamp()
