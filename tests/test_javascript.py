"""JavaScript is in order: the modules as a browser gets them pass a linter, find each other, and keep to the width."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages.draw.scripts import DRAW
from pages.inside.scripts import INSIDE
from pages.lessons.scripts import LESSON_SCRIPTS
from pages.rooms.scripts import ROOM_SCRIPTS
from pages.stream.scripts import STREAM
from pages.web.scripts import MODULES

PAGES = Path(__file__).parent.parent / "pages"
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
INLINE = ("common/keyboard.js",)  # a component of one file, which Streamlit sends
ROOMS = {module: room for room in (DRAW, STREAM, INSIDE, LESSON_SCRIPTS, ROOM_SCRIPTS) for module in room.modules}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("modules")
    (made / "rules.json").write_text(json.dumps(RULES))
    for name, code in {**MODULES, **{name: (PAGES / name).read_bytes() for name in INLINE}}.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(code)
    return made


def test_the_modules_pass_the_linter(folder):
    oxlint = shutil.which("oxlint", path=str(Path(sys.executable).parent)) or shutil.which("oxlint")
    if oxlint is None:
        pytest.skip("no oxlint: install the test requirements")
    told = subprocess.run([oxlint, "-c", "rules.json", "-f", "unix", "."], cwd=folder, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_its_own_room_and_those_below(module):
    ROOMS[module].imported(module)


def test_every_module_is_used():
    entries = {name for name in MODULES if re.search(r"^export (const draw|\{ leave)", MODULES[name].decode(), re.M)}
    entries |= {name for name in MODULES if re.search(r"^export const view =", MODULES[name].decode(), re.M)}
    used = entries.union(*(ROOMS[entry].imported(entry) for entry in entries))
    assert used == set(MODULES)
