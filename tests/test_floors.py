"""The floors of the project: a room imports only from its own floor and those below."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import streamlit

from pages.web.unstable import ELEMENTS
from tests.conftest import REPOSITORY

FLOORS = (
    ("display", "home", "store", "ticks", "quoting", "parameters", "names", "arrays", "threads", "limits", "memory"),
    ("kernels",),
    ("processor",),
    ("models",),
    ("data",),
    ("inference",),
    ("measures",),
    ("learners",),
    ("reference", "observations"),
    ("warm",),
    ("registry",),
    ("training",),
    ("comparison",),
    ("jobs",),
    ("boltzcore",),  # the package's own face: its public names
    ("plotting", "papers", "trained", "restoration", "bench", "warmup", "estimators"),
    ("commands",),
    ("__main__",),
    ("pages", "app"),
)
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
PAGES = (  # the rooms of `pages`; "" are the pages themselves
    "web",
    "common",
    "figures",
    "draw",
    "views",
    "stream",
    "inside",
    "parts",
    "race",
    "lessons",
    "rooms",
    "handbook",
    "exhibits",
    "",
)


def sources() -> list[Path]:
    return sorted(
        [*(REPOSITORY / "boltzcore").rglob("*.py"), *(REPOSITORY / "pages").rglob("*.py"), *REPOSITORY.glob("app.py")]
    )


def room(file: Path) -> str:
    top, *inner = file.relative_to(REPOSITORY).with_suffix("").parts
    return top if top != "boltzcore" or inner == ["__init__"] else inner[0]


@cache
def imports(file: Path) -> list[tuple[int, str]]:
    """(line, dotted name) of everything that a file imports, anywhere in it."""
    package = file.relative_to(REPOSITORY).parent.parts
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = (*package[: len(package) + 1 - node.level], *filter(None, [node.module])) if node.level else ()
            start = ".".join(base) if node.level else node.module
            found += [(node.lineno, f"{start}.{name.name}") for name in node.names]
    return found


def imported_room(name: str) -> str | None:
    """The room that a dotted name belongs to; None for other packages."""
    top, *inner = name.split(".")
    if top in ("pages", "app"):
        return top
    if top != "boltzcore":
        return None
    return inner[0] if inner and inner[0] in LEVEL else "boltzcore"


def places(files: list[Path], wrong: Callable[[Path, str], bool]) -> list[str]:
    return [
        f"{file.relative_to(REPOSITORY)}:{line} imports {name}"
        for file in files
        for line, name in imports(file)
        if wrong(file, name)
    ]


def room_of_pages(file: Path) -> str:
    return "" if file.parent.name == "pages" else file.relative_to(REPOSITORY).parts[1]


def imported_room_of_pages(name: str) -> str | None:
    top, *inner = name.split(".")
    return None if top != "pages" else inner[0] if inner and inner[0] in PAGES else ""


@pytest.mark.parametrize(
    ("floors", "room_of", "imported"),
    [
        (LEVEL, room, imported_room),
        ({room: level for level, room in enumerate(PAGES)}, room_of_pages, imported_room_of_pages),
    ],
    ids=["project", "pages"],
)
def test_every_room_has_a_floor_and_imports_nothing_from_those_above_it(floors, room_of, imported):
    # The package's face names, for type checkers and on first use, what lives above it; rooms below take from the rooms
    # themselves.
    files = [file for file in sources() if room(file) != "boltzcore"]
    files = files if floors is LEVEL else [file for file in files if room(file) == "pages"]
    unknown = {room_of(file) for file in files} - set(floors)
    assert not unknown, f"these have no floor yet, name one: {', '.join(sorted(unknown))}"

    def upwards(file: Path, name: str) -> bool:
        other = imported(name)
        return other is not None and floors[other] > floors[room_of(file)]

    found = places(files, upwards)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "import sys, boltzcore; sys.exit(any(name in sys.modules for name in ('numba', 'numpy', 'streamlit')))",
        "from boltzcore import inference, models; m = models.InfiniteRBM([[0, 0]], [0.5], [0]); "
        "inference.gibbs(m, [[0]], 1, seed=0)",
    ],
)
def test_in_a_fresh_process_no_compiled_code_is_loaded_early_and_models_need_no_learner(code):
    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=False).returncode == 0


def outside(*packages: str) -> Callable[[Path, str], bool]:
    return lambda _file, name: name.split(".")[0] in packages


FIGURES = REPOSITORY / "pages" / "figures"  # needs numbers as arrays, and places in pixels
OWN = ("boltzcore.kernels", "boltzcore.home.folder")
RULES: dict[str, tuple[Callable[[str], bool], Callable[[Path, str], bool]]] = {
    "boltzcore imports streamlit": (lambda top: top not in ("pages", "app"), outside("streamlit")),
    "numba is imported outside the kernels": (lambda top: top != "kernels", outside("numba", "llvmlite")),
    # Compiled code is kept by a digest of the kernels' own sources: a constant from elsewhere could change unseen.
    "kernels take something from elsewhere in the project": (
        lambda top: top == "kernels",
        lambda _file, name: imported_room(name) is not None and not name.startswith(OWN),
    ),
    "pages do mathematics other than that of drawing": (
        lambda top: top in ("pages", "app"),
        lambda file, name: (
            file.parent != FIGURES and name.split(".")[0] in ("numpy", "scipy", "sklearn", "math", "statistics")
        ),
    ),
    "what Streamlit does not promise is imported outside its list": (
        lambda top: top in ("pages", "app"),
        lambda file, name: name.startswith("streamlit.") and file.name != "unstable.py",
    ),
    "Plotly is imported outside the figures": (
        lambda top: top != "plotting",
        lambda file, name: file.parent != FIGURES and name.split(".")[0] == "plotly",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_nothing_is_imported_where_it_does_not_belong(rule):
    of, wrong = RULES[rule]
    found = places([file for file in sources() if of(room(file))], wrong)
    assert not found, f"{rule}:\n" + "\n".join(found)


def test_elements_of_streamlit_s_page_are_listed_and_are_there():
    files = [file for room in ("pages", "tests/browser") for file in (REPOSITORY / room).rglob("*.*")]
    texts = [file.read_text() for file in files if file.suffix in (".py", ".js", ".css") and file.name != "unstable.py"]
    used = {name for text in texts for name in re.findall(r"""["'=.#](st[A-Z]\w*)""", text)}
    assert used == set(ELEMENTS.split())
    scripts = "".join(file.read_text() for file in Path(streamlit.__file__).parent.rglob("static/js/*.js"))
    assert not [name for name in used if name not in scripts]


