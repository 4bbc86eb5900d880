"""The numbers that every machine must give, and what they were last checked with."""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from math import isclose
from pathlib import Path
from typing import Any

from tests.golden.cases import CASES, RECIPES, digest, figures, is_rough, numerics

REPOSITORY = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_name("golden.json")
CHECKED = Path(__file__).with_name("checked.txt")
CLOSE, ROUGH = 1e-12, 1e-2  # measures may differ in the last digits of float64, those of other libraries by more
Golden = Mapping[str, Mapping[str, Any]]


def load() -> Golden:
    """{"numerics": {computation: integer}, "digests": {case: digest}, "figures": {recipe: {figure: value}}}."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def made() -> Golden:
    """The same as this machine and this code give them."""
    return {
        "numerics": {each: value for name in (*CASES, *RECIPES) for each, value in numerics(name).items()},
        "digests": {name: digest(case.arrays()) for name, case in CASES.items()},
        "figures": {name: figures(recipe) for name, recipe in RECIPES.items()},
    }


def find_changed(golden: Golden, found: Golden) -> list[str]:
    """Return the cases and recipes with other numbers, those that came or went included."""
    return [
        name
        for part in ("digests", "figures")
        for name in {**golden[part], **found[part]}
        if not (name in golden[part] and name in found[part] and same(name, golden[part][name], found[part][name]))
    ]


def same(name: str, one: Any, other: Any) -> bool:
    """Return whether two digests of a case are equal, or figures of a recipe as near as they are on all processors."""
    if name in CASES:
        return bool(one == other)
    near = ROUGH if is_rough(RECIPES[name]) else CLOSE
    return one.keys() == other.keys() and all(
        isclose(one[each], other[each], rel_tol=near, abs_tol=near) for each in one
    )


def find_unraised(golden: Golden, found: Golden) -> list[str]:
    """Return the cases and recipes that would be replaced though no numerics that they follow from was raised."""
    was, now = golden["numerics"], found["numerics"]
    return [
        name
        for name in find_changed(golden, found)
        if all(name in table["digests"] or name in table["figures"] for table in (golden, found))
        and all(now[each] <= was.get(each, 0) for each in numerics(name))
    ]


def stamp() -> str:
    """A digest of what the numbers of kernels depend on beside the processor: their sources, and what compiles them."""
    digest = hashlib.sha256()
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(f"{package} {version(package)}\n".encode())
    kernels = REPOSITORY / "boltzcore" / "kernels"
    for source in sorted(kernels.rglob("*.py")):
        digest.update(repr((source.relative_to(kernels).as_posix(), source.read_bytes())).encode())
    return digest.hexdigest()


def is_checked() -> bool:
    """Return whether all emulated processors gave the golden digits with just these kernels (`--processors`)."""
    return CHECKED.exists() and CHECKED.read_text(encoding="utf-8").strip() == stamp()
