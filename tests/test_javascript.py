"""JavaScript is in order: every module as a browser gets it passes a linter, and its files keep to the width."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.frames import scripts
from pages.inside.pixel import PIXEL
from pages.inside.scripts import INSIDE

PAGES = Path(__file__).parent.parent / "pages"
RULES = {
    "env": {"browser": True, "es2024": True},
    "categories": {"correctness": "error"},
    "rules": {
        "no-undef": "error",
        "no-unused-vars": "error",
        "prefer-const": "error",
        "no-var": "error",
        "unicorn/no-useless-spread": "off",
    },
}
MODULES = {each.path: each.read().decode() for each in (scripts.FRAMES, INSIDE, PIXEL)}


@pytest.mark.parametrize("path", MODULES, ids=[path.split("/")[1] for path in MODULES])
def test_a_module_passes_the_linter(path, tmp_path):
    oxlint = shutil.which("oxlint", path=str(Path(sys.executable).parent)) or shutil.which("oxlint")
    if oxlint is None:
        pytest.skip("no oxlint: install the test requirements")
    shared = re.findall(r"^const (\w+) =", scripts.read("ink.js"), re.MULTILINE)  # no module needs all of it
    (tmp_path / "rules.json").write_text(json.dumps(RULES))
    (tmp_path / "module.mjs").write_text(f"{MODULES[path]}\nexport {{ {', '.join(shared)} }};")
    told = subprocess.run(
        [oxlint, "-c", "rules.json", "-f", "unix", "module.mjs"], cwd=tmp_path, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_lines_keep_to_the_width():
    long = [
        f"{path.relative_to(PAGES)}:{number}"
        for path in [*PAGES.rglob("*.js"), *PAGES.rglob("*.css")]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert not long, long