WIDGETS = {"slider", "number_input", "select_slider"}
LIMITS = {"min_value", "max_value", "value", "step"}


def test_pages_keep_no_bounds_or_defaults_of_their_own():
    """A number that a widget offers comes from the declaration of its hyper-parameter."""
    found = []
    for file in (REPOSITORY / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WIDGETS:
                given = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg in LIMITS)]
                if any(isinstance(value, ast.Constant) and isinstance(value.value, int | float) for value in given):
                    found.append(f"{file.relative_to(REPOSITORY)}:{node.lineno} gives {node.func.attr} a number")
    assert not found, "\n".join(found)


LONG = {  # sources above 400 lines, and why they are in one piece
    "boltzcore/kernels/simd.py": "instructions of one processor, over the same few private helpers",
}


def test_no_source_file_is_long_without_a_reason():
    """So that each can be read at one sitting."""
    kinds = {".py", ".js", ".css", ".html"}
    files = [path for room in ("boltzcore", "pages") for path in (REPOSITORY / room).rglob("*") if path.suffix in kinds]
    assert len(files) > 300
    long = [path for path in files if len(path.read_text(encoding="utf-8").splitlines()) > 400]
    assert {path.relative_to(REPOSITORY).as_posix() for path in long} == set(LONG)


def test_what_a_session_keeps_is_declared_in_one_place_but_for_the_keys_of_widgets():
    """A key that is written out elsewhere is that of a widget in the same file."""
    elsewhere = {"parts/tables.py", "parts/uploads.py"}
    key = r'(f?"[^"]*"|_?[A-Z][A-Z_]*)'
    used = re.compile(rf"session_state(?:\[|\.(?:get|pop|setdefault)\(){key}|{key} (?:not )?in st\.session_state")
    for file in (REPOSITORY / "pages").rglob("*.py"):
        text = re.sub("{[^}]*}", "{}", file.read_text(encoding="utf-8"))
        found = {one or other for one, other in used.findall(text)}
        name = file.relative_to(REPOSITORY / "pages").as_posix()
        assert name in elsewhere or all(f"key={each}" in text for each in found), (name, found)
