"""The project as a newcomer meets it: the README's words hold, and what is imported is asked for."""

import re
import sys

import pytest
from PIL import Image

import boltzcore
from boltzcore.__main__ import main
from boltzcore.restoration import own_digit
from boltzcore.trained import SHAPE
from tests.conftest import REPOSITORY
from tests.test_floors import imports, sources

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
IMPORTED_AS = {"pillow": "PIL", "scikit-learn": "sklearn"}
BROUGHT_BY = {"llvmlite": "numba", "requests": "pooch", "starlette": "streamlit"}  # in the version that fits


def test_the_package_names_what_it_offers():
    assert set(boltzcore.__all__) == {"Recipe", "Step", "train"}
    assert all(getattr(boltzcore, name).__name__ == name for name in boltzcore.__all__)
    with pytest.raises(AttributeError, match="no attribute 'untold'"):
        _ = boltzcore.untold


def test_the_readmes_commands_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assets").symlink_to(REPOSITORY / "assets")
    Image.fromarray(255 * own_digit(3).reshape(SHAPE)).save("digit.png")
    lines = re.findall(r"^\.venv/bin/python -m boltzcore (.*?)(?: +#.*)?$", README, re.MULTILINE)
    assert len(lines) > 5
    for line in lines:
        long = line.split()[0] in ("bench", "study", "warmup")
        assert main([*line.split(), *(["--help"] if long else [])]) == 0, f"{line}: {capsys.readouterr().err}"


def test_the_readmes_example_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "train(" in block)
    exec(compile(example, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 51
    assert (tmp_path / "digits.npz").exists()


def test_what_is_imported_is_asked_for():
    lines = (REPOSITORY / "requirements.txt").read_text(encoding="utf-8").splitlines()
    names = {line.split("~=")[0] for line in lines if line and not line.startswith("#")}
    known = {IMPORTED_AS.get(name, name) for name in names} | {"boltzcore", "pages"} | set(sys.stdlib_module_names)
    known |= {name for name, other in BROUGHT_BY.items() if other in names}
    found = [f"{file.relative_to(REPOSITORY)}:{line} imports {name}" for file in sources() for line, name in imports(file) if name.split(".")[0] not in known]
    assert not found, "not in requirements.txt:\n" + "\n".join(found)
