"""The project as a newcomer meets it: the README's words hold, and what is imported is asked for."""

import re
import sys
import tomllib
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from boltzcore.__main__ import main
from boltzcore.data import load as load_data
from boltzcore.models import load
from boltzcore.registry import MODELS, ModelEntry
from boltzcore.restoration import own_digit
from boltzcore.trained import SHAPE
from tests.conftest import REPOSITORY
from tests.test_floors import imports, sources

PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
README, LIBRARY = ((REPOSITORY / folder / "README.md").read_text(encoding="utf-8") for folder in (".", "boltzcore"))
IMPORTED_AS = {"pillow": "PIL", "scikit-learn": "sklearn"}
BROUGHT_BY = {"llvmlite": "numba", "requests": "pooch", "starlette": "streamlit"}  # in the version that fits


@pytest.mark.nightly
def test_the_readmes_commands_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assets").symlink_to(REPOSITORY / "assets")
    Image.fromarray(255 * own_digit(3).reshape(SHAPE)).save("digit.png")
    lines = re.findall(r"^\.venv/bin/python -m boltzcore (.*?)(?: +#.*)?$", README + LIBRARY, re.MULTILINE)
    assert len(lines) > 5
    for line in dict.fromkeys(lines):
        long = line.split()[0] in ("bench", "compare", "study", "warmup")
        assert main([*line.split(), *(["--help"] if long else [])]) == 0, f"{line}: {capsys.readouterr().err}"


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_the_readmes_links_and_files_are_there():
    sources = [
        *REPOSITORY.glob("*.md"),
        *(f for top in ("boltzcore", "pages", "assets") for f in REPOSITORY.glob(f"{top}/**/*.md")),
    ]
    assert len(sources) > 5
    for source in sources:
        text = source.read_text(encoding="utf-8")
        for link in re.findall(r"\]\(((?!http)[^)\s]+)\)", text):
            path, _, part = link.partition("#")
            file = source.parent / path if path else source
            assert file.exists(), f"{source}: {link}"
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE) if part else []
            assert not part or part in map(anchor, headings), f"{source}: {link}"
        for name in re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|js|txt|md))`", text):
            roots = (REPOSITORY, REPOSITORY / "boltzcore", source.parent)
            assert any((root / name).exists() for root in roots), f"{source}: {name}"


def test_the_readmes_example_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "train(" in block)
    exec(compile(example, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 51
    assert (tmp_path / "digits.npz").exists()


def test_the_readmes_model_works(monkeypatch, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", LIBRARY, re.DOTALL)
    names: dict = {"__name__": "readme"}
    exec(compile(next(block for block in blocks if "(ExactModel)" in block), "boltzcore/README.md", "exec"), names)
    entry = next(block for block in blocks if "ModelEntry(" in block)
    known = SimpleNamespace(Coins=names["Coins"], CoinsSetup=names["CoinsSetup"])
    (name, made), *_ = eval(f"{{{entry}}}", {"ModelEntry": ModelEntry, "models": known}).items()
    monkeypatch.setitem(MODELS, name, made)
    rows = load_data("digits")
    model = names["CoinsSetup"]().initial(rows.train, seed=0)
    assert model.log_likelihood(rows.test.v).mean() == pytest.approx(-64 * np.log(2), abs=0.5)
    model.save(tmp_path / "coins.npz")
    assert (load(tmp_path / "coins.npz").p == model.p).all()


EXTRAS = {  # the one file that imports what only an extra asks for
    "plotting/__init__.py": "plot",
    "display.py": "progress",
    "data/table_formats.py": "excel",
    "commands/executor.py": "cluster",
}


def packages(requirements: list[str]) -> set[str]:
    return {re.split("[~=]=", requirement)[0] for requirement in requirements}


def test_what_is_imported_is_asked_for():
    project = PYPROJECT["project"]
    alone = packages(project["dependencies"])
    app = alone | packages(project["optional-dependencies"]["app"])
    extras = {REPOSITORY / "boltzcore" / file: project["optional-dependencies"][name] for file, name in EXTRAS.items()}
    found = []
    for file in sources():
        asked = alone if file.is_relative_to(REPOSITORY / "boltzcore") else app
        asked = alone | packages(extras[file]) if file in extras else asked
        known = {IMPORTED_AS.get(name, name) for name in asked} | {"boltzcore", "pages"} | set(sys.stdlib_module_names)
        known |= {name for name, other in BROUGHT_BY.items() if other in asked}
        found += [
            f"{file.relative_to(REPOSITORY)}:{line} imports {name}"
            for line, name in imports(file)
            if name.split(".")[0] not in known
        ]
    assert not found, "not among the dependencies of pyproject.toml:\n" + "\n".join(found)


def test_the_two_lists_of_requirements_agree():
    lines = (REPOSITORY / "requirements.txt").read_text(encoding="utf-8").splitlines()
    project = PYPROJECT["project"]
    assert sorted(line for line in lines if not line.startswith("#")) == sorted(
        [*project["dependencies"], *project["optional-dependencies"]["app"]]
    )
