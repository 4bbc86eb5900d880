"""The budget of lines in pyproject.toml holds."""

import subprocess
import tomllib
from pathlib import PurePosixPath

import pytest

from tests.conftest import REPOSITORY

COUNTED = {".py", ".js", ".css", ".html", ".json", ".toml"}
DIGESTS = "tests/golden/golden.json"


def part_of(name: str) -> str:
    """The part of the budget that a tracked file belongs to; "" for those that no part counts."""
    if PurePosixPath(name).suffix not in COUNTED or name == DIGESTS:
        return ""
    top, *_ = name.split("/")
    if top == "app.py":
        return "pages"
    return top if top in ("boltzcore", "pages", "tests") else ""


def test_each_part_keeps_to_its_budget():
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    budget = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["boltzmann"]["size"]
    lines = dict.fromkeys(budget, 0)
    for name in listed.stdout.splitlines():
        if (part := part_of(name)) and (REPOSITORY / name).exists():
            lines[part] += len((REPOSITORY / name).read_text(encoding="utf-8").splitlines())
    assert all(lines[part] <= most for part, most in budget.items()), f"{lines} of {budget}"
