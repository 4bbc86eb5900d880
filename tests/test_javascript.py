"""JavaScript is in order: the modules as a browser gets them pass a linter, find each other, and keep to the width."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.web.scripts import FOLDER, files, needed
from tests.test_floors import PAGES

RULES = {
    "env": {"browser": True, "es2024": True},
    "plugins": ["import"],
    "categories": {"correctness": "error"},
    "rules": {
        "no-undef": "error",
        "no-unused-vars": "error",
        "prefer-const": "error",
        "no-var": "error",
        "import/named": "error",
        "import/no-cycle": "error",
        "unicorn/no-useless-spread": "off",
    },
}
MODULES = [file for file in files() if file.endswith(".js")]
ENTRY = re.compile(r"^export const (begin|view) =", re.M)  # of a component, or of the drawing of a family


def test_the_modules_pass_the_linter(tmp_path):
    oxlint = shutil.which("oxlint", path=str(Path(sys.executable).parent)) or shutil.which("oxlint")
    if oxlint is None:
        pytest.skip("no oxlint: install the test requirements")
    (rules := tmp_path / "rules.json").write_text(json.dumps(RULES))
    command = [oxlint, "-c", str(rules), "-f", "unix", *MODULES]
    linted = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout + linted.stderr


@pytest.mark.parametrize("module", MODULES)
def test_a_module_needs_what_is_there_in_its_own_room_and_those_below(module):
    level = PAGES.index(module.partition("/")[0])
    for file in needed(module):
        assert file in files()
        room = file.partition("/")[0]
        assert room in ("draw", "stream") or PAGES.index(room) <= level


def test_every_module_is_used():
    entries = [name for name in MODULES if ENTRY.search((FOLDER / name).read_text())]
    assert {file for entry in entries for file in needed(entry) if file in MODULES} == set(MODULES)
